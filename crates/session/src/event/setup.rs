//! What a session runs with, and what follows from it for each role.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use gapless_domain::{AgentTraits, Config, Delivery, Heuristic, Role, ScannedWith, TextHash};

/// What a session runs with: everything outside the log that its outcome depends on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Setup {
    pub config: Config,
    /// The agent of each role, as the user named it. A role without one is left out.
    pub agents: BTreeMap<Role, String>,
    /// Prompt templates that stand in for the built-in ones, by name.
    pub prompts: BTreeMap<String, TextHash>,
    /// Where the refined spec is written at the end, besides the session's folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivery: Option<Delivery>,
    /// Heuristics that were wrong too often in this workspace: their flags are logged and count for nothing more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub advisory: Vec<Heuristic>,
    /// Canonical examples of the session that stand in for the built-in ones.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub examples: BTreeMap<Role, TextHash>,
    /// Agents that take over from one that cannot run, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fallback: Vec<String>,
    /// The folder of the code base that the spec is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo: Option<String>,
    /// What prompts must know of each agent, by its name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub traits: BTreeMap<String, AgentTraits>,
    /// What the source was scanned with, where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scanned_with: Option<ScannedWith>,
}

impl Setup {
    /// The agent of a role; the final review is the Reviewer's, discovery and editing the Engineer's, where nothing else
    /// is named.
    pub fn agent_of(&self, role: Role) -> &str {
        let stand_in = match role {
            Role::FinalReviewer => Role::Reviewer,
            Role::Analyst | Role::Editor => Role::Engineer,
            role => role,
        };
        let agent = self
            .agents
            .get(&role)
            .or_else(|| self.agents.get(&stand_in));
        agent.map_or("", String::as_str)
    }

    /// How much of the spec goes into a prompt for this agent, in tokens.
    pub fn spec_tokens(&self, agent: &str) -> usize {
        let by_agent = || {
            self.traits
                .get(agent)
                .copied()
                .unwrap_or_default()
                .spec_tokens()
        };
        self.config.spec_tokens.unwrap_or_else(by_agent) as usize
    }
}
