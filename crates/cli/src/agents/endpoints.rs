//! Where the agents of a session send prompts, as shown before it runs.

use std::collections::BTreeSet;

use gapless_agents::Endpoint;
use gapless_runner::AgentSource;
use gapless_session::State;

/// The endpoints of the session's agents that send prompts themselves, by the agent's name.
pub(crate) fn endpoints(state: &State, agents: &mut dyn AgentSource) -> Vec<(String, Endpoint)> {
    if state.kept.ended.is_some() {
        return Vec::new();
    }
    let setup = &state.kept.setup;
    let names: BTreeSet<&String> = setup.agents.values().chain(&setup.fallback).collect();
    let mut endpoints = Vec::new();
    for name in names {
        // One that can't be opened is another matter, and asked about.
        let opened = agents.agent(name).ok();
        if let Some(endpoint) = opened.and_then(|agent| agent.endpoint()) {
            endpoints.push((name.clone(), endpoint));
        }
    }
    endpoints
}

/// Says where an agent sends prompts, and with which key.
pub(crate) fn endpoint_line((agent, endpoint): &(String, Endpoint)) -> String {
    let key = match &endpoint.key_variable {
        Some(variable) => format!("with the key in {variable}"),
        None => "without a key".to_owned(),
    };
    format!("{agent} sends prompts to {}, {key}", endpoint.url)
}
