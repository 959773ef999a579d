//! The one result of every check.

use serde::{Deserialize, Serialize};

use super::failing::Outcome;
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
    Checked {
        result: ValidationResult {
            success: false,
            failure_type: Some(kind),
            retriable: true,
            message: message.to_owned(),
            warnings: Vec::new(),
            gaps_addressed: Vec::new(),
            facts: FailureFacts::default(),
        },
        reading: None,
        document: ReadDocument::plain(document),
    }
}

pub(super) fn judged(
    document: ReadDocument,
    checked: Outcome<Reading>,
    mut warnings: Vec<Warning>,
) -> Checked {
    for warning in &mut warnings {
        warning.message = said(&warning.message);
    }
    let (result, reading) = match checked {
        Ok((reading, gaps_addressed)) => {
            let result = ValidationResult {
                success: true,
                failure_type: None,
                retriable: false,
                message: "valid".to_owned(),
                warnings,
                gaps_addressed,
                facts: FailureFacts::default(),
            };
            (result, Some(reading))
        }
        Err(failure) => {
            let result = ValidationResult {
                success: false,
                failure_type: Some(failure.kind),
                retriable: true,
                message: said(&failure.message),
                warnings,
                gaps_addressed: Vec::new(),
                facts: *failure.facts,
            };
            (result, None)
        }
    };
    Checked {
        result,
        reading,
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
