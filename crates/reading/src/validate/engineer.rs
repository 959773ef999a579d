//! The checks on the Engineer's document: what binds, what may be named, and what is worth a warning.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::echo::Known;
use super::failing::{Failure, Outcome, of_form, of_gaps, warn};
use super::limits::{MOST_NEW_GAPS, MOST_REFERENCE_WARNINGS, cut, listed};
use super::spec_changes::{StandingPassages, check_changes, drop_copied_changes, keep_changes};
use super::validation_context::{GapAssignment, IssueAssignment, ValidationContext};
use crate::read::{
    BoundGap, DeclaredGap, DisagreeForm, Disagreement, EngineerReading, ReadDocument,
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
    known: &Known,
    passages: StandingPassages,
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) -> Outcome<EngineerReading> {
    let document = &read.structure;
    let mut reading = match mode {
        Strictness::Strict => read.read_engineer(mode),
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
    let parts = reading.gaps.iter().flat_map(|it| it.change_parts.clone());
    let mut written_parts: Vec<Range<usize>> = parts.collect();
    written_parts.sort_by_key(|part| part.start);
    let written: Vec<GapId> = reading.gaps.iter().map(|bound| bound.gap.clone()).collect();
    drop_copied_changes(document, &mut reading, known, warnings);
    keep_bound(document, &mut reading, &invented, context, warnings);
    cut(&mut reading.new_gaps, MOST_NEW_GAPS, "new gaps", warnings);
    drop_all_repeated(&mut reading, context, warnings);
    keep_changes(&mut reading, warnings);
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
    warn_of_loose_changes(document, &written_parts, warnings);
    check_changes(&reading, passages, context, warnings)?;
    let mut addressed: Vec<GapId> = reading.gaps.iter().map(|bound| bound.gap.clone()).collect();
    addressed.extend(reading.blocked.iter().map(|marker| marker.gap.clone()));
    Ok((reading, addressed))
}

/// Changes in no gap's section change nothing.
fn warn_of_loose_changes(document: &Document, read: &[Range<usize>], warnings: &mut Vec<Warning>) {
    let titled = document.headings.iter();
    let titled = titled.filter(|heading| heading.title == "Spec Changes");
    let loose = titled.filter(|heading| {
        let at = heading.span.start;
        let before = read.partition_point(|part| part.start <= at);
        before == 0 || !read[before - 1].contains(&at)
    });
    for heading in loose.take(MOST_REFERENCE_WARNINGS) {
        let message = "the spec changes are in no section of a gap, and change nothing";
        let line = heading.line;
        warn(warnings, "SECTION_NOT_BOUND", line, message.to_owned());
    }
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
    let wanted = match assigned {
        [] => "write it like `## Gap Resolution: GAP-FLOW-001`".to_owned(),
        ids => format!("assigned: {}", listed(ids)),
    };
    let Heading { title, line, .. } = heading;
    format!("the heading `{title}` (line {line}) has no gap id; {wanted}")
}

fn bound_new_gaps(reading: &mut EngineerReading, warnings: &mut Vec<Warning>) {
    cut(&mut reading.new_gaps, MOST_NEW_GAPS, "new gaps", warnings);
    for bound in &mut reading.gaps {
        cut(&mut bound.new_gaps, MOST_NEW_GAPS, "new gaps", warnings);
    }
}

/// Leaves out new gaps that say word for word what is known, and says so.
fn drop_all_repeated(
    reading: &mut EngineerReading,
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) {
    let answers = reading.responses.iter().map(|response| response.issue);
    let disputes = reading.disagreements.iter().map(|block| block.issue);
    let answered: Vec<IssueId> = answers.chain(disputes).collect();
    let of_gaps = reading.gaps.iter_mut().map(|bound| &mut bound.new_gaps);
    for gaps in of_gaps.chain([&mut reading.new_gaps]) {
        drop_repeated(gaps, &answered, context, warnings);
    }
}

fn drop_repeated(
    gaps: &mut Vec<DeclaredGap>,
    answered: &[IssueId],
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) {
    gaps.retain(|gap| {
        let known = context.repeats(gap, answered);
        if let Some(known) = &known {
            let message = format!("the new gap {} repeats {known}, and was left out", gap.id);
            warnings.push(Warning::new("REPEATS_KNOWN", Some(gap.line), message));
        }
        known.is_none()
    });
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
    let unknown = reading.gaps.iter().filter(|bound| is_unknown(&bound.gap));
    let mut unknown: Vec<&BoundGap> = unknown.collect();
    unknown.dedup_by(|one, other| one.gap == other.gap);
    if unknown.is_empty() {
        return Ok(BTreeSet::new());
    }
    let any_known = reading.gaps.iter().any(|bound| !is_unknown(&bound.gap));
    let announced = announced_gaps(document);
    let own = |bound: &&BoundGap| any_known || announced.contains(&bound.gap);
    if mode == Strictness::Strict || !context.is_record() || !unknown.iter().all(own) {
        let wrong: Vec<GapId> = unknown.iter().map(|bound| bound.gap.clone()).collect();
        let message = format!("sections for gaps that do not exist: {}", listed(&wrong));
        let kind = FailureType::InconsistentRefs;
        return Err(Failure::with(kind, message, of_gaps(wrong)));
    }
    for BoundGap { gap, line, .. } in &unknown {
        let message = format!("{gap} is not in the inventory; the document brings it up itself");
        warn(warnings, "INVENTED_GAP", *line, message);
    }
    Ok(unknown.into_iter().map(|bound| bound.gap.clone()).collect())
}

/// The gaps that a document's head says it is about.
fn announced_gaps(document: &Document) -> BTreeSet<GapId> {
    let ids = gap_ids_in(document.prose_of(document.head()));
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
    let blocked: BTreeSet<&GapId> = reading.blocked.iter().map(|marker| &marker.gap).collect();
    // Of several sections for a gap the canonical one binds, else the longest.
    let rank = |bound: &BoundGap| (bound.canonical, bound.section.len(), u32::MAX - bound.line);
    let mut best: BTreeMap<GapId, (bool, usize, u32)> = BTreeMap::new();
    for bound in &reading.gaps {
        let known = best.entry(bound.gap.clone()).or_insert(rank(bound));
        *known = (*known).max(rank(bound));
    }
    let declared = &mut reading.new_gaps;
    reading.gaps.retain_mut(|bound| {
        let why_not = match context.gap(&bound.gap) {
            _ if blocked.contains(&bound.gap) => {
                Some("is marked as blocked, which wins over a section")
            }
            _ if best.get(&bound.gap) != Some(&rank(bound)) => {
                Some("has another section in this document")
            }
            GapAssignment::Elsewhere => Some("is not this task's, or is parked or closed"),
            _ if !has_text(document, bound) => Some("has a heading and no text"),
            _ if is_of_another(document, bound, context) => {
                Some("has the proposal for another gap, word for word")
            }
            GapAssignment::Unknown if !invented.contains(&bound.gap) => Some("does not exist"),
            GapAssignment::Assigned | GapAssignment::Free | GapAssignment::Unknown => None,
        };
        if let Some(why) = why_not {
            let message = format!("the section binds nothing: {} {why}", bound.gap);
            warn(warnings, "SECTION_NOT_BOUND", bound.line, message);
            // What it found missing is missing all the same.
            declared.append(&mut bound.new_gaps);
        }
        why_not.is_none()
    });
}

/// True where the section is what an earlier round proposed for another gap.
fn is_of_another(document: &Document, bound: &BoundGap, context: &dyn ValidationContext) -> bool {
    let solution = bound.solution_in(&document.source);
    context
        .is_proposal_of_another(&bound.gap, &solution)
        .is_some()
}

/// True where the section says something, in prose or in code.
fn has_text(document: &Document, bound: &BoundGap) -> bool {
    let parts = bound.solution.iter();
    let text = parts.filter_map(|range| document.source.get(range.clone()));
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
            let line = document.line_of(found.at);
            warn(warnings, "UNKNOWN_REFERENCE", line, message);
        }
    }
}

