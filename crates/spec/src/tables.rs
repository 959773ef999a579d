//! What changes may do to tables: rows give way to rows, and cells to as many cells.

use std::ops::Range;

use gapless_markdown::{Document, TableRow};

/// What a passage is in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InTable {
    /// Whole rows below the head.
    Rows { columns: usize },
    /// So many cells of one row, or text within them.
    Cells { count: usize },
}

/// What a passage is in a table; nothing where it has its head, or is in none.
pub(super) fn in_table(document: &Document, range: &Range<usize>) -> Option<InTable> {
    let source: &str = &document.source;
    let touched = |row: &TableRow| row.span.start < range.end && range.start < row.span.end;
    let first = document.rows.iter().position(touched)?;
    let row = &document.rows[first];
    let says = |part: Range<usize>| {
        let part = source.get(part).unwrap_or("");
        part.contains(|c: char| !c.is_whitespace() && c != '|')
    };
    let is_inside = row.span.start <= range.start && range.end <= row.span.end;
    let is_part = is_inside && (says(row.span.start..range.start) || says(range.end..row.span.end));
    if is_part {
        let count = cells_in(source.get(range.clone()).unwrap_or(""));
        return Some(InTable::Cells { count });
    }
    let head = document.rows[..=first].iter().rfind(|row| row.is_head)?;
    let is_below = head.span.end <= range.start;
    is_below.then_some(InTable::Rows {
        columns: head.cells.len(),
    })
}

/// True for a line that is a row with so many cells.
pub(super) fn is_row(line: &str, columns: usize) -> bool {
    let has_bars = line.trim_start().starts_with('|') || columns > 1;
    has_bars && cells_in(line) == columns
}

/// Where a text has rows for a table at this place that have more or fewer cells than its head: both numbers.
pub(super) fn other_columns(
    document: &Document,
    range: &Range<usize>,
    new: &str,
) -> Option<(usize, usize)> {
    let row = document
        .rows
        .iter()
        .rposition(|row| row.span.start <= range.start && range.end <= row.span.end)?;
    let head = document.rows[..=row].iter().rfind(|row| row.is_head)?;
    let rows = new
        .lines()
        .filter(|line| line.trim_start().starts_with('|'));
    let mut others = rows
        .map(cells_in)
        .filter(|count| *count != head.cells.len());
    Some((others.next()?, head.cells.len()))
}

/// How many cells a row has, or a part of one.
pub(super) fn cells_in(row: &str) -> usize {
    let bare = row.trim().trim_matches('|').replace("\\|", "");
    bare.matches('|').count() + 1
}
