//! Owns what a workspace has learnt of the heuristics: those that the user judged wrong too often, over all its sessions,
//! only advise.

use gapless_domain::flag::Heuristic;

use crate::tallied::Tallied;
use crate::workspace::Workspace;

/// The heuristics that only advise in this workspace. What can't be read says nothing.
pub fn of(workspace: &Workspace) -> Vec<Heuristic> {
    let tallied = Tallied::of(workspace).unwrap_or_default();
    tallied.sum().advisory()
}
