//! Owns the facts of a failed check as data, and the reason for a retry that follows from them. What a retry's text
//! fills in comes from here and never from the message.

use serde::{Deserialize, Serialize};

use super::FailureType;
use crate::ids::{GapId, IssueId};

/// Why an output failed, where the failure type alone doesn't say what would help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Cause {
    /// The agent says that it is uncertain, and binds nothing.
    Uncertainty,
    /// Gaps are bound, and none of them was assigned.
    UnclearAssignment,
}

/// What was found wrong, as data.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FailureFacts {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// Gaps that the document binds and that it may not: unknown ones, or none of its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wrong_gaps: Vec<GapId>,
    /// The issue of the DISAGREE block that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issue: Option<IssueId>,
    /// Parts that are missing, as they are written: `**Rationale:**`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// What the agent said it is uncertain about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uncertain_about: Vec<String>,
}

impl FailureFacts {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What a retry answers: a failure type, or the cause that has a retry of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RetryReason {
    FileMissing,
    EmptyOutput,
    WrongFormat,
    NoGapsAddressed,
    InconsistentRefs,
    InvalidDisagreeRef,
    MalformedDisagree,
    ReArguedConflict,
    Uncertainty,
    UnclearAssignment,
}

impl RetryReason {
    pub const ALL: [RetryReason; 10] = [
        RetryReason::FileMissing,
        RetryReason::EmptyOutput,
        RetryReason::WrongFormat,
        RetryReason::NoGapsAddressed,
        RetryReason::InconsistentRefs,
        RetryReason::InvalidDisagreeRef,
        RetryReason::MalformedDisagree,
        RetryReason::ReArguedConflict,
        RetryReason::Uncertainty,
        RetryReason::UnclearAssignment,
    ];

    /// The reason of a failure: its cause where there is one, else its type.
    pub fn of(failure: FailureType, cause: Option<Cause>) -> Self {
        match (cause, failure) {
            (Some(Cause::Uncertainty), _) => RetryReason::Uncertainty,
            (Some(Cause::UnclearAssignment), _) => RetryReason::UnclearAssignment,
            (None, FailureType::FileMissing) => RetryReason::FileMissing,
            (None, FailureType::EmptyOutput) => RetryReason::EmptyOutput,
            (None, FailureType::WrongFormat) => RetryReason::WrongFormat,
            (None, FailureType::NoGapsAddressed) => RetryReason::NoGapsAddressed,
            (None, FailureType::InconsistentRefs) => RetryReason::InconsistentRefs,
            (None, FailureType::InvalidDisagreeRef) => RetryReason::InvalidDisagreeRef,
            (None, FailureType::MalformedDisagree) => RetryReason::MalformedDisagree,
            (None, FailureType::ReArguedConflict) => RetryReason::ReArguedConflict,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            RetryReason::FileMissing => "FILE_MISSING",
            RetryReason::EmptyOutput => "EMPTY_OUTPUT",
            RetryReason::WrongFormat => "WRONG_FORMAT",
            RetryReason::NoGapsAddressed => "NO_GAPS_ADDRESSED",
            RetryReason::InconsistentRefs => "INCONSISTENT_REFS",
            RetryReason::InvalidDisagreeRef => "INVALID_DISAGREE_REF",
            RetryReason::MalformedDisagree => "MALFORMED_DISAGREE",
            RetryReason::ReArguedConflict => "RE_ARGUED_CONFLICT",
            RetryReason::Uncertainty => "UNCERTAINTY",
            RetryReason::UnclearAssignment => "UNCLEAR_ASSIGNMENT",
        }
    }
}
