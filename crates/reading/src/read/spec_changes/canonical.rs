//! The canonical form of a part on changes, to the letter.

use super::heads::{Verb, clean_title, is_change_heading, is_part_title, new_title};
use super::labels::{Side, says_none};
use super::lines::{Fence, FenceEnd, Line, behind_comment, fence_of, heading_of, plain_end};
use super::marked_lines::has_marks;
use super::open::Open;
use super::part::{ChangesPart, PART_LEVEL, PART_TITLE, Place};
use super::text::Text;
use super::written::{UnclearChange, UnclearFault};
use gapless_domain::ChangeKind;

/// The level of a change's heading.
const CHANGE_LEVEL: usize = 4;

/// Reads what is canonical, and says whether all of it is.
pub(super) fn read(place: &Place) -> (ChangesPart, bool) {
    let mut reader = Reader {
        place,
        part: ChangesPart::default(),
        is_exact: true,
        open: None,
        has_prose: false,
    };
    let end = reader.run();
    reader.close();
    reader.part.span.end = place.start_of(end);
    reader.say_nothing_was_read();
    (reader.part, reader.is_exact)
}

struct Reader<'p> {
    place: &'p Place<'p>,
    part: ChangesPart,
    is_exact: bool,
    open: Option<Open>,
    /// Something is said in front of the first change.
    has_prose: bool,
}

impl<'p> Reader<'p> {
    /// Reads the lines up to the one at which the part ends.
    fn run(&mut self) -> usize {
        let lines = self.place.lines;
        let mut index = 0;
        while let Some(line) = lines.get(index) {
            if line.is_blank() {
                index += 1;
            } else if let Some(behind) = behind_comment(lines, index) {
                index = behind;
            } else if let Some(fence) = fence_of(line.text).filter(|fence| fence.indent <= 3) {
                index = self.take_fence(index, &fence);
            } else if let Some((level, title)) = heading_of(line.text) {
                if level <= usize::from(PART_LEVEL) || is_part_title(title) {
                    self.is_exact &= !is_change_heading(title);
                    break;
                }
                self.take_heading(index, level, title);
                index += 1;
            } else {
                self.take_line(line);
                index += 1;
            }
        }
        index
    }

    /// Takes the text in a fence; gives the line behind it.
    fn take_fence(&mut self, index: usize, fence: &Fence) -> usize {
        let lines = self.place.lines;
        let (end, behind) = match plain_end(lines, index, fence) {
            FenceEnd::Closed(end) => (end, end + 1),
            FenceEnd::Open(end) => {
                self.is_exact = false;
                if let Some(open) = &mut self.open {
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
        match (&mut self.open, side) {
            (Some(open), Some(side)) if takes(open, side) => {
                let inside = &lines[index + 1..end];
                self.is_exact &= !inside.iter().any(|line| may_be_meant(line, fence));
                open.texts.push(Text {
                    side: Some(side),
                    lines: inside.iter().map(|line| line.text.to_owned()).collect(),
                    ranges: inside.iter().map(|line| line.at..line.end()).collect(),
                    ..Text::default()
                });
            }
            _ => self.is_exact = false,
        }
        behind
    }

    fn take_heading(&mut self, index: usize, level: usize, title: &str) {
        self.close();
        let begun = Open {
            line: self.place.line_of(index),
            heading: self.place.lines[index].text.trim().to_owned(),
            ..Open::default()
        };
        match canonical_head(title).filter(|_| level == CHANGE_LEVEL) {
            Some((kind, section, after)) => {
                self.open = Some(Open {
                    verb: Some(Verb::Kind(kind)),
                    section,
                    after,
                    ..begun
                });
            }
            None => {
                self.is_exact = false;
                self.part.unclear.push(begun.unclear(UnclearFault::NoKind));
            }
        }
    }

    /// Takes the section behind which a new one goes; what else a line says makes the part no canonical one.
    fn take_line(&mut self, line: &Line) {
        let text = line.text.trim();
        let after = text
            .strip_prefix("After:")
            .or_else(|| text.strip_prefix("**After:**"));
        match (&mut self.open, after) {
            (Some(open), Some(after)) if takes_after(open) => open.after = clean_title(after),
            (open, _) => {
                // What a change is for may be said beside it.
                self.is_exact = false;
                self.has_prose |= open.is_none() && !says_none(line.text);
            }
        }
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else {
            return;
        };
        self.is_exact &= open.is_whole() && open.texts.iter().all(|text| text.joined().is_some());
        self.is_exact &= !matches!(open.texts.as_slice(), [one, other] if has_marks(one, other));
        self.part.take(open.verbatim());
    }

    fn say_nothing_was_read(&mut self) {
        let part = &mut self.part;
        if !self.has_prose || !part.changes.is_empty() || !part.unclear.is_empty() {
            return;
        }
        let lines = self.place.lines.iter();
        let first = lines.clone().position(|line| !line.is_blank()).unwrap_or(0);
        part.unclear.push(UnclearChange {
            line: self.place.line_of(first),
            heading: PART_TITLE.to_owned(),
            fault: UnclearFault::NoKind,
        });
    }
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
