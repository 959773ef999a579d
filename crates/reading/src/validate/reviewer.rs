//! The checks on the Reviewer's document: what is reviewed and by which form, and verdicts against issues.

use std::collections::BTreeSet;

use super::failing::{Failure, Outcome, failure, of_gaps, warn, wrong_form};
use super::limits::{MOST_ISSUES, MOST_NEW_GAPS, cut, listed};
use super::validation_context::{GapAssignment, ValidationContext};
use crate::read::{Review, ReviewerReading, SeveritySource, Verdict};
use gapless_domain::{FailureType, FormFault, GapId, Strictness, Warning};

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
    let reviews = reading.reviews.iter();
    let addressed = reviews.map(|review| review.gap.clone()).collect();
    Ok((reading, addressed))
}

/// The gaps that issues are on.
fn raised_on(reading: &ReviewerReading) -> BTreeSet<&GapId> {
    let issues = reading.issues.iter();
    issues.filter_map(|issue| issue.gap.as_ref()).collect()
}

/// The reviews that ask for a revision while no issue says why: none on their gap, on another gap of the same heading, or on no gap.
fn unexplained(reading: &ReviewerReading) -> impl Iterator<Item = &Review> {
    let on_none = reading.issues.iter().any(|issue| issue.gap.is_none());
    let raised = raised_on(reading);
    let reviews = reading.reviews.iter();
    let explained = reviews
        .clone()
        .filter(|review| raised.contains(&review.gap));
    let explained: BTreeSet<u32> = explained.map(|review| review.line).collect();
    let asking = reviews.filter(|review| review.verdict == Some(Verdict::Revise));
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
            reading.reviews.push(Review::named(gap.clone(), issue.line));
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
            warn(warnings, "REVIEW_NOT_BOUND", review.line, message);
        }
        ours
    });
}

/// Every review judges its gap, or the whole document is judged.
fn check_verdicts(reading: &ReviewerReading, mode: Strictness) -> Result<(), Failure> {
    let raised = raised_on(reading);
    let judged = |review: &Review| {
        review.has_severity_sections
            || review.verdict.is_some()
            || (mode == Strictness::Tolerant && raised.contains(&review.gap))
    };
    let whole_judged = mode == Strictness::Tolerant
        && (reading.verdict.is_some() || reading.has_severity_sections);
    let mut reviews = reading.reviews.iter();
    if let Some(review) = reviews.find(|review| !judged(review) && !whole_judged) {
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
    let bound = reading.reviews.iter().filter(|review| review.by_heading);
    let mut unknown: Vec<GapId> = bound.map(|review| review.gap.clone()).collect();
    unknown.retain(|gap| context.gap(gap) == GapAssignment::Unknown);
    unknown.dedup();
    if unknown.is_empty() || (context.is_record() && mode == Strictness::Tolerant) {
        return Ok(());
    }
    let message = format!("reviews of gaps that do not exist: {}", listed(&unknown));
    let kind = FailureType::InconsistentRefs;
    Err(Failure::with(kind, message, of_gaps(unknown)))
}

fn warn_of_reviews(reading: &ReviewerReading, warnings: &mut Vec<Warning>) {
    if reading.reviews.is_empty() {
        let message = "no gap is named; the review counts for none".to_owned();
        warnings.push(Warning::new("NO_GAP_NAMED", None, message));
    }
    for review in &reading.reviews {
        let Review { gap, line, .. } = review;
        if !review.canonical {
            let message = format!("{gap} is reviewed by another form than `## Review: GAP-…`");
            warn(warnings, "NONCANONICAL_FORM", *line, message);
        }
        let issues = reading.issues.iter();
        let standing = issues.filter(|issue| !issue.withdrawn && issue.gap.as_ref() == Some(gap));
        let grave = standing.clone().any(|issue| issue.concern.severity.holds());
        let verdict = review.verdict.or(reading.verdict);
        if verdict.is_some_and(Verdict::approves) && grave {
            let message =
                format!("{gap} is approved over a CRITICAL or HIGH issue; that is no sign-off");
            warn(warnings, "APPROVED_OVER_ISSUES", *line, message);
        } else if verdict == Some(Verdict::NoIssuesFound) && standing.count() > 0 {
            let message = format!("the review of {gap} says NO_ISSUES_FOUND and raises issues");
            warn(warnings, "VERDICT_AGAINST_ISSUES", *line, message);
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
        warn(
            warnings,
            "CONTRADICTORY_VERDICTS",
            contradiction.line,
            message,
        );
    }
}

fn warn_of_issues(reading: &ReviewerReading, warnings: &mut Vec<Warning>) {
    for issue in &reading.issues {
        let severity = issue.concern.severity;
        let source = match issue.severity_from {
            Some(SeveritySource::Blocking) => "\"blocking\" or \"not blocking\"",
            Some(SeveritySource::Verdict) => "the verdict",
            None => continue,
        };
        let message = format!("no severity is named; {severity} follows from {source}");
        warn(warnings, "SEVERITY_INFERRED", issue.line, message);
    }
    for issue in reading.issues.iter().filter(|issue| !issue.canonical) {
        let name = match issue.written_id.as_str() {
            "" => "an issue without an id",
            id => id,
        };
        let message = format!("{name} stands in another form than `- **ISSUE-R<round>-NNN**: …`");
        warn(warnings, "NONCANONICAL_FORM", issue.line, message);
    }
}

/// Takes out of a reading what makes it fail: reviews of gaps that don't exist, and those that judge nothing or don't say why.
pub(super) fn leave_out_what_is_wrong(
    reading: &mut ReviewerReading,
    context: &dyn ValidationContext,
) {
    let raised: BTreeSet<GapId> = raised_on(reading).into_iter().cloned().collect();
    let whole = reading.verdict.is_some() || reading.has_severity_sections;
    let unexplained = unexplained(reading).map(|review| review.gap.clone());
    let unexplained: BTreeSet<GapId> = unexplained.collect();
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
