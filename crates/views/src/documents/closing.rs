//! What a stop states: its end, what made it end, where convergence stood, what is left and why, time and cost.
//! status.md, the screen and `--json` show the same one.

use gapless_domain::phase::{End, Trigger};
use gapless_session::{Figures, State};
use gapless_spec::{Limitation, limitations};

/// How a session ended and what it leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closing {
    pub end: End,
    /// The end by its name, with who reviewed where that was nobody.
    pub end_in_words: String,
    /// Nothing but rules reviewed it.
    pub is_by_rules: bool,
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
            end_in_words: state.end_in_words().unwrap_or_default(),
            is_by_rules: state.is_ended_by_rules(),
            trigger,
            figures: Figures::of(state),
            round_limit: state.round_limit_words(),
            limitations: limitations(state),
        })
    }
}
