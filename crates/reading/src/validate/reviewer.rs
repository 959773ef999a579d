//! The checks on the Reviewer's document: what is reviewed and by which form, and verdicts against issues.

use std::collections::BTreeSet;

use super::failing::{Failure, Outcome, failure, failure_with, wrong_form};
use super::limits::{MOST_ISSUES, MOST_NEW_GAPS, cut, first_of, listed};
use super::validation_context::{GapAssignment, ValidationContext};
use crate::read::{Review, ReviewerReading, SeveritySource, Verdict};
use gapless_domain::{FailureFacts, FailureType, FormFault, GapId, Strictness, Warning};

fn noncanonical(warnings: &mut Vec<Warning>, line: u32, what: String) {
    warnings.push(Warning::new("NONCANONICAL_FORM", Some(line), what));
}

/// Strict takes the canonical form only, and an issue in another one must not pass for none.
pub(super) fn check_form_of_issues(
    reading: &ReviewerReading,
    mode: Strictness,
) -> Result<(), Failure> {
    if mode == Strictness::Tolerant {
        return Ok(());
    }
    match reading.issues.iter().find(|issue| !issue.canonical) {
        Some(issue) => wrong_form(
            FormFault::IssueForm { line: issue.line },
            format!(
                "the issue on line {} stands in another form than `- **ISSUE-R<round>-NNN**: …` under its severity",
                issue.line
            ),
        ),
        None => Ok(()),
    }
}

/// Checks a Reviewer's reading, and leaves in it only what binds.
pub(super) fn check_reviewer(
    mut reading: ReviewerReading,
    mode: Strictness,
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) -> Outcome<ReviewerReading> {
    let says_something =
        !reading.reviews.is_empty() || !reading.issues.is_empty() || reading.verdict.is_some();
    if !says_something || (mode == Strictness::Strict && reading.reviews.is_empty()) {
        let message = match says_something {
            true => "no heading `## Review: GAP-…` was found outside code",
            false => {
                "no heading `## Review: GAP-…`, no issue and no verdict was found outside code"
            }
        };
        return wrong_form(FormFault::NothingBinds, message.to_owned());
    }
    if let Some(line) = reading.proposal
        && !reading.reviews.iter().any(|review| review.by_heading)
    {
        return wrong_form(
            FormFault::ProposalForReview { line },
            format!("this is a proposal (`## Gap Resolution:`, line {line}) and no review"),
        );
    }
    check_verdicts(&reading, mode)?;
    if mode == Strictness::Tolerant && !context.is_record() {
        check_revisions(&reading)?;
    }
    check_gaps_exist(&reading, mode, context)?;
    cut(&mut reading.issues, MOST_ISSUES, "issues", warnings);
    cut(&mut reading.new_gaps, MOST_NEW_GAPS, "new gaps", warnings);
    add_gaps_named_by_issues(&mut reading);
    keep_reviews(&mut reading, context, warnings);
    if reading.reviews.is_empty() && !context.is_record() {
        return failure(
            FailureType::NoGapsAddressed,
            "none of the proposals of this round is reviewed by name".to_owned(),
        );
    }
    warn_of_reviews(&reading, warnings);
    let addressed: Vec<GapId> = reading
        .reviews
        .iter()
        .map(|review| review.gap.clone())
        .collect();
    Ok((reading, addressed))
}

/// The reviews that ask for a revision while no issue says why: none on their gap, on another gap of the same heading, or on no gap.
fn unexplained(reading: &ReviewerReading) -> impl Iterator<Item = &Review> {
    let on_none = reading.issues.iter().any(|issue| issue.gap.is_none());
    let raised: BTreeSet<&GapId> = reading
        .issues
        .iter()
        .filter_map(|issue| issue.gap.as_ref())
        .collect();
    let explained = reading
        .reviews
        .iter()
        .filter(|review| raised.contains(&review.gap));
    let explained: BTreeSet<u32> = explained.map(|review| review.line).collect();
    let asking = reading
        .reviews
        .iter()
        .filter(|review| review.verdict == Some(Verdict::Revise));
    asking.filter(move |review| !on_none && !explained.contains(&review.line))
}

