//! Owns who plays which role: flags, then gapless.toml, and the defaults. Names are kept as they are found from the
//! workspace root, so that a session goes on from whichever folder it is resumed in.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use gapless_agents::{OpenContext, Person, Providers, Reports, open};
use gapless_core::State;
use gapless_core::task::Role;
use gapless_runner::AgentSource;
use gapless_store::SessionName;

use crate::args::AgentArgs;
use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::finding;
use crate::settings::Settings;
use crate::workspace::Workspace;

const NONE: &str = "none";

type Cast = BTreeMap<Role, String>;

/// What to say of budgets that can't be used up, since no agent of the session reports what they count.
pub fn idle_budgets(state: &State, agents: &mut dyn AgentSource) -> Option<String> {
    let setup = &state.kept.setup;
    let (tokens, cost) = (setup.config.budget_tokens, setup.config.budget_cost);
    if state.kept.ended.is_some() || (tokens.is_none() && cost.is_none()) {
        return None;
    }
    let mut told = Reports::default();
    for name in setup.agents.values() {
        // One that can't be opened is another matter, and asked about.
        let reports = agents.agent(name).ok()?.reports();
        told.tokens |= reports.tokens;
        told.cost |= reports.cost;
    }
    let idle = (
        tokens.is_some() && !told.tokens,
        cost.is_some() && !told.cost,
    );
    let what = match idle {
        (true, true) => "tokens and cost",
        (true, false) => "tokens",
        (false, true) => "cost",
        (false, false) => return None,
    };
    Some(format!(
        "! no agent of this session reports {what}, so that budget holds nothing; `--budget time=…` does"
    ))
}

/// The agents of a new session.
pub fn cast(
    context: &Context,
    workspace: &Workspace,
    flags: &AgentArgs,
    settings: &Settings,
) -> Result<Cast, Failure> {
    let flag = |name: &Option<String>| {
        name.as_deref()
            .map(|name| anchored(name, &context.here, workspace.root()))
    };
    let all = flag(&flags.agents);
    let set = |key: &str| settings.agents.get(key).cloned();
    let pick = |own: &Option<String>, key: &str| {
        flag(own)
            .or_else(|| all.clone())
            .or_else(|| set(key))
            .or_else(|| set("all"))
            .filter(|name| name.trim() != "auto")
    };
    let (engineer, reviewer) = finding::fill_in(
        context,
        settings,
        pick(&flags.engineer, "engineer"),
        pick(&flags.reviewer, "reviewer"),
    );
    let mut cast = Cast::from([(Role::Engineer, engineer), (Role::Reviewer, reviewer)]);
    for (role, own) in [
        (Role::Analyst, &flags.analyst),
        (Role::Editor, &flags.editor),
    ] {
        let named = flag(own).or_else(|| set(role.stem()));
        match named.filter(|name| name.trim() != "auto") {
            Some(name) if name.trim() == NONE => {}
            Some(name) => {
                cast.insert(role, name);
            }
            None => as_the_engineer(role, workspace, settings, &mut cast)?,
        }
    }
    if let Some(name) = set("final_review").filter(|name| name.trim() != "auto") {
        cast.insert(Role::FinalReviewer, name);
    }
    for name in cast.values().chain(&settings.fallback) {
        open(name, &at(workspace, settings))?;
    }
    Ok(cast)
}

