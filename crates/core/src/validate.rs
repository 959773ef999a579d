//! Owns the checks on what agents wrote, and their one result. The caller says what each gap's standing is in this
//! task; nothing here knows the session.

use serde::{Deserialize, Serialize};

use crate::ids::{GapId, IssueId};
use crate::read::{
    AnalystReading, Document, EngineerReading, FinalReading, Reading, ReviewerReading,
    read_analyst, read_engineer, read_final_review, read_reviewer,
};
use crate::task::Role;

/// What is wrong with an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FailureType {
    FileMissing,
    EmptyOutput,
    WrongFormat,
    NoGapsAddressed,
    InconsistentRefs,
    InvalidDisagreeRef,
    MalformedDisagree,
    ReArguedConflict,
}

impl FailureType {
    pub fn name(self) -> &'static str {
        match self {
            FailureType::FileMissing => "FILE_MISSING",
            FailureType::EmptyOutput => "EMPTY_OUTPUT",
            FailureType::WrongFormat => "WRONG_FORMAT",
            FailureType::NoGapsAddressed => "NO_GAPS_ADDRESSED",
            FailureType::InconsistentRefs => "INCONSISTENT_REFS",
            FailureType::InvalidDisagreeRef => "INVALID_DISAGREE_REF",
            FailureType::MalformedDisagree => "MALFORMED_DISAGREE",
            FailureType::ReArguedConflict => "RE_ARGUED_CONFLICT",
        }
    }
}

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

/// The one result of every check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValidationResult {
    pub success: bool,
    pub failure_type: Option<FailureType>,
    pub retriable: bool,
    pub message: String,
    pub warnings: Vec<Warning>,
    pub gaps_addressed: Vec<GapId>,
}

/// A failed check, before warnings are put beside it.
struct Failure {
    kind: FailureType,
    message: String,
}

fn failure<T>(kind: FailureType, message: String) -> Result<T, Failure> {
    Err(Failure { kind, message })
}

/// What a gap is to the task whose output is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// This task's.
    Assigned,
    /// Open, and nobody has it in this round.
    Free,
    /// Another task's, parked or closed: a section on it binds nothing.
    Elsewhere,
    Unknown,
}

/// What an issue is to an Engineer that disagrees with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IssueStanding {
    Standing,
    Decided,
    Over,
    Unknown,
}

/// What the checks need to know of the session.
pub trait Ground {
    fn gap(&self, gap: &GapId) -> Standing;
    fn issue(&self, issue: &IssueId) -> IssueStanding;
}

const THIN_SECTION_CHARS: usize = 200;

/// Reads and checks an output. `None` stands for a document that isn't there.
pub fn validate(
    role: Role,
    text: Option<&str>,
    ground: &dyn Ground,
) -> (ValidationResult, Option<Reading>) {
    let mut warnings = Vec::new();
    match check(role, text, ground, &mut warnings) {
        Ok((reading, gaps_addressed)) => {
            let result = ValidationResult {
                success: true,
                failure_type: None,
                retriable: false,
                message: "valid".to_owned(),
                warnings,
                gaps_addressed,
            };
            (result, Some(reading))
        }
        Err(failure) => {
            let result = ValidationResult {
                success: false,
                failure_type: Some(failure.kind),
                retriable: true,
                message: failure.message,
                warnings,
                gaps_addressed: Vec::new(),
            };
            (result, None)
        }
    }
}

type Checked<T> = Result<(T, Vec<GapId>), Failure>;

fn check(
    role: Role,
    text: Option<&str>,
    ground: &dyn Ground,
    warnings: &mut Vec<Warning>,
) -> Checked<Reading> {
    let Some(text) = text else {
        return failure(
            FailureType::FileMissing,
            "the agent left no document".to_owned(),
        );
    };
    if text.trim().is_empty() {
        return failure(FailureType::EmptyOutput, "the document is empty".to_owned());
    }
    let document = Document::parse(text);
    Ok(match role {
        Role::Engineer => {
            let (reading, gaps) = check_engineer(read_engineer(&document), ground, warnings)?;
            (Reading::Engineer(reading), gaps)
        }
        Role::Reviewer => {
            let (reading, gaps) = check_reviewer(read_reviewer(&document), ground, warnings)?;
            (Reading::Reviewer(reading), gaps)
        }
        Role::Analyst => {
            let (reading, gaps) = check_analyst(read_analyst(&document))?;
            (Reading::Analyst(reading), gaps)
        }
        Role::FinalReviewer => {
            let (reading, gaps) = check_final_review(read_final_review(&document))?;
            (Reading::FinalReviewer(reading), gaps)
        }
    })
}

