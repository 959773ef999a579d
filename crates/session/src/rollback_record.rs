//! What a session remembers of its rollbacks: the rounds that were undone, what was found in them, and the decisions
//! that went with them.

use serde::{Deserialize, Serialize};

use gapless_detection::analysis::{Addressed, Analysis, Produced, RootCause};
use gapless_domain::{
    Decision, DecisionId, DecisionKind, GapId, RollbackMode, RollbackTrigger, TextHash, Time,
};

/// What an undone round had, and what was found in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoneRound {
    pub round: u32,
    /// The gaps that its Engineers had.
    pub gaps: Vec<GapId>,
    /// What they wrote, as far as it went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engineer: Option<TextHash>,
    pub analysis: Analysis,
}

impl UndoneRound {
    /// What the analysis recommends to tell the next attempt.
    pub fn recommended(&self) -> impl Iterator<Item = String> {
        let adjustments = self.analysis.adjustments.iter();
        adjustments.map(|found| found.text.clone())
    }

    /// True where something was proposed that could still be taken.
    pub fn has_proposals(&self) -> bool {
        let addressed = |produced: &Produced| produced.addressed != Addressed::No;
        self.engineer.is_some() && self.analysis.produced.iter().any(addressed)
    }
}

/// A rollback, as the session remembers it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RollbackRecord {
    pub from_round: u32,
    pub to_round: u32,
    pub reason: String,
    pub at: Time,
    pub mode: RollbackMode,
    pub trigger: RollbackTrigger,
    /// Nobody was asked.
    pub unasked: bool,
    /// What the next prompt of the retried round says besides the task.
    pub adjustments: Vec<String>,
    pub rounds: Vec<UndoneRound>,
    pub root_cause: Option<RootCause>,
    /// What the user chose once the cause was looked for.
    pub choice: Option<String>,
    /// The gap that was split over it.
    pub split: Option<GapId>,
    /// The user took it back.
    pub taken_back: bool,
}

impl RollbackRecord {
    /// True where it counts as a failure of what it undid, and not only as a change of the user's mind.
    pub fn counts(&self) -> bool {
        !self.taken_back && self.trigger != RollbackTrigger::Undo
    }

    pub fn undid(&self, round: u32) -> bool {
        self.to_round < round && round <= self.from_round
    }

    /// The round that is run again.
    pub fn retried(&self) -> u32 {
        self.to_round.saturating_add(1)
    }

    pub fn rounds_undone(&self) -> u32 {
        self.from_round.saturating_sub(self.to_round)
    }

    /// The undone rounds, to begin a sentence with.
    pub fn rounds_in_words(&self) -> String {
        match self.rounds_undone() {
            1 => format!("round {}", self.from_round),
            _ => format!("rounds {} to {}", self.retried(), self.from_round),
        }
    }

    /// What was found in the round that is run again.
    pub fn of_retried(&self) -> Option<&UndoneRound> {
        let retried = self.retried();
        self.rounds.iter().find(|undone| undone.round == retried)
    }
}

/// A decision of an undone round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndoneDecision {
    pub decision: Decision,
    /// Which rollback undid it, counted from 1.
    pub rollback: u32,
    pub reapplied_as: Option<DecisionId>,
}

impl UndoneDecision {
    /// True where it can be put in force again: ends, confirmed proposals and choices about rollbacks are of their
    /// moment.
    pub fn can_be_reapplied(&self) -> bool {
        let of_its_moment = matches!(
            self.decision.kind,
            DecisionKind::Acceptance | DecisionKind::Confirmation | DecisionKind::Rollback
        );
        !of_its_moment && self.reapplied_as.is_none() && self.decision.lifted.is_none()
    }
}

/// A round that a session can go back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Target {
    pub round: u32,
    /// What was open then, in quarters.
    pub open_quarters: u64,
    pub decisions_since: usize,
    pub rounds_to_undo: u32,
}

/// What came of a rollback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    UnderWay,
    Successful,
    UndoneAgain,
}

impl Outcome {
    pub fn words(self) -> &'static str {
        match self {
            Outcome::UnderWay => "the retry is under way",
            Outcome::Successful => "retry successful",
            Outcome::UndoneAgain => "rolled back again",
        }
    }
}

/// How many of these rollbacks have undone a round.
pub fn times_undone<'r>(
    rollbacks: impl IntoIterator<Item = &'r RollbackRecord>,
    round: u32,
) -> u32 {
    let rollbacks = rollbacks.into_iter();
    let times = rollbacks.filter(|rollback| rollback.undid(round)).count();
    u32::try_from(times).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rollback_counts_once_for_each_round_that_it_undid() {
        let back = |from_round, to_round| RollbackRecord {
            from_round,
            to_round,
            ..RollbackRecord::default()
        };
        let rollbacks = [back(5, 2), back(3, 2), back(4, 3)];
        let times: Vec<u32> = (0..=6)
            .map(|round| times_undone(&rollbacks, round))
            .collect();
        assert_eq!(times, [0, 0, 0, 2, 2, 1, 0]);
    }
}
