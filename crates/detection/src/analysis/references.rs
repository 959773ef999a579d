//! INCONSISTENT_REFS and SCOPE_DRIFT: gaps that are named and don't exist, and gaps that are worked on and were not
//! assigned.

use std::collections::BTreeSet;

use super::material::Read;
use super::patterns::{Evidence, Finding, Pattern};
use super::produced::{Addressed, Part, Produced};
use gapless_domain::{Confidence, GapId, gap_ids_in};

/// A gap that is named and doesn't exist.
pub(super) struct UnknownGap {
    pub gap: GapId,
    pub line: u32,
    pub times: u32,
    pub bound: bool,
}

/// How many unknown gaps are looked at.
const MOST_UNKNOWN: usize = 50;

/// The gaps that the prose names and the inventory doesn't have; those that it declares as new are no references. `None`
/// without an inventory.
pub(super) fn unknown(read: &Read, known: Option<&BTreeSet<GapId>>) -> Option<Vec<UnknownGap>> {
    let known = known?;
    let reading = read.reading;
    let in_sections = reading.gaps.iter().flat_map(|bound| &bound.new_gaps);
    let declared: BTreeSet<&GapId> = in_sections
        .chain(&reading.new_gaps)
        .map(|gap| &gap.id)
        .collect();
    let bound: BTreeSet<&GapId> = reading.gaps.iter().map(|bound| &bound.gap).collect();
    let mut unknown: Vec<UnknownGap> = Vec::new();
    for found in gap_ids_in(read.document.prose()) {
        if known.contains(&found.id) || declared.contains(&found.id) {
            continue;
        }
        if let Some(same) = unknown.iter_mut().find(|other| other.gap == found.id) {
            same.times += 1;
        } else if unknown.len() < MOST_UNKNOWN {
            unknown.push(UnknownGap {
                line: read.document.line_of(found.at),
                times: 1,
                bound: bound.contains(&found.id),
                gap: found.id,
            });
        }
    }
    Some(unknown)
}

pub(super) fn inconsistent(unknown: Option<&[UnknownGap]>) -> Option<Finding> {
    let evidence = unknown.unwrap_or_default().iter().map(|found| Evidence {
        gap: Some(found.gap.clone()),
        line: Some(found.line),
        text: match (found.bound, found.times) {
            (true, _) => "has a section and does not exist".to_owned(),
            (false, 1) => "is named and does not exist".to_owned(),
            (false, times) => format!("is named {times} times and does not exist"),
        },
        words: Vec::new(),
    });
    Finding::on(
        Pattern::InconsistentRefs,
        Confidence::High,
        evidence.collect(),
    )
}

/// SCOPE_DRIFT: sections for gaps that were not assigned. Beside complete work it is only a side step.
pub(super) fn scope_drift(produced: &[Produced], assigned: &[GapId]) -> Option<Finding> {
    if assigned.is_empty() {
        return None;
    }
    let is_assigned = |gap: &&Produced| assigned.contains(&gap.gap);
    let left_out = |gap: &Produced| gap.addressed == Addressed::No && !gap.has(Part::Blocked);
    let confidence = match produced.iter().filter(is_assigned).any(left_out) {
        true => Confidence::High,
        false => Confidence::Medium,
    };
    let evidence = produced
        .iter()
        .filter(|gap| !is_assigned(gap) && gap.length > 0)
        .map(|gap| Evidence {
            gap: Some(gap.gap.clone()),
            line: gap.line,
            text: "has a section and was not assigned".to_owned(),
            words: Vec::new(),
        });
    Finding::on(Pattern::ScopeDrift, confidence, evidence.collect())
}
