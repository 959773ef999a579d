//! An answer to an issue: where it stands, and what it goes by.

use serde::Serialize;

use super::passages::{Earlier, Passage, Passages};
use super::raised::{Raised, Wanted, has_name};
use gapless_domain::gap::Confidence;
use gapless_domain::keywords::{is_claim, percent};
use gapless_domain::words::numbers_in;

/// How an issue is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// An explicit DISAGREE.
    Disagree,
    /// Its id, with something said about it.
    Id,
    /// A phrase that the issue quotes.
    Quote,
    /// The place that the issue criticises.
    Location,
    /// At least half of a sentence of what the Reviewer asked for, in one place.
    Suggestion,
    /// At least half of the keywords of its summary, in one place.
    Keywords,
}

impl By {
    /// True where the issue is only pointed at: whether what it asks for was done is another matter.
    pub fn refers(self) -> bool {
        matches!(self, By::Id | By::Quote | By::Location)
    }
}

/// Where and how an output answers an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer {
    pub by: By,
    pub confidence: Confidence,
    pub line: u32,
    pub quote: String,
    /// How many of the summary's keywords stand there, in percent.
    pub overlap: u32,
}

/// What an output has on an issue.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    pub answer: Option<Answer>,
    /// The line and words of a claim that has nothing behind it.
    pub claim: Option<(u32, String)>,
    /// The line and words where the id is only listed.
    pub listing: Option<(u32, String)>,
    /// The most of the summary's keywords that one new place has, in percent.
    pub overlap: u32,
}

/// How much an answer in substance must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Demand {
    /// The issue's gap is worked on: half of its keywords in one place.
    Due,
    /// Something else is worked on: the id, or a phrase that the issue quotes. Keywords are shared with
    /// anything there.
    Elsewhere,
}

/// An issue that an output may answer as well.
#[derive(Clone, Copy)]
pub struct Beside<'s> {
    pub raised: &'s Raised,
    pub wanted: &'s Wanted,
}

pub(super) fn names(issue: &Raised, text: &str) -> bool {
    issue.names().any(|name| has_name(text, name))
}

/// A text that only raises an issue once more is not longer than this.
const LONGEST_REPEAT: usize = 2_000;

/// True where a text says nothing that the issue's summary doesn't say.
pub(super) fn repeats(passage: &Passage, wanted: &Wanted) -> bool {
    if passage.text.len() > LONGEST_REPEAT {
        return false;
    }
    let known =
        |word: &str| wanted.keywords.has(word) || wanted.content.has(word) || is_claim(word);
    passage.content().iter().all(known) && numbers_in(passage.text).is_subset(&wanted.numbers)
}

pub(super) fn answer(
    by: By,
    confidence: Confidence,
    wanted: &Wanted,
    passages: &Passages,
    earlier: &Earlier,
    passage: &Passage,
) -> Answer {
    let mut around = passages.around(passage, earlier);
    around.push(passage.keywords());
    Answer {
        by,
        confidence,
        line: passage.line,
        quote: excerpt(passage.text),
        overlap: percent(wanted.keywords.shared(&around), wanted.keywords.len()),
    }
}

/// How long a quote in evidence may be.
const EXCERPT: usize = 160;

/// The beginning of a text, on one line.
pub fn excerpt(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    match line.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}
