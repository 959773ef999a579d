//! The passages of a document as detection compares them: with their words, each read when it is first asked for. A concern is
//! answered in one place, not by words that are scattered over a long document.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Range;

use super::words::straight;
use gapless_domain::keywords::Keywords;
use gapless_domain::matter::content_of;
use gapless_markdown::Document;
pub use gapless_markdown::PassageKind as Kind;

/// One place of a document.
pub struct Passage<'d> {
    pub kind: Kind,
    pub text: &'d str,
    /// Lowercase, on one line: how it is compared and searched.
    pub straight: String,
    pub line: u32,
    pub at: usize,
    /// The places, in the list, of the headings above it.
    pub above: &'d [usize],
    /// The paragraph that leads to it.
    pub lead: Option<usize>,
    keywords: OnceCell<Keywords>,
    content: OnceCell<Keywords>,
    sentences: OnceCell<Vec<Keywords>>,
}

/// How many sentences of a passage are looked at one by one.
const MOST_SENTENCES: usize = 200;

impl Passage<'_> {
    pub fn keywords(&self) -> &Keywords {
        self.keywords.get_or_init(|| Keywords::of(self.text))
    }

    /// Its keywords without those of what any text about something missing says.
    pub fn content(&self) -> &Keywords {
        self.content
            .get_or_init(|| Keywords::of(&content_of(self.text)))
    }

    /// The keywords of each of its sentences.
    pub fn sentences(&self) -> &[Keywords] {
        self.sentences.get_or_init(|| {
            let sentences = self.text.split(". ").take(MOST_SENTENCES);
            sentences.map(Keywords::of).collect()
        })
    }
}

/// A document as its passages.
pub struct Passages<'d>(pub Vec<Passage<'d>>);

impl<'d> Passages<'d> {
    pub fn of(document: &'d Document) -> Self {
        let passages = document.passages.iter().map(|passage| Passage {
            kind: passage.kind,
            text: &passage.text,
            straight: straight(&passage.text),
            line: document.line_of(passage.at),
            at: passage.at,
            above: &passage.above,
            lead: passage.lead,
            keywords: OnceCell::new(),
            content: OnceCell::new(),
            sentences: OnceCell::new(),
        });
        Self(passages.collect())
    }

    /// The texts of the passages, to know which of a later document are new.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|passage| passage.straight.as_str())
    }

    /// The passages of a stretch of the document.
    pub fn within<'p>(&'p self, range: &'p Range<usize>) -> impl Iterator<Item = &'p Passage<'d>> {
        self.0
            .iter()
            .filter(move |passage| range.contains(&passage.at))
    }

    /// The keywords around a passage: of the nearest heading, of what leads to it, and of the headings above where they are new
    /// too. A title that stood there all along answers nothing.
    pub fn around(&self, passage: &Passage, earlier: &Earlier) -> Vec<&Keywords> {
        let heading = |index: &usize| self.0.get(*index);
        let nearest = passage.above.last().and_then(heading);
        let above = passage.above.iter().filter_map(heading);
        let new = above.filter(|above| !earlier.has(above));
        let lead = passage.lead.as_ref().and_then(heading);
        nearest
            .into_iter()
            .chain(new)
            .chain(lead)
            .map(Passage::keywords)
            .collect()
    }

    /// The texts around a passage: the nearest heading, and what leads to it.
    pub fn setting<'p>(&'p self, passage: &'p Passage) -> impl Iterator<Item = &'p str> {
        let nearest = passage.above.last().into_iter().chain(&passage.lead);
        nearest
            .filter_map(|index| self.0.get(*index))
            .map(|heading| heading.straight.as_str())
    }
}

/// What the Engineer had written before: a passage that stands here is no answer to what was raised on it.
#[derive(Debug, Clone, Default)]
pub struct Earlier(BTreeSet<String>);

impl Earlier {
    pub fn add(&mut self, passages: &Passages) {
        self.0.extend(passages.texts().map(str::to_owned));
    }

    pub fn has(&self, passage: &Passage) -> bool {
        self.0.contains(&passage.straight)
    }
}
