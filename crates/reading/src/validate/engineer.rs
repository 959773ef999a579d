//! The checks on the Engineer's document: what binds, what may be named, and what is worth a warning.

use std::collections::{BTreeMap, BTreeSet};

use super::failing::{Failure, Outcome, failure_with};
use super::limits::{MOST_NEW_GAPS, MOST_REFERENCE_WARNINGS, cut, first_of, listed};
use super::validation_context::{GapAssignment, IssueAssignment, ValidationContext};
use crate::read::{
    BoundGap, DisagreeForm, Disagreement, EngineerReading, ReadDocument, read_engineer,
};
use gapless_domain::{
    Cause, FailureFacts, FailureType, FormFault, GapId, IssueId, Strictness, Warning, gap_ids_in,
};
use gapless_markdown::{Document, Heading};

pub const THIN_SECTION_CHARS: usize = 200;
/// How the heading of a resolution begins.
const RESOLUTION: &str = "Gap Resolution";

/// Checks what an Engineer's document says, and leaves only what binds.
pub(super) fn check_engineer(
    read: &ReadDocument,
    mode: Strictness,
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) -> Outcome<EngineerReading> {
    let document = &read.structure;
    let mut reading = match mode {
        Strictness::Strict => read_engineer(document, mode),
        Strictness::Tolerant => read.as_engineer().clone(),
    };
    check_disagreements(&reading, mode, context)?;
    warn_of_disagreements(&mut reading, context, warnings);
    warn_of_disagree_form(&reading, warnings);
    drop_foreign_markers(&mut reading, context, warnings);
    // A gap is addressed by a disagreement on an issue of its own, and by no other.
    let disagrees = |block: &Disagreement| context.issue(&block.issue) == IssueAssignment::Due;
    let nothing_else = reading.blocked.is_empty() && !reading.disagreements.iter().any(disagrees);
    if reading.gaps.is_empty() && nothing_else {
        return Err(binds_nothing(document, &reading, context));
    }
    bound_new_gaps(&mut reading, warnings);
    let invented = check_references(document, &reading, mode, context, warnings)?;
    let written: Vec<GapId> = reading.gaps.iter().map(|bound| bound.gap.clone()).collect();
    keep_bound(document, &mut reading, &invented, context, warnings);
    cut(&mut reading.new_gaps, MOST_NEW_GAPS, "new gaps", warnings);
    let addressed_one = reading.gaps.iter().any(|bound| {
        context.gap(&bound.gap) == GapAssignment::Assigned || invented.contains(&bound.gap)
    });
    if !addressed_one && nothing_else {
        return Err(addresses_none(written, context));
    }
    if mode == Strictness::Strict {
        check_confidence(&reading)?;
    }
    for bound in &reading.gaps {
        warn_of_bound_gap(bound, context, warnings);
        warn_of_rejected(document, bound, context, warnings);
    }
    warn_of_unknown_references(document, &reading, context, warnings);
    let mut addressed: Vec<GapId> = reading.gaps.iter().map(|bound| bound.gap.clone()).collect();
    addressed.extend(reading.blocked.iter().map(|marker| marker.gap.clone()));
    Ok((reading, addressed))
}

/// The first heading of a resolution that names no gap.
fn heading_without_id<'d>(document: &'d Document) -> Option<&'d Heading> {
    let opens_one = |title: &str| {
        let (start, rest) = title.split_at_checked(RESOLUTION.len())?;
        let ends =
            rest.trim_start().is_empty() || rest.trim_start().starts_with([':', '-', '–', '—']);
        Some(start.eq_ignore_ascii_case(RESOLUTION) && ends)
    };
    document.headings.iter().find(|heading| {
        opens_one(&heading.title) == Some(true) && gap_ids_in(&heading.title).is_empty()
    })
}

