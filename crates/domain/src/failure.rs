//! What can be wrong with an output: the type of a failure, its facts as data, and the reason for a retry that follows
//! from them. What a retry's text fills in comes from here and never from the message.

use serde::{Deserialize, Serialize};

use crate::{ChangeFault, GapId, IssueId, named};

/// What is wrong with an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[derive(strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum FailureType {
    FileMissing,
    EmptyOutput,
    WrongFormat,
    NoGapsAddressed,
    InconsistentRefs,
    InvalidDisagreeRef,
    MalformedDisagree,
    ReArguedConflict,
    /// A change to the spec quotes what isn't there, or can't be made.
    SpecChangeMismatch,
}

named!(FailureType);

/// Something worth saying that fails nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    pub code: String,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl Warning {
    pub fn new(code: &str, line: Option<u32>, message: String) -> Self {
        Self {
            code: code.to_owned(),
            message,
            line,
        }
    }
}

/// Why an Engineer brought nothing that could be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[derive(strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum Cause {
    /// Every gap it had needs input that only the user has.
    ExplicitBlock,
    /// It says that it is uncertain, and binds nothing.
    DomainGap,
    /// What it wrote is missing, empty or malformed.
    OutputFailure,
    /// Gaps are bound, and none of them was assigned.
    UnclearAssignment,
    /// The changes leave the passage that opened the gap as it was.
    PassageStands,
}

named!(Cause);

impl Cause {
    /// What it means, for people.
    pub fn words(self) -> &'static str {
        match self {
            Cause::ExplicitBlock => "its gaps need input that only you have",
            Cause::DomainGap => {
                "it says that it is uncertain, also with more of the source to go by"
            }
            Cause::OutputFailure => "what it wrote is missing, empty or malformed",
            Cause::UnclearAssignment => "it wrote about gaps that are not the ones it was given",
            Cause::PassageStands => "its changes leave the passage that opened the gap as it was",
        }
    }

    /// True where the cause has a retry of its own, and only one.
    pub fn has_own_retry(self) -> bool {
        matches!(
            self,
            Cause::DomainGap | Cause::UnclearAssignment | Cause::PassageStands
        )
    }
}

/// What is wrong with the form of a document, so that what is said about it fits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "snake_case")]
pub enum FormFault {
    /// Nothing has the form of the role's heading, or of whatever else may stand for it.
    NothingBinds,
    /// A review has neither severity sections nor a verdict.
    NoVerdict { gap: GapId, line: u32 },
    /// A review asks for a revision and raises nothing.
    RevisionWithoutIssue {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        gap: Option<GapId>,
    },
    /// A proposal stands where a review should.
    ProposalForReview { line: u32 },
    /// An issue is written in another form than the canonical one, which strict mode requires.
    IssueForm { line: u32 },
    /// A proposal states no confidence, which strict mode requires.
    NoConfidence { gap: GapId, line: u32 },
    /// A gap of the Analyst's is named and not described.
    NotDescribed { gap: GapId, line: u32 },
    /// A final review has its heading and no verdict.
    NoFinalVerdict,
    /// The sections of the task's gaps are empty.
    NoText,
    /// Nothing is left once what was copied from the prompt is taken out.
    Echo { texts: Vec<String> },
    /// The document is longer than a limit, and its end is missing.
    Cut { bytes: u64 },
}

/// What was found wrong, as data.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FailureFacts {
    /// What is wrong with the document's form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<FormFault>,
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
    /// Changes to the spec that can't be made, or that leave what opened their gap.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ChangeFault>,
}

impl FailureFacts {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What a retry answers: a failure type, or the cause that has a retry of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[derive(strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
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
    SpecChangeMismatch,
    PassageStands,
}

named!(RetryReason);

impl RetryReason {
    /// The reason of a failure: its cause where there is one, else its type.
    pub fn of(failure: FailureType, cause: Option<Cause>) -> Self {
        match (cause, failure) {
            (Some(Cause::DomainGap), _) => RetryReason::Uncertainty,
            (Some(Cause::UnclearAssignment), _) => RetryReason::UnclearAssignment,
            (Some(Cause::PassageStands), _) => RetryReason::PassageStands,
            (_, failure) => Self::of_type(failure),
        }
    }

    fn of_type(failure: FailureType) -> Self {
        match failure {
            FailureType::FileMissing => RetryReason::FileMissing,
            FailureType::EmptyOutput => RetryReason::EmptyOutput,
            FailureType::WrongFormat => RetryReason::WrongFormat,
            FailureType::NoGapsAddressed => RetryReason::NoGapsAddressed,
            FailureType::InconsistentRefs => RetryReason::InconsistentRefs,
            FailureType::InvalidDisagreeRef => RetryReason::InvalidDisagreeRef,
            FailureType::MalformedDisagree => RetryReason::MalformedDisagree,
            FailureType::ReArguedConflict => RetryReason::ReArguedConflict,
            FailureType::SpecChangeMismatch => RetryReason::SpecChangeMismatch,
        }
    }
}
