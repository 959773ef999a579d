//! A failed check, its facts, and the warnings beside it.

use super::limits::MOST_REFERENCE_WARNINGS;
use gapless_domain::{FailureFacts, FailureType, FormFault, GapId, Warning};

/// A failed check, before warnings are put beside it.
pub(super) struct Failure {
    pub kind: FailureType,
    pub message: String,
    pub facts: Box<FailureFacts>,
}

pub(super) type Outcome<T> = Result<(T, Vec<GapId>), Failure>;

pub(super) fn failure<T>(kind: FailureType, message: String) -> Result<T, Failure> {
    Err(Failure::with(kind, message, FailureFacts::default()))
}

/// A document of the wrong form, with what exactly is wrong with it.
pub(super) fn wrong_form<T>(fault: FormFault, message: String) -> Result<T, Failure> {
    Err(Failure::with(
        FailureType::WrongFormat,
        message,
        of_form(fault),
    ))
}

/// The facts of a document that has one fault of its form.
pub(super) fn of_form(fault: FormFault) -> FailureFacts {
    FailureFacts {
        form: Some(fault),
        ..FailureFacts::default()
    }
}

/// The facts of a document that binds gaps that it may not; only the first are said.
pub(super) fn of_gaps(mut wrong_gaps: Vec<GapId>) -> FailureFacts {
    wrong_gaps.dedup();
    wrong_gaps.truncate(MOST_REFERENCE_WARNINGS);
    FailureFacts {
        wrong_gaps,
        ..FailureFacts::default()
    }
}

pub(super) fn warn(warnings: &mut Vec<Warning>, code: &str, line: u32, message: String) {
    warnings.push(Warning::new(code, Some(line), message));
}

impl Failure {
    pub(super) fn with(kind: FailureType, message: String, facts: FailureFacts) -> Self {
        Self {
            kind,
            message,
            facts: Box::new(facts),
        }
    }
}
