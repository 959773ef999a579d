//! What share of the gaps that a reader found the scan finds too.

use std::fmt::Write;
use std::ops::Range;

use gapless_markdown::Document;

use crate::corpus::{Corpus, Gap, Spec, Told};
use crate::precision::{line, share};

#[derive(Default)]
struct Count {
    found: usize,
    all: usize,
}

impl Count {
    fn add(&mut self, is_found: bool) {
        self.all += 1;
        self.found += usize::from(is_found);
    }
}

pub fn tell(corpus: &Corpus, lists: bool) -> String {
    let (mut undeclared, mut findable) = (Count::default(), Count::default());
    let mut listed = String::new();
    for spec in corpus.specs.iter().filter(|spec| spec.has_gaps) {
        let places = Places::of(&spec.text);
        let gaps = corpus.gaps.iter();
        for gap in gaps.filter(|gap| gap.spec == spec.name && !gap.declared) {
            let met = meeting(corpus, spec, gap, &places);
            undeclared.add(met.is_some());
            if gap.deterministic == "y" {
                findable.add(met.is_some());
            }
            let _ = match met {
                Some(told) => writeln!(listed, "found: {} by {}", shown(gap), line(spec, told)),
                None => writeln!(
                    listed,
                    "not found: {}{}",
                    shown(gap),
                    near(spec, gap, &places)
                ),
            };
        }
    }
    let summary = format!(
        "undeclared gaps found: {}; of those that a rule could find: {}\n",
        share(undeclared.found, undeclared.all),
        share(findable.found, findable.all)
    );
    match lists {
        true => listed + "\n" + &summary,
        false => summary,
    }
}

fn shown(gap: &Gap) -> String {
    format!(
        "{}:{} {} [{}] {}",
        gap.spec, gap.line, gap.kind, gap.deterministic, gap.description
    )
}

/// The finding that meets a gap: one that was matched with it, or one in the same place.
fn meeting<'s>(corpus: &Corpus, spec: &'s Spec, gap: &Gap, places: &Places) -> Option<&'s Told> {
    let place = places.around(gap.line);
    let is_matched = |told: &Told| {
        corpus.matches.iter().any(|known| {
            (known.spec.as_str(), known.gap) == (gap.spec.as_str(), gap.line)
                && known.kind == gap.kind
                && (known.rule.as_str(), known.line) == (told.finding.rule, told.finding.line)
        })
    };
    let mut told = spec.told.iter().filter(|told| told.may_be_right());
    told.find(|told| place.contains(&told.finding.line) || is_matched(told))
}

/// The findings in the section of a gap: whether one of them is the same matter, a reader says in a file of matches.
fn near(spec: &Spec, gap: &Gap, places: &Places) -> String {
    let section = places.section_around(gap.line);
    let told = spec.told.iter().filter(|told| told.may_be_right());
    told.filter(|told| section.contains(&told.finding.line))
        .map(|told| {
            let finding = &told.finding;
            format!(
                "\n    candidate: {} {}: {}",
                finding.line, finding.rule, finding.message
            )
        })
        .collect()
}

/// The lines of the rows, items and paragraphs of a spec, and of its sections.
struct Places {
    rows: Vec<Range<u32>>,
    blocks: Vec<Range<u32>>,
    headings: Vec<u32>,
}

impl Places {
    fn of(text: &str) -> Self {
        let document = Document::parse(text);
        let lines = |span: &Range<usize>| {
            let end = span.start + document.source[span.clone()].trim_end().len();
            document.line_of(span.start)..document.line_of(end.max(span.start + 1) - 1) + 1
        };
        Self {
            rows: document.rows.iter().map(|row| lines(&row.span)).collect(),
            blocks: document
                .blocks
                .iter()
                .map(|block| lines(&block.span))
                .collect(),
            headings: document
                .headings
                .iter()
                .map(|heading| heading.line)
                .collect(),
        }
    }

    /// The row, item or paragraph with a line; the line itself where there is none.
    fn around(&self, line: u32) -> Range<u32> {
        let mut places = self.rows.iter().chain(&self.blocks);
        let place = places.find(|place| place.contains(&line));
        place.cloned().unwrap_or(line..line + 1)
    }

    fn section_around(&self, line: u32) -> Range<u32> {
        let next = self.headings.partition_point(|heading| *heading <= line);
        let start = next.checked_sub(1).map_or(0, |at| self.headings[at]);
        start..self.headings.get(next).copied().unwrap_or(u32::MAX)
    }
}
