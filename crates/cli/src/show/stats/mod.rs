//! Owns how the sums over sessions are shown: tables for people (`screen`), and the same figures as sheets for scripts and
//! spreadsheets (`sheets`).

mod csv;
mod screen;
mod sheets;

pub use csv::print as print_csv;
pub use screen::show;
pub use sheets::{Sheet, document, sheets};

use gapless_domain::flag::Heuristic;
use gapless_views::stats::Stats;

use crate::tallied::Session;

/// What is shown: the chosen sessions, and what they come to together.
pub struct Chosen<'t> {
    pub sessions: Vec<&'t Session>,
    pub sum: Stats,
    /// The heuristics that only advise, by all sessions of the workspace.
    pub advisory: Vec<Heuristic>,
}
