//! The events of going back: what a rollback undid, and what was said about going on.

use serde::{Deserialize, Serialize};

use crate::rollback_record::UndoneRound;
use gapless_detection::analysis::RootCause;
use gapless_domain::{GapId, RollbackMode, RollbackTrigger};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RollbackEvent {
    RolledBack {
        from_round: u32,
        to_round: u32,
        reason: String,
        #[serde(default)]
        mode: RollbackMode,
        #[serde(default)]
        trigger: RollbackTrigger,
        /// Nobody was asked.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unasked: bool,
        /// What the prompts of the retried round say besides the task.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        adjustments: Vec<String>,
        /// What the undone rounds had, and what was found in them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rounds: Vec<UndoneRound>,
        /// Why the round may fail again and again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        root_cause: Option<RootCause>,
    },
    /// What the user said last is taken back, with all that followed on it. Rounds after `to_round` have something that did.
    TakenBack {
        /// The number of the event that says what was said.
        said: u64,
        words: String,
        from_round: u32,
        to_round: u32,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rounds: Vec<UndoneRound>,
    },
    /// The user said how to go on after the cause was looked for.
    Chosen {
        choice: String,
        /// The gap that was split over it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        split: Option<GapId>,
    },
    /// The prompts of the retried round say this as well.
    Adjusted { adjustments: Vec<String> },
    /// Who decides from now on that a round is undone.
    ModeSet { mode: RollbackMode },
}
