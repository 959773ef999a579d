//! The canonical form of a part on changes, to the letter.

use super::free::says_none;
use super::heads::{Verb, clean_title, is_change_heading, is_part_title, new_title};
use super::labels::Side;
use super::lines::{Fence, FenceEnd, Line, behind_comment, fence_of, heading_of, plain_end};
use super::marked_lines::has_marks;
use super::texts::{Open, Text};
use super::{ChangesPart, PART_LEVEL, Place, UnclearFault};
use gapless_domain::ChangeKind;

/// The level of a change's heading.
const CHANGE_LEVEL: usize = 4;

/// Reads what is canonical, and says whether all of it is.
pub(super) fn read(place: &Place) -> (ChangesPart, bool) {
    let mut part = ChangesPart::default();
    let mut exact = true;
    let mut open: Option<Open> = None;
    let lines = place.lines;
    let mut index = 0;
    let mut said = false;
    while index < lines.len() {
        let line = lines[index];
        if line.is_blank() {
            index += 1;
        } else if let Some(behind) = behind_comment(lines, index) {
            index = behind;
        } else if let Some(fence) = fence_of(line.text).filter(|fence| fence.indent <= 3) {
            let (end, behind) = match plain_end(lines, index, &fence) {
                FenceEnd::Closed(end) => (end, end + 1),
                FenceEnd::Open(end) => {
                    exact = false;
                    if let Some(open) = &mut open {
                        open.is_cut = true;
                    }
                    (end, end)
                }
            };
            let side = match fence.info {
                "old" => Some(Side::Old),
                "new" => Some(Side::New),
                _ => None,
            };
            match (&mut open, side) {
                (Some(open), Some(side)) if takes(open, side) => {
                    let inside = &lines[index + 1..end];
                    exact &= !inside.iter().any(|line| may_be_meant(line, &fence));
                    open.texts.push(Text {
                        side: Some(side),
                        lines: inside.iter().map(|line| line.text.to_owned()).collect(),
                        ranges: inside.iter().map(|line| line.at..line.end()).collect(),
                        ..Text::default()
                    });
                }
                _ => exact = false,
            }
            index = behind;
        } else if let Some((level, title)) = heading_of(line.text) {
            if level <= usize::from(PART_LEVEL) || is_part_title(title) {
                exact &= !is_change_heading(title);
                break;
            }
            close(open.take(), &mut part, &mut exact);
            let begun = Open {
                line: place.line_of(index),
                heading: line.text.trim().to_owned(),
                ..Open::default()
            };
            match canonical_head(title).filter(|_| level == CHANGE_LEVEL) {
                Some((kind, section, after)) => {
                    open = Some(Open {
                        verb: Some(Verb::Kind(kind)),
                        section,
                        after,
                        ..begun
                    });
                }
                None => {
                    exact = false;
                    part.unclear.push(begun.unclear(UnclearFault::NoKind));
                }
            }
            index += 1;
        } else {
            let text = line.text.trim();
            let after = text
                .strip_prefix("After:")
                .or_else(|| text.strip_prefix("**After:**"));
            match (&mut open, after) {
                (Some(open), Some(after)) if takes_after(open) => open.after = clean_title(after),
                _ => {
                    // What a change is for may be said beside it.
                    exact = false;
                    said |= open.is_none() && !says_none(line.text);
                }
            }
            index += 1;
        }
    }
    close(open, &mut part, &mut exact);
    part.span.end = place.start_of(index);
    if said && part.changes.is_empty() && part.unclear.is_empty() {
        let first = lines.iter().position(|line| !line.is_blank()).unwrap_or(0);
        part.unclear.push(super::UnclearChange {
            line: place.line_of(first),
            heading: super::PART_TITLE.to_owned(),
            fault: UnclearFault::NoKind,
        });
    }
    (part, exact)
}

/// True for a line within a fence that would have needed a longer one.
fn may_be_meant(line: &Line, opener: &Fence) -> bool {
    fence_of(line.text)
        .is_some_and(|fence| fence.mark == opener.mark && fence.length >= opener.length)
}

fn takes(open: &Open, side: Side) -> bool {
    let fits = match (open.kind(), side) {
        (Some(kind), Side::Old) => kind.quotes(),
        (Some(kind), Side::New) => kind.brings_text(),
        (None, _) => false,
    };
    fits && !open.texts.iter().any(|text| text.side == Some(side))
}

fn takes_after(open: &Open) -> bool {
    open.kind() == Some(ChangeKind::NewSection) && open.after.is_none() && open.texts.is_empty()
}

/// The kind, the section, and the section behind which a new one goes.
fn canonical_head(title: &str) -> Option<(ChangeKind, Option<String>, Option<String>)> {
    ChangeKind::ALL.into_iter().find_map(|kind| {
        let rest = title.strip_prefix(kind.heading())?.strip_prefix(':')?;
        let (section, after) = match kind {
            ChangeKind::NewSection => new_title(rest),
            _ => (rest, None),
        };
        Some((kind, clean_title(section), after.and_then(clean_title)))
    })
}

fn close(open: Option<Open>, part: &mut ChangesPart, exact: &mut bool) {
    let Some(open) = open else {
        return;
    };
    *exact &= open.is_whole() && open.texts.iter().all(|text| text.joined().is_some());
    *exact &= !matches!(open.texts.as_slice(), [one, other] if has_marks(one, other));
    part.take(open.verbatim());
}