/// The agents of a session that goes on: its own, but for the roles that flags name.
pub fn recast(
    context: &Context,
    workspace: &Workspace,
    flags: &AgentArgs,
    settings: &Settings,
    own: &Cast,
) -> Result<Cast, Failure> {
    let flag = |name: &Option<String>| {
        name.as_deref()
            .map(|name| anchored(name, &context.here, workspace.root()))
    };
    let mut cast = own.clone();
    let all = flag(&flags.agents);
    let engineer = flag(&flags.engineer).or_else(|| all.clone());
    let reviewer = flag(&flags.reviewer).or(all);
    // What `auto` stands for is looked for beside what the other role has.
    let meant = |named: Option<String>, role: Role| match named {
        Some(name) if name.trim() == "auto" => None,
        named => named.or_else(|| own.get(&role).cloned()),
    };
    let (engineer, reviewer) = finding::fill_in(
        context,
        settings,
        meant(engineer, Role::Engineer),
        meant(reviewer, Role::Reviewer),
    );
    cast.insert(Role::Engineer, engineer);
    cast.insert(Role::Reviewer, reviewer);
    for (role, named) in [
        (Role::Analyst, &flags.analyst),
        (Role::Editor, &flags.editor),
    ] {
        match flag(named) {
            Some(name) if name.trim() == NONE => {
                cast.remove(&role);
            }
            Some(name) => {
                cast.insert(role, name);
            }
            // One that is the Engineer's agent by default follows it.
            None if own.contains_key(&role)
                && own.get(&role) == own.get(&Role::Engineer)
                && own.get(&Role::Engineer) != cast.get(&Role::Engineer) =>
            {
                cast.remove(&role);
                as_the_engineer(role, workspace, settings, &mut cast)?;
            }
            None => {}
        }
    }
    // What the session had is opened when it is needed: an agent that is gone is a question then, not an error here.
    for (role, name) in &cast {
        if own.get(role) != Some(name) {
            open(name, &at(workspace, settings))?;
        }
    }
    for name in &settings.fallback {
        open(name, &at(workspace, settings))?;
    }
    Ok(cast)
}

/// A role that the Engineer's agent has too, where it can.
fn as_the_engineer(
    role: Role,
    workspace: &Workspace,
    settings: &Settings,
    cast: &mut Cast,
) -> Result<(), Failure> {
    if let Some(name) = cast.get(&Role::Engineer).cloned()
        && open(&name, &at(workspace, settings))?.plays(role)
    {
        cast.insert(role, name);
    }
    Ok(())
}

/// The code base that agents may look at: the one that is named, else the session's own; `none` takes it away.
pub fn repo(
    context: &Context,
    workspace: &Workspace,
    flags: &AgentArgs,
    settings: &Settings,
    own: Option<&str>,
    cast: &Cast,
) -> Result<Option<String>, Failure> {
    let named = match &flags.repo {
        Some(named) if named.as_os_str() == NONE => return Ok(None),
        Some(named) => Some(context.resolve(named)),
        None => settings.repo.clone(),
    };
    let Some(folder) = named.or_else(|| own.map(Into::into)) else {
        return Ok(None);
    };
    let folder = match folder.canonicalize() {
        Ok(real) if real.is_dir() => real,
        _ => {
            let message = format!("there is no code base in {}", folder.display());
            return Err(Failure::new(Kind::Agent, message)
                .hint("name its folder with --repo, or `--repo none` to go on without it"));
        }
    };
    if let Some(engineer) = cast.get(&Role::Engineer)
        && let Ok(agent) = open(engineer, &at(workspace, settings))
        && !agent.reads_files()
    {
        context.screen.note(&format!(
            "! the Engineer's agent `{engineer}` can't read files, so it can't look at {}",
            folder.display()
        ));
    }
    Ok(Some(folder.to_string_lossy().into_owned()))
}

/// What to say where one model plays both roles.
pub fn same_model(state: &State, agents: &mut dyn AgentSource) -> Option<String> {
    let own = &state.kept.setup.agents;
    let (engineer, reviewer) = (own.get(&Role::Engineer)?, own.get(&Role::Reviewer)?);
    if state.kept.ended.is_some() || engineer != reviewer {
        return None;
    }
    // A person, a script and a recording tell nothing of tokens: they are no model.
    let is_model = agents.agent(engineer).ok()?.reports().tokens;
    is_model.then(|| {
        format!(
            "! `{engineer}` is both Engineer and Reviewer: another model finds more in a proposal than the one that wrote it"
        )
    })
}

