//! What the text of a list item, a cell or a title is by its form: nothing, a template, a ticked box, an objection.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::super::lexicon::{Lexicon, first_words, folded_set, words_in};
use super::super::vocabulary::{has_word, words_of};
use super::names::leading_id;
use super::ratings::{is_companion, leading_rating, rating_at};
use gapless_domain::words::phrases;

/// True for an item of a numbered list.
pub(super) fn is_numbered(line: &str) -> bool {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    digits > 0 && line[digits..].starts_with(['.', ')'])
}

/// Text that says that there is nothing: `None`, `No issues identified.`
pub(super) fn names_nothing(text: &str) -> bool {
    // A longer text says more than that, and most others begin with another word.
    let begins = words_of(text).next().is_none_or(|first| {
        first.starts_with(|c: char| c.is_ascii_digit()) || has_word(&NOTHING_BEGINS, first)
    });
    if text.len() > LONGEST_NOTHING_BYTES || !begins {
        return false;
    }
    let mut words = first_words(text, LONGEST_NOTHING + 1);
    words.retain(|word| !word.is_sign());
    let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    match words.as_slice() {
        [] => true,
        ["none" | "nothing" | "nil" | "nada" | "zero", ..]
        | ["n", "a", ..]
        | ["not", "applicable", ..] => words.len() <= LONGEST_NOTHING,
        ["no", rest @ ..] => no_findings(rest),
        ["there", "are" | "were" | "is", "no", rest @ ..]
        | [
            "i" | "we",
            "found" | "have" | "see" | "find",
            "no",
            rest @ ..,
        ]
        | ["found" | "identified", "no", rest @ ..] => no_findings(rest),
        _ if is_tally(&words) => true,
        ["there", "are" | "were", "none", ..] | ["i" | "we", "found", "none" | "nothing", ..] => {
            true
        }
        ["did", "not", "find" | "identify", ..] | ["could", "not", "find", ..] => true,
        _ => false,
    }
}

/// The words with which a text begins that says that there is nothing.
static NOTHING_BEGINS: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/nothing_begins.txt")).collect());
/// How many bytes a text has at most that says that there is nothing.
const LONGEST_NOTHING_BYTES: usize = 120;
/// How many words a text has at most that says that there is nothing.
const LONGEST_NOTHING: usize = 12;
/// How many words may stand between `no` and the noun.
const MOST_ADJECTIVES: usize = 3;

static NOUNS: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| folded_set(include_str!("../words/nothing.txt")));

/// True for a count and nothing else: `0 critical, 1 high`.
fn is_tally(words: &[&str]) -> bool {
    let is_count = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let known = |word: &&str| {
        let word = words_in(word);
        is_companion(&word[0]) || rating_at(&word).is_some() || is_finding_noun(&word[0].text)
    };
    words.iter().any(is_count) && words.iter().all(known)
}

/// True for a noun that means findings.
pub(super) fn is_finding_noun(word: &str) -> bool {
    NOUNS.contains(word)
}

/// True for `no further blocking issues …`: `no retry limit is set` is a finding.
fn no_findings(words: &[&str]) -> bool {
    let noun = words.iter().position(|word| NOUNS.contains(*word));
    words.len() <= LONGEST_NOTHING && noun.is_some_and(|at| at <= MOST_ADJECTIVES)
}

/// Text of a template that nobody filled in: `[description]`, `<what is wrong>`, `…`.
pub(super) fn is_template(text: &str) -> bool {
    let bare = leading_id(text).map_or(text, |(_, behind)| behind);
    let bare = bare.trim_matches(['*', '`', ':', ' ', '.', '-', '_']);
    if bare.is_empty() {
        return false;
    }
    if !bare.chars().any(char::is_alphanumeric) {
        return bare.contains('…');
    }
    let inside = [('[', ']'), ('<', '>'), ('{', '}')]
        .iter()
        .any(|(open, close)| {
            bare.starts_with(*open) && bare.ends_with(*close) && bare.matches(*open).count() == 1
        });
    inside && leading_rating(bare).is_none()
}

/// The text of an item without its box.
pub(super) fn without_box(text: &str) -> &str {
    let marks = ["[x] ", "[X] ", "[ ] ", "☐ ", "☑ ", "☒ "];
    let bare = marks.iter().find_map(|mark| text.strip_prefix(mark));
    bare.unwrap_or(text)
}

pub(super) fn is_ticked(text: &str) -> bool {
    ["[x]", "[X]", "☑", "✅", "✓", "✔"]
        .iter()
        .any(|mark| text.starts_with(mark))
}

/// A text without the signs before it.
pub(super) fn without_signs(text: &str) -> &str {
    let text = text.trim_start_matches(['\u{fe0f}', ' ', '*']);
    match first_words(text, 1).first() {
        Some(word) if word.is_sign() && word.span.start == 0 => {
            text[word.span.end..].trim_start_matches(['\u{fe0f}', ' ', '*'])
        }
        _ => text,
    }
}

static OBJECTIONS: LazyLock<Lexicon<()>> =
    LazyLock::new(|| Lexicon::of_groups(include_str!("../words/objections.txt"), |_| Some(())));

/// True where a text has words that object to something.
pub(super) fn objects(text: &str) -> bool {
    let words = words_in(text);
    text.trim_end().ends_with('?')
        || (0..words.len()).any(|at| OBJECTIONS.at(&words[at..]).is_some())
}