fn without_id(heading: &Heading, assigned: &[GapId]) -> String {
    let ids: Vec<String> = assigned.iter().map(GapId::to_string).collect();
    let wanted = match ids.as_slice() {
        [] => "write it like `## Gap Resolution: GAP-FLOW-001`".to_owned(),
        ids => format!("assigned: {}", listed(ids)),
    };
    format!(
        "the heading `{}` (line {}) has no gap id; {wanted}",
        heading.title, heading.line
    )
}

fn bound_new_gaps(reading: &mut EngineerReading, warnings: &mut Vec<Warning>) {
    cut(&mut reading.new_gaps, MOST_NEW_GAPS, "new gaps", warnings);
    for bound in &mut reading.gaps {
        cut(&mut bound.new_gaps, MOST_NEW_GAPS, "new gaps", warnings);
    }
}

/// Every bound id must exist. A document of a finished record may bring up gaps of its own: beside known ones, or where its
/// head says that it is about them.
fn check_references(
    document: &Document,
    reading: &EngineerReading,
    mode: Strictness,
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) -> Result<BTreeSet<GapId>, Failure> {
    let is_unknown = |gap: &GapId| context.gap(gap) == GapAssignment::Unknown;
    let mut unknown: Vec<&BoundGap> = reading
        .gaps
        .iter()
        .filter(|bound| is_unknown(&bound.gap))
        .collect();
    unknown.dedup_by(|one, other| one.gap == other.gap);
    if unknown.is_empty() {
        return Ok(BTreeSet::new());
    }
    let any_known = reading.gaps.iter().any(|bound| !is_unknown(&bound.gap));
    let announced = announced_gaps(document);
    let own = |bound: &&BoundGap| any_known || announced.contains(&bound.gap);
    if mode == Strictness::Strict || !context.is_record() || !unknown.iter().all(own) {
        let ids: Vec<String> = unknown.iter().map(|bound| bound.gap.to_string()).collect();
        let wrong: Vec<GapId> = unknown.iter().map(|bound| bound.gap.clone()).collect();
        let facts = FailureFacts {
            wrong_gaps: first_of(wrong),
            ..FailureFacts::default()
        };
        return failure_with(
            FailureType::InconsistentRefs,
            format!("sections for gaps that do not exist: {}", listed(&ids)),
            facts,
        );
    }
    for bound in &unknown {
        let message = format!(
            "{} is not in the inventory; the document brings it up itself",
            bound.gap
        );
        warnings.push(Warning::new("INVENTED_GAP", Some(bound.line), message));
    }
    Ok(unknown.into_iter().map(|bound| bound.gap.clone()).collect())
}

/// The gaps that a document's head says it is about.
fn announced_gaps(document: &Document) -> BTreeSet<GapId> {
    let end = document
        .headings
        .iter()
        .find(|heading| heading.level >= 2)
        .map_or(document.source.len(), |heading| heading.span.start);
    let ids = gap_ids_in(document.prose_of(0..end));
    ids.into_iter().map(|found| found.id).collect()
}

/// Leaves only the sections that bind: each gap once, no gap that is marked as blocked or is somebody else's.
fn keep_bound(
    document: &Document,
    reading: &mut EngineerReading,
    invented: &BTreeSet<GapId>,
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) {
    let blocked: BTreeSet<GapId> = reading
        .blocked
        .iter()
        .map(|marker| marker.gap.clone())
        .collect();
    // Of several sections for a gap the canonical one binds, else the longest.
    let mut best: BTreeMap<GapId, (bool, usize, u32)> = BTreeMap::new();
    for bound in &reading.gaps {
        let rank = (bound.canonical, bound.section.len(), u32::MAX - bound.line);
        let known = best.entry(bound.gap.clone()).or_insert(rank);
        *known = (*known).max(rank);
    }
    let declared = &mut reading.new_gaps;
    reading.gaps.retain_mut(|bound| {
        let rank = (bound.canonical, bound.section.len(), u32::MAX - bound.line);
        let why_not = match context.gap(&bound.gap) {
            _ if blocked.contains(&bound.gap) => {
                Some("is marked as blocked, which wins over a section")
            }
            _ if best.get(&bound.gap) != Some(&rank) => {
                Some("has another section in this document")
            }
            GapAssignment::Elsewhere => Some("is not this task's, or is parked or closed"),
            _ if !has_text(document, bound) => Some("has a heading and no text"),
            GapAssignment::Unknown if !invented.contains(&bound.gap) => Some("does not exist"),
            GapAssignment::Assigned | GapAssignment::Free | GapAssignment::Unknown => None,
        };
        if let Some(why) = why_not {
            let message = format!("the section binds nothing: {} {why}", bound.gap);
            warnings.push(Warning::new("SECTION_NOT_BOUND", Some(bound.line), message));
            // What it found missing is missing all the same.
            declared.append(&mut bound.new_gaps);
        }
        why_not.is_none()
    });
}

