//! The plan of a refined spec: which parts there are, under which titles and anchors, where each goes, and what
//! replaces the entries of the gaps that they settle. It knows texts and places, and no session.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::anchors::Anchors;
use super::entries::{Spot, Target, spots};
use super::homes::Homes;
use super::limitations::{self};
use super::planned::{Planned, free_title, plan, seclude};
use super::resolution::{made_from, settled_by};
use super::seal::closer;
use super::walk::walk;
use super::writer::Writer;
use super::{EditedText, Limitation, Placement, Resolution, Walked, title};
use gapless_domain::GapId;
use gapless_markdown::Document;
use gapless_reading::read::{Declaration, LIMITATIONS_END, earlier_limitations};

pub(super) struct Part {
    /// The gaps that it settles; several where one text settles them together.
    pub gaps: Vec<GapId>,
    /// Its section; `None` is the one at the end.
    pub home: Option<usize>,
    pub text: String,
    target: Target,
}

impl Part {
    /// Title and text, without the comments around them.
    pub fn without_trace(&self) -> String {
        let lines = self.text.lines();
        let words: Vec<&str> = lines.filter(|line| !line.starts_with(TRACE)).collect();
        words.join("\n").trim().to_owned()
    }
}

pub(super) const TRACE: &str = "<!-- gapless: ";

pub(super) const APPENDIX: &str = "Further definitions";

pub(super) struct Layout<'d> {
    document: &'d Document<'d>,
    pub homes: Homes<'d>,
    pub parts: Vec<Part>,
    edits: Vec<(Range<usize>, String)>,
    /// Sections whose text is an Editor's, with what stands for the whole of each.
    edited: BTreeMap<usize, String>,
    /// The bytes of each pointer, with the home of what it points to.
    pointing: Vec<(usize, Option<usize>)>,
    line_end: &'static str,
}

impl<'d> Layout<'d> {
    pub fn of(
        document: &'d Document<'d>,
        declared: &[Declaration],
        resolutions: &[Resolution],
        placement: Placement,
        edits: &[EditedText],
    ) -> Self {
        let walked = walk(&document.source);
        let homes = Homes::of(document, &walked, declared);
        let mut planned = plan(resolutions, &homes, placement);
        seclude(&document.source, &mut planned);
        let settled = settled_by(resolutions);
        let spots = match placement {
            Placement::InSections => spots(document, &walked, declared, &settled),
            Placement::AtEnd => Vec::new(),
        };
        let mut layout = Self {
            document,
            homes,
            parts: Vec::new(),
            edits: Vec::new(),
            edited: BTreeMap::new(),
            pointing: Vec::new(),
            line_end: match document.source.find('\n') {
                Some(at) if document.source[..at].ends_with('\r') => "\r\n",
                _ => "\n",
            },
        };
        layout.parts = layout.titled(planned, placement);
        layout.pointing = layout.homes_of(&spots);
        if placement == Placement::InSections {
            layout.edited = layout.fitting(resolutions, edits);
        }
        layout.give_anchors(&walked, &spots);
        layout.edits = layout.pointers(spots);
        layout
    }

    pub fn parts_of(&self, index: usize) -> impl Iterator<Item = &Part> {
        self.parts
            .iter()
            .filter(move |part| part.home == Some(index))
    }

    fn homes_of(&self, spots: &[Spot]) -> Vec<(usize, Option<usize>)> {
        let homes: BTreeMap<&GapId, Option<usize>> = self
            .parts
            .iter()
            .flat_map(|part| part.gaps.iter().map(|gap| (gap, part.home)))
            .collect();
        spots
            .iter()
            .filter_map(|spot| Some((spot.range.start, *homes.get(&spot.gap)?)))
            .collect()
    }

    /// The sections that are an Editor's, by their lines in the source.
    pub fn edited_sections(&self) -> BTreeSet<u32> {
        let edited = self.edited.keys();
        edited
            .map(|index| self.homes.sections[*index].line)
            .collect()
    }

    /// True where a section's own text has pointers to other sections, which no text that is written once can keep true.
    pub fn points_elsewhere(&self, index: usize) -> bool {
        let own = &self.homes.sections[index].own;
        let mut pointing = self.pointing.iter();
        pointing.any(|(at, home)| own.contains(at) && *home != Some(index))
    }

