//! The first half of the plan: which resolutions become one part, in which order and section, and under which title.

use std::collections::{BTreeMap, BTreeSet};

use super::homes::Homes;
use super::part::Draft;
use super::{Placement, Resolution, title};
use gapless_domain::{GapId, gap_ids_in};
use gapless_markdown::without_scripts;

/// A part whose title and place are not settled yet.
pub(super) struct Planned<'r> {
    pub resolutions: Vec<&'r Resolution>,
    pub draft: Draft,
    pub home: Option<usize>,
}

/// Reads and places the resolutions. Their order is that of the source, whatever order they were accepted in; what
/// was written under one heading for several gaps is one part.
pub(super) fn plan<'r>(
    resolutions: &'r [Resolution],
    homes: &Homes,
    placement: Placement,
) -> Vec<Planned<'r>> {
    let mut ordered: Vec<&Resolution> = resolutions.iter().collect();
    ordered.sort_by_key(|resolution| {
        let line = resolution.place.line;
        (line.is_none(), line, &resolution.gap)
    });
    let mut met: BTreeSet<&GapId> = BTreeSet::new();
    ordered.retain(|resolution| met.insert(&resolution.gap));
    let mut shared: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut planned: Vec<Planned> = Vec::new();
    for resolution in ordered {
        let heading = resolution.heading.as_deref().unwrap_or("");
        if gap_ids_in(heading).len() > 1 {
            let index = shared
                .entry((heading, &resolution.text))
                .or_insert(planned.len());
            if let Some(part) = planned.get_mut(*index) {
                part.resolutions.push(resolution);
                continue;
            }
        }
        planned.push(Planned {
            draft: Draft::of(without_description(
                &resolution.text,
                &resolution.description,
            )),
            home: match placement {
                Placement::InSections => homes.home(&resolution.place, &resolution.description),
                Placement::AtEnd => None,
            },
            resolutions: vec![resolution],
        });
    }
    // Stable: within a section the order from above holds.
    planned.sort_by_key(|part| part.home.map_or(usize::MAX, |index| index));
    planned
}

/// A text without the first line where that only repeats what the gap says is missing.
fn without_description<'t>(text: &'t str, description: &str) -> &'t str {
    let trimmed = text.trim_start();
    let (first, rest) = trimmed.split_once('\n').unwrap_or((trimmed, ""));
    let is_title = first.starts_with('#') || first.starts_with("**");
    match is_title && !rest.trim().is_empty() && repeats(first, description) {
        true => rest,
        false => text,
    }
}

/// True for the words with which a description begins, at least three or all of them.
fn repeats(words: &str, description: &str) -> bool {
    const FEWEST: usize = 3;
    let of = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let (words, description) = (of(words), of(description));
    let is_long = words.len() >= FEWEST || words.len() == description.len();
    !words.is_empty() && is_long && description.starts_with(&words)
}

/// A link reference definition holds for the whole document. Where its label stands anywhere else, it would change that
/// text, and is made words.
pub(super) fn seclude(source: &str, planned: &mut [Planned]) {
    if !planned.iter().any(|part| part.draft.has_definitions()) {
        return;
    }
    let outside = labels(source);
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    for part in planned.iter() {
        for label in labels(part.draft.text()) {
            *used.entry(label).or_default() += 1;
        }
    }
    for part in planned {
        part.draft.hide_definitions(|label| {
            outside.contains(label) || used.get(label).is_some_and(|count| *count > 1)
        });
    }
}

/// Everything in square brackets, as labels are compared.
fn labels(text: &str) -> BTreeSet<String> {
    let mut labels = BTreeSet::new();
    for piece in text.split('[').skip(1) {
        if let Some((label, _)) = piece.split_once(']') {
            let words: Vec<&str> = label.split_whitespace().collect();
            labels.insert(words.join(" ").to_lowercase());
        }
    }
    labels
}

/// The first title that is not taken: the text's own, the heading's, what its first sentence is about; else a numbered one.
pub(super) fn free_title(
    resolutions: &[&Resolution],
    draft: &Draft,
    taken: &BTreeSet<String>,
) -> String {
    let headings = resolutions
        .iter()
        .filter_map(|r| title::from_heading(r.heading.as_deref()?))
        .filter(|title| !resolutions.iter().any(|r| repeats(title, &r.description)));
    let candidates: Vec<String> = draft
        .title
        .clone()
        .into_iter()
        .chain(headings)
        .chain(title::from_content(draft.text()))
        .map(|title| without_scripts(&title))
        .collect();
    let free = |title: &String| !taken.contains(&title.to_lowercase());
    if let Some(title) = candidates.iter().find(|title| free(title)) {
        return title.clone();
    }
    let first = candidates.first().map_or(title::NAMELESS, String::as_str);
    std::iter::once(first.to_owned())
        .chain((2u32..).map(|number| format!("{first} ({number})")))
        .find(free)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_gap_says_is_no_title_and_no_text() {
        let description = "**Field input unclear** - where do the paths come from?";
        let text = "**Field input unclear**\n\nThe paths come from the cache.\n";
        assert_eq!(
            without_description(text, description).trim(),
            "The paths come from the cache."
        );
        for own in [
            "**Field input.** It comes from the cache.\n\nMore.\n",
            "Field input unclear\n\nMore.\n",
            "**Field input unclear**\n",
        ] {
            assert_eq!(without_description(own, description), own);
        }
        assert!(repeats("Field input unclear", description));
        assert!(!repeats("Field input", description));
    }
}
