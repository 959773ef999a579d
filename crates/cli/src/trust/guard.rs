//! Opens the agents of a run, and only those that may run: what the gate let pass, what the user named since, and what is
//! allowed otherwise. A session's log may name others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use gapless_agents::{Agent, OpenError};
use gapless_domain::Role;
use gapless_mediator::RunSettings;
use gapless_runner::{AgentSource, Opener};
use gapless_store::SessionName;

use super::gather::{Gathering, Origin};
use super::grants::Grants;
use crate::{Settings, Workspace};

/// The field of an answer that names an agent.
pub(crate) const AGENT_FIELD: &str = "agent";

/// Names of agents that were typed at the terminal during a run.
#[derive(Debug, Clone, Default)]
pub(crate) struct TypedAgents(Arc<Mutex<BTreeSet<String>>>);

impl TypedAgents {
    pub(crate) fn add(&self, name: &str) {
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        names.insert(name.trim().to_owned());
    }

    fn has(&self, name: &str) -> bool {
        let names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        names.contains(name.trim())
    }
}

pub(crate) struct TrustedAgents {
    opener: Opener,
    workspace: Workspace,
    settings: Settings,
    session: SessionName,
    /// What the gate let pass.
    passed: Passed,
    typed: TypedAgents,
}

/// What the gate let pass, of a session's setup.
#[derive(Default)]
pub(crate) struct Passed {
    agents: BTreeSet<String>,
    /// What agents get; the gate has not looked at them where none of its agents gets prompts.
    prompts: BTreeMap<String, String>,
    examples: BTreeMap<Role, String>,
}

impl Passed {
    pub(crate) fn of(met: &RunSettings) -> Self {
        Self {
            agents: met.agents.values().chain(&met.fallback).cloned().collect(),
            prompts: met.prompts.clone(),
            examples: met.examples.clone(),
        }
    }
}

impl TrustedAgents {
    pub(crate) fn new(
        opener: Opener,
        workspace: &Workspace,
        settings: &Settings,
        session: &SessionName,
        passed: Passed,
        typed: TypedAgents,
    ) -> Self {
        Self {
            opener,
            workspace: workspace.clone(),
            settings: settings.clone(),
            session: session.clone(),
            passed,
            typed,
        }
    }

    fn may_run(&self, name: &str) -> bool {
        if self.passed.agents.contains(name) {
            return true;
        }
        let origin = match self.typed.has(name) {
            true => Origin::User,
            false => Origin::Folder("session".to_owned()),
        };
        let mut gathering = Gathering::new(&self.workspace, &self.settings, None);
        gathering.agent(name, "", &origin);
        if gathering.runs_programs() {
            gathering.environment();
        }
        if gathering.uses_prompts() {
            gathering.templates(&self.passed.prompts);
            gathering.examples(&self.session, &self.passed.examples);
        }
        let gathered = gathering.finish();
        // Read anew: `gapless answer` may have named it, in another process.
        match Grants::of(&self.workspace) {
            Ok(mut grants) => {
                let allowed = gathered.needed.iter().all(|claim| grants.has(claim));
                // If this can't be kept, it is asked when the session is resumed.
                let _ = grants.add(&gathered.typed);
                allowed
            }
            Err(_) => gathered.needed.is_empty(),
        }
    }
}

impl AgentSource for TrustedAgents {
    fn agent(&mut self, name: &str) -> Result<Arc<dyn Agent>, OpenError> {
        match self.may_run(name) {
            true => self.opener.agent(name),
            false => Err(OpenError::NotTrusted {
                spec: name.to_owned(),
            }),
        }
    }
}
