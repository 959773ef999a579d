//! What a review says of an issue that was raised before: that it is settled, or that it is still open.

use std::sync::LazyLock;

use super::super::lexicon::{Lexicon, first_words, words_in};
use super::super::vocabulary::words_of;
use super::fields::{FieldKind, Fields};

/// The state of an earlier issue in the words of a review. Open is the graver: where a review says both, it is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum IssueStatus {
    Settled,
    Open,
}

static STATUSES: LazyLock<Lexicon<IssueStatus>> = LazyLock::new(|| {
    Lexicon::of_groups(
        include_str!("../words/issue_statuses.txt"),
        |group| match group {
            "settled" => Some(IssueStatus::Settled),
            "open" => Some(IssueStatus::Open),
            _ => None,
        },
    )
});

/// The status that a text begins with.
pub fn status_at_start(text: &str) -> Option<IssueStatus> {
    let words = first_words(text, LONGEST_STATUS);
    // `Adequately addressed`, `⚠️ Still outstanding`: a few words may stand before it.
    let mut from = 0;
    while let Some(word) = words.get(from) {
        if let Some(found) = STATUSES.at(&words[from..]) {
            return Some(found.means);
        }
        let passes = word.is_sign()
            || word.text.ends_with("ly")
            || ["now", "has", "been", "is", "was", "has", "ha", "it"].contains(&word.text.as_str());
        if !passes || from >= MOST_ADVERBS {
            return None;
        }
        from += 1;
    }
    None
}

/// How many words of a text are looked at for its status.
const LONGEST_STATUS: usize = 8;
/// How many words may stand before a status.
const MOST_ADVERBS: usize = 3;

/// How many words a part may have that is a status in lowercase: `resolved`, `not yet addressed`.
const SHORT: usize = 3;

/// The status in a line about an issue: a part of its own that is short or in capitals, or a sign.
pub(super) fn status_in(line: &str) -> Option<IssueStatus> {
    let parts = parts_of(line).filter_map(|part| {
        let short = words_in(part).len() <= SHORT;
        (short || is_shouted(part))
            .then(|| status_at_start(part))
            .flatten()
    });
    parts.max()
}

/// The status that a line states in capitals, and nothing but: text in lowercase may be about any state.
pub(super) fn shouted_status(line: &str) -> Option<IssueStatus> {
    let mut words = line.split(|c: char| !c.is_alphanumeric());
    let shouts =
        |word: &str| word.len() > 3 && word != "ISSUE" && !word.contains(char::is_lowercase);
    if !words.any(shouts) {
        return None;
    }
    let last = line
        .rsplit([' ', '-', '–', '*'])
        .find(|word| !word.is_empty());
    let parts = parts_of(line).chain(last);
    let shouted = parts.filter(|part| !part.contains(char::is_lowercase) && is_shouted(part));
    shouted.filter_map(status_at_start).max()
}

pub(super) fn status_of(fields: &Fields) -> Option<IssueStatus> {
    fields
        .of_kind(FieldKind::Status)
        .filter_map(status_at_start)
        .max()
}

/// A line without the status at its end: `labels fade - STILL OPEN`.
pub(super) fn without_status(line: &str) -> &str {
    let line = line.trim_end_matches(['*', ' ', '.']);
    let cut = [" - ", " – ", " — ", ": ", " (", " ["]
        .iter()
        .filter_map(|mark| line.rfind(mark))
        .max();
    match cut {
        Some(at) if status_in(line[at..].trim_end_matches([')', ']'])).is_some() => {
            line[..at].trim_end_matches(['*', ' '])
        }
        _ => line,
    }
}

fn parts_of(line: &str) -> impl Iterator<Item = &str> {
    line.split(" - ")
        .flat_map(|part| part.split([':', '–', '—', '(', ')', '[', ']', '→']))
        .flat_map(|part| part.split("**"))
        .filter(|part| !part.trim().is_empty())
}

fn is_shouted(part: &str) -> bool {
    let first = words_of(part).next();
    first.is_some_and(|word| word.len() > 3 && !word.contains(char::is_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_parts_of_their_own() {
        for (line, status) in [
            ("ISSUE-R7-001: labels fade - RESOLVED", IssueStatus::Settled),
            ("ISSUE-R7-001 (resolved): labels fade", IssueStatus::Settled),
            ("ISSUE-R7-001: labels fade — STILL OPEN", IssueStatus::Open),
            ("✅ ISSUE-R7-001: labels fade", IssueStatus::Settled),
            ("ISSUE-R7-001: partially addressed", IssueStatus::Open),
            (
                "**ISSUE-R7-001** - FIXED in section 2 of the proposal",
                IssueStatus::Settled,
            ),
        ] {
            assert_eq!(status_in(line), Some(status), "{line}");
        }
        assert_eq!(
            status_in("the order is closed by the courier at once"),
            None
        );
        assert_eq!(shouted_status("Retry: complete"), None);
        assert_eq!(without_status("labels fade - STILL OPEN"), "labels fade");
        assert_eq!(
            without_status("labels fade: in sunlight"),
            "labels fade: in sunlight"
        );
    }
}
