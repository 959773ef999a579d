//! What a stop states: its end, what made it end, where convergence stood, what is left and why, time and cost.
//! status.md, the screen and `--json` show the same one.

use gapless_domain::phase::{End, Trigger};
use gapless_session::{Figures, State};
use gapless_spec::{Limitation, limitations};

/// How a session ended and what it leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closing {
    pub end: End,
    pub trigger: Trigger,
    pub figures: Figures,
    /// Where the round limit comes from.
    pub round_limit: String,
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
            round_limit: state.round_limit_words(),
            limitations: limitations(state),
        })
    }
}
