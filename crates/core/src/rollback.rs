//! Owns rolling back as data: the modes, what a rollback records, where a session can go back to, and how often it has.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::analysis::{Addressed, Analysis, Produced, RootCause};
use crate::archives::{ArchiveName, times_undone};
use crate::decision::{Decision, DecisionKind};
use crate::ids::{DecisionId, GapId};
use crate::state::State;
use crate::text::TextHash;
use crate::time::Time;

/// Who decides that a round is undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RollbackMode {
    /// The user, always.
    #[default]
    Interactive,
    /// The first rollback of a round whose Engineer has nothing valid happens unasked, with adjustments from the analysis.
    AutoRetry,
    /// The user, and the cause is looked for from the first rollback on.
    Strict,
}

impl RollbackMode {
    pub const ALL: [RollbackMode; 3] = [
        RollbackMode::Interactive,
        RollbackMode::AutoRetry,
        RollbackMode::Strict,
    ];

    pub fn name(self) -> &'static str {
        match self {
            RollbackMode::Interactive => "interactive",
            RollbackMode::AutoRetry => "auto_retry",
            RollbackMode::Strict => "strict",
        }
    }
}

impl fmt::Display for RollbackMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a mode: interactive, auto_retry or strict")]
pub struct UnknownMode(String);

impl FromStr for RollbackMode {
    type Err = UnknownMode;

    fn from_str(name: &str) -> Result<Self, UnknownMode> {
        let known = Self::ALL.into_iter().find(|mode| mode.name() == name);
        known.ok_or_else(|| UnknownMode(name.to_owned()))
    }
}

/// What led to a rollback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RollbackTrigger {
    /// The user asked for it.
    #[default]
    User,
    /// A role had nothing valid after its retries.
    Exhausted,
    /// It was chosen at a divergence warning.
    Divergence,
}

impl RollbackTrigger {
    pub const ALL: [RollbackTrigger; 3] = [
        RollbackTrigger::User,
        RollbackTrigger::Exhausted,
        RollbackTrigger::Divergence,
    ];
}

impl RollbackTrigger {
    /// The name that scripts read.
    pub fn name(self) -> &'static str {
        match self {
            RollbackTrigger::User => "user",
            RollbackTrigger::Exhausted => "exhausted",
            RollbackTrigger::Divergence => "divergence",
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            RollbackTrigger::User => "asked for by the user",
            RollbackTrigger::Exhausted => "retries ran out",
            RollbackTrigger::Divergence => "chosen at a divergence warning",
        }
    }
}

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
}

impl RollbackRecord {
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

impl State {
    /// The rounds that can be gone back to, newest first.
    pub fn rollback_targets(&self) -> Vec<Target> {
        let points = self.checkpoints.iter().rev();
        points
            .map(|point| Target {
                round: point.after_round,
                open_quarters: point.now.open_quarters(),
                decisions_since: self
                    .now
                    .decisions
                    .len()
                    .saturating_sub(point.now.decisions.len()),
                rounds_to_undo: self.now.round.number.saturating_sub(point.after_round),
            })
            .collect()
    }

    /// How many rollbacks have undone a round: the number of its newest archive.
    pub fn times_undone(&self, round: u32) -> u32 {
        times_undone(&self.kept.rollbacks, round)
    }

    /// The archive that a round became in the rollback at this place of the history.
    pub fn archive_of(&self, index: usize, round: u32) -> ArchiveName {
        let until = self.kept.rollbacks.iter().take(index + 1);
        let attempt = times_undone(until, round);
        ArchiveName { round, attempt }
    }

    pub fn rollbacks_left(&self) -> u32 {
        let most = self.kept.setup.config.max_rollbacks_session;
        let used = u32::try_from(self.kept.rollbacks.len()).unwrap_or(u32::MAX);
        most.saturating_sub(used)
    }

    pub fn rollback_mode(&self) -> RollbackMode {
        let config = &self.kept.setup.config;
        self.kept.rollback_mode.unwrap_or(config.rollback_mode)
    }

    /// From this many rollbacks of a round on, the cause is looked for.
    pub fn analysis_threshold(&self) -> u32 {
        match self.rollback_mode() {
            RollbackMode::Strict => 1,
            _ => self.kept.setup.config.rollback_analysis_threshold,
        }
    }

    /// What the prompts of a round say besides its task, since it was undone before.
    pub fn adjustments(&self, round: u32) -> Vec<String> {
        let mut adjustments: Vec<String> = Vec::new();
        let retries = self.kept.rollbacks.iter();
        for text in retries
            .filter(|rollback| rollback.retried() == round)
            .flat_map(|rollback| &rollback.adjustments)
        {
            if !adjustments.contains(text) {
                adjustments.push(text.clone());
            }
        }
        adjustments
    }

    /// What was wrong with a gap each time that a round which had it was undone, oldest first; nothing where nothing was found.
    pub fn patterns_undone(&self, round: u32, gap: &GapId) -> Vec<Vec<String>> {
        let undone = self.kept.rollbacks.iter().flat_map(|past| &past.rounds);
        undone
            .filter(|undone| undone.round == round && undone.gaps.contains(gap))
            .map(|undone| {
                let patterns = undone.analysis.pattern_set();
                patterns.iter().map(ToString::to_string).collect()
            })
            .filter(|patterns: &Vec<String>| !patterns.is_empty())
            .collect()
    }

    /// What came of the rollback at this place of the history.
    pub fn rollback_outcome(&self, index: usize) -> Outcome {
        let Some(rollback) = self.kept.rollbacks.get(index) else {
            return Outcome::UnderWay;
        };
        let retried = rollback.retried();
        let mut later = self.kept.rollbacks.iter().skip(index + 1);
        if later.any(|later| later.undid(retried)) {
            return Outcome::UndoneAgain;
        }
        let mut history = self.now.history.iter();
        match history.any(|record| record.round == retried) {
            true => Outcome::Successful,
            false => Outcome::UnderWay,
        }
    }

    /// A decision of an undone round, the newest under that id.
    pub fn undone_decision(&self, id: &DecisionId) -> Option<&UndoneDecision> {
        let mut undone = self.kept.undone_decisions.iter().rev();
        undone.find(|undone| undone.decision.id == *id)
    }
}
