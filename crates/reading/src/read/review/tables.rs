//! Findings and earlier issues in tables: columns are known by their titles, ids and severities by their cells.

use std::ops::Range;

use super::super::gap_line::first_gap;
use super::fields::{FieldKind, field_kind};
use super::found::Found;
use super::item_text::{is_template, names_nothing};
use super::names::leading_id;
use super::ratings::{Rating, rating_of_value};
use super::statuses::{IssueStatus, status_at_start};
use super::titles::SectionRole;
use super::verdict_words::whole_verdict;
use gapless_domain::{GapId, gap_ids_in};
use gapless_markdown::{Document, TableRow};

/// A table: what its columns are for, and its rows.
struct Table<'d> {
    columns: Vec<Option<FieldKind>>,
    rows: Vec<&'d TableRow>,
}

impl Table<'_> {
    fn has(&self, kind: FieldKind) -> bool {
        self.columns.contains(&Some(kind))
    }

    /// Columns with other titles are known by their cells: most of them severities, or statuses.
    fn know_by_cells(&mut self) {
        for (index, column) in self.columns.iter_mut().enumerate() {
            let cells = self.rows.iter().filter_map(|row| row.cells.get(index));
            let cells: Vec<&String> = cells.collect();
            let most = |known: &dyn Fn(&str) -> bool| {
                cells.iter().filter(|cell| known(cell)).count() * 2 > cells.len()
            };
            match column {
                Some(FieldKind::Severity | FieldKind::Status) => {}
                _ if most(&|cell| is_short(cell) && rating_of_value(cell).is_some()) => {
                    *column = Some(FieldKind::Severity);
                }
                _ if most(&|cell| short_status(cell).is_some()) => {
                    *column = Some(FieldKind::Status);
                }
                _ => {}
            }
        }
    }

    /// True where the cells of the severity column, or most of them, are severities.
    fn rates(&self) -> bool {
        let rated = self.rows.iter().filter(|row| self.rating(row).is_some());
        self.has(FieldKind::Severity) && rated.count() * 2 > self.rows.len()
    }

    fn cells<'r>(&self, row: &'r TableRow, kind: FieldKind) -> Vec<&'r str> {
        let columns = row.cells.iter().zip(&self.columns);
        let of_kind = columns.filter(|(_, column)| **column == Some(kind));
        of_kind.map(|(cell, _)| cell.as_str()).collect()
    }

    fn rating(&self, row: &TableRow) -> Option<Rating> {
        let cells = self.cells(row, FieldKind::Severity);
        cells.into_iter().find_map(rating_of_value)
    }

    fn status(&self, row: &TableRow) -> Option<IssueStatus> {
        let cells = self.cells(row, FieldKind::Status);
        cells.into_iter().filter_map(status_at_start).max()
    }
}

/// The tables of a range that are the document's own.
fn tables<'d>(document: &'d Document, range: &Range<usize>) -> Vec<Table<'d>> {
    let mut tables: Vec<Table> = Vec::new();
    for row in document
        .rows_in(range)
        .filter(|row| !document.is_quoted(row.span.start))
    {
        match (row.is_head, tables.last_mut()) {
            (true, _) => tables.push(Table {
                columns: row.cells.iter().map(|cell| column_kind(cell)).collect(),
                rows: Vec::new(),
            }),
            (false, Some(table)) => table.rows.push(row),
            (false, None) => {}
        }
    }
    for table in &mut tables {
        table.know_by_cells();
    }
    tables
}

fn column_kind(title: &str) -> Option<FieldKind> {
    let title = title.trim_matches(['*', '`', ' ', '?', ':']);
    match title.to_lowercase().as_str() {
        "title" | "issue title" | "findings" | "issues" | "concerns" | "problems" => {
            Some(FieldKind::Problem)
        }
        _ => field_kind(title),
    }
}

/// The findings in tables: under findings every table, elsewhere only one that has a column for the severity.
pub(super) fn findings(
    document: &Document,
    role: SectionRole,
    section: Rating,
    range: &Range<usize>,
) -> Vec<Found> {
    let mut found = Vec::new();
    for table in tables(document, range) {
        if role != SectionRole::Findings && !table.rates() {
            continue;
        }
        for row in &table.rows {
            let mut others = row.cells.iter().skip(1);
            let judges = gap_of(row).is_some() && others.any(|cell| whole_verdict(cell).is_some());
            if table.status(row) != Some(IssueStatus::Settled) && !judges {
                found.extend(read_row(&table, row, section));
            }
        }
    }
    found
}

