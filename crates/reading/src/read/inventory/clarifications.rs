//! Questions to the reader in brackets: `[NEEDS CLARIFICATION: …]` and `[TBD: …]`, which may have sentences of their own.

use std::ops::Range;

use super::super::vocabulary::{has_word, words_of};
use super::spoken_of::{COUNTED, SPOKEN_OF, is_quote, word_before};

/// What begins a question to the reader.
pub const CLARIFY: &str = "[NEEDS CLARIFICATION";

/// What begins one in fewer words.
const SHORT_OPENINGS: [&str; 6] = ["[TBD", "[TBC", "[tbd", "[tbc", "[TODO:", "[FIXME:"];

/// How many characters a question to the reader may have: each is looked through once for its end.
const LONGEST_QUESTION: usize = 2000;

/// A question to the reader.
pub(super) struct Clarification {
    /// The whole mark.
    pub span: Range<usize>,
    /// What it asks.
    pub words: Range<usize>,
}

/// The questions to the reader of a text, in order.
pub(super) fn clarifications(text: &str) -> Vec<Clarification> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some((at, opening)) = next_opening(&text[from..]) {
        let start = from + at;
        let inner = start + opening.trim_end_matches(':').len();
        from = inner;
        let is_short = opening != CLARIFY;
        let before = text[..start].chars().next_back();
        if before.is_some_and(is_quote) || text[inner..].starts_with(char::is_alphanumeric) {
            continue;
        }
        let mut depth = 1u32;
        // No question asks another: what has no end is looked through once.
        let next = next_opening(&text[inner..]).map_or(text.len() - inner, |(at, _)| at);
        let within = &text[inner..inner + next];
        let mut within = within.char_indices().take(LONGEST_QUESTION);
        let end = within.find_map(|(at, c)| {
            depth = match c {
                '[' => depth + 1,
                ']' => depth - 1,
                _ => depth,
            };
            (depth == 0).then_some(at)
        });
        let closing = usize::from(end.is_some());
        if is_short && end.is_none() {
            continue;
        }
        // One without an end asks what stands on its line.
        let line_end = || text[inner..].find('\n').unwrap_or(text.len() - inner);
        let end = inner + end.unwrap_or_else(line_end);
        from = end;
        let asked = &text[inner..end];
        let words = asked.trim_start_matches([':', ' ', '\t', '\n', '-', '–', '—']);
        let says_nothing = !words.contains(char::is_alphanumeric);
        let is_template = says_nothing && asked.starts_with(':');
        let span = start..end + closing;
        if is_template || says_nothing && (is_short || is_named_or_counted(text, &span)) {
            continue;
        }
        found.push(Clarification {
            words: end - words.len()..end,
            span,
        });
    }
    found
}

/// Where the next question to the reader begins, and with what.
fn next_opening(text: &str) -> Option<(usize, &'static str)> {
    let mut brackets = text.match_indices('[');
    brackets.find_map(|(at, _)| {
        let mut openings = std::iter::once(CLARIFY).chain(SHORT_OPENINGS);
        Some((
            at,
            openings.find(|opening| text[at..].starts_with(opening))?,
        ))
    })
}

/// `No [NEEDS CLARIFICATION] markers remain`.
fn is_named_or_counted(text: &str, span: &Range<usize>) -> bool {
    let next = words_of(&text[span.end..]).next().unwrap_or("");
    has_word(&SPOKEN_OF, next) || has_word(&COUNTED, word_before(&text[..span.start]))
}
