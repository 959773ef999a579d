//! Which sections of a source list what is open, and the lines that introduce such a list.

use std::ops::Range;

use super::super::source::{Section, sections};
use super::super::vocabulary::severity_of_title;
use super::listing::Listing;
use super::names::is_question;
use super::titles::{begins_done, listing_of, names_others, tells_of_the_list};
use gapless_domain::Severity;
use gapless_markdown::{BlockKind, Document, last_at};

/// The sections of a document, each with how its entries are taken.
pub(super) struct Listings {
    pub sections: Vec<Section>,
    taken: Vec<Taken>,
    introduced: Vec<Introduced>,
    /// The parts that an earlier session wrote, from comment to comment.
    parts: Vec<Range<usize>>,
}

/// A list or table right behind a line such as `**Open questions:**`.
struct Introduced {
    by: Range<usize>,
    span: Range<usize>,
    listing: Listing,
}

/// How a section takes its entries.
struct Taken {
    listing: Listing,
    /// What its own title says.
    said: Option<Listing>,
    /// How the section around it does.
    around: Listing,
    /// The severity that its entries have if they say no other.
    severity: Option<Severity>,
}

impl Listings {
    pub fn of(document: &Document) -> Self {
        let sections = sections(document);
        let mut taken: Vec<Taken> = Vec::with_capacity(sections.len());
        // The sections around the place, and what they hand down.
        let mut open: Vec<(u8, Listing, Option<Severity>)> = Vec::new();
        for (index, section) in sections.iter().enumerate() {
            while open.pop_if(|(level, ..)| *level >= section.level).is_some() {}
            let outer = open.last().map_or(Listing::No, |(_, listing, _)| *listing);
            let said = listing_of(&section.title);
            let own = match said {
                // What hangs below an open question is about it.
                None if outer == Listing::Open && is_question(&section.title) => Listing::No,
                None if outer != Listing::No && begins_done(&section.title) => Listing::Closed,
                None if outer == Listing::Open && tells_of_the_list(&section.title) => Listing::No,
                None => outer,
                Some(listing) => listing,
            };
            let plain = section.title.split('(').next().unwrap_or("");
            let severity = severity_of_title(plain).or_else(|| open.last()?.2);
            // The title of a whole document says little about its sections.
            let is_whole = index == 0 && section.level == 1 && sections.len() > 1;
            let handed_down = if is_whole { Listing::No } else { own };
            open.push((section.level, handed_down, severity));
            taken.push(Taken {
                listing: own,
                said,
                around: outer,
                severity,
            });
        }
        Self {
            sections,
            taken,
            introduced: introduced(document),
            parts: parts(document),
        }
    }

    /// The section in which a byte stands.
    pub fn section_at(&self, at: usize) -> Option<usize> {
        self.sections
            .partition_point(|section| section.own.start <= at)
            .checked_sub(1)
    }

    /// True in a part that an earlier session wrote, wherever it put it.
    pub fn is_in_part(&self, at: usize) -> bool {
        last_at(&self.parts, at, |part| part.start).is_some_and(|part| part.end > at)
    }

    /// How an entry at this byte is taken.
    pub fn at(&self, at: usize) -> Listing {
        if self.is_in_part(at) {
            return Listing::No;
        }
        let by_line = last_at(&self.introduced, at, |intro| intro.span.start);
        let section = || self.section_at(at);
        match by_line.filter(|intro| intro.span.end > at) {
            Some(intro) => intro.listing,
            None => section().map_or(Listing::No, |index| self.taken[index].listing),
        }
    }

    /// How this section takes its entries, and how the section around it does.
    pub fn of_section(&self, index: usize) -> (Listing, Listing) {
        match self.is_in_part(self.sections[index].own.start) {
            true => (Listing::No, Listing::No),
            false => (self.taken[index].listing, self.taken[index].around),
        }
    }

    /// True for a section whose own title says that it lists what is open.
    pub fn says_open(&self, index: usize) -> bool {
        self.taken[index].said == Some(Listing::Open)
    }

    /// True for a section whose own title says that what stands below it is open, or may be.
    pub fn may_be_open(&self, index: usize) -> bool {
        matches!(
            self.taken[index].said,
            Some(Listing::Open | Listing::Perhaps)
        )
    }

    pub fn severity_at(&self, at: usize) -> Option<Severity> {
        self.taken[self.section_at(at)?].severity
    }

    /// The lines that open a list of what is missing; a `TODO:` among them is no gap of its own.
    pub fn introductions(&self) -> impl Iterator<Item = Range<usize>> {
        let introduced = self.introduced.iter();
        let lists = introduced.filter(|intro| intro.listing == Listing::Open);
        lists.map(|intro| intro.by.clone())
    }
}

fn parts(document: &Document) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut begun = None;
    let blocks = document.blocks.iter();
    for block in blocks.filter(|block| block.kind == BlockKind::Html) {
        let text = document.source.get(block.span.clone()).unwrap_or("");
        match text.trim_start() {
            text if text.starts_with("<!-- gapless: GAP-") => {
                begun = begun.or(Some(block.span.start))
            }
            text if text.starts_with("<!-- gapless: end GAP-") => {
                let start = begun.take();
                parts.extend(start.map(|start| start..block.span.end));
            }
            _ => {}
        }
    }
    parts
}

fn introduced(document: &Document) -> Vec<Introduced> {
    let introduces = |pair: &[Range<usize>]| {
        let line = document.prose_of(pair[0].clone()).trim();
        let is_line = line.len() < 80 && !line.starts_with('#') && !line.contains('\n');
        let is_bold = line.starts_with("**") && line.ends_with("**");
        let leads = line.trim_end_matches(['*', '_']).ends_with([':', '：']);
        if !is_line || !(is_bold || leads) {
            return None;
        }
        let is_list = document.items_in(&pair[1]).next().is_some()
            || document.rows_in(&pair[1]).next().is_some();
        let label = line.trim_matches(['*', '_', ':', '：', ' ']);
        let others = || names_others(label).then_some(Listing::No);
        let listing = listing_of(label).or_else(others)?;
        is_list.then(|| Introduced {
            by: pair[0].clone(),
            span: pair[1].clone(),
            listing,
        })
    };
    let pairs = document.outermost.windows(2);
    pairs.filter_map(introduces).collect()
}
