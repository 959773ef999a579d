//! What prompts must know of a session's agents.

use std::collections::BTreeMap;

use gapless_agents::{Reach, open, reach};
use gapless_domain::AgentTraits;

use super::choice::AgentsByRole;
use super::opening::unattended;
use crate::{Settings, Workspace};

/// The traits of the agents that can be opened, by their names. The others are asked about when it is their turn.
pub(crate) fn traits(
    workspace: &Workspace,
    settings: &Settings,
    agents: &AgentsByRole,
    fallback: &[String],
) -> BTreeMap<String, AgentTraits> {
    let context = unattended(workspace, settings);
    let names = agents.values().chain(fallback);
    // Opening a recording reads its folder, which is for later: nothing was allowed yet.
    let names = names.filter(|name| !matches!(reach(name, &context), Reach::Folder(_)));
    let known = names.filter_map(|name| Some((name.clone(), open(name, &context).ok()?.traits()?)));
    known.collect()
}