/// True where the section says something, in prose or in code.
fn has_text(document: &Document, bound: &BoundGap) -> bool {
    let text = bound
        .solution
        .iter()
        .filter_map(|range| document.source.get(range.clone()));
    text.flat_map(str::lines).any(|line| {
        let line = line.trim();
        !line.starts_with('#') && line.chars().any(char::is_alphanumeric)
    })
}

/// Ids in prose that nobody knows only warn; those that the document declares as new gaps are no references.
fn warn_of_unknown_references(
    document: &Document,
    reading: &EngineerReading,
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) {
    let mut fine: BTreeSet<&GapId> = reading.new_gaps.iter().map(|gap| &gap.id).collect();
    for bound in &reading.gaps {
        fine.insert(&bound.gap);
        fine.extend(bound.new_gaps.iter().map(|gap| &gap.id));
    }
    let mut said: BTreeSet<GapId> = BTreeSet::new();
    for found in gap_ids_in(document.prose()) {
        if said.len() >= MOST_REFERENCE_WARNINGS {
            return;
        }
        if !fine.contains(&found.id)
            && context.gap(&found.id) == GapAssignment::Unknown
            && said.insert(found.id.clone())
        {
            let message = format!("{} is named and does not exist", found.id);
            warnings.push(Warning::new(
                "UNKNOWN_REFERENCE",
                Some(document.line_of(found.at)),
                message,
            ));
        }
    }
}

