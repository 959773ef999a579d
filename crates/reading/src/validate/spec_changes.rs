//! The checks on the changes that a proposal makes to the spec: the caller holds them against the spec, and here it is decided
//! what that means for the document.

use std::collections::BTreeSet;

use super::echo::Known;
use super::failing::{Failure, warn};
use super::limits::{cut, listed};
use super::validation_context::{ProposedChanges, ValidationContext};
use crate::read::{BoundGap, EngineerReading, ReadDocument, WrittenChange};
use gapless_domain::{Cause, ChangeFault, FailureFacts, FailureType, GapId, Warning};
use gapless_markdown::Document;

/// How many changes one gap may bring.
const MOST_CHANGES: usize = 40;
/// How many unclear ones are said.
const MOST_UNCLEAR: usize = 10;

/// Whether changes that leave the passage that opened their gap are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StandingPassages {
    Refused,
    Taken,
}

/// Leaves out changes that only repeat what the prompt shows, with the texts that they bring: they are no solution either.
pub(super) fn drop_copied_changes(
    document: &Document,
    reading: &mut EngineerReading,
    known: &Known,
    warnings: &mut Vec<Warning>,
) {
    let mut sections: BTreeSet<usize> = BTreeSet::new();
    for bound in &mut reading.gaps {
        let (copied, kept): (Vec<WrittenChange>, Vec<WrittenChange>) =
            std::mem::take(&mut bound.changes)
                .into_iter()
                .partition(|it| known.has_change(it));
        bound.changes = kept;
        if copied.is_empty() {
            continue;
        }
        let texts: Vec<&str> = copied.iter().filter_map(|it| it.new.as_deref()).collect();
        let texts: Vec<&str> = texts.into_iter().map(str::trim).collect();
        bound.solution.retain(|range| {
            let text = document.source.get(range.clone()).unwrap_or("").trim();
            text.is_empty() || !texts.contains(&text)
        });
        if sections.insert(bound.section.start) {
            warn_of_copied(&copied, warnings);
        }
    }
}

fn warn_of_copied(copied: &[WrittenChange], warnings: &mut Vec<Warning>) {
    for change in copied {
        let heading = change.kind.heading();
        let section = change.section.as_deref().unwrap_or("…");
        let message = format!("copied from the prompt, and no content: `{heading}: {section}`");
        warn(warnings, super::echo::ECHO_REMOVED, change.line, message);
    }
}

/// Leaves each change only once, with the first gap of its section.
pub(super) fn keep_changes(reading: &mut EngineerReading, warnings: &mut Vec<Warning>) {
    let mut sections: BTreeSet<usize> = BTreeSet::new();
    for bound in &mut reading.gaps {
        if bound.change_parts.is_empty() {
            continue;
        }
        if !sections.insert(bound.section.start) {
            bound.changes.clear();
            bound.unclear_changes.clear();
            continue;
        }
        cut(&mut bound.changes, MOST_CHANGES, "changes", warnings);
        bound.unclear_changes.truncate(MOST_UNCLEAR);
        if bound.has_variant_changes {
            let line = bound.changes.first().map_or(bound.line, |it| it.line);
            let message = format!(
                "{} has spec changes in another form than `#### Replace in: …` with the fences `old` and `new`",
                bound.gap
            );
            warn(warnings, "NONCANONICAL_FORM", line, message);
        }
    }
}

/// Holds the changes of all sections against the spec.
pub(super) fn check_changes(
    reading: &EngineerReading,
    passages: StandingPassages,
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) -> Result<(), Failure> {
    let proposed: Vec<ProposedChanges> = reading
        .gaps
        .iter()
        .map(|bound| ProposedChanges {
            gap: bound.gap.clone(),
            changes: bound.changes.iter().map(WrittenChange::texts).collect(),
            settled_with: bound.settled_with.clone(),
        })
        .collect();
    if proposed.is_empty() {
        return Ok(());
    }
    let verdict = context.spec_changes(&proposed);
    warnings.extend(verdict.warnings);
    let mut faults = verdict.faults;
    faults.extend(reading.gaps.iter().flat_map(unclear_changes));
    faults.sort_by_key(|fault| fault.line);
    if let Some(first) = faults.first() {
        let message = format!(
            "the spec changes of {} can't be made: {}",
            gaps_of(&faults),
            sentence(first)
        );
        return Err(mismatch(message, None, faults));
    }
    match verdict.standing.first() {
        Some(first) if passages == StandingPassages::Refused => {
            let message = format!(
                "the spec changes of {} leave the passage that opened the gap: {}",
                gaps_of(&verdict.standing),
                sentence(first)
            );
            let cause = Some(Cause::PassageStands);
            Err(mismatch(message, cause, verdict.standing))
        }
        _ => Ok(()),
    }
}

fn unclear_changes(bound: &BoundGap) -> impl Iterator<Item = ChangeFault> {
    bound.unclear_changes.iter().map(|unclear| ChangeFault {
        gap: bound.gap.clone(),
        line: unclear.line,
        what: unclear.what(),
        nearest: None,
    })
}

fn mismatch(message: String, cause: Option<Cause>, changes: Vec<ChangeFault>) -> Failure {
    let facts = FailureFacts {
        cause,
        changes,
        ..FailureFacts::default()
    };
    Failure::with(FailureType::SpecChangeMismatch, message, facts)
}

fn gaps_of(faults: &[ChangeFault]) -> String {
    let gaps: BTreeSet<&GapId> = faults.iter().map(|fault| &fault.gap).collect();
    listed(gaps)
}

fn sentence(fault: &ChangeFault) -> String {
    match fault.line {
        0 => fault.what.clone(),
        line => format!("{} (line {line})", fault.what),
    }
}

/// The document without the parts that say what changes, for the gaps whose changes can't be made. Their proposals stay.
pub(super) fn without_changes(
    read: &ReadDocument,
    failure: &Failure,
    warnings: &mut Vec<Warning>,
) -> Option<ReadDocument> {
    let gaps: BTreeSet<&GapId> = failure.facts.changes.iter().map(|it| &it.gap).collect();
    let faulty = read.as_engineer().gaps.iter();
    let faulty: Vec<&BoundGap> = faulty.filter(|bound| gaps.contains(&bound.gap)).collect();
    let mut parts: Vec<_> = faulty
        .iter()
        .flat_map(|bound| bound.change_parts.clone())
        .collect();
    parts.sort_by_key(|part| part.start);
    parts.dedup();
    if parts.is_empty() {
        return None;
    }
    for bound in faulty.iter().filter(|bound| !bound.change_parts.is_empty()) {
        let message = format!(
            "the spec changes of {} can't be made, and were left out",
            bound.gap
        );
        warn(warnings, "LEFT_OUT", bound.line, message);
    }
    Some(read.without(&parts))
}
