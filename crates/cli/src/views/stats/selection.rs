//! The sessions that `gapless stats` shows, with their sum.

use gapless_core::disagreement::Heuristic;
use gapless_core::stats::Stats;

use crate::workspace_stats::SessionStats;

/// The chosen sessions, and their figures added up.
pub struct Selection<'t> {
    pub sessions: Vec<&'t SessionStats>,
    pub sum: Stats,
    /// The heuristics that only advise, by all sessions of the workspace.
    pub advisory: Vec<Heuristic>,
}
