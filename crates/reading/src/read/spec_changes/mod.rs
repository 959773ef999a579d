//! The `### Spec Changes` part of a resolution: what it replaces in the spec, adds to it and removes from it. The canonical
//! form is read to the letter; where a part has another one, the habits of models are read too, in tolerant mode.

use std::ops::Range;

use gapless_domain::Strictness;
use gapless_markdown::Document;

mod canonical;
mod free;
mod heads;
mod labels;
mod lines;
mod marked_lines;
mod open;
mod part;
mod text;
mod written;

pub(super) use heads::{is_change_heading, is_part_title};
pub(super) use labels::says_none;
use lines::lines_in;
pub(super) use part::ChangesPart;
use part::{PART_LEVEL, PART_TITLE, Place};
pub use written::{UnclearChange, UnclearFault, WrittenChange};

/// What opens a part on changes: a heading, a line in bold or the fence around all of it.
#[derive(Debug, Clone)]
struct PartOpener {
    span: Range<usize>,
    level: u8,
    canonical: bool,
}

/// Reads the parts of a gap's section that say what changes in the spec. The text has its structure's places.
pub(super) fn read_parts(
    text: &str,
    structure: &Document,
    body: &Range<usize>,
    mode: Strictness,
) -> Vec<ChangesPart> {
    let openers = part_openers(text, structure, body, mode);
    if openers.is_empty() {
        return Vec::new();
    }
    let lines = lines_in(text, body.clone());
    let is_last = text
        .get(body.end..)
        .is_none_or(|rest| rest.trim().is_empty());
    let mut read: Vec<ChangesPart> = Vec::new();
    for opener in openers {
        let known = read.last().map_or(0, |part| part.span.end);
        if opener.span.start >= known {
            let from = lines.partition_point(|line| line.at < opener.span.end);
            let place = Place {
                structure,
                lines: &lines[from..],
                level: opener.level,
                end: body.end,
                is_last,
            };
            read.push(read_part(&place, &opener, mode));
        }
    }
    read
}

fn read_part(place: &Place, opener: &PartOpener, mode: Strictness) -> ChangesPart {
    let (mut read, exact) = canonical::read(place);
    read.canonical = opener.canonical;
    if mode == Strictness::Tolerant && !(exact && opener.canonical) {
        let freely = free::read(place);
        let canonical = opener.canonical
            && freely.unclear.is_empty()
            && freely.changes == read.changes
            && freely.span == read.span;
        read = ChangesPart {
            canonical,
            ..freely
        };
    }
    read.new_texts.sort_by_key(|text| text.start);
    read.span.start = opener.span.start;
    read
}

/// Finds what opens a part on changes in a gap's section.
fn part_openers(
    text: &str,
    structure: &Document,
    body: &Range<usize>,
    mode: Strictness,
) -> Vec<PartOpener> {
    let mut openers: Vec<PartOpener> = Vec::new();
    for (_, heading) in structure.headings_in(body) {
        let canonical = heading.level == PART_LEVEL && heading.title == PART_TITLE;
        if canonical || (mode == Strictness::Tolerant && is_part_title(&heading.title)) {
            openers.push(PartOpener {
                span: heading.span.clone(),
                level: heading.level,
                canonical,
            });
        }
    }
    if mode == Strictness::Tolerant && openers.is_empty() {
        openers.extend(bold_openers(structure, body));
        openers.extend(fenced_openers(text, structure, body));
        openers.sort_by_key(|opener| opener.span.start);
    }
    openers
}

/// Lines in bold that say what the part's heading would say.
fn bold_openers(structure: &Document, body: &Range<usize>) -> Vec<PartOpener> {
    let lines = structure.prose_lines(body.clone());
    let bold = lines.filter(|(_, line)| {
        let line = line.trim();
        line.starts_with("**") && line.trim_end_matches(':').ends_with("**") && is_part_title(line)
    });
    bold.map(|(at, line)| PartOpener {
        span: at..at + line.len(),
        level: PART_LEVEL,
        canonical: false,
    })
    .collect()
}

/// Fences that have the part in them, with its heading.
fn fenced_openers(text: &str, structure: &Document, body: &Range<usize>) -> Vec<PartOpener> {
    let blocks = structure.code_blocks.iter();
    let blocks = blocks.filter(|block| body.contains(&block.start));
    blocks
        .filter_map(|block| {
            let inside = text.get(block.clone())?;
            let (fence, rest) = inside.split_once('\n')?;
            lines::fence_of(fence)?;
            let title = rest.lines().find(|line| !line.trim().is_empty())?;
            let (level, words) = lines::heading_of(title)?;
            is_part_title(words).then_some(())?;
            // The fence is one of the lines, so that what closes it is known for what it is.
            let start = text[..block.start].rfind('\n').map_or(0, |at| at + 1);
            Some(PartOpener {
                span: start..start,
                level: u8::try_from(level).unwrap_or(PART_LEVEL),
                canonical: false,
            })
        })
        .collect()
}
