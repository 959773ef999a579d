//! What the words of an entry say about it: that it is over, that there is none, what it waits on.

use super::super::fields::is_none_word;
use super::super::gap_line::{bracketed, strip_checkbox};
use super::super::vocabulary::{has_word, words_of};
use super::names::other_id;
use gapless_domain::{GapId, gap_ids_in};

/// How long what is taken from running text may be; the rest stands in the source.
const LONGEST: usize = 300;

/// True for the words that say that something is open no more.
pub(super) fn is_done_word(word: &str) -> bool {
    const DONE: [&str; 10] = [
        "resolved",
        "closed",
        "done",
        "answered",
        "decided",
        "accepted",
        "settled",
        "fixed",
        "completed",
        "wontfix",
    ];
    has_word(&DONE, word)
}

/// True where an entry says that it is open no more: `[x] …`, `~~…~~`, `Resolved: …`, `OQ-1 (answered): …`.
pub(super) fn is_over(text: &str) -> bool {
    let words = strip_checkbox(text);
    let is_checked = text.starts_with("[x] ") || text.starts_with("[X] ");
    is_checked
        || words.starts_with("~~")
        || words.starts_with(['✅', '☑', '✔'])
        || is_labelled_done(words)
        || name_at_start(words).is_some_and(|(_, rest)| says_done_in_brackets(rest))
}

/// The words of an entry without what says that it is over.
pub(super) fn without_marks(text: &str) -> &str {
    strip_checkbox(text)
        .trim_start_matches(['~', '✅', '☑', '✔', ' '])
        .trim_start_matches(['*', '_'])
}

/// `Resolved: which` and `[DONE] which`.
fn is_labelled_done(words: &str) -> bool {
    let bare = words.trim_start_matches(['*', '_', '[', '(']);
    let first = words_of(bare).next().unwrap_or("");
    let behind = bare.strip_prefix(first).unwrap_or("");
    let labels = behind
        .trim_start_matches(['*', '_'])
        .starts_with([':', ']', ')']);
    is_done_word(first) && labels
}

fn name_at_start(words: &str) -> Option<(&str, &str)> {
    let bare = words.trim_start_matches(['*', '`', '_']);
    match gap_ids_in(bare.get(..24).unwrap_or(bare)).first() {
        Some(found) if found.at == 0 => Some(bare.split_at_checked(found.id.to_string().len())?),
        _ => other_id(words),
    }
}

fn says_done_in_brackets(rest: &str) -> bool {
    let mut rest = rest.trim_start_matches(['*', '`', '_', ' ']);
    while let Some((inner, behind)) =
        bracketed(rest, '[', ']').or_else(|| bracketed(rest, '(', ')'))
    {
        if words_of(inner).next().is_some_and(is_done_word) {
            return true;
        }
        rest = behind;
    }
    false
}

/// `None so far.`
pub(super) fn says_none(words: &str) -> bool {
    let is_short = words.split_whitespace().nth(5).is_none();
    let begins_so = |none: &str| {
        let start = words.get(..none.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(none))
    };
    let nones = ["none", "nothing", "no open", "no known"];
    is_none_word(words) || is_short && nones.into_iter().any(begins_so)
}

/// True where an entry only names a group of entries: `**Types**`, `About types:`.
pub(super) fn is_label(words: &str) -> bool {
    let bare = words.trim_matches(['*', '_', ' ']);
    let is_bold = words.starts_with("**") && words.ends_with("**") && !bare.contains("**");
    !bare.ends_with('?') && (is_bold || bare.ends_with(':'))
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
    fn entries_that_are_over_say_so() {
        for over in [
            "[x] who pays",
            "~~OQ-1~~ who pays",
            "✅ who pays",
            "**Resolved:** who pays",
            "[DONE] who pays",
            "OQ-1 [RESOLVED]: who pays",
            "**GAP-AA-001** [HIGH] (answered in R2): who pays",
        ] {
            assert!(is_over(over), "{over}");
        }
        for open in [
            "[ ] who pays",
            "Done is what?",
            "OQ-1 [HIGH]: is it resolved?",
            "GAP-AA-001 (section: Done): who pays",
            "Closed shops: who pays?",
        ] {
            assert!(!is_over(open), "{open}");
        }
    }

    #[test]
    fn what_is_waited_on_is_read_from_notes() {
        let waits = Waits::noted_in("Who pays? (Blocked by: OQ-1, GAP-AA-002; section: Money)");
        assert_eq!(waits.names, ["OQ-1"]);
        assert_eq!(waits.gaps.len(), 1);
        assert!(Waits::noted_in("İ depends on GAP-AA-001").gaps.is_empty());
    }
}
