//! What goes with a passage that is taken out, and what is left of a settled gap's own entry: an entry that nothing changed goes, and
//! so do a table without rows, a sentence that only led to what is gone, and a heading with nothing below it.

use std::collections::BTreeSet;
use std::ops::Range;

use super::composed::{Composed, Splice};
use super::entries::{Settled, is_settled};
use super::headings::Headings;
use super::insertion;
use super::walk::{Walked, walk};
use gapless_domain::GapId;
use gapless_markdown::{BlockKind, Document};
use gapless_reading::read::{
    Declaration, DeclaredAs, Section, inventory, lists_what_is_open, sections,
};

/// How deep sections are nested.
const MOST_LEVELS: usize = 6;

/// The entries of a source: what declares a gap and says nothing else.
#[derive(Debug, Clone, Default)]
pub(super) struct Entries {
    declared: Vec<Declared>,
}

#[derive(Debug, Clone)]
struct Declared {
    declaration: Declaration,
    /// The bytes of its entries, without white space at their ends.
    entries: Vec<Range<usize>>,
    /// Everything that declares it, where it begins.
    places: Vec<usize>,
}

/// An entry of a settled gap as the text has it now.
pub(super) struct Entry {
    pub gap: GapId,
    pub range: Range<usize>,
}

impl Entries {
    pub fn of(source: &str) -> Self {
        let document = Document::parse(source);
        let (walked, sections) = (walk(source), sections(&document));
        let declared = inventory(&document).declared.into_iter();
        let declared = declared.map(|declaration| {
            let mut found = Declared {
                entries: Vec::new(),
                places: Vec::new(),
                declaration,
            };
            for (line, form) in &found.declaration.forms {
                let (place, entry) = entry_of(&document, &walked, &sections, *line, form);
                found.places.extend(place);
                found.entries.extend(entry);
            }
            found
        });
        Self {
            declared: declared.collect(),
        }
    }

    /// The entries of settled gaps that are in the text as the source has them, and the gaps of which one stays for now, because
    /// something of another gap is in it.
    pub fn left(&self, composed: &Composed, settled: &Settled) -> (Vec<Entry>, BTreeSet<GapId>) {
        let mut left: Vec<Entry> = Vec::new();
        let mut held = BTreeSet::new();
        for declared in &self.declared {
            if !is_settled(&declared.declaration, settled) {
                continue;
            }
            for range in &declared.entries {
                let Some(here) = composed.untouched(range) else {
                    continue;
                };
                let gap = declared.declaration.gap.id.clone();
                if self.has_others(range, &declared.declaration, composed) {
                    held.insert(gap);
                } else {
                    left.push(Entry { gap, range: here });
                }
            }
        }
        left.sort_by_key(|entry| entry.range.start);
        (left, held)
    }

    fn has_others(&self, range: &Range<usize>, own: &Declaration, composed: &Composed) -> bool {
        let others = self.declared.iter();
        others
            .filter(|other| other.declaration.gap.id != own.gap.id)
            .flat_map(|other| &other.places)
            .any(|place| {
                range.start < *place && *place < range.end && composed.place_of(*place).is_some()
            })
    }
}

/// Where something declares a gap, and what of it goes with the gap.
fn entry_of(
    document: &Document,
    walked: &Walked,
    sections: &[Section],
    line: u32,
    form: &DeclaredAs,
) -> (Option<usize>, Option<Range<usize>>) {
    let range = match form {
        DeclaredAs::Item(index) => document.items.get(*index).map(|item| item.span.clone()),
        DeclaredAs::Row(index) => walked.rows.get(*index).map(|row| row.span.clone()),
        DeclaredAs::Words(range) => {
            let in_cell = document
                .blocks
                .iter()
                .any(|block| block.kind == BlockKind::Cell && block.span.contains(&range.start));
            match in_cell {
                true => return (Some(range.start), None),
                false => Some(range.clone()),
            }
        }
        DeclaredAs::Heading => {
            let section = sections.iter().position(|section| section.line == line);
            let start = section.map(|index| sections[index].own.start);
            match section.filter(|index| is_entry(sections, *index)) {
                Some(index) => Some(sections[index].own.clone()),
                None => return (start, None),
            }
        }
        DeclaredAs::Marks(marks) => return (marks.first().map(|mark| mark.start), None),
    };
    let trimmed = range.map(|range| {
        let text = document.source.get(range.clone()).unwrap_or("");
        let start = range.start + text.len() - text.trim_start().len();
        start..(range.start + text.trim_end().len()).max(start)
    });
    let range = trimmed.filter(|range| !range.is_empty());
    (range.as_ref().map(|range| range.start), range)
}

/// True for a section that is an entry: one of several below what lists what is open, or one that is titled with a gap's id.
fn is_entry(sections: &[Section], index: usize) -> bool {
    let section = &sections[index];
    let is_leaf = section.own.end == section.whole.end;
    let begins_with_id = gapless_domain::gap_ids_in(&section.title)
        .first()
        .is_some_and(|found| found.at == 0);
    let mut around = sections[..index].iter().rev();
    let listed = around.any(|other| {
        other.whole.contains(&section.own.start)
            && other.level < section.level
            && lists_what_is_open(&other.title)
    });
    is_leaf && (begins_with_id || listed)
}

/// A place where something was taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Hole {
    at: usize,
    /// The level of the heading that it began with; deeper than any for what had none.
    level: u8,
}

