//! Owns the attempts of a round as its records have them: what was asked of whom, and what came of it.

use crate::examples::ExampleUse;
use crate::ids::GapId;
use crate::task::{TaskId, Usage};
use crate::text::TextHash;
use crate::time::Time;
use crate::validate::{Cause, FailureType, Warning};

/// One attempt of a round, for its records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    pub task: TaskId,
    pub agent: String,
    pub gaps: Vec<GapId>,
    pub started_at: Time,
    pub prompt: TextHash,
    pub example: Option<ExampleUse>,
    pub finished: Option<AttemptEnd>,
    /// The user took it, without what was wrong in it.
    pub taken_as_best: bool,
}

/// What came of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptEnd {
    pub at: Time,
    pub outcome: AttemptOutcome,
    /// The document as it was read.
    pub output: Option<TextHash>,
    /// What the agent wrote, where something around the document was taken off.
    pub raw: Option<TextHash>,
    pub message: String,
    /// Why an Engineer brought nothing that could be taken.
    pub cause: Option<Cause>,
    pub warnings: Vec<Warning>,
    pub usage: Usage,
}

impl AttemptEnd {
    /// An end that left nothing behind but its outcome.
    pub fn new(at: Time, outcome: AttemptOutcome, usage: Usage) -> Self {
        Self {
            at,
            outcome,
            output: None,
            raw: None,
            message: String::new(),
            cause: None,
            warnings: Vec::new(),
            usage,
        }
    }

    /// What the agent wrote, to the letter.
    pub fn written(&self) -> Option<&TextHash> {
        self.raw.as_ref().or(self.output.as_ref())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptOutcome {
    Valid,
    /// Valid, and asked for once more.
    Pressed,
    Invalid(FailureType),
    CouldNotRun,
}

impl AttemptOutcome {
    /// True where the output could be taken, also where more was asked for.
    pub fn is_valid(self) -> bool {
        matches!(self, AttemptOutcome::Valid | AttemptOutcome::Pressed)
    }

    pub fn name(self) -> &'static str {
        match self {
            AttemptOutcome::Valid => "VALID",
            AttemptOutcome::Pressed => "PRESSED",
            AttemptOutcome::Invalid(failure) => failure.name(),
            AttemptOutcome::CouldNotRun => "EXECUTION_ERROR",
        }
    }
}
