//! The record of an attempt: how it is called and what is said of it, wherever it is shown.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{Attempt, AttemptOutcome};
use gapless_domain::{ExampleUse, FailureType, GapId, Role, Usage, Warning};

/// What is said of an attempt, wherever it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AttemptRecord {
    /// Names it among those of its round: `engineer-2`, `engineer-GAP-X-2`.
    pub name: String,
    pub role: Role,
    pub slot: u32,
    pub attempt: u32,
    pub agent: String,
    pub gaps: Vec<GapId>,
    /// `VALID`, `PRESSED`, the failure's name, `EXECUTION_ERROR` or `UNDER_WAY`.
    pub verdict: &'static str,
    /// The user took it as the best, without what was wrong in it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub taken_as_best: bool,
    /// The gaps of the task that was begun in its place, where the user gave its own up after this attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reassigned_to: Option<Vec<GapId>>,
    /// The same two in words.
    #[serde(skip)]
    pub then: Option<String>,
    pub failure_type: Option<FailureType>,
    pub message: String,
    pub warnings: Vec<Warning>,
    pub started_at: String,
    pub finished_at: Option<String>,
    pub usage: Option<Usage>,
    /// The example that stood in its prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<ExampleUse>,
}

impl AttemptRecord {
    /// The verdict, and what the user did about it: `WRONG_FORMAT (taken as the best)`.
    pub fn verdict_words(&self) -> String {
        match &self.then {
            Some(then) => format!("{} ({then})", self.verdict),
            None => self.verdict.to_owned(),
        }
    }
}

/// The records of a round's attempts, in their order.
pub fn attempt_records(attempts: &[Attempt]) -> Vec<AttemptRecord> {
    let mut taken = BTreeSet::new();
    attempts
        .iter()
        .map(|attempt| {
            let (slot, mut number) = (attempt.task.slot, attempt.task.attempt);
            // A slot beside others goes by its first gap.
            let stem = match attempt.gaps.first() {
                Some(gap) if slot.index > 0 => format!("{}-{gap}", slot.role.stem()),
                _ => slot.role.stem().to_owned(),
            };
            // A gap whose input came late has a second slot in its round, which counts on.
            while !taken.insert((stem.clone(), number)) {
                number += 1;
            }
            record(format!("{stem}-{number}"), attempt)
        })
        .collect()
}

fn record(name: String, attempt: &Attempt) -> AttemptRecord {
    let end = attempt.finished.as_ref();
    AttemptRecord {
        name,
        role: attempt.task.slot.role,
        slot: attempt.task.slot.index,
        attempt: attempt.task.attempt,
        agent: attempt.agent.clone(),
        gaps: attempt.gaps.clone(),
        verdict: end.map_or("UNDER_WAY", |end| end.outcome.name()),
        taken_as_best: attempt.taken_as_best,
        reassigned_to: attempt.reassigned_to.clone(),
        then: attempt.then(),
        failure_type: end.and_then(|end| match end.outcome {
            AttemptOutcome::Invalid(failure) => Some(failure),
            AttemptOutcome::Valid | AttemptOutcome::Pressed | AttemptOutcome::CouldNotRun => None,
        }),
        message: end.map_or(String::new(), |end| end.message.clone()),
        warnings: end.map_or(Vec::new(), |end| end.warnings.clone()),
        started_at: attempt.started_at.to_string(),
        finished_at: end.map(|end| end.at.to_string()),
        usage: attempt.usage(),
        example: attempt.example.clone(),
    }
}
