//! Splits a spec into sentences, finds words of the lexicon in them, and tells which are requirements.

use std::ops::Range;

use gapless_markdown::{Block, BlockKind};

use super::lexicon::{Class, Classes, Lexicon};
use super::words::Word;

/// An occurrence of a word or phrase of the lexicon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    pub classes: Classes,
    /// Its words, by index.
    pub first: usize,
    pub count: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Modal {
    May,
    Will,
    Should,
    Must,
}

/// What a sentence does to whoever implements the spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Force {
    /// It tells something: a reason, an example, a comparison, how things are today.
    Tells,
    /// It obliges somebody.
    Obliges,
}

#[derive(Debug, Clone)]
pub struct Sentence {
    pub span: Range<usize>,
    pub words: Range<usize>,
    pub hits: Range<usize>,
    pub block: usize,
    pub section: usize,
    pub classes: Classes,
    pub modal: Option<Modal>,
    pub has_number: bool,
    /// Whether it is part of a recorded gap, issue or open question, so that the author knows what is missing.
    pub is_recorded_gap: bool,
    pub is_quoted: bool,
    /// Whether its block has a label that informs, or is a user story.
    pub informs: bool,
    pub force: Force,
}

impl Sentence {
    pub fn has(&self, class: Class) -> bool {
        self.classes.has(class)
    }

    /// Whether it obliges somebody: by a modal verb, or as `When …, the system …`.
    pub fn is_strict(&self) -> bool {
        matches!(self.modal, Some(Modal::Must | Modal::Should | Modal::Will))
    }
}

/// A sentence longer than this is read in parts, so that no rule's work grows with it.
const MOST_WORDS: usize = 120;

const ABBREVIATIONS: [&str; 14] = [
    "e.g", "i.e", "vs", "cf", "approx", "resp", "incl", "fig", "figs", "sec", "no", "eg", "ie",
    "al",
];

/// Splits the words of a block into sentences: ranges of word indices.
pub fn split(text: &str, words: &[Word], range: Range<usize>) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut start = range.start;
    for index in range.clone() {
        let next = index + 1;
        let is_last = next >= range.end;
        let too_long = next - start >= MOST_WORDS;
        if is_last || too_long || ends_between(text, &words[index], &words[next]) {
            sentences.push(start..next);
            start = next;
        }
    }
    sentences
}

fn ends_between(text: &str, word: &Word, next: &Word) -> bool {
    let Some(between) = text.get(word.end..next.start) else {
        return false;
    };
    // `**Status:** draft` on one line, `**Version:** 2` on the next.
    if let Some((_, behind)) = between.rsplit_once('\n')
        && behind.trim_start().starts_with("**")
    {
        return true;
    }
    let Some(stop) = between.find(['.', '!', '?']) else {
        return false;
    };
    let behind = between[stop + 1..]
        .trim_start_matches(['*', '_', '"', '\'', ')', '\u{201d}', '.', '!', '?']);
    if !behind.starts_with(char::is_whitespace) {
        return false;
    }
    let name = &text[word.span()];
    let abbreviated = word.is_plain()
        && (name.len() == 1
            || ABBREVIATIONS
                .iter()
                .any(|known| name.eq_ignore_ascii_case(known)));
    let follows_small = text[next.start..].starts_with(|c: char| c.is_lowercase());
    !abbreviated && !follows_small
}

/// Reads a sentence: finds what the lexicon knows in it.
pub fn read(
    text: &str,
    words: &[Word],
    range: Range<usize>,
    block: (usize, &Block),
    section: usize,
    hits: &mut Vec<Hit>,
) -> Sentence {
    let first_hit = hits.len();
    let mut classes = Classes::default();
    let mut has_number = false;
    let mut modal = None;
    let mut shielded = range.start;
    let lexicon = Lexicon::shared();
    for index in range.clone() {
        let word = &words[index];
        has_number |= word.is_number();
        if word.is_code() || index < shielded {
            continue;
        }
        let following = |offset: usize| next_in_phrase(text, &words[..range.end], index + offset);
        lexicon.find(&text[word.span()], following, |count, found| {
            if found.has(Class::Neutral) {
                shielded = index + count;
                return;
            }
            classes.join(found);
            modal = modal.max(modal_of(found));
            hits.push(Hit {
                classes: found,
                first: index,
                count,
            });
        });
    }
    Sentence {
        span: span_of(words, &range),
        words: range,
        hits: first_hit..hits.len(),
        block: block.0,
        section,
        classes,
        modal: match block.1.kind {
            BlockKind::Heading => None,
            _ => modal,
        },
        has_number,
        is_recorded_gap: false,
        is_quoted: block.1.quoted,
        informs: false,
        force: Force::Tells,
    }
}

/// A word, where only spaces, dashes and marks separate it from the one before.
fn next_in_phrase<'t>(text: &'t str, words: &[Word], at: usize) -> Option<&'t str> {
    let next = words.get(at)?;
    let between = text.get(words[at - 1].end..next.start)?;
    let adjacent = !next.is_code()
        && between
            .chars()
            .all(|c| c.is_whitespace() || c == '-' || c == '*' || c == '_');
    adjacent.then(|| &text[next.span()])
}

/// From the first of these words to the end of the last.
fn span_of(words: &[Word], range: &Range<usize>) -> Range<usize> {
    let start = words.get(range.start).map_or(0, |word| word.start);
    let last = range.end.wrapping_sub(1);
    let end = words.get(last).map_or(start, |word| word.end);
    start..end
}

fn modal_of(classes: Classes) -> Option<Modal> {
    let known = [
        (Class::Must, Modal::Must),
        (Class::Should, Modal::Should),
        (Class::Will, Modal::Will),
        (Class::May, Modal::May),
    ];
    known
        .into_iter()
        .find_map(|(class, modal)| classes.has(class).then_some(modal))
}
