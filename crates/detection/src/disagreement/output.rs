//! An Engineer's output as detection looks at it, read once for all issues.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::passages::{Kind, Passage, Passages};
use super::raised::Raised;
use gapless_domain::config::Strictness;
use gapless_domain::ids::{GapId, issue_ids_in};
use gapless_markdown::Document;
use gapless_reading::read::{EngineerReading, candidates, is_new_gaps_title, read_engineer};

/// An Engineer's output, read once for all issues.
pub struct Output<'t> {
    pub document: Document<'t>,
    pub reading: EngineerReading,
    pub passages: Passages,
    /// The issues that each heading names, by its place among the passages.
    pub(super) named_by: BTreeMap<usize, BTreeSet<String>>,
    /// The places of passages that answer nothing in passing: of DISAGREE blocks, and below a heading for new gaps.
    pub(super) left_out: BTreeSet<usize>,
}

impl<'t> Output<'t> {
    /// `text` is what `readable` made of the document.
    pub fn read(text: &'t str) -> Self {
        let document = Document::parse(text);
        let reading = read_engineer(&document, Strictness::Tolerant);
        let passages = Passages::of(&document);
        Self {
            named_by: named_by(&passages),
            left_out: left_out(&reading, &passages),
            document,
            reading,
            passages,
        }
    }

    /// The sections that propose something for other gaps than an issue's, where that has one of its own: what they say is
    /// about those.
    pub(super) fn sections_of_others(&self, issue: &Raised) -> Vec<Range<usize>> {
        let own = issue.gap.as_ref().and_then(|gap| self.section(gap));
        let Some(own) = own else {
            return Vec::new();
        };
        let sections = self.reading.gaps.iter().map(|bound| bound.section.clone());
        sections.filter(|section| *section != own).collect()
    }

    /// The section that is bound to a gap, or to what it was split from or into.
    pub fn section(&self, gap: &GapId) -> Option<Range<usize>> {
        let exact = self.reading.gaps.iter().find(|bound| bound.gap == *gap);
        let related = || {
            let root = gap.root();
            self.reading
                .gaps
                .iter()
                .find(|bound| bound.gap.root() == root)
        };
        exact.or_else(related).map(|bound| bound.section.clone())
    }
}

fn named_by(passages: &Passages) -> BTreeMap<usize, BTreeSet<String>> {
    let headings = passages.0.iter().enumerate();
    let headings = headings.filter(|(_, passage)| matches!(passage.kind, Kind::Heading(_)));
    let named = headings.map(|(index, heading)| {
        let ids = issue_ids_in(&heading.text);
        (
            index,
            ids.iter().map(|found| found.id.to_string()).collect(),
        )
    });
    named
        .filter(|(_, ids): &(usize, BTreeSet<String>)| !ids.is_empty())
        .collect()
}

fn left_out(reading: &EngineerReading, passages: &Passages) -> BTreeSet<usize> {
    let mut disputed: Vec<Range<usize>> = reading
        .disagreements
        .iter()
        .map(|block| block.section.clone())
        .collect();
    disputed.sort_by_key(|section| section.start);
    let is_disputed = |passage: &Passage| {
        let before = disputed.partition_point(|section| section.start <= passage.at);
        let section = before.checked_sub(1).and_then(|last| disputed.get(last));
        section.is_some_and(|section| section.contains(&passage.at))
    };
    let declares: BTreeSet<usize> = passages
        .0
        .iter()
        .enumerate()
        .filter(|(_, passage)| matches!(passage.kind, Kind::Heading(_)))
        .filter(|(_, heading)| is_new_gaps_title(&heading.straight))
        .map(|(index, _)| index)
        .collect();
    let all = passages.0.iter().enumerate();
    all.filter(|(_, passage)| {
        is_disputed(passage) || passage.above.iter().any(|above| declares.contains(above))
    })
    .map(|(index, _)| index)
    .collect()
}

/// What of an output is its document: a fence around the whole of it is taken off, where that lets more of it be read.
pub fn readable(text: &str) -> String {
    clearest(text, |document| {
        read_engineer(document, Strictness::Tolerant).gaps.len()
    })
}

/// The reading of a text that says most, the text as it stands where none says more.
pub(super) fn clearest(text: &str, says: impl Fn(&Document) -> usize) -> String {
    let mut candidates = candidates(text);
    if let [_] = candidates.as_slice() {
        return candidates.remove(0).structure;
    }
    let mut best: Option<(usize, String)> = None;
    for candidate in candidates {
        let said = says(&Document::parse(&candidate.structure));
        if best.as_ref().is_none_or(|(most, _)| said > *most) {
            best = Some((said, candidate.structure));
        }
    }
    best.map_or_else(|| text.to_owned(), |(_, text)| text)
}
