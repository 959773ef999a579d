//! A part on changes: its lines while they are read, and what it says.

use std::ops::Range;

use super::lines::Line;
use super::written::{Made, UnclearChange, WrittenChange};
use gapless_markdown::Document;

/// The canonical title of the part.
pub(super) const PART_TITLE: &str = "Spec Changes";
pub(super) const PART_LEVEL: u8 = 3;

/// What a part on changes says.
#[derive(Debug, Default)]
pub(in super::super) struct ChangesPart {
    pub changes: Vec<WrittenChange>,
    pub unclear: Vec<UnclearChange>,
    /// False where it has another form than the canonical one.
    pub canonical: bool,
    /// The bytes of the part, from its heading on.
    pub span: Range<usize>,
    /// The bytes of the texts that it brings, in order.
    pub new_texts: Vec<Range<usize>>,
}

impl ChangesPart {
    pub(super) fn take(&mut self, read: Result<Vec<Made>, UnclearChange>) {
        match read {
            Ok(made) => {
                for (change, brought) in made {
                    self.changes.push(change);
                    self.new_texts.extend(brought);
                }
            }
            Err(unclear) => self.unclear.push(unclear),
        }
    }
}

/// The lines of a part, and where they are.
pub(super) struct Place<'p> {
    pub structure: &'p Document<'p>,
    pub lines: &'p [Line<'p>],
    /// The level of its heading.
    pub level: u8,
    /// Where its lines end.
    pub end: usize,
    /// True where nothing stands behind them.
    pub is_last: bool,
}

impl Place<'_> {
    pub fn line_of(&self, index: usize) -> u32 {
        let at = self.lines.get(index).map_or(self.end, |line| line.at);
        self.structure.line_of(at)
    }

    /// Where a line begins, or where all of them end.
    pub fn start_of(&self, index: usize) -> usize {
        self.lines.get(index).map_or(self.end, |line| line.at)
    }
}