/// A stretch that goes with something else.
pub(super) struct Swept {
    pub gap: GapId,
    pub text: String,
}

/// Takes out of a text the entries of these settled gaps, and what has nothing in it after that and after these steps, which took
/// something away with the text that is given. The steps that do it have the numbers from `first` on.
pub(super) fn sweep(
    composed: &mut Composed,
    headings: &mut Headings,
    gap: &GapId,
    entries: Vec<Entry>,
    removed: &[(usize, String)],
    first: usize,
) -> Vec<Swept> {
    let mut swept: Vec<Swept> = Vec::new();
    let mut holes: Vec<Hole> = Vec::new();
    let level = |text: &str| match walk(text.trim_start()).heads.first() {
        Some(head) if head.span.start == 0 => head.level,
        _ => u8::MAX,
    };
    for (number, range) in composed.steps() {
        let own = removed.iter().find(|(step, _)| *step == number);
        holes.extend(own.map(|(_, text)| Hole {
            at: range.start,
            level: level(text),
        }));
    }
    let ranges = entries.iter().map(|entry| {
        let range = insertion::removing(&composed.text, &entry.range).range;
        (entry.gap.clone(), range)
    });
    let mut next: Vec<(GapId, Range<usize>)> = Vec::new();
    for (gap, range) in ranges {
        match next.last_mut() {
            Some((_, last)) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => next.push((gap, range)),
        }
    }
    // Each time around, a section deeper at least is gone.
    for _ in 0..=MOST_LEVELS {
        let mut splices: Vec<(usize, Splice)> = Vec::new();
        for (gap, range) in next {
            let text = composed.text.get(range.clone()).unwrap_or("").to_owned();
            let splice = Splice {
                range,
                text: String::new(),
            };
            splices.push((first + swept.len(), splice));
            swept.push(Swept { gap, text });
        }
        let made: Vec<&Splice> = splices.iter().map(|(_, splice)| splice).collect();
        headings.spliced(&composed.text, &made);
        composed.make(&splices);
        for (number, range) in composed.steps() {
            if splices.iter().any(|(step, _)| *step == number) {
                let text = swept.get(number - first).map_or("", |one| &one.text);
                let (at, level) = (range.start, level(text));
                holes.push(Hole { at, level });
            }
        }
        if holes.is_empty() {
            break;
        }
        let emptied = holes
            .iter()
            .flat_map(|hole| emptied(&composed.text, headings, hole));
        let emptied = super::walk::merged(emptied.collect());
        next = emptied
            .into_iter()
            .map(|range| (gap.clone(), range))
            .collect();
        if next.is_empty() {
            break;
        }
        holes.clear();
    }
    swept
}

/// What has nothing in it at this place: a table first, since a section may have nothing else.
fn emptied(text: &str, headings: &Headings, hole: &Hole) -> Vec<Range<usize>> {
    let around = hole.at.saturating_sub(1)..hole.at;
    let (document, from) = headings.part(text, &around);
    let hole = Hole {
        at: hole.at - from,
        ..*hole
    };
    let is_body = |at: usize, table: &Range<usize>| table.contains(&at);
    let tables = document.outermost.iter().filter(|block| {
        let mut rows = document.rows.iter();
        let touches = block.start < hole.at && hole.at <= block.end + 1;
        touches
            && rows
                .clone()
                .any(|row| row.is_head && is_body(row.span.start, block))
            && !rows.any(|row| !row.is_head && is_body(row.span.start, block))
    });
    let mut emptied: Vec<Range<usize>> = tables.cloned().collect();
    if emptied.is_empty() {
        let sections = sections(&document);
        let is_empty = |(index, section): &(usize, &Section)| {
            let is_first = || {
                text[..from + section.own.start]
                    .trim_start_matches('\u{feff}')
                    .trim()
                    .is_empty()
            };
            let is_title = *index == 0 && section.level == 1 && is_first();
            let is_leaf = section.own.end == section.whole.end;
            is_leaf && !is_title && has_nothing(&document, section, &hole)
        };
        let all = sections.iter().enumerate().filter(is_empty);
        emptied = all.map(|(_, section)| section.own.clone()).collect();
    }
    let words = emptied.into_iter().map(|range| {
        let (start, end) = (from + range.start, from + range.end);
        let end = start + text[start..end].trim_end().len();
        insertion::removing(text, &(start..end)).range
    });
    words.collect()
}

/// True where nothing is left of a section around a hole but its heading, and a sentence that leads to what was there.
fn has_nothing(document: &Document, section: &Section, hole: &Hole) -> bool {
    let mut headings = document.headings.iter();
    let heading = headings.find(|heading| heading.span.start == section.own.start);
    let Some(body) = heading.map(|heading| heading.span.end) else {
        return false;
    };
    let is_within = body <= hole.at && hole.at <= section.own.end && section.level < hole.level;
    let left = document.source.get(body..section.own.end).unwrap_or("");
    let end = body + left.trim_end().len();
    let blocks = document.blocks.iter();
    let mut blocks = blocks.filter(|block| body <= block.span.start && block.span.start < end);
    let leads = match (blocks.next(), blocks.next()) {
        (None, None) => left.trim().is_empty(),
        (Some(only), None) => {
            only.kind == BlockKind::Paragraph
                && !only.quoted
                && left.trim_end().ends_with(':')
                && end <= hole.at
        }
        _ => false,
    };
    is_within && leads
}
