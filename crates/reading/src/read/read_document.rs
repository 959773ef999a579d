//! A document as it was read: its text and its structure, parsed once, and what it says in each role.

use std::ops::Range;
use std::sync::OnceLock;

use super::engineer::{EngineerReading, read_engineer_of};
use super::review::{ReviewerReading, read_reviewer};
use super::salvage::{Candidate, candidates};
use gapless_domain::Strictness;
use gapless_markdown::Document;

/// A text that was parsed, and everything that is read from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadDocument {
    /// The text without what was taken off around it.
    pub text: String,
    /// What it is made of; places in it are those of the text.
    pub structure: Document<'static>,
    engineer: OnceLock<EngineerReading>,
    reviewer: OnceLock<ReviewerReading>,
}

impl ReadDocument {
    /// Reads a text as it stands.
    pub fn plain(text: &str) -> Self {
        Self::parsed(text.to_owned(), text.to_owned())
    }

    /// Reads a text in one of the ways in which it may be read.
    pub fn of(candidate: Candidate) -> Self {
        Self::parsed(candidate.document, candidate.structure)
    }

    /// Reads a text in every way, and takes the one that ranks highest; the text as it stands where none ranks higher.
    pub fn best<Rank: Ord>(text: &str, rank: impl Fn(&Self) -> Rank) -> Self {
        let mut ways = candidates(text).into_iter().map(Self::of).peekable();
        let first = ways.next().unwrap_or_else(|| Self::plain(text));
        if ways.peek().is_none() {
            return first;
        }
        let mut best = (rank(&first), first);
        for way in ways {
            let ranked = rank(&way);
            if ranked > best.0 {
                best = (ranked, way);
            }
        }
        best.1
    }

    /// Reads an Engineer's text in the way that binds most gaps.
    pub fn of_engineer(text: &str) -> Self {
        Self::best(text, |read| {
            let reading = read.as_engineer();
            (reading.gaps.len(), reading.behind_changes())
        })
    }

    /// Reads a Reviewer's text in the way that judges and raises most.
    pub fn of_reviewer(text: &str) -> Self {
        Self::best(text, |read| {
            let reading = read.as_reviewer();
            reading.issues.len() + reading.reviews.len()
        })
    }

    /// The document without some stretches, which are in order and apart.
    pub fn without(&self, stretches: &[Range<usize>]) -> Self {
        let without = |text: &str| {
            let mut left = String::with_capacity(text.len());
            let mut from = 0;
            for stretch in stretches {
                left += text.get(from..stretch.start).unwrap_or("");
                from = stretch.end.max(from);
            }
            left + text.get(from..).unwrap_or("")
        };
        Self::parsed(without(&self.text), without(&self.structure.source))
    }

    fn parsed(text: String, structure: String) -> Self {
        Self {
            text,
            structure: Document::owning(structure),
            engineer: OnceLock::new(),
            reviewer: OnceLock::new(),
        }
    }

    /// What it says as an Engineer's document, in any accepted form and before any check.
    pub fn as_engineer(&self) -> &EngineerReading {
        self.engineer
            .get_or_init(|| self.read_engineer(Strictness::Tolerant))
    }

    /// What it says as an Engineer's document, before any check.
    pub fn read_engineer(&self, mode: Strictness) -> EngineerReading {
        read_engineer_of(&self.text, &self.structure, mode)
    }

    /// What it says as a Reviewer's document, in any accepted form and before any check.
    pub fn as_reviewer(&self) -> &ReviewerReading {
        self.reviewer
            .get_or_init(|| read_reviewer(&self.structure, Strictness::Tolerant))
    }
}

/// A document without some of its parts, which are in order and apart.
#[derive(Debug, Clone, Copy)]
pub struct Excerpt<'r> {
    pub document: &'r ReadDocument,
    pub without: &'r [Range<usize>],
}

impl<'r> Excerpt<'r> {
    pub fn whole(document: &'r ReadDocument) -> Self {
        Self {
            document,
            without: &[],
        }
    }

    pub fn text(&self) -> String {
        let text = &self.document.text;
        let mut left = String::with_capacity(text.len());
        let mut from = 0;
        for part in self.without {
            left += text.get(from..part.start).unwrap_or("");
            from = part.end.max(from);
        }
        left + text.get(from..).unwrap_or("")
    }

    pub fn prose_lines(&self) -> impl Iterator<Item = &'r str> {
        let (document, without) = (&self.document.structure, self.without);
        let lines = document.prose_lines(0..document.source.len());
        let own = lines.filter(move |(at, _)| !without.iter().any(|part| part.contains(at)));
        own.map(|(_, line)| line)
    }
}
