//! The claims behind a session that is about to run: what it uses, and who named that.

use std::collections::BTreeSet;
use std::path::Path;

use gapless_domain::Role;
use gapless_mediator::RunSettings;
use gapless_session::State;
use gapless_store::SessionName;

use super::gather::{Gathered, Gathering, Origin};

/// A session before it runs.
pub(crate) struct SessionClaims<'a> {
    pub(crate) name: &'a SessionName,
    pub(crate) met: &'a RunSettings,
    /// What its log says, if it has one.
    pub(crate) recorded: Option<&'a State>,
    /// The agents that the user named.
    pub(crate) typed: BTreeSet<String>,
    /// Whether the user named the code base.
    pub(crate) typed_repo: bool,
}

impl SessionClaims<'_> {
    pub(crate) fn gather(&self, mut gathering: Gathering<'_>) -> Gathered {
        let met = self.met;
        let roles: Vec<(Role, Origin)> = met
            .agents
            .iter()
            .map(|(role, name)| (*role, self.origin(&gathering, *role, name)))
            .collect();
        gathering.agents(&met.agents, |role, _| {
            let mut found = roles.iter().filter(|(known, _)| *known == role);
            found
                .next()
                .map_or(Origin::User, |(_, origin)| origin.clone())
        });
        let fallback = match gathering.settings().fallback.is_empty() {
            true => Origin::recorded_in(self.name.as_str()),
            false => Origin::Folder(gathering.key("agents.fallback")),
        };
        for name in &met.fallback {
            gathering.agent(name, "as a fallback", &fallback);
        }
        if let Some(repo) = &met.repo {
            let origin = match (self.typed_repo, &gathering.settings().repo) {
                (true, _) => Origin::User,
                (false, Some(_)) => Origin::Folder(gathering.key("agents.repo")),
                (false, None) => Origin::recorded_in(self.name.as_str()),
            };
            gathering.repo(Path::new(repo), &origin);
        }
        self.running(&mut gathering);
        if gathering.runs_programs() {
            gathering.environment();
        }
        if gathering.uses_prompts() {
            gathering.templates(&met.prompts);
            gathering.examples(self.name, &met.examples);
        }
        gathering.finish()
    }

    /// The tasks that were under way: they go on as they began, with an agent and a code base of their own.
    fn running(&self, gathering: &mut Gathering<'_>) {
        let recorded = Origin::recorded_in(self.name.as_str());
        for task in self.recorded.into_iter().flat_map(State::running) {
            let origin = match self.typed.contains(&task.agent) {
                true => &Origin::User,
                false => &recorded,
            };
            let role = task.id.slot.role;
            gathering.agent(&task.agent, &format!("as the {role}"), origin);
            let repo = task.repo.as_deref();
            if let Some(repo) = repo.filter(|repo| self.met.repo.as_deref() != Some(*repo)) {
                gathering.repo(Path::new(repo), &recorded);
            }
        }
    }

    /// Who named the agent of a role. One that neither the user nor the folder named was found on this machine.
    fn origin(&self, gathering: &Gathering<'_>, role: Role, name: &str) -> Origin {
        if self.typed.contains(name) {
            return Origin::User;
        }
        let agents = &gathering.settings().agents;
        let key = match agents.get(role.stem()).is_some_and(|agent| agent == name) {
            true => Some(role.stem()),
            false => {
                let mut named = agents.iter().filter(|(_, agent)| *agent == name);
                named.next().map(|(key, _)| key.as_str())
            }
        };
        let is_recorded = self.recorded.is_some_and(|state| {
            let setup = &state.kept.setup;
            setup.agents.values().any(|agent| agent == name)
                || setup.fallback.iter().any(|agent| agent == name)
        });
        match key {
            Some(key) => Origin::Folder(gathering.key(&format!("agents.{key}"))),
            None if is_recorded => Origin::recorded_in(self.name.as_str()),
            None => Origin::User,
        }
    }
}
