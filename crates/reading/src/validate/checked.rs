//! The one result of every check.

use serde::{Deserialize, Serialize};

use super::failing::{Outcome, failure};
use crate::read::{ReadDocument, Reading};
use gapless_domain::{FailureFacts, FailureType, GapId, Warning};
use gapless_markdown::visible;

/// The one result of every check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValidationResult {
    pub success: bool,
    pub failure_type: Option<FailureType>,
    pub retriable: bool,
    pub message: String,
    pub warnings: Vec<Warning>,
    pub gaps_addressed: Vec<GapId>,
    /// What was found wrong, as data.
    #[serde(default, skip_serializing_if = "FailureFacts::is_empty")]
    pub facts: FailureFacts,
}

/// What came of reading and checking an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    pub result: ValidationResult,
    /// What was read, where the output is valid.
    pub reading: Option<Reading>,
    /// The document as it was read, also where it is not valid: the output without what was taken off around it. Places in the reading are its own.
    pub document: ReadDocument,
}

pub(super) fn failed(kind: FailureType, message: &str, document: &str) -> Checked {
    let outcome = failure(kind, message.to_owned());
    judged(ReadDocument::plain(document), outcome, Vec::new())
}

pub(super) fn judged(
    document: ReadDocument,
    checked: Outcome<Reading>,
    mut warnings: Vec<Warning>,
) -> Checked {
    for warning in &mut warnings {
        warning.message = said(&warning.message);
    }
    let mut result = ValidationResult {
        success: checked.is_ok(),
        failure_type: None,
        retriable: checked.is_err(),
        message: "valid".to_owned(),
        warnings,
        gaps_addressed: Vec::new(),
        facts: FailureFacts::default(),
    };
    let mut valid = None;
    match checked {
        Ok((reading, gaps)) => {
            result.gaps_addressed = gaps;
            valid = Some(reading);
        }
        Err(failure) => {
            result.failure_type = Some(failure.kind);
            result.message = said(&failure.message);
            result.facts = *failure.facts;
        }
    }
    Checked {
        result,
        reading: valid,
        document,
    }
}

/// How long what is said of a document may be.
const LONGEST_MESSAGE: usize = 1000;

/// A message as it may be shown: what it repeats of the document neither steers a terminal nor goes on for pages.
fn said(message: &str) -> String {
    let shown = visible(message);
    match shown.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown,
    }
}
