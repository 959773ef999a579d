//! Rows of tables that list fields, and items that describe one: what their empty cells should say.

use std::ops::Range;

use gapless_domain::{ChangeText, comma_list};
use gapless_markdown::TableRow;

use crate::changes::{Edit, replacing_row};
use crate::spec::{Place, Spec};

const TYPE_HEADS: [&str; 4] = ["type", "format", "schema", "data type"];
const MOST_ROWS: usize = 20;

/// The rows of the table at a place whose type says too little, with what it should say, and all of that on one line. Nothing
/// where the place is in no row of a table with types.
pub(crate) fn filled_rows(
    spec: &Spec<'_>,
    place: &Place,
    fit: impl Fn(&str, &str) -> Option<String>,
) -> Option<(Vec<ChangeText>, String)> {
    let rows = &spec.document.rows;
    let at = rows
        .iter()
        .position(|row| row.span.contains(&place.found.start))?;
    let head = rows.get(..at)?.iter().rposition(|row| row.is_head)?;
    let heads = rows.get(head)?.cells.iter();
    let mut heads = heads.map(|head| head.trim().to_lowercase());
    let column = heads.position(|head| TYPE_HEADS.contains(&head.as_str()))?;
    let (mut changes, mut reads) = (Vec::new(), Vec::new());
    let body = rows.iter().skip(head + 1).take_while(|row| !row.is_head);
    for row in body.take(MOST_ROWS) {
        let Some((name, filled)) = filled_cell(row, column, &fit) else {
            continue;
        };
        let new = with_cell(spec.text.get(row.span.clone())?.trim(), column, &filled)?;
        changes.push(replacing_row(spec, place, &row.span, &new)?);
        reads.push(format!("`{name}`: {filled}"));
    }
    (!changes.is_empty()).then(|| (changes, comma_list(reads)))
}

/// The name of a row's field, and what the cell of its type should say.
fn filled_cell(
    row: &TableRow,
    column: usize,
    fit: impl Fn(&str, &str) -> Option<String>,
) -> Option<(String, String)> {
    let bare = |cell: &str| cell.trim().trim_matches(['`', '*']).to_owned();
    let name = bare(row.cells.first()?);
    let others = row.cells.iter().enumerate();
    let mut others = others.filter(|(at, _)| *at > 0 && *at != column);
    // A number or a list beside the type may be its bound.
    let may_be_bound = others.any(|(_, cell)| {
        cell.contains(|c: char| c.is_ascii_digit()) || cell.matches('`').count() >= 4
    });
    let cell = row.cells.get(column).map_or("", String::as_str);
    let filled = fit(&name, cell).filter(|_| !may_be_bound)?;
    Some((name, filled))
}

/// A row with another text in one of its cells.
pub(crate) fn with_cell(row: &str, column: usize, new: &str) -> Option<String> {
    let cell = cells(row).into_iter().nth(column)?;
    let new = new.replace('|', "\\|");
    Some(format!("{} {new} {}", &row[..cell.start], &row[cell.end..]))
}

/// The cells of a row, each by its bytes between the bars.
pub(crate) fn cells(row: &str) -> Vec<Range<usize>> {
    let bars = row.match_indices('|').map(|(at, _)| at);
    let mut bars: Vec<usize> = bars.filter(|at| !row[..*at].ends_with('\\')).collect();
    if !row.trim_start().starts_with('|') {
        bars.insert(0, 0);
    }
    if !row.trim_end().ends_with('|') {
        bars.push(row.len());
    }
    let starts = bars.iter().map(|at| match row[*at..].starts_with('|') {
        true => at + 1,
        false => *at,
    });
    let ends = bars.iter().skip(1).copied();
    starts.zip(ends).map(|(start, end)| start..end).collect()
}

/// The name of a field at the beginning of an item, with its type behind it.
pub(crate) fn typed_item(
    spec: &Spec<'_>,
    place: &Place,
    fit: impl Fn(&str) -> Option<String>,
) -> Option<Edit> {
    let item = spec.text.get(place.block.clone())?;
    let marks = item.len() - item.trim_start_matches("**").len();
    let (name, _) = item[marks..].strip_prefix('`')?.split_once('`')?;
    let start = place.block.start + marks;
    Some(Edit {
        range: start..start + name.len() + 2,
        new: format!("`{name}` ({})", fit(name)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_filled_and_the_row_stays_a_row() {
        for (row, column, expected) in [
            ("| `a` | | x |", 1, "| `a` | text | x |"),
            ("| a | b \\| c | d |", 2, "| a | b \\| c | text |"),
            ("a | b", 1, "a | text "),
        ] {
            assert_eq!(with_cell(row, column, "text").as_deref(), Some(expected));
        }
        assert_eq!(with_cell("| a |", 3, "text"), None);
    }
}
