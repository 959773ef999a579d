//! What an Engineer's output works on: the gaps it binds and names, and ids of other shapes in its headings.

use std::collections::BTreeSet;

use super::output::Output;
use gapless_domain::ids::{GapId, gap_ids_in};
use gapless_reading::read::field;

/// Head fields of an Engineer's document that say what it works on.
const SCOPE_FIELDS: [&str; 5] = ["focus", "scope", "gap", "gaps", "addresses"];

/// The gaps that an output works on: those it binds, and those that its head names as its focus.
pub(super) fn scope_of(output: &Output) -> Vec<GapId> {
    let document = output.document;
    let head = document
        .headings
        .iter()
        .find(|heading| heading.level >= 2)
        .map_or(document.source.len(), |heading| heading.span.start);
    let named = document
        .prose_lines(0..head)
        .filter_map(|(_, line)| field(line))
        .filter(|(name, _)| {
            SCOPE_FIELDS
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name))
        })
        .flat_map(|(_, value)| gap_ids_in(value))
        .map(|found| found.id);
    let bound = output.reading.gaps.iter().map(|bound| bound.gap.clone());
    let gaps: BTreeSet<GapId> = bound.chain(named).collect();
    gaps.into_iter().collect()
}

/// What the headings of an output name, in ids of any shape: `XCUT-NAV-001`, `FR-012`. It tells which outputs of a session that
/// has no gap ids are about the same.
pub(super) fn subjects_of(output: &Output) -> BTreeSet<String> {
    let titles = output
        .document
        .headings
        .iter()
        .filter(|heading| heading.level <= 3);
    titles
        .flat_map(|heading| {
            heading
                .title
                .split(|c: char| !c.is_alphanumeric() && c != '-')
        })
        .filter(|word| is_foreign_id(word))
        .map(str::to_owned)
        .collect()
}

fn is_foreign_id(word: &str) -> bool {
    let numbered = word.rsplit_once('-').is_some_and(|(head, number)| {
        head.len() >= 2
            && head.starts_with(|c: char| c.is_ascii_uppercase())
            && head
                .chars()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-')
            && number.starts_with(|c: char| c.is_ascii_digit())
    });
    numbered && !word.starts_with("ISSUE-") && !word.starts_with("DECISION-")
}
