//! Owns what a workspace has learnt of the heuristics: those that the user judged wrong too often, over all its sessions,
//! only advise.

use std::collections::BTreeMap;

use gapless_core::disagreement::{Heuristic, Judged};
use gapless_runner::Session;
use gapless_store::Store;

use crate::failure::Failure;
use crate::workspace::Workspace;

/// The heuristics that only advise in this workspace. A session that can't be read says nothing.
pub fn of(workspace: &Workspace) -> Result<Vec<Heuristic>, Failure> {
    if !workspace.has_database() {
        return Ok(Vec::new());
    }
    let Ok(store) = workspace.open_to_read() else {
        return Ok(Vec::new());
    };
    let mut all: BTreeMap<Heuristic, Judged> = BTreeMap::new();
    for summary in store.sessions().unwrap_or_default() {
        let Ok(session) = Session::open(workspace.read()?, &summary.name) else {
            continue;
        };
        for (heuristic, judged) in &session.state().kept.judged {
            let sum = all.entry(*heuristic).or_default();
            sum.confirmed += judged.confirmed;
            sum.false_positive += judged.false_positive;
        }
    }
    let advises =
        |(heuristic, judged): (Heuristic, Judged)| judged.is_advisory().then_some(heuristic);
    Ok(all.into_iter().filter_map(advises).collect())
}
