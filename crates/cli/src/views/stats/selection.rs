//! The sessions that `gapless stats` shows, with their sum.

use gapless_domain::Heuristic;
use gapless_views::stats::Stats;

use crate::SessionStats;

/// The chosen sessions, and their figures added up.
pub(crate) struct Selection<'t> {
    pub(crate) sessions: Vec<&'t SessionStats>,
    pub(crate) sum: Stats,
    /// The heuristics that only advise, by all sessions of the workspace.
    pub(crate) advisory: Vec<Heuristic>,
}
