//! Which sections of a source list what is open, by their titles.

use std::ops::Range;
use std::sync::LazyLock;

use super::super::source::{Section, sections};
use super::super::vocabulary::{severity_of_title, words_of};
use super::names::is_question;
use super::wording::is_done_word;
use gapless_domain::Severity;
use gapless_domain::words::phrases;
use gapless_markdown::{BlockKind, Document, last_at};

/// How the entries of a section are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listing {
    /// Only what has a gap id, or a mark, is a gap.
    No,
    /// Questions, unchecked boxes and what has a name are open. The rest may be what the spec is about: an issue tracker has
    /// a section on issues too.
    Perhaps,
    /// Every entry is something open.
    Open,
    /// What was open once.
    Closed,
}

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
            let own = match listing_of(&section.title) {
                // What hangs below an open question is about it.
                None if outer == Listing::Open && is_question(&section.title) => Listing::No,
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
        if !is_line || !line.trim_end_matches(['*', '_']).ends_with(':') {
            return None;
        }
        let is_list = document.items_in(&pair[1]).next().is_some()
            || document.rows_in(&pair[1]).next().is_some();
        let listing = listing_of(line.trim_matches(['*', '_', ':', ' ']))?;
        is_list.then(|| Introduced {
            by: pair[0].clone(),
            span: pair[1].clone(),
            listing,
        })
    };
    let pairs = document.outermost.windows(2);
    pairs.filter_map(introduces).collect()
}

/// Words of one title, without the numbers before them.
fn title_words(title: &str) -> Vec<String> {
    words_of(title)
        .skip_while(|word| word.bytes().all(|b| b.is_ascii_digit()))
        .take(12)
        .map(str::to_lowercase)
        .collect()
}

/// True where a title says that everything below it is open: `11. Open Questions`, `Known gaps`, `TBD`.
pub fn lists_what_is_open(title: &str) -> bool {
    listing_of(title) == Some(Listing::Open)
}

/// True where a title says that what stands below it is open, or may be.
pub(super) fn is_open_title(title: &str) -> bool {
    matches!(listing_of(title), Some(Listing::Open | Listing::Perhaps))
}

/// Titles that list what is open.
static OPEN: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/open_sections.txt")).collect());
/// Titles that may.
const PERHAPS: [&str; 7] = [
    "questions",
    "gaps",
    "issues",
    "missing",
    "todo",
    "todos",
    "to do",
];
/// Words that make a title one of those in front of the words below.
const FIRST: [&str; 9] = [
    "open",
    "known",
    "unresolved",
    "unanswered",
    "outstanding",
    "remaining",
    "pending",
    "undecided",
    "identified",
];
static SECOND: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/open_section_seconds.txt")).collect());

/// What a title says about the entries below it, if it does.
fn listing_of(title: &str) -> Option<Listing> {
    let words = title_words(title);
    if words.first().is_some_and(|word| is_done_word(word)) {
        return Some(Listing::Closed);
    }
    let whole = words.join(" ");
    let named = words.windows(2).position(|pair| {
        let (one, other) = (pair[0].as_str(), pair[1].as_str());
        let is_turned = matches!(other, "pending" | "outstanding" | "unresolved");
        FIRST.contains(&one) && SECOND.contains(&other) || SECOND.contains(&one) && is_turned
    });
    if let Some(at) = named {
        return Some(match tells_about(&words, at + 2) {
            true => Listing::Perhaps,
            false => Listing::Open,
        });
    }
    // As authors write it for themselves; `Todo` may be what the spec is about.
    let is_shouted = whole == "todo" && title.contains("TODO");
    if is_shouted || OPEN.contains(&whole.as_str()) {
        return Some(Listing::Open);
    }
    // `Type gaps` lists gaps; a `Gap summary` counts them.
    let ends_so = words.len() <= 4
        && words.last().is_some_and(|word| word == "gaps")
        && !words
            .iter()
            .any(|word| matches!(word.as_str(), "the" | "no" | "closing" | "filling"));
    (PERHAPS.contains(&whole.as_str()) || ends_so).then_some(Listing::Perhaps)
}

/// A title such as `How open issues are shown` or `Open issues view`: what stands below it is told, not left open.
fn tells_about(title: &[String], behind: usize) -> bool {
    const FIRST: [&str; 8] = [
        "how", "when", "handling", "showing", "managing", "viewing", "listing", "tracking",
    ];
    const NEXT: [&str; 8] = [
        "view", "screen", "page", "tab", "panel", "endpoint", "badge", "count",
    ];
    let has =
        |words: &[&str], at: usize| title.get(at).is_some_and(|w| words.contains(&w.as_str()));
    has(&FIRST, 0) || has(&NEXT, behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_that_list_what_is_open_are_known() {
        for title in [
            "Open Questions",
            "TODO",
            "11. Open Questions",
            "Known gaps and limits",
            "TBD",
            "To be decided",
            "Unresolved issues",
            "Appendix: open points",
            "Decisions pending",
        ] {
            assert_eq!(listing_of(title), Some(Listing::Open), "{title}");
        }
        for title in [
            "4.3 GAPS",
            "Type System Gaps",
            "Issues",
            "Todos",
            "To do",
            "How open questions are shown",
            "Open issues view",
        ] {
            assert_eq!(listing_of(title), Some(Listing::Perhaps), "{title}");
        }
        for title in [
            "User Questions This View Answers",
            "Gap Summary",
            "Known limitations",
            "Opening hours",
            "Issue tracker",
            "TODO app",
            "To do lists",
            "Closing the gaps",
            "",
        ] {
            assert!(!is_open_title(title), "{title}");
        }
    }
}
