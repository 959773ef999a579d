//! Owns the plan of a refined spec: which parts there are, under which titles and anchors, where each goes, and what
//! replaces the entries of the gaps that they settle. It knows texts and places, and no session.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::anchors::Anchors;
use super::entries::{Settled, Spot, Target, spots};
use super::homes::{Homes, Place};
use super::limitations::{self, Limitation};
use super::part::Draft;
use super::seal::closer;
use super::title;
use super::walk::{Walked, walk};
use crate::ids::{GapId, gap_ids_in};
use crate::inert::without_scripts;
use crate::read::{Declaration, Document, LIMITATIONS_END, earlier_limitations};

/// An accepted text and what is known of where it belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolution {
    pub gap: GapId,
    /// What the gap says is missing.
    pub description: String,
    pub place: Place,
    /// The heading under which the text was written.
    pub heading: Option<String>,
    /// Solution and examples.
    pub text: String,
}

/// How much is risked for a spec that reads well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    /// Parts in their sections, entries replaced.
    Usual,
    /// Parts as code at the end, and the source as it is.
    Utmost,
}

/// A part of the spec.
pub(super) struct Part {
    /// The gaps that it settles; several where one text settles them together.
    pub gaps: Vec<GapId>,
    /// Its section; `None` is the one at the end.
    pub home: Option<usize>,
    pub text: String,
    target: Target,
}

pub(super) const APPENDIX: &str = "Further definitions";

pub(super) struct Layout<'d> {
    document: &'d Document<'d>,
    pub homes: Homes<'d>,
    pub parts: Vec<Part>,
    edits: Vec<(Range<usize>, String)>,
    line_end: &'static str,
}

/// A part whose title and place are not settled yet.
struct Planned<'r> {
    resolutions: Vec<&'r Resolution>,
    draft: Draft,
    home: Option<usize>,
}

/// The gaps that resolutions settle.
pub(super) fn settled_by(resolutions: &[Resolution]) -> Settled<'_> {
    resolutions
        .iter()
        .map(|resolution| (&resolution.gap, resolution.place.line))
        .collect()
}

impl<'d> Layout<'d> {
    pub fn of(
        document: &'d Document<'d>,
        declared: &[Declaration],
        resolutions: &[Resolution],
        care: Care,
    ) -> Self {
        let walked = walk(document.source);
        let homes = Homes::of(document, &walked, declared);
        let mut planned = plan(resolutions, &homes, care);
        seclude(document.source, &mut planned);
        let settled = settled_by(resolutions);
        let spots = match care {
            Care::Usual => spots(document, &walked, declared, &settled),
            Care::Utmost => Vec::new(),
        };
        let mut layout = Self {
            document,
            homes,
            parts: Vec::new(),
            edits: Vec::new(),
            line_end: match document.source.find('\n') {
                Some(at) if document.source[..at].ends_with('\r') => "\r\n",
                _ => "\n",
            },
        };
        layout.parts = layout.titled(planned, care);
        layout.give_anchors(&walked, &spots);
        layout.edits = layout.pointers(spots);
        layout
    }

    /// Gives every part a title that no other in its section has, and writes it.
    fn titled(&self, planned: Vec<Planned>, care: Care) -> Vec<Part> {
        let mut taken: BTreeMap<Option<usize>, BTreeSet<String>> = BTreeMap::new();
        let mut parts = Vec::new();
        for Planned {
            resolutions,
            draft,
            home,
        } in planned
        {
            let taken = taken.entry(home).or_insert_with(|| match home {
                Some(index) => self.homes.taken_titles(index),
                None => BTreeSet::from([APPENDIX.to_lowercase()]),
            });
            let title = free_title(&resolutions, &draft, taken);
            taken.insert(title.to_lowercase());
            let level = match home {
                Some(index) => self.homes.sections[index].level + 1,
                None => self.homes.main_level() + 1,
            };
            let level = level.min(6);
            let gaps: Vec<GapId> = resolutions.iter().map(|r| r.gap.clone()).collect();
            let body = match care {
                Care::Usual => draft.body(level),
                Care::Utmost => draft.plain(),
            };
            parts.push(Part {
                text: part_text(&gaps, &title, level, &body),
                gaps,
                home,
                target: Target {
                    text: String::new(),
                    anchor: String::new(),
                },
            });
        }
        parts
    }

    /// Walks the headings of the finished document in their order, and notes those of the parts.
    fn give_anchors(&mut self, walked: &Walked, spots: &[Spot]) {
        let mut anchors = Anchors::default();
        let replaced: Vec<Range<usize>> = spots.iter().map(|spot| spot.range.clone()).collect();
        let stays = |at: usize| {
            let upto = replaced.partition_point(|range| range.start <= at);
            upto == 0 || replaced[upto - 1].end <= at
        };
        let mut heads = walked.heads.iter().peekable();
        let places: Vec<usize> = self
            .parts
            .iter()
            .map(|part| self.end_of(part.home))
            .collect();
        let mut appended = false;
        for (part, place) in self.parts.iter_mut().zip(places) {
            while let Some(head) = heads.next_if(|head| head.span.start < place) {
                if stays(head.span.start) {
                    anchors.of(&head.plain);
                }
            }
            if part.home.is_none() && !appended {
                anchors.of(APPENDIX);
                appended = true;
            }
            for (index, head) in walk(&part.text).heads.iter().enumerate() {
                let anchor = anchors.of(&head.plain);
                if index == 0 {
                    part.target = Target {
                        text: title::as_link_text(&head.plain),
                        anchor,
                    };
                }
            }
        }
    }

