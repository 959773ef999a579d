//! The attempts of a round as its records have them: what was asked of whom, and what came of it.

use gapless_domain::numbers::percent;
use gapless_domain::{
    Cause, ExampleUse, FailureType, GapId, OutputNote, TaskId, TextHash, Time, Usage, Warning,
    comma_list,
};

/// One attempt of a round, for its records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    pub task: TaskId,
    pub agent: String,
    pub gaps: Vec<GapId>,
    pub started_at: Time,
    pub prompt: TextHash,
    pub example: Option<ExampleUse>,
    /// What calls for it used that were interrupted, or whose result came too late.
    pub interrupted: Option<Usage>,
    pub finished: Option<AttemptEnd>,
    /// The user took it, without what was wrong in it.
    pub taken_as_best: bool,
    /// The gaps of the task that was begun in the place of this one's, where this was its last attempt.
    pub reassigned_to: Option<Vec<GapId>>,
}

impl Attempt {
    pub(crate) fn note_interrupted(&mut self, usage: &Usage) {
        self.interrupted.get_or_insert_default().add(usage);
    }

    /// What all its calls used; none where no call has come to an end.
    pub fn usage(&self) -> Option<Usage> {
        let finished = self.finished.as_ref().map(|end| end.usage);
        let mut calls = self.interrupted.into_iter().chain(finished);
        let mut all = calls.next()?;
        calls.for_each(|usage| all.add(&usage));
        Some(all)
    }

    /// What the user did about it, where that is all that came of it: `taken as the best`, `reassigned to GAP-API-003`.
    pub fn then(&self) -> Option<String> {
        let gaps = match &self.reassigned_to {
            _ if self.taken_as_best => return Some("taken as the best".to_owned()),
            Some(gaps) if *gaps == self.gaps => {
                return Some("asked anew in another task".to_owned());
            }
            gaps => gaps.as_ref()?,
        };
        Some(format!("reassigned to {}", comma_list(gaps)))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptEnd {
    pub at: Time,
    pub outcome: AttemptOutcome,
    /// The document as it was read; of an agent that could not run, what it had written by then.
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

    /// The document, where it was read: what an agent left that could not finish is kept, and nothing more.
    pub fn read(&self) -> Option<TextHash> {
        self.output
            .filter(|_| self.outcome != AttemptOutcome::CouldNotRun)
    }

    /// True where the end of the document is missing, since it was longer than a limit.
    pub fn was_cut(&self) -> bool {
        let code = OutputNote::OutputTruncated.code();
        self.warnings.iter().any(|warning| warning.code == code)
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

/// What became of retries of one kind: those with an example of one tier, those after one failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RetryRecord {
    pub uses: u32,
    pub successes: u32,
}

impl RetryRecord {
    /// Counts a retry that came to its end. An agent that could not run says nothing about an example.
    pub fn count(&mut self, outcome: AttemptOutcome) {
        match outcome {
            AttemptOutcome::Valid | AttemptOutcome::Pressed => {
                self.uses += 1;
                self.successes += 1;
            }
            AttemptOutcome::Invalid(_) => self.uses += 1,
            AttemptOutcome::CouldNotRun => {}
        }
    }

    /// The share of successes in whole percent.
    pub fn percent(self) -> u32 {
        percent(self.successes, self.uses).unwrap_or(0)
    }

    pub fn add(&mut self, other: &Self) {
        self.uses += other.uses;
        self.successes += other.successes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_success_rate_counts_what_came_to_an_end() {
        let mut record = RetryRecord::default();
        assert_eq!(record.percent(), 0);
        let failure = gapless_domain::failure::FailureType::WrongFormat;
        for outcome in [
            AttemptOutcome::Valid,
            AttemptOutcome::CouldNotRun,
            AttemptOutcome::Invalid(failure),
            AttemptOutcome::Valid,
        ] {
            record.count(outcome);
        }
        assert_eq!(
            (record.uses, record.successes, record.percent()),
            (3, 2, 67)
        );
    }
}
