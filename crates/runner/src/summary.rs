//! The summary row of a session: what lists show without reading its log.

use gapless_domain::phase::{End, Phase};
use gapless_session::State;
use serde::{Deserialize, Serialize};

/// What a list of sessions shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionSummary {
    pub source_path: String,
    pub phase: Phase,
    pub round: u32,
    pub gaps: usize,
    pub open_quarters: u64,
    pub waiting: usize,
    pub paused: bool,
    pub ended: Option<End>,
    /// It ended, and nothing but rules reviewed it.
    #[serde(default)]
    pub by_rules: bool,
}

impl SessionSummary {
    pub fn of(state: &State) -> Self {
        let origin = state.kept.origin.as_ref();
        Self {
            source_path: origin.map_or(String::new(), |origin| origin.source_path.clone()),
            phase: state.now.phase,
            round: state.now.round.number,
            gaps: state.now.gaps.len(),
            open_quarters: state.now.open_quarters(),
            waiting: state.now.questions.len(),
            paused: state.kept.paused,
            ended: state.kept.ended.map(|(end, _)| end),
            by_rules: state.is_ended_by_rules(),
        }
    }
}
