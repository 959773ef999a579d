//! Owns the phases of a session and of a round, and in which order they follow on each other.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where a session is. Paused is orthogonal to this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    #[default]
    Discovering,
    Inventory,
    Round,
    FinalReview,
    Closing,
    Ended,
}

/// Where a round is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoundPhase {
    #[default]
    Planning,
    Engineering,
    Responding,
    Reviewing,
    Settling,
    Accounting,
    Concluding,
}

impl RoundPhase {
    pub fn name(self) -> &'static str {
        match self {
            RoundPhase::Planning => "Planning",
            RoundPhase::Engineering => "Engineering",
            RoundPhase::Responding => "Responding",
            RoundPhase::Reviewing => "Reviewing",
            RoundPhase::Settling => "Settling",
            RoundPhase::Accounting => "Accounting",
            RoundPhase::Concluding => "Concluding",
        }
    }
}

impl fmt::Display for RoundPhase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Phase {
    pub fn name(self) -> &'static str {
        match self {
            Phase::Discovering => "Discovering",
            Phase::Inventory => "Inventory",
            Phase::Round => "Round",
            Phase::FinalReview => "FinalReview",
            Phase::Closing => "Closing",
            Phase::Ended => "Ended",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum End {
    Complete,
    GoodEnough,
    UserApproved,
    MaxRounds,
    StallExit,
    Abandoned,
}

impl End {
    pub const ALL: [End; 6] = [
        End::Complete,
        End::GoodEnough,
        End::UserApproved,
        End::MaxRounds,
        End::StallExit,
        End::Abandoned,
    ];

    pub fn name(self) -> &'static str {
        match self {
            End::Complete => "COMPLETE",
            End::GoodEnough => "GOOD_ENOUGH",
            End::UserApproved => "USER_APPROVED",
            End::MaxRounds => "MAX_ROUNDS",
            End::StallExit => "STALL_EXIT",
            End::Abandoned => "ABANDONED",
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What made the session end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    FinalReviewReady,
    UserStop,
    RoundLimit,
    Divergence,
    NothingToPlan,
    NoFinalReview,
    /// No rollback was left.
    RollbackLimit,
    Abandoned,
}

impl Trigger {
    pub const ALL: [Trigger; 8] = [
        Trigger::FinalReviewReady,
        Trigger::UserStop,
        Trigger::RoundLimit,
        Trigger::Divergence,
        Trigger::NothingToPlan,
        Trigger::NoFinalReview,
        Trigger::RollbackLimit,
        Trigger::Abandoned,
    ];

    pub fn sentence(self) -> &'static str {
        match self {
            Trigger::FinalReviewReady => "no gap is open and the final review says ready",
            Trigger::UserStop => "the user asked to stop",
            Trigger::RoundLimit => "the round limit was reached",
            Trigger::Divergence => "the user forced completion out of a divergence warning",
            Trigger::NothingToPlan => "nothing was left to plan and the user stopped",
            Trigger::NoFinalReview => "there was no valid final review and the user stopped",
            Trigger::RollbackLimit => {
                "no rollback was left and the user accepted the present state"
            }
            Trigger::Abandoned => "the user gave up",
        }
    }
}
