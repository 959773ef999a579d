//! The one-line form of a gap, as sources and agents declare it:
//! `GAP-FLOW-019 [MEDIUM] (section: Delivery; blocked by: GAP-FLOW-001): what is missing`.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::fields::is_none_word;
use super::vocabulary::severity_at_start;
use gapless_domain::{GapId, Severity, gap_ids_in};
use gapless_markdown::Document;

/// A gap that a document declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeclaredGap {
    pub id: GapId,
    /// Where the document gives none, it is MEDIUM.
    pub severity: Option<Severity>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub blocked_by: BTreeSet<GapId>,
    pub description: String,
    pub line: u32,
    /// The name that the document itself has for it, where that is no gap id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
}

impl DeclaredGap {
    /// Reads a list item; `None` where it doesn't begin with a gap id.
    pub fn from_item(text: &str, line: u32) -> Option<Self> {
        let text = strip_checkbox(text);
        let bare = text.trim_start_matches(['*', '`', '_']);
        let found = gap_ids_in(bare).into_iter().next().filter(|f| f.at == 0)?;
        let rest = &bare[found.id.to_string().len()..];
        Some(Self::from_words(found.id, rest, line))
    }

    /// Reads what stands behind the name of a gap: notes in brackets, and what is missing.
    pub(super) fn from_words(id: GapId, words: &str, line: u32) -> Self {
        let mut gap = Self {
            id,
            severity: None,
            section: None,
            blocked_by: BTreeSet::new(),
            description: String::new(),
            line,
            alias: None,
        };
        let mut rest = words.trim_start_matches(['*', '`', '_']).trim_start();
        loop {
            if let Some((inner, behind)) = bracketed(rest, '[', ']')
                && let Ok(severity) = inner.parse()
            {
                gap.severity = Some(severity);
                rest = behind;
            } else if let Some((inner, behind)) = bracketed(rest, '(', ')')
                && gap.read_notes(inner)
            {
                rest = behind;
            } else {
                break;
            }
        }
        let description = rest.trim_start_matches(['*', ':', '-', '–', '—', ' ']);
        gap.description = description.trim().to_owned();
        gap
    }

    /// Reads a table row whose first cell is a gap id: severity is the cell that is one, the description the longest.
    pub fn from_row(cells: &[String], line: u32) -> Option<Self> {
        let mut gap = Self::from_item(cells.first()?, line)?;
        for cell in &cells[1..] {
            match severity_at_start(cell).filter(|_| cell.split_whitespace().count() <= 2) {
                Some(severity) => gap.severity = gap.severity.or(Some(severity)),
                None if cell.len() > gap.description.len() => gap.description = cell.clone(),
                None => {}
            }
        }
        Some(gap)
    }

    /// Reads `section: X; blocked by: GAP-A, GAP-B` or a bare severity; false where it is neither.
    fn read_notes(&mut self, notes: &str) -> bool {
        if let Ok(severity) = notes.parse() {
            self.severity = Some(severity);
            return true;
        }
        let mut understood = false;
        for note in notes.split(';') {
            let Some((name, value)) = note.split_once(':') else {
                continue;
            };
            match name.trim().to_ascii_lowercase().as_str() {
                "section" => self.section = Some(value.trim().to_owned()),
                "blocked by" | "depends on" => self.wait_on(value),
                "severity" => self.severity = value.parse().ok(),
                _ => continue,
            }
            understood = true;
        }
        understood
    }

    /// Takes the gaps that a text names as those that this one waits on. None waits on itself.
    pub(super) fn wait_on(&mut self, text: &str) {
        let named = gap_ids_in(text).into_iter().map(|found| found.id);
        self.blocked_by.extend(named.filter(|id| *id != self.id));
    }
}

/// Reads the list items and table rows of a part that lists new gaps.
pub(super) fn read_new_gaps(document: &Document, part: &Range<usize>) -> Vec<DeclaredGap> {
    let items = document
        .items_in(part)
        .filter(|item| item.depth == 0 && !is_none_word(&item.text))
        .filter_map(|item| DeclaredGap::from_item(&item.text, item.line));
    let rows = document
        .rows_in(part)
        .filter_map(|row| DeclaredGap::from_row(&row.cells, row.line));
    let mut gaps: Vec<DeclaredGap> = items.chain(rows).collect();
    gaps.sort_by_key(|gap| gap.line);
    gaps
}

pub(super) fn first_gap(text: &str) -> Option<GapId> {
    gap_ids_in(text).into_iter().next().map(|found| found.id)
}

pub(super) fn strip_checkbox(text: &str) -> &str {
    ["[ ] ", "[x] ", "[X] "]
        .iter()
        .find_map(|mark| text.strip_prefix(mark))
        .unwrap_or(text)
}

pub(super) fn bracketed(text: &str, open: char, close: char) -> Option<(&str, &str)> {
    let (inner, behind) = text.strip_prefix(open)?.split_once(close)?;
    Some((inner.trim(), behind.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_of_a_line_are_read() {
        let gap = DeclaredGap::from_item(
            "GAP-RTY-001 [HIGH] (section: Retries; blocked by: GAP-DLV-001, GAP-DLV-002): what (really) is: missing",
            7,
        )
        .unwrap();
        assert_eq!(gap.id.to_string(), "GAP-RTY-001");
        assert_eq!(gap.severity, Some(Severity::High));
        assert_eq!(gap.section.as_deref(), Some("Retries"));
        assert_eq!(gap.blocked_by.len(), 2);
        assert_eq!(gap.description, "what (really) is: missing");
    }

    #[test]
    fn bare_and_bold_lines_are_read() {
        for (item, severity, description) in [
            (
                "**GAP-UX-003**: no empty state (yet)",
                None,
                "no empty state (yet)",
            ),
            (
                "[ ] GAP-UX-004 (LOW) – wording",
                Some(Severity::Low),
                "wording",
            ),
        ] {
            let gap = DeclaredGap::from_item(item, 1).unwrap();
            assert_eq!(
                (gap.severity, gap.description.as_str()),
                (severity, description)
            );
        }
        assert_eq!(DeclaredGap::from_item("see GAP-UX-004", 1), None);
    }

    #[test]
    fn no_gap_waits_on_itself() {
        let gap = DeclaredGap::from_item("GAP-UX-003 (blocked by: GAP-UX-003, GAP-UX-004): x", 1);
        let waits = gap.unwrap().blocked_by.into_iter();
        assert!(waits.eq(["GAP-UX-004".parse().unwrap()]));
    }
}
