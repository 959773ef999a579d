//! A failed check, before warnings are put beside it.

use gapless_domain::{FailureFacts, FailureType, FormFault, GapId};

/// A failed check, before warnings are put beside it.
pub(super) struct Failure {
    pub kind: FailureType,
    pub message: String,
    pub facts: Box<FailureFacts>,
}

pub(super) type Outcome<T> = Result<(T, Vec<GapId>), Failure>;

pub(super) fn failure<T>(kind: FailureType, message: String) -> Result<T, Failure> {
    failure_with(kind, message, FailureFacts::default())
}

/// A document of the wrong form, with what exactly is wrong with it.
pub(super) fn wrong_form<T>(fault: FormFault, message: String) -> Result<T, Failure> {
    let facts = FailureFacts {
        form: Some(fault),
        ..FailureFacts::default()
    };
    failure_with(FailureType::WrongFormat, message, facts)
}

pub(super) fn failure_with<T>(
    kind: FailureType,
    message: String,
    facts: FailureFacts,
) -> Result<T, Failure> {
    Err(Failure::with(kind, message, facts))
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
