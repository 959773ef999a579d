//! The tables of a spec: their heads, their rows, and the places of their cells.

use std::ops::Range;

use super::spec_text::SpecText;

/// A table by its rows in the document.
#[derive(Debug, Clone)]
pub struct Table {
    /// The cells of the head, lowercase and without marks.
    pub head: Vec<String>,
    pub head_span: Range<usize>,
    pub body: Range<usize>,
    pub section: usize,
}

/// A row of a table's body.
#[derive(Clone, Copy)]
pub struct Row<'f> {
    pub cells: &'f [String],
    pub span: &'f Range<usize>,
}

impl Table {
    pub fn rows<'f>(&self, facts: &'f SpecText<'_>) -> impl Iterator<Item = Row<'f>> {
        facts.document.rows[self.body.clone()]
            .iter()
            .map(|row| Row {
                cells: &row.cells,
                span: &row.span,
            })
    }

    /// The first column whose head is one of these words, or has one of them as a word.
    pub fn column(&self, names: &[&str]) -> Option<usize> {
        let named = |cell: &String| names.contains(&cell.as_str());
        let has_name = |cell: &String| cell.split(' ').any(|word| names.contains(&word));
        let mut heads = self.head.iter();
        heads
            .position(named)
            .or_else(|| self.head.iter().position(has_name))
    }
}

impl<'f> Row<'f> {
    pub fn cell(&self, column: usize) -> &'f str {
        self.cells.get(column).map_or("", String::as_str)
    }

    /// The span of a cell's text; of the row if the cell is empty.
    pub fn span_of(&self, facts: &SpecText<'_>, column: usize) -> Range<usize> {
        let text = facts.text(self.span.clone());
        let mut at = 0;
        for (index, cell) in self.cells.iter().enumerate().take(column + 1) {
            if cell.is_empty() {
                continue;
            }
            let Some(found) = text.get(at..).and_then(|rest| rest.find(cell.as_str())) else {
                break;
            };
            let start = at + found;
            if index == column {
                return self.span.start + start..self.span.start + start + cell.len();
            }
            at = start + cell.len();
        }
        self.span.start..self.span.start + text.trim_end().len()
    }
}

/// A cell or name without the marks around it.
pub fn bare(text: &str) -> &str {
    text.trim_matches(['*', '`', '_', '"', ' ', '\u{201c}', '\u{201d}'])
}

pub fn tables_of(facts: &SpecText<'_>) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for (index, row) in facts.document.rows.iter().enumerate() {
        if row.is_head {
            let heads = row.cells.iter().map(|cell| bare(cell).to_lowercase());
            let length = facts.text(row.span.clone()).trim_end().len();
            tables.push(Table {
                head: heads.collect(),
                head_span: row.span.start..row.span.start + length,
                body: index + 1..index + 1,
                section: facts.section_at(row.span.start),
            });
        } else if let Some(table) = tables.last_mut() {
            table.body.end = index + 1;
        }
    }
    tables
}
