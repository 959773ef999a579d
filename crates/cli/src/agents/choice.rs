//! Which agent plays which role: flags first, then gapless.toml, then the defaults.

use std::collections::{BTreeMap, BTreeSet};

use gapless_agents::open;
use gapless_domain::Role;

use super::discovery;
use super::opening::unattended;
use super::paths;
use crate::{AgentArgs, Context, Result, Settings, Workspace};

/// The name that stands for no agent, or for no code base.
pub(crate) const NONE: &str = "none";

/// The name that stands for any agent that is installed.
const AUTO: &str = "auto";

pub(crate) type AgentsByRole = BTreeMap<Role, String>;

/// The agents that the flags name, with their paths relative to the workspace root.
struct Named {
    engineer: Option<String>,
    reviewer: Option<String>,
    /// The Analyst's and the Editor's.
    others: [(Role, Option<String>); 2],
    /// Whether one agent is named for everything: then no agent of the folder has a role.
    all: bool,
}

impl Named {
    fn read(context: &Context, workspace: &Workspace, flags: &AgentArgs) -> Self {
        let name = |flag: &Option<String>| {
            let flag = flag.as_deref()?;
            Some(paths::from_root(flag, &context.here, workspace.root()))
        };
        let both = name(&flags.agents);
        Self {
            all: both.as_ref().is_some_and(|name| !is(name, AUTO)),
            engineer: name(&flags.engineer).or_else(|| both.clone()),
            reviewer: name(&flags.reviewer).or(both),
            others: [
                (Role::Analyst, name(&flags.analyst)),
                (Role::Editor, name(&flags.editor)),
            ],
        }
    }
}

fn is(name: &str, word: &str) -> bool {
    name.trim() == word
}

/// The agents that the flags name.
pub(crate) fn typed(
    context: &Context,
    workspace: &Workspace,
    flags: &AgentArgs,
) -> BTreeSet<String> {
    let named = Named::read(context, workspace, flags);
    let [(_, analyst), (_, editor)] = named.others;
    let names = [named.engineer, named.reviewer, analyst, editor];
    names.into_iter().flatten().collect()
}

/// Chooses the agents of a new session.
pub(crate) fn choose(
    context: &Context,
    workspace: &Workspace,
    flags: &AgentArgs,
    settings: &Settings,
) -> Result<AgentsByRole> {
    let named = Named::read(context, workspace, flags);
    let set = |key: &str| settings.agents.get(key).cloned();
    let pick = |name: Option<String>, key: &str| {
        name.or_else(|| set(key))
            .or_else(|| set("all"))
            .filter(|name| !is(name, AUTO))
    };
    let (engineer, reviewer) = discovery::fill_in(
        context,
        settings,
        pick(named.engineer, "engineer"),
        pick(named.reviewer, "reviewer"),
    );
    let mut agents = AgentsByRole::from([(Role::Engineer, engineer), (Role::Reviewer, reviewer)]);
    for (role, name) in named.others {
        let set = set(role.stem()).filter(|name| !named.all || is(name, NONE));
        let name = name.or(set);
        match name.filter(|name| !is(name, AUTO)) {
            Some(name) if is(&name, NONE) => {}
            Some(name) => {
                agents.insert(role, name);
            }
            None => share_engineer(role, workspace, settings, &mut agents)?,
        }
    }
    let final_review = set("final_review").filter(|name| !is(name, AUTO) && !named.all);
    if let Some(name) = final_review {
        agents.insert(Role::FinalReviewer, name);
    }
    for name in agents.values().chain(&settings.fallback) {
        open(name, &unattended(workspace, settings))?;
    }
    Ok(agents)
}

/// Chooses the agents of a session that goes on: its own, except for the roles that flags name.
pub(crate) fn choose_again(
    context: &Context,
    workspace: &Workspace,
    flags: &AgentArgs,
    settings: &Settings,
    own: &AgentsByRole,
) -> Result<AgentsByRole> {
    let named = Named::read(context, workspace, flags);
    // An agent for `auto` is looked for with regard to the other role's.
    let pick = |name: Option<String>, role: Role| match name {
        Some(name) if is(&name, AUTO) => None,
        name => name.or_else(|| own.get(&role).cloned()),
    };
    let (engineer, reviewer) = discovery::fill_in(
        context,
        settings,
        pick(named.engineer, Role::Engineer),
        pick(named.reviewer, Role::Reviewer),
    );
    let engineer_changed = own.get(&Role::Engineer) != Some(&engineer);
    let mut agents = own.clone();
    agents.insert(Role::Engineer, engineer);
    agents.insert(Role::Reviewer, reviewer);
    for (role, name) in named.others {
        let own_agent = own.get(&role);
        let shared = own_agent.is_some()
            && ((own_agent == own.get(&Role::Engineer) && engineer_changed) || named.all);
        match name {
            Some(name) if is(&name, NONE) => {
                agents.remove(&role);
            }
            Some(name) => {
                agents.insert(role, name);
            }
            None if shared => {
                agents.remove(&role);
                share_engineer(role, workspace, settings, &mut agents)?;
            }
            None => {}
        }
    }
    if named.all {
        agents.remove(&Role::FinalReviewer);
    }
    // The session's own agents are opened when they are needed: one that is gone is a question then, not an error here.
    let new = agents
        .iter()
        .filter(|(role, name)| own.get(role) != Some(name));
    for name in new.map(|(_, name)| name).chain(&settings.fallback) {
        open(name, &unattended(workspace, settings))?;
    }
    Ok(agents)
}

/// Gives a role to the Engineer's agent too, if that agent can play it.
fn share_engineer(
    role: Role,
    workspace: &Workspace,
    settings: &Settings,
    agents: &mut AgentsByRole,
) -> Result<()> {
    if let Some(name) = agents.get(&Role::Engineer).cloned()
        && open(&name, &unattended(workspace, settings))?.plays(role)
    {
        agents.insert(role, name);
    }
    Ok(())
}
