//! Cuts out of an Engineer's document what makes it invalid, so that the rest can be taken: sections for gaps that don't
//! exist, and DISAGREE blocks that don't count. Whoever reads the rest finds no trace of them.

use std::collections::BTreeSet;
use std::ops::Range;

use super::limits::{MOST_REFERENCE_WARNINGS, listed};
use super::validation_context::{GapAssignment, IssueAssignment, ValidationContext};
use crate::read::{BoundGap, Candidate, Disagreement, EngineerReading, ReadDocument};
use gapless_domain::{Warning, comma_list};
use gapless_markdown::Document;

const LEFT_OUT: &str = "LEFT_OUT";

/// A stretch of a document, and what stands there instead.
struct Cut {
    range: Range<usize>,
    instead: String,
}

/// How often a document is looked at again: a title that named the gaps below it may bind one once its section is gone.
const MOST_PASSES: usize = 3;

/// The candidate without what is wrong in it, with a warning for each part that was left out.
pub(super) fn without_what_is_wrong(
    candidate: Candidate,
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) -> ReadDocument {
    let mut read = ReadDocument::of(candidate);
    for _ in 0..MOST_PASSES {
        let (document, reading) = (&read.structure, read.as_engineer());
        let mut cuts = wrong_sections(document, reading, context, warnings);
        cuts.extend(wrong_disagreements(reading, context, warnings));
        if cuts.is_empty() {
            break;
        }
        cuts.sort_by_key(|cut| cut.range.start);
        let markers = markers_in(document, reading, &cuts, context);
        read = ReadDocument::of(Candidate {
            structure: markers.clone() + &with_cuts(&document.source, &cuts),
            document: markers + &with_cuts(&read.text, &cuts),
            warnings: Vec::new(),
        });
    }
    read
}

/// The sections for gaps that don't exist. Where a heading names others too, only the id goes.
fn wrong_sections(
    document: &Document,
    reading: &EngineerReading,
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) -> Vec<Cut> {
    let mut cuts: Vec<Cut> = Vec::new();
    // The gaps of one heading stand beside each other.
    for section in reading.gaps.chunk_by(|a, b| a.section == b.section) {
        let (known, unknown): (Vec<&BoundGap>, Vec<&BoundGap>) = section
            .iter()
            .partition(|bound| context.gap(&bound.gap) != GapAssignment::Unknown);
        let Some(first) = unknown.first() else {
            continue;
        };
        let ids = listed(unknown.iter().map(|bound| &bound.gap));
        let message = format!("does not exist, and was left out: {ids}");
        leave_out(warnings, first.line, message);
        cuts.push(match known.is_empty() {
            true => Cut {
                range: first.section.clone(),
                instead: String::new(),
            },
            false => renamed(document, first.section.start, &known),
        });
    }
    cuts
}

/// Says what was left out; of very many parts only the first are said.
fn leave_out(warnings: &mut Vec<Warning>, line: u32, message: String) {
    let said = warnings.iter().rev().take(MOST_REFERENCE_WARNINGS);
    if said.filter(|warning| warning.code == LEFT_OUT).count() < MOST_REFERENCE_WARNINGS {
        warnings.push(Warning::new(LEFT_OUT, Some(line), message));
    }
}

/// The heading at a place, with these gaps only.
fn renamed(document: &Document, at: usize, gaps: &[&BoundGap]) -> Cut {
    let heading = document.heading_at(at).filter(|h| h.span.start == at);
    let (level, range) = heading.map_or((2, at..at), |h| (h.level, h.span.clone()));
    let marks = "#".repeat(usize::from(level));
    let gaps = comma_list(gaps.iter().map(|bound| &bound.gap));
    Cut {
        range,
        instead: format!("{marks} Gap Resolution: {gaps}\n"),
    }
}

/// The lines that mark gaps of the task as blocked and that stand in what is cut. They count wherever they stand, so they go
/// to the top, where they are part of no proposal.
fn markers_in(
    document: &Document,
    reading: &EngineerReading,
    cuts: &[Cut],
    context: &dyn ValidationContext,
) -> String {
    let ours = reading.blocked.iter();
    let lines: BTreeSet<u32> = ours
        .filter(|marker| context.gap(&marker.gap) == GapAssignment::Assigned)
        .map(|marker| marker.line)
        .collect();
    let cut_lines = cuts
        .iter()
        .flat_map(|cut| document.prose_lines(cut.range.clone()));
    cut_lines
        .filter(|(at, _)| lines.contains(&document.line_of(*at)))
        .map(|(_, line)| format!("{line}\n\n"))
        .collect()
}

fn wrong_disagreements(
    reading: &EngineerReading,
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) -> Vec<Cut> {
    let wrong = |block: &&Disagreement| !counts(block, context);
    let blocks = reading.disagreements.iter().filter(wrong);
    blocks
        .map(|block| {
            let issue = &block.issue;
            let message = format!("DISAGREE on {issue} does not count, and was left out");
            leave_out(warnings, block.line, message);
            Cut {
                range: block.section.clone(),
                instead: String::new(),
            }
        })
        .collect()
}

/// True for a disagreement with an issue that is known and undecided, with all of its parts, and with its words quoted.
fn counts(block: &Disagreement, context: &dyn ValidationContext) -> bool {
    let known = matches!(
        context.issue(&block.issue),
        IssueAssignment::Due | IssueAssignment::Open | IssueAssignment::Closed
    );
    let quoted = |quote: &String| context.is_quoted(&block.issue, quote);
    known
        && block.concern.as_ref().is_some_and(quoted)
        && block.position.is_some()
        && block.rationale.is_some()
}

/// A text with its cuts made, which don't overlap and come in order.
fn with_cuts(text: &str, cuts: &[Cut]) -> String {
    let mut left = String::with_capacity(text.len());
    let mut from = 0;
    for cut in cuts {
        left += text.get(from..cut.range.start).unwrap_or("");
        left += &cut.instead;
        from = cut.range.end.max(from);
    }
    left + text.get(from..).unwrap_or("")
}