    fn pointers(&self, spots: Vec<Spot>) -> Vec<(Range<usize>, String)> {
        let targets: BTreeMap<&GapId, &Target> = self
            .parts
            .iter()
            .flat_map(|part| part.gaps.iter().map(|gap| (gap, &part.target)))
            .collect();
        spots
            .into_iter()
            .filter_map(|spot| {
                let target = targets.get(&spot.gap)?;
                Some((spot.range.clone(), spot.pointer(target)))
            })
            .collect()
    }

    /// Where parts of a section go: the end of its own text, before the sections below it.
    fn end_of(&self, home: Option<usize>) -> usize {
        let source = self.document.source;
        let Some(index) = home else {
            return source.len();
        };
        let end = self.homes.sections[index].own.end;
        // A heading may stand a little to the right.
        let indent = source[..end].len() - source[..end].trim_end_matches(' ').len();
        match source[..end - indent].ends_with('\n') {
            true => end - indent,
            false => end,
        }
    }

    /// A section's own text with its parts; the section behind the last is the one at the end.
    pub fn section(&self, index: usize) -> String {
        let (range, home) = match self.homes.sections.get(index) {
            Some(section) => (section.own.start..self.end_of(Some(index)), Some(index)),
            None => (self.document.source.len()..self.document.source.len(), None),
        };
        let mut text = Writer::new(self.line_end);
        self.copy(range, &mut text);
        for part in self.parts.iter().filter(|part| part.home == home) {
            text.block(&part.text);
        }
        text.text
    }

    /// The whole refined spec.
    pub fn write(&self, limitations: &[Limitation]) -> String {
        let source = self.document.source;
        let mut text = Writer::new(self.line_end);
        let mut at = 0;
        for part in self.parts.iter().filter(|part| part.home.is_some()) {
            let place = self.end_of(part.home);
            if place > at {
                self.go_on(at..place, &mut text);
                at = place;
            }
            self.end_source(at, &mut text);
            text.block(&part.text);
        }
        self.go_on(at..source.len(), &mut text);
        let level = self.homes.main_level();
        let mut further = self
            .parts
            .iter()
            .filter(|part| part.home.is_none())
            .peekable();
        let left: Vec<String> =
            limitations::entries(limitations, |gap| self.link_to(gap)).collect();
        let earlier = earlier_limitations(source);
        let section = match &earlier {
            Some(_) => String::new(),
            None => limitations::section(&left, level),
        };
        if further.peek().is_some() || !section.is_empty() {
            self.end_source(source.len(), &mut text);
        }
        if further.peek().is_some() {
            text.block(&format!("{} {APPENDIX}\n", "#".repeat(usize::from(level))));
        }
        for part in further {
            text.block(&part.text);
        }
        text.block(&section);
        let mut spec = text.text;
        if let Some(earlier) = earlier {
            let number = source[..earlier.end].matches(LIMITATIONS_END).count() + 1;
            limitations::add_to_earlier(&mut spec, number, &left, self.line_end);
        }
        spec
    }

    /// A link to the part that settles a gap.
    fn link_to(&self, gap: &GapId) -> Option<String> {
        let part = self.parts.iter().find(|part| part.gaps.contains(gap))?;
        Some(part.target.link())
    }

    /// Copies a stretch of the source behind a part or at the start.
    fn go_on(&self, range: Range<usize>, text: &mut Writer) {
        if !range.is_empty() && text.has_parts {
            text.blank_line();
        }
        self.copy(range, text);
    }

    /// Closes what the source itself leaves open, once its end is reached.
    fn end_source(&self, at: usize, text: &mut Writer) {
        let source = self.document.source;
        if at < source.len() || text.is_closed {
            return;
        }
        text.is_closed = true;
        // A heading ends everything before it, and a line before it keeps it from being the start of a text.
        let tail = match self.document.headings.last() {
            Some(last) => format!("\n{}", &source[last.span.start..]),
            None => source.to_owned(),
        };
        if let Some(closer) = closer(&tail).filter(|closer| !closer.is_empty()) {
            text.line(&closer);
        }
    }

    /// Copies a stretch of the source with its replacements.
    fn copy(&self, range: Range<usize>, text: &mut Writer) {
        let mut at = range.start;
        let from = self
            .edits
            .partition_point(|(edit, _)| edit.start < range.start);
        for (edit, pointer) in &self.edits[from..] {
            if edit.start >= range.end {
                break;
            }
            text.text += &self.document.source[at..edit.start];
            text.text += pointer;
            at = edit.end;
        }
        text.text += &self.document.source[at.min(range.end)..range.end];
    }
}