/// Checks an Engineer's reading, and leaves in it only what binds.
fn check_engineer(
    mut reading: EngineerReading,
    ground: &dyn Ground,
    warnings: &mut Vec<Warning>,
) -> Checked<EngineerReading> {
    check_disagreements(&reading, ground)?;
    reading.blocked.retain(|marker| {
        let assigned = ground.gap(&marker.gap) == Standing::Assigned;
        if !assigned {
            let message = format!(
                "the marker on {} is not this task's and was not taken",
                marker.gap
            );
            warnings.push(Warning::new("FOREIGN_MARKER", Some(marker.line), message));
        }
        assigned
    });
    let nothing_else = reading.blocked.is_empty() && reading.disagreements.is_empty();
    if reading.gaps.is_empty() && nothing_else {
        return failure(
            FailureType::WrongFormat,
            "no heading `## Gap Resolution: GAP-…` was found outside code".to_owned(),
        );
    }
    let unknown = ids_with(
        reading.gaps.iter().map(|bound| &bound.gap),
        ground,
        Standing::Unknown,
    );
    if !unknown.is_empty() {
        return failure(
            FailureType::InconsistentRefs,
            format!(
                "sections for gaps that do not exist: {}",
                unknown.join(", ")
            ),
        );
    }
    let blocked: Vec<GapId> = reading
        .blocked
        .iter()
        .map(|marker| marker.gap.clone())
        .collect();
    let mut seen: Vec<GapId> = Vec::new();
    reading.gaps.retain(|bound| {
        let why_not = match ground.gap(&bound.gap) {
            _ if blocked.contains(&bound.gap) => {
                Some("is marked as blocked, which wins over a section")
            }
            _ if seen.contains(&bound.gap) => Some("already has a section in this document"),
            Standing::Elsewhere => Some("is not this task's, or is parked or closed"),
            Standing::Assigned | Standing::Free | Standing::Unknown => None,
        };
        match why_not {
            Some(why) => {
                let message = format!("the section binds nothing: {} {why}", bound.gap);
                warnings.push(Warning::new("SECTION_NOT_BOUND", Some(bound.line), message));
            }
            None => seen.push(bound.gap.clone()),
        }
        why_not.is_none()
    });
    let assigned = |gap: &GapId| ground.gap(gap) == Standing::Assigned;
    let assigned_addressed = reading.gaps.iter().any(|bound| assigned(&bound.gap));
    if !assigned_addressed && nothing_else {
        return failure(
            FailureType::NoGapsAddressed,
            "none of the assigned gaps has a section of its own".to_owned(),
        );
    }
    for bound in &reading.gaps {
        warn_of_bound_gap(bound, ground, warnings);
    }
    let mut addressed: Vec<GapId> = reading.gaps.iter().map(|bound| bound.gap.clone()).collect();
    addressed.extend(blocked);
    Ok((reading, addressed))
}

fn warn_of_bound_gap(
    bound: &crate::read::BoundGap,
    ground: &dyn Ground,
    warnings: &mut Vec<Warning>,
) {
    let mut warn = |code: &str, what: &str| {
        let message = format!("{} {what}", bound.gap);
        warnings.push(Warning::new(code, Some(bound.line), message));
    };
    if ground.gap(&bound.gap) == Standing::Free {
        warn(
            "ASSIGNED_LATE",
            "was not assigned; its section is taken as if it had been",
        );
    }
    if bound.confidence.is_none() {
        warn("NO_CONFIDENCE", "states no confidence");
    }
    if bound.section.len() < THIN_SECTION_CHARS {
        warn("THIN_CONTENT", "has a section of under 200 characters");
    }
    if !bound.has_trade_offs {
        warn("INCOMPLETE_STRUCTURE", "has no Trade-offs part");
    }
}

