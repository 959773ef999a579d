//! What the words of an entry say about it: what it waits on, that it names a group, and how it is shown.

use super::names::{asks, other_id};
use gapless_domain::{GapId, gap_ids_in};

/// How long what is taken from running text may be; the rest stands in the source.
const LONGEST: usize = 300;

/// True where an entry only names a group of entries: `**Types**`, `About types:`.
pub(super) fn is_label(words: &str) -> bool {
    let bare = words.trim_matches(['*', '_', ' ']);
    !asks(words) && (is_bold(words) || bare.ends_with([':', '：']))
}

/// True where all of a text is bold.
pub(super) fn is_bold(words: &str) -> bool {
    let inner = words.trim_matches(['*', '_', ' ']);
    words.starts_with("**") && words.ends_with("**") && !inner.contains("**")
}

/// What an entry waits on, by the notes in its words.
#[derive(Default)]
pub(super) struct Waits {
    pub gaps: Vec<GapId>,
    /// Names of other shapes.
    pub names: Vec<String>,
}

impl Waits {
    /// Reads `(blocked by: …)`, wherever it stands.
    pub fn noted_in(words: &str) -> Self {
        match notes_at(words) {
            Some(at) => Self::listed_in(words.get(at..).unwrap_or("").split([')', ';']).next()),
            None => Self::default(),
        }
    }

    /// Reads a list of names.
    pub fn listed_in(list: Option<&str>) -> Self {
        let list = list.unwrap_or("");
        let other = |name: &str| match gap_ids_in(name).is_empty() {
            true => Some(other_id(name.trim_end_matches(['.', ':']))?.0.to_owned()),
            false => None,
        };
        Self {
            gaps: gap_ids_in(list).into_iter().map(|found| found.id).collect(),
            names: list.split([',', ' ']).filter_map(other).collect(),
        }
    }
}

/// Where the list behind `blocked by:` begins.
pub(super) fn notes_at(words: &str) -> Option<usize> {
    let lower = words.to_ascii_lowercase();
    ["blocked by:", "blocked_by:", "depends on:", "waits on:"]
        .iter()
        .filter_map(|label| Some(lower.find(label)? + label.len()))
        .min()
}

pub(super) fn one_line(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim_start_matches([' ', '>']));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    words.join(" ")
}

pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_waited_on_is_read_from_notes() {
        let waits = Waits::noted_in("Who pays? (Blocked by: OQ-1, GAP-AA-002; section: Money)");
        assert_eq!(waits.names, ["OQ-1"]);
        assert_eq!(waits.gaps.len(), 1);
        assert!(Waits::noted_in("İ depends on GAP-AA-001").gaps.is_empty());
    }
}
