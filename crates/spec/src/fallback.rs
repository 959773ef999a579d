//! Where accepted texts go that name no change of the spec: each as a titled part of the section that its gap belongs to,
//! with pointers where the gaps were declared. It knows texts and places, and no session.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::anchors::Anchors;
use super::composed::Splice;
use super::entries::{Spot, Target, spots};
use super::homes::Homes;
use super::insertion::line_end;
use super::planned::{Planned, free_title, plan, seclude};
use super::resolution::settled_by;
use super::seal::closer;
use super::walk::walk;
use super::{Placement, Resolution, Walked, title};
use gapless_domain::GapId;
use gapless_markdown::Document;
use gapless_reading::read::Declaration;

const APPENDIX: &str = "Further definitions";

struct Part {
    /// The gaps that it settles; several where one text settles them together.
    gaps: Vec<GapId>,
    /// Its section; `None` is the one at the end.
    home: Option<usize>,
    text: String,
    target: Target,
}

/// What the fallback does to a text for one gap.
pub(super) struct Inserted {
    pub gap: GapId,
    pub splice: Splice,
    /// False for a pointer that stands where the gap was declared.
    pub is_part: bool,
}

pub(super) struct Fallback<'d> {
    document: &'d Document<'d>,
    homes: Homes<'d>,
    parts: Vec<Part>,
}

impl<'d> Fallback<'d> {
    /// The splices that put these resolutions into a document.
    pub fn splices(
        document: &'d Document<'d>,
        declared: &[Declaration],
        resolutions: &[Resolution],
        placement: Placement,
    ) -> Vec<Inserted> {
        let walked = walk(&document.source);
        let homes = Homes::of(document, &walked, declared);
        let mut planned = plan(resolutions, &homes, placement);
        seclude(&document.source, &mut planned);
        let settled = settled_by(resolutions);
        let spots = match placement {
            Placement::InSections => spots(document, &walked, declared, &settled),
            Placement::AtEnd => Vec::new(),
        };
        let mut fallback = Self {
            document,
            homes,
            parts: Vec::new(),
        };
        fallback.parts = fallback.titled(planned, placement);
        fallback.give_anchors(&walked, &spots);
        let mut inserted = fallback.pointers(spots);
        inserted.extend(fallback.insertions());
        inserted
    }

    /// Gives every part a title that no other in its section has, and writes it.
    fn titled(&self, planned: Vec<Planned>, placement: Placement) -> Vec<Part> {
        // No title is there twice, so that the links to it hold.
        let mut taken: BTreeSet<String> = BTreeSet::from([APPENDIX.to_lowercase()]);
        let sections = self.homes.sections.iter();
        taken.extend(sections.map(|section| section.title.to_lowercase()));
        let mut parts = Vec::new();
        for Planned {
            resolutions,
            draft,
            home,
        } in planned
        {
            let title = free_title(&resolutions, &draft, &taken);
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
                text: part_text(&title, level, &body),
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
            part.target = target_of(&part.text, &mut anchors);
        }
    }

    fn pointers(&self, spots: Vec<Spot>) -> Vec<Inserted> {
        let targets: BTreeMap<&GapId, &Target> = self
            .parts
            .iter()
            .flat_map(|part| part.gaps.iter().map(|gap| (gap, &part.target)))
            .collect();
        spots
            .into_iter()
            .filter_map(|spot| {
                let text = spot.pointer(targets.get(&spot.gap)?);
                Some(Inserted {
                    gap: spot.gap,
                    splice: Splice {
                        range: spot.range,
                        text,
                    },
                    is_part: false,
                })
            })
            .collect()
    }

    /// Each part with the blank lines around it. Parts that share a place follow on each other.
    fn insertions(&self) -> Vec<Inserted> {
        let source: &str = &self.document.source;
        let end = line_end(source);
        let mut inserted = Vec::new();
        let mut last: Option<usize> = None;
        let mut appended = false;
        for part in &self.parts {
            let at = self.end_of(part.home);
            let mut text = match last == Some(at) {
                true => end.to_owned(),
                false => self.gap_before(at, end),
            };
            last = Some(at);
            if part.home.is_none() && !appended {
                let level = usize::from(self.homes.main_level());
                text += &format!("{} {APPENDIX}{end}{end}", "#".repeat(level));
                appended = true;
            }
            text += &part.text.replace('\n', end);
            inserted.push((part, at, text));
        }
        let places: Vec<usize> = inserted.iter().map(|(_, at, _)| *at).collect();
        let mut all = Vec::new();
        for (index, (part, at, mut text)) in inserted.into_iter().enumerate() {
            let is_last_here = places.get(index + 1) != Some(&at);
            if is_last_here && at < source.len() && !source[at..].starts_with(['\n', '\r']) {
                text += end;
            }
            for (place, gap) in part.gaps.iter().enumerate() {
                // A text for several gaps is put there by the first; the others have it too.
                let text = if place == 0 {
                    text.clone()
                } else {
                    String::new()
                };
                all.push(Inserted {
                    gap: gap.clone(),
                    splice: Splice {
                        range: at..at,
                        text,
                    },
                    is_part: true,
                });
            }
        }
        all
    }

    /// What comes between the text before a place and a part: a blank line, and what closes a block that the source leaves
    /// open at its end.
    fn gap_before(&self, at: usize, end: &str) -> String {
        let source: &str = &self.document.source;
        let before = &source[..at];
        let mut gap = String::new();
        if before.trim_start_matches('\u{feff}').is_empty() {
            return gap;
        }
        if !before.ends_with('\n') {
            gap += end;
        }
        if at == source.len()
            && let Some(closer) = self.closer().filter(|closer| !closer.is_empty())
        {
            gap += &closer;
            gap += end;
            return gap + end;
        }
        if !before.ends_with("\n\n") && !before.ends_with("\n\r\n") {
            gap += end;
        }
        gap
    }

    /// What closes a block that the source leaves open.
    fn closer(&self) -> Option<String> {
        let source: &str = &self.document.source;
        // A heading ends everything before it, and a line before it keeps it from being the start of a text.
        let tail = match self.document.headings.last() {
            Some(last) => format!("\n{}", &source[last.span.start..]),
            None => source.to_owned(),
        };
        closer(&tail)
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

fn part_text(title: &str, level: u8, body: &str) -> String {
    let heading = format!("{} {title}\n", "#".repeat(usize::from(level)));
    match body.is_empty() {
        true => heading,
        false => format!("{heading}\n{body}\n"),
    }
}