fn check_disagreements(reading: &EngineerReading, ground: &dyn Ground) -> Result<(), Failure> {
    for block in &reading.disagreements {
        let issue = &block.issue;
        match ground.issue(issue) {
            IssueStanding::Unknown => {
                return failure(
                    FailureType::InvalidDisagreeRef,
                    format!("DISAGREE names {issue}, which does not exist"),
                );
            }
            IssueStanding::Decided => {
                return failure(
                    FailureType::ReArguedConflict,
                    format!("DISAGREE argues {issue} again, which the user has decided"),
                );
            }
            IssueStanding::Standing | IssueStanding::Over => {}
        }
        let parts = [
            ("Reviewer Concern", &block.concern),
            ("Engineer Position", &block.position),
            ("Rationale", &block.rationale),
        ];
        if let Some((name, _)) = parts.iter().find(|(_, value)| value.is_none()) {
            return failure(
                FailureType::MalformedDisagree,
                format!("DISAGREE on {issue} has no **{name}:**"),
            );
        }
    }
    Ok(())
}

/// Checks a Reviewer's reading, and leaves in it only what binds.
fn check_reviewer(
    mut reading: ReviewerReading,
    ground: &dyn Ground,
    warnings: &mut Vec<Warning>,
) -> Checked<ReviewerReading> {
    if reading.reviews.is_empty() {
        return failure(
            FailureType::WrongFormat,
            "no heading `## Review: GAP-…` was found outside code".to_owned(),
        );
    }
    let without = reading
        .reviews
        .iter()
        .find(|review| !review.has_severity_sections && review.verdict.is_none());
    if let Some(review) = without {
        return failure(
            FailureType::WrongFormat,
            format!(
                "the review of {} (line {}) has neither severity sections nor **NO_ISSUES_FOUND**",
                review.gap, review.line
            ),
        );
    }
    let unknown = ids_with(
        reading.reviews.iter().map(|review| &review.gap),
        ground,
        Standing::Unknown,
    );
    if !unknown.is_empty() {
        return failure(
            FailureType::InconsistentRefs,
            format!("reviews of gaps that do not exist: {}", unknown.join(", ")),
        );
    }
    reading.reviews.retain(|review| {
        let ours = ground.gap(&review.gap) == Standing::Assigned;
        if !ours {
            let message = format!(
                "{} has no proposal in this round; its review is not counted",
                review.gap
            );
            warnings.push(Warning::new("REVIEW_NOT_BOUND", Some(review.line), message));
        }
        ours
    });
    if reading.reviews.is_empty() {
        return failure(
            FailureType::NoGapsAddressed,
            "none of the proposals of this round is reviewed".to_owned(),
        );
    }
    for review in &reading.reviews {
        let raised = reading
            .issues
            .iter()
            .any(|issue| issue.gap.as_ref() == Some(&review.gap));
        if raised && review.verdict.is_some() {
            let message = format!(
                "the review of {} says NO_ISSUES_FOUND and raises issues",
                review.gap
            );
            warnings.push(Warning::new(
                "VERDICT_AGAINST_ISSUES",
                Some(review.line),
                message,
            ));
        }
    }
    let mut addressed: Vec<GapId> = reading
        .reviews
        .iter()
        .map(|review| review.gap.clone())
        .collect();
    addressed.dedup();
    Ok((reading, addressed))
}

fn check_analyst(reading: AnalystReading) -> Checked<AnalystReading> {
    if reading.gaps.is_empty() && !reading.no_gaps_found {
        return failure(
            FailureType::WrongFormat,
            "neither a heading `## Gap: GAP-…` nor **NO_GAPS_FOUND** was found outside code"
                .to_owned(),
        );
    }
    let undescribed = reading.gaps.iter().find(|gap| gap.description.is_empty());
    if let Some(gap) = undescribed {
        return failure(
            FailureType::WrongFormat,
            format!(
                "{} (line {}) does not say what is missing",
                gap.id, gap.line
            ),
        );
    }
    let addressed = reading.gaps.iter().map(|gap| gap.id.clone()).collect();
    Ok((reading, addressed))
}

fn check_final_review(reading: FinalReading) -> Checked<FinalReading> {
    if !reading.has_heading || reading.verdict.is_none() {
        return failure(
            FailureType::WrongFormat,
            "a final review needs `## Final Review` and `**Verdict:** READY_FOR_TERMINATION` or `NOT_READY`"
                .to_owned(),
        );
    }
    Ok((reading, Vec::new()))
}

fn ids_with<'a>(
    gaps: impl Iterator<Item = &'a GapId>,
    ground: &dyn Ground,
    standing: Standing,
) -> Vec<String> {
    let mut ids: Vec<String> = gaps
        .filter(|gap| ground.gap(gap) == standing)
        .map(ToString::to_string)
        .collect();
    ids.dedup();
    ids
}