/// A review that asks for a revision must say why: without an issue the gap would be accepted.
fn check_revisions(reading: &ReviewerReading) -> Result<(), Failure> {
    let revises = reading.verdict == Some(Verdict::Revise);
    let gap = match unexplained(reading).next() {
        Some(review) => Some(review.gap.clone()),
        None if revises && reading.issues.is_empty() => None,
        None => return Ok(()),
    };
    let subject = gap.as_ref().map_or("the review".to_owned(), |gap| {
        format!("the review of {gap}")
    });
    wrong_form(
        FormFault::RevisionWithoutIssue { gap },
        format!("{subject} asks for a revision and raises no issue that says why"),
    )
}

/// A gap that an issue names is reviewed.
fn add_gaps_named_by_issues(reading: &mut ReviewerReading) {
    for issue in &reading.issues {
        let Some(gap) = &issue.gap else {
            continue;
        };
        if !reading.reviews.iter().any(|review| review.gap == *gap) {
            reading
                .reviews
                .push(Review::named(gap.clone(), issue.line));
        }
    }
}

fn keep_reviews(
    reading: &mut ReviewerReading,
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) {
    reading.reviews.retain(|review| {
        let standing = context.gap(&review.gap);
        let ours = standing == GapAssignment::Assigned;
        if !ours && review.by_heading {
            let why = match standing {
                GapAssignment::Unknown => "is not in the inventory",
                _ => "has no proposal in this round",
            };
            let message = format!("the review of {} is not counted: it {why}", review.gap);
            warnings.push(Warning::new("REVIEW_NOT_BOUND", Some(review.line), message));
        }
        ours
    });
}

/// Every review judges its gap, or the whole document is judged.
fn check_verdicts(reading: &ReviewerReading, mode: Strictness) -> Result<(), Failure> {
    let raised: BTreeSet<&GapId> = reading
        .issues
        .iter()
        .filter_map(|issue| issue.gap.as_ref())
        .collect();
    let judged = |review: &Review| {
        review.has_severity_sections
            || review.verdict.is_some()
            || (mode == Strictness::Tolerant && raised.contains(&review.gap))
    };
    let whole_judged = mode == Strictness::Tolerant
        && (reading.verdict.is_some() || reading.has_severity_sections);
    if let Some(review) = reading
        .reviews
        .iter()
        .find(|review| !judged(review) && !whole_judged)
    {
        return wrong_form(
            FormFault::NoVerdict {
                gap: review.gap.clone(),
                line: review.line,
            },
            format!(
                "the review of {} (line {}) has neither severity sections nor **NO_ISSUES_FOUND**",
                review.gap, review.line
            ),
        );
    }
    Ok(())
}

/// No heading reviews a gap that doesn't exist.
fn check_gaps_exist(
    reading: &ReviewerReading,
    mode: Strictness,
    context: &dyn ValidationContext,
) -> Result<(), Failure> {
    let bound = reading
        .reviews
        .iter()
        .filter(|review| review.by_heading)
        .map(|review| &review.gap);
    let unknown = gaps_with(bound, context, GapAssignment::Unknown);
    if !unknown.is_empty() && (!context.is_record() || mode == Strictness::Strict) {
        let ids: Vec<String> = unknown.iter().map(ToString::to_string).collect();
        let facts = FailureFacts {
            wrong_gaps: first_of(unknown),
            ..FailureFacts::default()
        };
        return failure_with(
            FailureType::InconsistentRefs,
            format!("reviews of gaps that do not exist: {}", listed(&ids)),
            facts,
        );
    }
    Ok(())
}

