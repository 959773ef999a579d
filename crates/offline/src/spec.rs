//! The specification of an assignment: its blocks, what the scan finds in it, what its author lists as open, and where in it a gap
//! opened.

use std::ops::Range;

use gapless_domain::AssignedGap;
use gapless_domain::keywords::Keywords;
use gapless_markdown::{Block, BlockKind, Document};
use gapless_reading::read::{Declaration, DeclaredAs, Section, inventory, sections};
use gapless_scan::{Finding, Rules, Topic, scan};

use crate::sentences::sentence_at;

/// So many content words shared with something declared are the same matter.
const SAME_MATTER: usize = 3;

/// A specification, read once.
pub struct Spec<'t> {
    pub(crate) text: &'t str,
    pub(crate) document: Document<'t>,
    pub(crate) findings: Vec<Finding>,
    sections: Vec<Section>,
    declared: Vec<Declaration>,
}

/// The place at which a gap opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub form: PlaceForm,
    /// The words that opened it.
    pub found: Range<usize>,
    pub sentence: Range<usize>,
    pub block: Range<usize>,
    /// The titles of its sections, outermost first.
    pub titles: Vec<String>,
    pub line: u32,
}

/// What kind of text a place is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlaceForm {
    Paragraph,
    Item,
    Cell,
    Heading,
    /// Code, HTML or a quote, whose form binds.
    Rigid,
}

/// What in the text says that something is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Mark {
    /// The whole sentence or item.
    Whole(Range<usize>),
    /// A part of a sentence that says more.
    Within(Range<usize>),
    /// An entry of a list, a table or a heading: it goes with its gap.
    Entry,
}

impl<'t> Spec<'t> {
    pub fn of(text: &'t str) -> Self {
        let document = Document::parse(text);
        Self {
            text,
            findings: scan(text, &Rules::default()),
            sections: sections(&document),
            declared: inventory(&document).declared,
            document,
        }
    }

    /// What opened a gap, where that is still there.
    pub(crate) fn place_of(&self, gap: &AssignedGap) -> Option<Place> {
        if let Some(finding) = self.finding_of(gap) {
            return self.place_at(finding.span.clone());
        }
        let passage = gap
            .passage
            .as_deref()
            .filter(|passage| !passage.is_empty())?;
        let at = match gap.line {
            Some(line) => {
                let start = self.line_start(line)?;
                start + self.text.get(start..)?.find(passage)?
            }
            None => self.text.find(passage)?,
        };
        self.place_at(at..at + passage.len())
    }

    /// The finding that a gap is from.
    fn finding_of(&self, gap: &AssignedGap) -> Option<&Finding> {
        let rule = gap.rule.as_deref()?;
        let of_rule = self.findings.iter().filter(|finding| finding.rule == rule);
        let there: Vec<&Finding> = match gap.line {
            Some(line) => of_rule.filter(|finding| finding.line == line).collect(),
            None => of_rule
                .filter(|finding| finding.message == gap.description)
                .collect(),
        };
        let mut named = there.iter();
        let named = named.find(|finding| gap.description.contains(&finding.excerpt));
        named.or(there.first()).copied()
    }

    fn place_at(&self, found: Range<usize>) -> Option<Place> {
        let last = found.end.saturating_sub(1).max(found.start);
        let block = self.block_at(found.start)?;
        let form = match &block.kind {
            _ if block.quoted => PlaceForm::Rigid,
            BlockKind::Paragraph => PlaceForm::Paragraph,
            BlockKind::Item => PlaceForm::Item,
            BlockKind::Cell => PlaceForm::Cell,
            BlockKind::Heading => PlaceForm::Heading,
            BlockKind::Code(_) | BlockKind::Html => PlaceForm::Rigid,
        };
        let inside = found.start..(last + 1).min(block.span.end).max(found.start);
        Some(Place {
            form,
            sentence: match form {
                PlaceForm::Paragraph | PlaceForm::Item => {
                    sentence_at(self.text, &block.span, &inside)
                }
                _ => block.span.clone(),
            },
            block: block.span.clone(),
            titles: self.titles_at(found.start),
            line: self.document.line_of(found.start),
            found: inside,
        })
    }

    fn block_at(&self, at: usize) -> Option<&Block> {
        let mut blocks = self.document.blocks.iter();
        blocks.find(|block| block.span.start <= at && at < block.span.end)
    }

    fn line_start(&self, line: u32) -> Option<usize> {
        let before = usize::try_from(line).ok()?.checked_sub(1)?;
        let newlines = self.text.match_indices('\n').map(|(at, _)| at + 1);
        std::iter::once(0).chain(newlines).nth(before)
    }

    fn titles_at(&self, at: usize) -> Vec<String> {
        let around = self.sections.iter();
        let around = around.filter(|section| section.whole.contains(&at));
        around.map(|section| section.title.clone()).collect()
    }

    /// The title of a section, if no other has the same.
    pub(crate) fn only_title<'s>(&'s self, title: &str) -> Option<&'s str> {
        let plain = |title: &str| -> String {
            let kept = title.chars().filter(|c| c.is_alphabetic());
            kept.flat_map(char::to_lowercase).collect()
        };
        let wanted = plain(title);
        let mut same = self.sections.iter();
        let mut same = same
            .by_ref()
            .filter(|section| plain(&section.title) == wanted && !wanted.is_empty());
        let (first, second) = (same.next(), same.next());
        first
            .filter(|_| second.is_none())
            .map(|section| section.title.as_str())
    }

    /// What the author wrote in the place of an answer.
    pub(crate) fn mark_of(&self, gap: &AssignedGap) -> Option<Mark> {
        let line = gap.line?;
        let forms = self.declared.iter().flat_map(|declared| &declared.forms);
        let mut here = forms.filter(|(at, _)| *at == line).map(|(_, form)| form);
        match here.next()? {
            DeclaredAs::Words(range) => Some(Mark::Whole(range.clone())),
            DeclaredAs::Marks(ranges) => ranges.first().cloned().map(Mark::Within),
            DeclaredAs::Item(_) | DeclaredAs::Row(_) | DeclaredAs::Heading => Some(Mark::Entry),
        }
    }

    /// The paragraph that leads to the table of a place.
    pub(crate) fn lead_of(&self, place: &Place) -> Option<&'t str> {
        if place.form != PlaceForm::Cell {
            return None;
        }
        let blocks = self.document.blocks.iter();
        let mut before = blocks.filter(|block| block.span.end <= place.block.start);
        let lead = before.rfind(|block| block.kind != BlockKind::Cell)?;
        self.text.get(lead.span.clone())
    }

    /// Whether the author lists something open that is about one of these topics.
    pub(crate) fn declares_topic(&self, topics: &[Topic]) -> bool {
        self.declared.iter().any(|declared| {
            let topic = Topic::of_text(&declared.gap.description);
            topic.is_some_and(|topic| topic != Topic::Other && topics.contains(&topic))
        })
    }

    /// Whether the author lists the matter of a sentence as open, here or elsewhere.
    pub(crate) fn declares(&self, sentence: &str) -> bool {
        let words = Keywords::of(sentence);
        self.declared.iter().any(|declared| {
            let other = Keywords::of(&declared.gap.description);
            let shared = words.shared(&[&other]);
            shared >= SAME_MATTER || (shared > 0 && shared == other.len())
        })
    }
}
