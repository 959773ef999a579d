//! A text of a change, with the places of its lines in the document.

use std::ops::Range;

use super::labels::Side;

/// A text of a change.
#[derive(Debug, Clone, Default)]
pub(super) struct Text {
    pub side: Option<Side>,
    pub lines: Vec<String>,
    /// Where each line is in the document.
    pub ranges: Vec<Range<usize>>,
    /// A fence that says of itself that its lines have the marks of a difference.
    pub is_diff: bool,
    /// The new text of a block that has both, next to it.
    pub replacement: Option<Box<Text>>,
}

impl Text {
    pub fn of_one_line(text: &str, side: Option<Side>, range: Range<usize>) -> Self {
        Self {
            side,
            lines: vec![text.to_owned()],
            ranges: vec![range],
            ..Self::default()
        }
    }

    /// The text, where it has any.
    pub fn joined(&self) -> Option<String> {
        let text = self.lines.join("\n");
        (!text.trim().is_empty()).then_some(text)
    }

    /// The bytes of its lines, in one stretch where they are next to each other.
    pub fn stretches(&self) -> Vec<Range<usize>> {
        let mut stretches: Vec<Range<usize>> = Vec::new();
        for range in self.ranges.iter().filter(|range| !range.is_empty()) {
            // A line end is one byte or two.
            match stretches.last_mut() {
                Some(last) if range.start <= last.end + 2 && range.start >= last.end => {
                    last.end = range.end;
                }
                _ => stretches.push(range.clone()),
            }
        }
        stretches
    }
}
