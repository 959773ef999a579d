//! An Engineer's output as detection looks at it, read once for all issues.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::passages::{Kind, Passage, Passages};
use super::raised::Raised;
use gapless_domain::ids::{GapId, issue_ids_in};
use gapless_markdown::Document;
use gapless_reading::read::{EngineerReading, ReadDocument, is_new_gaps_title};

/// An Engineer's output, read once for all issues.
pub struct Output<'r> {
    pub document: &'r Document<'static>,
    pub reading: &'r EngineerReading,
    pub passages: Passages<'r>,
    /// The issues that each heading names, by its place among the passages.
    pub(super) named_by: BTreeMap<usize, BTreeSet<String>>,
    /// The places of passages that answer nothing in passing: of DISAGREE blocks, and below a heading for new gaps.
    pub(super) left_out: BTreeSet<usize>,
}

impl<'r> Output<'r> {
    pub fn of(read: &'r ReadDocument) -> Self {
        let (document, reading) = (&read.structure, read.as_engineer());
        let passages = Passages::of(document);
        Self {
            named_by: named_by(&passages),
            left_out: left_out(reading, &passages),
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
        let ids = issue_ids_in(heading.text);
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
