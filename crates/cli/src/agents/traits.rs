//! What prompts must know of a session's agents.

use std::collections::BTreeMap;

use gapless_agents::{OpenContext, Reach, open, reach};
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
    of(agents.values().chain(fallback), &context, |name| {
        open(name, &context).ok()?.traits()
    })
}

/// The traits that `look` finds of those that may be opened: opening a recording looks at its folder, which is for later,
/// since nothing was allowed yet.
fn of<'a>(
    names: impl Iterator<Item = &'a String>,
    context: &OpenContext,
    mut look: impl FnMut(&str) -> Option<AgentTraits>,
) -> BTreeMap<String, AgentTraits> {
    let names = names.filter(|name| !matches!(reach(name, context), Reach::Folder(_)));
    let known = names.filter_map(|name| Some((name.clone(), look(name)?)));
    known.collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn no_recording_is_opened_to_know_its_traits() {
        let names = [
            "offline",
            "replay:recorded",
            "cmd:true",
            "replay: /else",
            "claude",
        ];
        let names = names.map(str::to_owned);
        let context = OpenContext::unattended(Path::new("/"));
        let mut opened = Vec::new();
        of(names.iter(), &context, |name| {
            opened.push(name.to_owned());
            None
        });
        assert_eq!(opened, ["offline", "cmd:true", "claude"]);
    }
}