fn warn_of_reviews(reading: &ReviewerReading, warnings: &mut Vec<Warning>) {
    if reading.reviews.is_empty() {
        let message = "no gap is named; the review counts for none".to_owned();
        warnings.push(Warning::new("NO_GAP_NAMED", None, message));
    }
    for review in &reading.reviews {
        if !review.canonical {
            noncanonical(
                warnings,
                review.line,
                format!(
                    "{} is reviewed by another form than `## Review: GAP-…`",
                    review.gap
                ),
            );
        }
        let standing = reading
            .issues
            .iter()
            .filter(|issue| !issue.withdrawn && issue.gap.as_ref() == Some(&review.gap));
        let grave = standing.clone().any(|issue| issue.concern.severity.holds());
        let verdict = review.verdict.or(reading.verdict);
        if verdict.is_some_and(Verdict::approves) && grave {
            let message = format!(
                "{} is approved over a CRITICAL or HIGH issue; that is no sign-off",
                review.gap
            );
            warnings.push(Warning::new(
                "APPROVED_OVER_ISSUES",
                Some(review.line),
                message,
            ));
        } else if verdict == Some(Verdict::NoIssuesFound) && standing.count() > 0 {
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
    warn_of_contradictions(reading, warnings);
    warn_of_issues(reading, warnings);
}

fn warn_of_contradictions(reading: &ReviewerReading, warnings: &mut Vec<Warning>) {
    for contradiction in &reading.contradictions {
        let subject = match &contradiction.gap {
            Some(gap) => format!("two verdicts on {gap}"),
            None => "two verdicts".to_owned(),
        };
        let message = format!("{subject} contradict each other; the stricter one counts");
        warnings.push(Warning::new(
            "CONTRADICTORY_VERDICTS",
            Some(contradiction.line),
            message,
        ));
    }
}

fn warn_of_issues(reading: &ReviewerReading, warnings: &mut Vec<Warning>) {
    for issue in &reading.issues {
        let severity = issue.concern.severity;
        let message = match issue.severity_from {
            Some(SeveritySource::Blocking) => {
                format!(
                    "no severity is named; {severity} follows from \"blocking\" or \"not blocking\""
                )
            }
            Some(SeveritySource::Verdict) => {
                format!("no severity is named; {severity} follows from the verdict")
            }
            None => continue,
        };
        warnings.push(Warning::new("SEVERITY_INFERRED", Some(issue.line), message));
    }
    for issue in reading.issues.iter().filter(|issue| !issue.canonical) {
        let name = match issue.written_id.as_str() {
            "" => "an issue without an id",
            id => id,
        };
        let message = format!("{name} stands in another form than `- **ISSUE-R<round>-NNN**: …`");
        noncanonical(warnings, issue.line, message);
    }
}

fn gaps_with<'a>(
    gaps: impl Iterator<Item = &'a GapId>,
    context: &dyn ValidationContext,
    standing: GapAssignment,
) -> Vec<GapId> {
    let mut gaps: Vec<GapId> = gaps
        .filter(|gap| context.gap(gap) == standing)
        .cloned()
        .collect();
    gaps.dedup();
    gaps
}

/// Takes out of a reading what makes it fail: reviews of gaps that don't exist, and those that judge nothing or don't say why.
pub(super) fn leave_out_what_is_wrong(
    reading: &mut ReviewerReading,
    context: &dyn ValidationContext,
) {
    let raised: BTreeSet<GapId> = reading
        .issues
        .iter()
        .filter_map(|issue| issue.gap.clone())
        .collect();
    let whole = reading.verdict.is_some() || reading.has_severity_sections;
    let unexplained: BTreeSet<GapId> = unexplained(reading)
        .map(|review| review.gap.clone())
        .collect();
    reading.reviews.retain(|review| {
        let judges = review.has_severity_sections
            || review.verdict.is_some()
            || whole
            || raised.contains(&review.gap);
        judges
            && !unexplained.contains(&review.gap)
            && context.gap(&review.gap) != GapAssignment::Unknown
    });
}
