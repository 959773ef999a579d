//! The refined spec section by section, for prompts: the sections that gaps touch, and the titles of the rest.

use std::collections::BTreeSet;
use std::ops::Range;

use super::accepted::place;
use super::homes::Homes;
use super::walk::walk;
use super::{Place, Refined};
use gapless_domain::{Gap, GapId, Origin};
use gapless_markdown::Document;
use gapless_reading::read::inventory;
use gapless_session::state::State;

/// The sections of a refined spec.
pub struct Outline<'r> {
    refined: &'r Refined,
    source: &'r str,
    state: &'r State,
    document: &'r Document<'r>,
    homes: Homes<'r>,
}

/// How many titles are listed.
const MOST_TITLES: usize = 60;
/// Of a longer block only the line is shown that a gap is from.
const LONGEST_PASSAGE: usize = 600;

impl<'r> Outline<'r> {
    /// The outline of a refined spec, which was parsed.
    pub fn of(
        refined: &'r Refined,
        document: &'r Document<'r>,
        source: &'r str,
        state: &'r State,
    ) -> Self {
        let declared = inventory(document).declared;
        Self {
            refined,
            source,
            state,
            document,
            homes: Homes::of(document, &walk(&refined.text), &declared),
        }
    }

    pub fn title(&self, index: usize) -> &str {
        let section = self.homes.sections.get(index);
        section.map_or("", |section| &section.title)
    }

    /// The sections that these gaps touch, in the order of the spec: those that they belong to, and those that they changed.
    pub fn touched_by(&self, gaps: &[&Gap]) -> Vec<usize> {
        let mut touched: BTreeSet<usize> = BTreeSet::new();
        for gap in gaps {
            let changed = self.changed_by(&gap.id);
            if changed.is_empty() {
                touched.extend(self.home(gap));
            }
            touched.extend(changed);
        }
        touched.into_iter().collect()
    }

    /// The sections that a gap changed.
    pub fn changed_by(&self, gap: &GapId) -> BTreeSet<usize> {
        let ranges = self.refined.ranges_of(gap).into_iter();
        ranges
            .filter_map(|range| self.homes.at(range.start))
            .collect()
    }

    fn home(&self, gap: &Gap) -> Option<usize> {
        let place = place(self.state, gap);
        let line = place
            .line
            .and_then(|line| self.refined.line_now(self.source, line));
        let here = Place { line, ..place };
        self.homes.home(&here, &gap.description)
    }

    /// The title of the section that a gap belongs to.
    pub fn home_of(&self, gap: &Gap) -> Option<&str> {
        self.home(gap).map(|index| self.title(index))
    }

    /// The passage that opened a gap, as it reads now: the block with the line that the gap is from. An entry that is nothing but
    /// the gap's own is none.
    pub fn passage_of(&self, gap: &Gap) -> Option<&'r str> {
        let text: &'r str = &self.refined.text;
        let id = gap.id.to_string();
        let mut passages = self.lines_of(gap).filter_map(|line| {
            let before = usize::try_from(line).ok()?.checked_sub(1)?;
            let lines = text.split_inclusive('\n');
            let start: usize = lines.clone().take(before).map(str::len).sum();
            let own = lines.clone().nth(before)?;
            let start = start + own.len() - own.trim_start().len();
            let own = own.trim();
            let mut blocks = self.document.blocks.iter();
            let block = blocks.find(|block| block.span.contains(&start));
            let block = block.and_then(|block| text.get(block.span.clone()));
            let passage = block.map_or(own, str::trim);
            let passage = if passage.len() <= LONGEST_PASSAGE {
                passage
            } else {
                own
            };
            let says_more = !passage.starts_with('#') && !passage.contains(&id);
            (says_more && !passage.is_empty()).then_some(passage)
        });
        passages.next()
    }

    /// The line that opened a gap, as it is now.
    pub fn line_of(&self, gap: &Gap) -> Option<u32> {
        self.lines_of(gap).next()
    }

    fn lines_of(&self, gap: &Gap) -> impl Iterator<Item = u32> {
        let lines = gap.origins.iter().filter_map(|origin| match origin {
            Origin::Source { line } | Origin::Scan { line, .. } => Some(*line),
            _ => None,
        });
        lines.filter_map(|line| self.refined.line_now(self.source, line))
    }

    /// The titles of all other sections, on one line.
    pub fn other_titles(&self, touched: &[usize]) -> Option<String> {
        let titles: Vec<&str> = self
            .homes
            .sections
            .iter()
            .enumerate()
            .filter(|(index, section)| !touched.contains(index) && section.level <= 3)
            .map(|(_, section)| section.title.as_str())
            .take(MOST_TITLES)
            .collect();
        (!titles.is_empty()).then(|| titles.join(" · "))
    }

    /// A section's own text.
    pub fn section(&self, index: usize) -> &'r str {
        let own = self.homes.sections.get(index).map(|it| it.own.clone());
        own.and_then(|own: Range<usize>| self.refined.text.get(own))
            .unwrap_or("")
    }
}