/// Reads and places the resolutions. Their order is that of the source, whatever order they were accepted in; what
/// was written under one heading for several gaps is one part.
fn plan<'r>(resolutions: &'r [Resolution], homes: &Homes, care: Care) -> Vec<Planned<'r>> {
    let mut ordered: Vec<&Resolution> = resolutions.iter().collect();
    ordered.sort_by_key(|resolution| {
        let line = resolution.place.line;
        (line.is_none(), line, &resolution.gap)
    });
    let mut met: BTreeSet<&GapId> = BTreeSet::new();
    ordered.retain(|resolution| met.insert(&resolution.gap));
    let mut shared: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut planned: Vec<Planned> = Vec::new();
    for resolution in ordered {
        let heading = resolution.heading.as_deref().unwrap_or("");
        if gap_ids_in(heading).len() > 1 {
            let index = shared
                .entry((heading, &resolution.text))
                .or_insert(planned.len());
            if let Some(part) = planned.get_mut(*index) {
                part.resolutions.push(resolution);
                continue;
            }
        }
        planned.push(Planned {
            draft: Draft::of(&resolution.text),
            home: match care {
                Care::Usual => homes.home(&resolution.place, &resolution.description),
                Care::Utmost => None,
            },
            resolutions: vec![resolution],
        });
    }
    // Stable: within a section the order from above holds.
    planned.sort_by_key(|part| part.home.map_or(usize::MAX, |index| index));
    planned
}

/// A link reference definition holds for the whole document. Where its label stands anywhere else, it would change that
/// text, and is made words.
fn seclude(source: &str, planned: &mut [Planned]) {
    if !planned.iter().any(|part| part.draft.has_definitions()) {
        return;
    }
    let outside = labels(source);
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    for part in planned.iter() {
        for label in labels(part.draft.text()) {
            *used.entry(label).or_default() += 1;
        }
    }
    for part in planned {
        part.draft.hide_definitions(|label| {
            outside.contains(label) || used.get(label).is_some_and(|count| *count > 1)
        });
    }
}

/// Everything in square brackets, as labels are compared.
fn labels(text: &str) -> BTreeSet<String> {
    let mut labels = BTreeSet::new();
    for piece in text.split('[').skip(1) {
        if let Some((label, _)) = piece.split_once(']') {
            let words: Vec<&str> = label.split_whitespace().collect();
            labels.insert(words.join(" ").to_lowercase());
        }
    }
    labels
}

/// The first title that is not taken: the text's own, the heading's, one from the description; else a numbered one.
fn free_title(resolutions: &[&Resolution], draft: &Draft, taken: &BTreeSet<String>) -> String {
    let headings = resolutions
        .iter()
        .filter_map(|r| title::from_heading(r.heading.as_deref()?));
    let descriptions = resolutions
        .iter()
        .filter_map(|r| title::from_description(&super::seal::cleaned(&r.description)));
    let candidates: Vec<String> = draft
        .title
        .clone()
        .into_iter()
        .chain(headings)
        .chain(descriptions)
        .map(|title| without_scripts(&title))
        .collect();
    let free = |title: &String| !taken.contains(&title.to_lowercase());
    if let Some(title) = candidates.iter().find(|title| free(title)) {
        return title.clone();
    }
    let first = candidates.first().map_or(title::NAMELESS, String::as_str);
    std::iter::once(first.to_owned())
        .chain((2u32..).map(|number| format!("{first} ({number})")))
        .find(free)
        .unwrap_or_default()
}

fn part_text(gaps: &[GapId], title: &str, level: u8, body: &str) -> String {
    let mut text = String::new();
    for gap in gaps {
        text += &format!("<!-- gapless: {gap} -->\n");
    }
    text += &format!("{} {title}\n\n", "#".repeat(usize::from(level)));
    if !body.is_empty() {
        text += &format!("{body}\n\n");
    }
    for gap in gaps.iter().rev() {
        text += &format!("<!-- gapless: end {gap} -->\n");
    }
    text
}

/// A text under construction, in the source's line ends.
struct Writer {
    text: String,
    line_end: &'static str,
    has_parts: bool,
    is_closed: bool,
}

impl Writer {
    fn new(line_end: &'static str) -> Self {
        Self {
            text: String::new(),
            line_end,
            has_parts: false,
            is_closed: false,
        }
    }

    fn line(&mut self, line: &str) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text += self.line_end;
        }
        self.text += line;
        self.text += self.line_end;
    }

    fn blank_line(&mut self) {
        if matches!(self.text.as_str(), "" | "\u{feff}") {
            return;
        }
        if !self.text.ends_with('\n') {
            self.text += self.line_end;
        }
        if !self.text.ends_with("\n\n") && !self.text.ends_with("\n\r\n") {
            self.text += self.line_end;
        }
    }

    /// Adds a block that ends its lines with `\n`, behind a blank line.
    fn block(&mut self, block: &str) {
        if block.is_empty() {
            return;
        }
        self.blank_line();
        self.text += &block.replace('\n', self.line_end);
        self.has_parts = true;
    }
}