    /// The edits that were made from exactly what is accepted now, with the trace of their gaps.
    fn fitting(&self, resolutions: &[Resolution], edits: &[EditedText]) -> BTreeMap<usize, String> {
        let mut fitting = BTreeMap::new();
        for edit in edits {
            let mut lines = self.homes.sections.iter().map(|section| section.line);
            let Some(index) = lines.position(|line| line == edit.section) else {
                continue;
            };
            let here = |resolution: &&Resolution| {
                let mut parts = self.parts_of(index);
                parts.any(|part| part.gaps.contains(&resolution.gap))
            };
            let now = made_from(resolutions.iter().filter(here));
            if now == edit.made_from && !now.is_empty() && !self.points_elsewhere(index) {
                fitting.insert(index, traced(&edit.text, edit.made_from.keys()));
            }
        }
        fitting
    }

    /// Gives every part a title that no other in its section has, and writes it.
    fn titled(&self, planned: Vec<Planned>, placement: Placement) -> Vec<Part> {
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
            let body = match placement {
                Placement::InSections => draft.body(level),
                Placement::AtEnd => draft.plain(),
            };
            parts.push(Part {
                text: part_text(&gaps, &title, level, &body),
                gaps,
                home,
                target: Target::default(),
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
        let mut of_section: Option<(usize, Target)> = None;
        for (part, place) in self.parts.iter_mut().zip(places) {
            let edited = part.home.and_then(|index| self.edited.get(&index));
            if let (Some(index), Some(text)) = (part.home, edited) {
                if of_section.as_ref().is_none_or(|(last, _)| *last != index) {
                    let own = self.homes.sections[index].own.start;
                    while let Some(head) = heads.next_if(|head| head.span.start < own) {
                        if stays(head.span.start) {
                            anchors.of(&head.plain);
                        }
                    }
                    while heads.next_if(|head| head.span.start < place).is_some() {}
                    of_section = Some((index, target_of(text, &mut anchors)));
                }
                if let Some((_, target)) = &of_section {
                    part.target = target.clone();
                }
                continue;
            }
            while let Some(head) = heads.next_if(|head| head.span.start < place) {
                if stays(head.span.start) {
                    anchors.of(&head.plain);
                }
            }
            if part.home.is_none() && !appended {
                anchors.of(APPENDIX);
                appended = true;
            }
            part.target = target_of(&part.text, &mut anchors);
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
        let source: &str = &self.document.source;
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
        if let Some(text) = self.edited.get(&index) {
            return text.replace('\n', self.line_end);
        }
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
        let source: &str = &self.document.source;
        let mut text = Writer::new(self.line_end);
        let mut at = 0;
        for part in self.parts.iter().filter(|part| part.home.is_some()) {
            let place = self.end_of(part.home);
            if let Some((index, edited)) = part
                .home
                .and_then(|index| Some((index, self.edited.get(&index)?)))
            {
                if place > at {
                    self.go_on(at..self.homes.sections[index].own.start, &mut text);
                    text.section(edited);
                    at = place;
                }
                continue;
            }
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
        let source: &str = &self.document.source;
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

/// Gives the headings of a text their anchors; the first is what is linked to.
fn target_of(text: &str, anchors: &mut Anchors) -> Target {
    let heads = walk(text).heads;
    let given: Vec<String> = heads.iter().map(|head| anchors.of(&head.plain)).collect();
    let first = heads.first().zip(given.into_iter().next());
    first.map_or_else(Target::default, |(head, anchor)| Target {
        text: title::as_link_text(&head.plain),
        anchor,
    })
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

/// An edited section with the comments that name its gaps, behind its heading and at its end.
fn traced<'g>(text: &str, gaps: impl DoubleEndedIterator<Item = &'g GapId> + Clone) -> String {
    let heading = walk(text).heads.first().map_or(0, |head| head.span.end);
    let (heading, body) = text.split_at(heading.min(text.len()));
    let mut section = format!("{}\n\n", heading.trim_end());
    for gap in gaps.clone() {
        section += &format!("{TRACE}{gap} -->\n");
    }
    section += &format!("\n{}\n\n", body.trim());
    for gap in gaps.rev() {
        section += &format!("{TRACE}end {gap} -->\n");
    }
    section
}