fn warn_of_bound_gap(
    bound: &BoundGap,
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) {
    let mut warn = |code: &str, what: &str| {
        warn(warnings, code, bound.line, format!("{} {what}", bound.gap));
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
    let parts = parts.filter_map(|range| document.source.get(range.clone()));
    let text = parts.collect::<Vec<_>>().join("\n");
    for rejected in rejected.iter().filter(|r| r.is_repeated_in(&text)) {
        let issue = rejected.issue.map(|id| format!(" on {id}"));
        let decision = format!("{}{}", rejected.decision, issue.unwrap_or_default());
        let message = format!(
            "{} may propose again what {decision} decided against",
            bound.gap
        );
        warn(warnings, "REPEATS_REJECTED_POSITION", bound.line, message);
    }
}

/// Blocks that are not quite canonical are taken with a warning.
fn warn_of_disagree_form(reading: &EngineerReading, warnings: &mut Vec<Warning>) {
    let blocks = reading.disagreements.iter();
    for block in blocks.filter(|it| it.form == DisagreeForm::Block && !it.canonical) {
        let message = format!(
            "the disagreement with {0} stands in another form than `## DISAGREE: {0}` with its fields in bold",
            block.issue
        );
        warn(warnings, "NONCANONICAL_FORM", block.line, message);
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
            let gap = &marker.gap;
            let message = format!("the marker on {gap} is not this task's and was not taken");
            warn(warnings, "FOREIGN_MARKER", marker.line, message);
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
        let facts = FailureFacts::default();
        return Failure::with(FailureType::NoGapsAddressed, message, facts);
    }
    let facts = of_form(FormFault::NothingBinds);
    let message = "no heading `## Gap Resolution: GAP-…` was found outside code";
    Failure::with(FailureType::WrongFormat, message.to_owned(), facts)
}

/// Why a document fails whose sections are for none of the assigned gaps, or empty.
fn addresses_none(written: Vec<GapId>, context: &dyn ValidationContext) -> Failure {
    let is_assigned = |gap: &GapId| context.gap(gap) == GapAssignment::Assigned;
    let (message, facts) = match written.iter().any(is_assigned) {
        true => {
            let message = "the sections of the assigned gaps have a heading and no text";
            (message, of_form(FormFault::NoText))
        }
        false => {
            let message = "none of the assigned gaps has a section of its own";
            let mut facts = of_gaps(written);
            facts.cause = Some(Cause::UnclearAssignment);
            (message, facts)
        }
    };
    Failure::with(FailureType::NoGapsAddressed, message.to_owned(), facts)
}

/// Every section states how sure the Engineer is.
fn check_confidence(reading: &EngineerReading) -> Result<(), Failure> {
    let mut gaps = reading.gaps.iter();
    let Some(bound) = gaps.find(|bound| bound.confidence.is_none()) else {
        return Ok(());
    };
    let (gap, line) = (bound.gap.clone(), bound.line);
    let message = format!("{gap} (line {line}) states no **Confidence:**");
    let facts = FailureFacts {
        missing: vec!["**Confidence:**".to_owned()],
        ..of_form(FormFault::NoConfidence { gap, line })
    };
    Err(Failure::with(FailureType::WrongFormat, message, facts))
}

fn check_disagreements(
    reading: &EngineerReading,
    mode: Strictness,
    context: &dyn ValidationContext,
) -> Result<(), Failure> {
    for block in &reading.disagreements {
        let issue = &block.issue;
        let quote = block.concern.as_deref().unwrap_or_default();
        let settled = context.settled_matter(quote);
        if let Some(settled) = settled.filter(|settled| settled != issue) {
            let message = format!(
                "DISAGREE argues {settled} again, under the name of {issue}; it is decided"
            );
            let kind = FailureType::ReArguedConflict;
            return Err(Failure::with(kind, message, facts_on(&settled, &[])));
        }
        let (kind, message) = match context.issue(issue) {
            // A sentence that only names an issue is no block.
            IssueAssignment::Unknown | IssueAssignment::Closed
                if block.form == DisagreeForm::Other =>
            {
                continue;
            }
            IssueAssignment::Unknown => {
                let message = format!("DISAGREE names {issue}, which does not exist");
                (FailureType::InvalidDisagreeRef, message)
            }
            IssueAssignment::Decided => {
                let message = format!("DISAGREE argues {issue} again, which is decided");
                (FailureType::ReArguedConflict, message)
            }
            IssueAssignment::Due | IssueAssignment::Open | IssueAssignment::Closed => {
                check_parts(block, mode, context)?;
                continue;
            }
        };
        return Err(Failure::with(kind, message, facts_on(issue, &[])));
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
    let mut missing: Vec<&str> = missing.map(|(name, _)| *name).collect();
    let is_loose = block.form == DisagreeForm::Other;
    let message = if is_loose && (!missing.is_empty() || mode == Strictness::Strict) {
        let line = block.line;
        format!("line {line} disagrees with {issue} in another form than `## DISAGREE: {issue}`")
    } else if let Some(name) = missing.first() {
        format!("DISAGREE on {issue} has no **{name}:**")
    } else if !context.is_quoted(issue, quote) {
        missing.push("Reviewer Concern");
        format!(
            "what DISAGREE on {issue} quotes as **Reviewer Concern:** does not stand in the review"
        )
    } else {
        return Ok(());
    };
    let kind = FailureType::MalformedDisagree;
    Err(Failure::with(kind, message, facts_on(issue, &missing)))
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
    let blocks = reading.disagreements.iter();
    for Disagreement { issue, line, .. } in blocks.filter(|it| it.form == DisagreeForm::Other) {
        let message = format!(
            "the answer to {issue} is read as a DISAGREE, though it is none by its heading"
        );
        warn(warnings, "NONCANONICAL_FORM", *line, message);
    }
}