fn warn_of_bound_gap(
    bound: &BoundGap,
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) {
    let mut warn = |code: &str, what: &str| {
        let message = format!("{} {what}", bound.gap);
        warnings.push(Warning::new(code, Some(bound.line), message));
    };
    if !bound.canonical {
        warn(
            "NONCANONICAL_FORM",
            "is bound by a heading of another form than `## Gap Resolution: GAP-…`",
        );
    }
    if context.gap(&bound.gap) == GapAssignment::Free {
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
    if context.has_repo() && !bound.has_codebase_analysis {
        warn(
            "NO_CODEBASE_ANALYSIS",
            "does not say what of the code base was looked at (### Codebase Analysis)",
        );
    }
}

/// A later proposal that repeats what the user decided against only warns.
fn warn_of_rejected(
    document: &Document,
    bound: &BoundGap,
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) {
    let rejected = context.rejected(&bound.gap);
    if rejected.is_empty() {
        return;
    }
    let parts = bound.solution.iter();
    let parts: Vec<&str> = parts
        .filter_map(|range| document.source.get(range.clone()))
        .collect();
    let text = parts.join("\n");
    for rejected in rejected.iter().filter(|r| r.is_repeated_in(&text)) {
        let issue = rejected
            .issue
            .map_or(String::new(), |id| format!(" on {id}"));
        let message = format!(
            "{} may propose again what {}{issue} decided against",
            bound.gap, rejected.decision
        );
        warnings.push(Warning::new(
            "REPEATS_REJECTED_POSITION",
            Some(bound.line),
            message,
        ));
    }
}

/// Blocks that are not quite canonical are taken with a warning.
fn warn_of_disagree_form(reading: &EngineerReading, warnings: &mut Vec<Warning>) {
    let near = reading
        .disagreements
        .iter()
        .filter(|block| block.form == DisagreeForm::Block && !block.canonical);
    for block in near {
        let message = format!(
            "the disagreement with {} stands in another form than `## DISAGREE: {}` with its fields in bold",
            block.issue, block.issue
        );
        warnings.push(Warning::new("NONCANONICAL_FORM", Some(block.line), message));
    }
}

/// Leaves out markers on gaps that are not this task's.
fn drop_foreign_markers(
    reading: &mut EngineerReading,
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) {
    reading.blocked.retain(|marker| {
        let assigned = context.gap(&marker.gap) == GapAssignment::Assigned;
        if !assigned {
            let message = format!(
                "the marker on {} is not this task's and was not taken",
                marker.gap
            );
            warnings.push(Warning::new("FOREIGN_MARKER", Some(marker.line), message));
        }
        assigned
    });
}

/// Why a document without any section for a gap fails.
fn binds_nothing(
    document: &Document,
    reading: &EngineerReading,
    context: &dyn ValidationContext,
) -> Failure {
    if !reading.uncertain_about.is_empty() {
        let facts = FailureFacts {
            cause: Some(Cause::DomainGap),
            uncertain_about: reading.uncertain_about.clone(),
            ..FailureFacts::default()
        };
        let message = "the Engineer says that it is uncertain, and proposes nothing";
        return Failure::with(FailureType::NoGapsAddressed, message.to_owned(), facts);
    }
    if let Some(heading) = heading_without_id(document) {
        let message = without_id(heading, context.assigned());
        return Failure::with(
            FailureType::NoGapsAddressed,
            message,
            FailureFacts::default(),
        );
    }
    let facts = FailureFacts {
        form: Some(FormFault::NothingBinds),
        ..FailureFacts::default()
    };
    let message = "no heading `## Gap Resolution: GAP-…` was found outside code";
    Failure::with(FailureType::WrongFormat, message.to_owned(), facts)
}

/// Why a document fails whose sections are for none of the assigned gaps, or empty.
fn addresses_none(written: Vec<GapId>, context: &dyn ValidationContext) -> Failure {
    let mut written_gaps = written.iter();
    let (message, facts) = match written_gaps.any(|gap| context.gap(gap) == GapAssignment::Assigned)
    {
        true => (
            "the sections of the assigned gaps have a heading and no text",
            FailureFacts {
                form: Some(FormFault::NoText),
                ..FailureFacts::default()
            },
        ),
        false => (
            "none of the assigned gaps has a section of its own",
            FailureFacts {
                cause: Some(Cause::UnclearAssignment),
                wrong_gaps: first_of(written),
                ..FailureFacts::default()
            },
        ),
    };
    Failure::with(FailureType::NoGapsAddressed, message.to_owned(), facts)
}

/// Every section states how sure the Engineer is.
fn check_confidence(reading: &EngineerReading) -> Result<(), Failure> {
    let mut gaps = reading.gaps.iter();
    let Some(bound) = gaps.find(|bound| bound.confidence.is_none()) else {
        return Ok(());
    };
    let facts = FailureFacts {
        form: Some(FormFault::NoConfidence {
            gap: bound.gap.clone(),
            line: bound.line,
        }),
        missing: vec!["**Confidence:**".to_owned()],
        ..FailureFacts::default()
    };
    let message = format!(
        "{} (line {}) states no **Confidence:**",
        bound.gap, bound.line
    );
    failure_with(FailureType::WrongFormat, message, facts)
}

fn check_disagreements(
    reading: &EngineerReading,
    mode: Strictness,
    context: &dyn ValidationContext,
) -> Result<(), Failure> {
    for block in &reading.disagreements {
        let issue = &block.issue;
        let quote = block.concern.as_deref().unwrap_or_default();
        if let Some(settled) = context
            .settled_matter(quote)
            .filter(|settled| settled != issue)
        {
            let facts = FailureFacts {
                issue: Some(settled),
                ..FailureFacts::default()
            };
            return failure_with(
                FailureType::ReArguedConflict,
                format!(
                    "DISAGREE argues {settled} again, under the name of {issue}; it is decided"
                ),
                facts,
            );
        }
        match context.issue(issue) {
            // A sentence that only names an issue is no block.
            IssueAssignment::Unknown | IssueAssignment::Closed
                if block.form == DisagreeForm::Other =>
            {
                continue;
            }
            IssueAssignment::Unknown => {
                return failure_with(
                    FailureType::InvalidDisagreeRef,
                    format!("DISAGREE names {issue}, which does not exist"),
                    facts_on(issue, &[]),
                );
            }
            IssueAssignment::Decided => {
                return failure_with(
                    FailureType::ReArguedConflict,
                    format!("DISAGREE argues {issue} again, which is decided"),
                    facts_on(issue, &[]),
                );
            }
            IssueAssignment::Due | IssueAssignment::Open | IssueAssignment::Closed => {}
        }
        check_parts(block, mode, context)?;
    }
    Ok(())
}

fn facts_on(issue: &IssueId, missing: &[&str]) -> FailureFacts {
    FailureFacts {
        issue: Some(*issue),
        missing: missing.iter().map(|name| format!("**{name}:**")).collect(),
        ..FailureFacts::default()
    }
}

/// A DISAGREE block has all its parts, and quotes what the review says.
fn check_parts(
    block: &Disagreement,
    mode: Strictness,
    context: &dyn ValidationContext,
) -> Result<(), Failure> {
    let issue = &block.issue;
    let quote = block.concern.as_deref().unwrap_or_default();
    let parts = [
        ("Reviewer Concern", &block.concern),
        ("Engineer Position", &block.position),
        ("Rationale", &block.rationale),
    ];
    let missing = parts.iter().filter(|(_, value)| value.is_none());
    let missing: Vec<&str> = missing.map(|(name, _)| *name).collect();
    if block.form == DisagreeForm::Other && (!missing.is_empty() || mode == Strictness::Strict) {
        return failure_with(
            FailureType::MalformedDisagree,
            format!(
                "line {} disagrees with {issue} in another form than `## DISAGREE: {issue}`",
                block.line
            ),
            facts_on(issue, &missing),
        );
    }
    if let Some(name) = missing.first() {
        return failure_with(
            FailureType::MalformedDisagree,
            format!("DISAGREE on {issue} has no **{name}:**"),
            facts_on(issue, &missing),
        );
    }
    if !context.is_quoted(issue, quote) {
        return failure_with(
            FailureType::MalformedDisagree,
            format!(
                "what DISAGREE on {issue} quotes as **Reviewer Concern:** does not stand in the review"
            ),
            facts_on(issue, &["Reviewer Concern"]),
        );
    }
    Ok(())
}

/// Leaves the disagreements that are on issues of the session, and warns of those in another form.
fn warn_of_disagreements(
    reading: &mut EngineerReading,
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) {
    let known = |block: &Disagreement| {
        let standing = context.issue(&block.issue);
        !matches!(standing, IssueAssignment::Unknown | IssueAssignment::Closed)
    };
    reading
        .disagreements
        .retain(|block| block.form == DisagreeForm::Block || known(block));
    for block in &reading.disagreements {
        if block.form == DisagreeForm::Other {
            let message = format!(
                "the answer to {} is read as a DISAGREE, though it is none by its heading",
                block.issue
            );
            warnings.push(Warning::new("NONCANONICAL_FORM", Some(block.line), message));
        }
    }
}
