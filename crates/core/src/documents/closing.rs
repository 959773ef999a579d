//! Owns what a stop states: its end, what made it end, where convergence stood, what is left and why, time and cost.
//! status.md, the screen and `--json` show the same one.

use crate::figures::Figures;
use crate::phase::{End, Trigger};
use crate::spec::{Limitation, limitations};
use crate::state::State;

/// How a session ended and what it leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closing {
    pub end: End,
    pub trigger: Trigger,
    pub figures: Figures,
    pub limitations: Vec<Limitation>,
}

impl Closing {
    /// Nothing while the session has not ended.
    pub fn of(state: &State) -> Option<Self> {
        let (end, trigger) = state.kept.ended?;
        Some(Self {
            end,
            trigger,
            figures: Figures::of(state),
            limitations: limitations(state),
        })
    }
}