/// The earlier issues that a table says are still open.
pub(super) fn open_issues(
    document: &Document,
    role: SectionRole,
    range: &Range<usize>,
) -> Vec<Found> {
    let mut found = Vec::new();
    // Elsewhere a table with severities is one of findings.
    let verifies = role == SectionRole::Verification;
    for table in tables(document, range)
        .iter()
        .filter(|table| verifies || !table.rates())
    {
        for row in &table.rows {
            let named = row.cells.iter().any(|cell| id_of(cell).is_some());
            let others = row.cells.iter().skip(1);
            let status = match table.has(FieldKind::Status) {
                true => table.status(row),
                false => others.filter_map(|cell| short_status(cell)).max(),
            };
            if named && status == Some(IssueStatus::Open) {
                found.extend(read_row(table, row, Rating::default()));
            }
        }
    }
    found
}

/// A cell that is a status and little else.
fn short_status(cell: &str) -> Option<IssueStatus> {
    is_short(cell).then(|| status_at_start(cell)).flatten()
}

fn is_short(cell: &str) -> bool {
    cell.split_whitespace().count() <= 3
}

fn read_row(table: &Table, row: &TableRow, section: Rating) -> Option<Found> {
    let mut found = Found {
        span: row.span.clone(),
        line: row.line,
        section,
        gap: gap_of(row),
        ..Found::default()
    };
    let mut rest: Vec<&str> = Vec::new();
    let mut problem = None;
    for (index, cell) in row.cells.iter().enumerate() {
        let kind = table.columns.get(index).copied().flatten();
        match kind {
            _ if cell.is_empty() => {}
            _ if id_of(cell).is_some() && found.written_id.is_empty() => {
                found.written_id = id_of(cell).unwrap_or_default().to_owned();
            }
            Some(FieldKind::Severity) if rating_of_value(cell).is_some() => {
                found.tag = rating_of_value(cell).unwrap_or_default();
            }
            Some(FieldKind::Problem) if problem.is_none() => problem = Some(cell.as_str()),
            Some(FieldKind::Gap | FieldKind::Status) => {}
            Some(_) => found.fields.push(kind_name(kind), cell),
            None if gap_ids_in(cell)
                .iter()
                .any(|gap| cell.trim_matches(['`', '*']) == gap.id.to_string()) => {}
            None => rest.push(cell),
        }
    }
    let longest = rest.iter().max_by_key(|cell| cell.len()).copied();
    let text = match (problem, longest) {
        // A short title beside the problem belongs to it.
        (Some(problem), Some(other)) if other.len() > problem.len() => {
            format!("{problem}: {other}")
        }
        (Some(problem), _) => problem.to_owned(),
        (None, Some(other)) => other.to_owned(),
        (None, None) => String::new(),
    };
    let (tag, id) = (found.tag, std::mem::take(&mut found.written_id));
    found.take_title(&text);
    if !tag.is_none() {
        found.tag = tag;
    }
    if !id.is_empty() {
        found.written_id = id;
    }
    let says = !names_nothing(&found.summary) && !is_template(&found.summary);
    let words = found.summary.split_whitespace();
    let words = words.filter(|word| word.contains(char::is_alphabetic));
    (says && words.count() > 1).then_some(found)
}

/// A field's name for a kind of column.
fn kind_name(kind: Option<FieldKind>) -> &'static str {
    match kind {
        Some(FieldKind::Impact) => "impact",
        Some(FieldKind::Suggestion) => "suggestion",
        Some(FieldKind::Location) => "location",
        _ => "detail",
    }
}

/// A cell that is the id of an issue and nothing else.
fn id_of(cell: &str) -> Option<&str> {
    let bare = cell.trim_matches(['*', '`', '[', ']', ' ', ':', '#']);
    let lettered = format!("{bare}:");
    let whole = leading_id(&lettered).is_some_and(|(id, _)| id.len() == bare.len());
    whole.then_some(bare)
}

fn gap_of(row: &TableRow) -> Option<GapId> {
    row.cells.iter().find_map(|cell| first_gap(cell))
}