/// What agents are opened with to see whether they can be.
pub fn at(workspace: &Workspace, settings: &Settings) -> OpenContext {
    OpenContext {
        providers: Providers::new(settings.http.clone()),
        presets: Arc::clone(&settings.presets),
        pass: settings.environment.clone(),
        ..OpenContext::unattended(workspace.root())
    }
}

/// What the agents of a session are opened with.
pub fn attended(
    context: &Context,
    workspace: &Workspace,
    session: &SessionName,
    settings: &Settings,
) -> OpenContext {
    OpenContext {
        person: Person {
            drafts: workspace.folder(session).root().join("drafts"),
            editors: editors(|name| std::env::var(name).ok()),
            terminal: context.terminal.clone(),
        },
        ..at(workspace, settings)
    }
}

/// The person's own editors, else those that are usual.
fn editors(variable: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let own: Vec<String> = ["VISUAL", "EDITOR"]
        .into_iter()
        .filter_map(variable)
        .filter(|line| !line.trim().is_empty())
        .collect();
    let usual: &[&str] = match cfg!(windows) {
        true => &["notepad"],
        false => &["sensible-editor", "editor", "nano", "vim", "vi"],
    };
    match own.is_empty() {
        true => usual.iter().map(|line| (*line).to_owned()).collect(),
        false => own,
    }
}

/// An agent's name with the path in it turned from one that is found from `here` into one found from `root`.
fn anchored(name: &str, here: &Path, root: &Path) -> String {
    if here == root {
        return name.to_owned();
    }
    let turned = |path: &str| {
        let joined = here.join(path);
        let real = joined.canonicalize().unwrap_or(joined);
        let inside = real.strip_prefix(root).ok().map(Path::to_owned);
        match inside {
            // A relative program needs a separator, or it would be looked for on PATH.
            Some(inside) => Path::new(".").join(inside),
            None => real,
        }
        .to_string_lossy()
        .into_owned()
    };
    match name.split_once(':') {
        Some(("replay", folder)) if !folder.trim().is_empty() => {
            format!("replay:{}", turned(folder.trim()))
        }
        Some(("cmd", line)) => match shlex::split(line) {
            Some(words)
                if words.first().is_some_and(|program| {
                    program.contains('/') && !Path::new(program).is_absolute()
                }) =>
            {
                let program = turned(&words[0]);
                let words =
                    std::iter::once(program.as_str()).chain(words[1..].iter().map(String::as_str));
                match shlex::try_join(words) {
                    Ok(line) => format!("cmd:{line}"),
                    Err(_) => name.to_owned(),
                }
            }
            _ => name.to_owned(),
        },
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_turned_to_the_workspace_root() {
        let (here, root) = (Path::new("/w/specs"), Path::new("/w"));
        let cases = [
            ("replay:recorded", "replay:./specs/recorded"),
            ("replay:/x/y", "replay:/x/y"),
            ("cmd:./agent.sh 'a b'", "cmd:./specs/./agent.sh 'a b'"),
            ("cmd:claude -p", "cmd:claude -p"),
            ("cmd:/bin/sh x", "cmd:/bin/sh x"),
            ("human", "human"),
        ];
        for (name, expected) in cases {
            assert_eq!(anchored(name, here, root), expected);
            assert_eq!(anchored(name, root, root), name);
        }
    }

    #[test]
    fn ones_own_editor_goes_before_the_usual_ones() {
        let with = |visual: &str, editor: &str| {
            let (visual, editor) = (visual.to_owned(), editor.to_owned());
            editors(|name| match name {
                "VISUAL" => Some(visual.clone()),
                "EDITOR" => Some(editor.clone()),
                _ => None,
            })
        };
        assert_eq!(with("code --wait", "ed"), ["code --wait", "ed"]);
        assert_eq!(with(" ", "ed"), ["ed"]);
        assert_eq!(with("", ""), editors(|_| None));
        assert!(!editors(|_| None).is_empty());
    }
}
