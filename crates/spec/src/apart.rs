//! Where a text that takes the place of a passage needs an empty line between itself and the rest of the passage's paragraph: a list, a
//! table, a code block or a heading is no part of a sentence's paragraph.

use std::ops::Range;

use super::insertion::{Apart, begins_block, line_start};
use gapless_markdown::{BlockKind, Document};

pub(super) fn of(document: &Document, range: &Range<usize>, new: &str) -> Apart {
    let source: &str = &document.source;
    let mut blocks = document.blocks.iter();
    let block = blocks.find(|block| {
        matches!(block.kind, BlockKind::Paragraph | BlockKind::Item)
            && block.span.start <= range.start
            && range.end <= block.span.end
    });
    let Some(block) = block else {
        return Apart::default();
    };
    let new = new.trim();
    let last = new.rsplit("\n\n").next().unwrap_or(new);
    let begins = new.lines().next().is_some_and(begins_block);
    let ends = last.lines().next().is_some_and(begins_block)
        || new.lines().last().is_some_and(begins_block);
    let says = |part: Range<usize>| source[part].contains(char::is_alphanumeric);
    let line = line_start(source, range.start).max(block.span.start);
    let begins_line = !says(line..range.start);
    Apart {
        // What begins an item's line goes on with the list around it.
        before: begins
            && says(block.span.start..range.start)
            && !(begins_line && block.kind == BlockKind::Item),
        behind: ends && says(range.end..block.span.end),
    }
}
