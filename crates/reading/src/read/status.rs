//! The reading of a session's status.md: gapless's own, and the three formats that sessions in the wild use (a
//! severity heading with a table, a severity column, checkboxes).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::vocabulary::{has_word, severity_at_start, severity_of_title, severity_tag, words_of};
use gapless_domain::{GapId, GapState, IssueId, Severity, gap_ids_in};
use gapless_markdown::{Document, TableRow};

/// A gap as a status document has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusEntry {
    pub gap: GapId,
    pub severity: Option<Severity>,
    pub state: GapState,
    pub description: String,
    pub line: u32,
}

/// What a status document says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct StatusReading {
    pub gaps: Vec<StatusEntry>,
    pub issues: Vec<IssueId>,
}

impl StatusReading {
    pub fn gap(&self, id: &GapId) -> Option<&StatusEntry> {
        self.gaps.iter().find(|entry| entry.gap == *id)
    }
}

/// Words for states, longest first where one is part of another.
const STATE_WORDS: [(&str, GapState); 18] = [
    ("IN_PROGRESS", GapState::InProgress),
    ("IN PROGRESS", GapState::InProgress),
    ("IN REVIEW", GapState::Proposed),
    ("NEEDS_REVISION", GapState::NeedsRevision),
    ("NEEDS REVISION", GapState::NeedsRevision),
    ("USER_DEFERRED", GapState::UserDeferred),
    ("DEFERRED", GapState::UserDeferred),
    ("BLOCKED_EXTERNAL", GapState::BlockedExternal),
    ("BLOCKED", GapState::BlockedExternal),
    ("WONT_FIX", GapState::WontFix),
    ("WON'T FIX", GapState::WontFix),
    ("SUPERSEDED", GapState::Superseded),
    ("PROPOSED", GapState::Proposed),
    ("ACCEPTED", GapState::Accepted),
    ("RESOLVED", GapState::Resolved),
    ("CLOSED", GapState::WontFix),
    ("OPEN", GapState::Open),
    ("NEW", GapState::Open),
];

/// Reads a status document. A gap that stands in several places is read from the first that is an inventory entry.
pub fn read_status(document: &Document) -> StatusReading {
    let mut reading = StatusReading::default();
    let mut gaps: BTreeSet<GapId> = BTreeSet::new();
    let mut issues: BTreeSet<IssueId> = BTreeSet::new();
    let mut entries = entries(document);
    // What is left is a list of its own, which says less of a gap than the inventory does.
    entries.sort_by_key(|(at, _)| is_limitation(document, *at));
    for (at, entry) in entries {
        if gaps.insert(entry.gap.clone()) {
            let severity = entry.severity.or_else(|| section_severity(document, at));
            reading.gaps.push(StatusEntry { severity, ..entry });
        }
    }
    for found in gapless_domain::ids::issue_ids_in(document.prose()) {
        if issues.insert(found.id) {
            reading.issues.push(found.id);
        }
    }
    reading
}

/// Table rows and checkbox or plain items that begin with a gap's id, in the order of the document.
fn entries(document: &Document) -> Vec<(usize, StatusEntry)> {
    let rows = telling_cells(document).filter_map(|(row, cells)| {
        let gap = leading_gap(row.cells.first()?)?;
        let state = cells.iter().find_map(|cell| state_at_start(cell));
        let severity = cells
            .iter()
            .filter(|cell| words_of(cell).count() <= 2)
            .find_map(|cell| severity_at_start(cell));
        let longest = row.cells[1..].iter().max_by_key(|cell| cell.len());
        let entry = StatusEntry {
            gap,
            severity,
            state: state.unwrap_or(GapState::Open),
            description: longest.cloned().unwrap_or_default(),
            line: row.line,
        };
        Some((row.span.start, entry))
    });
    let items = document.items.iter().filter_map(|item| {
        let (checked, text) = match item.text.get(..4) {
            Some("[x] " | "[X] ") => (Some(true), &item.text[4..]),
            Some("[ ] ") => (Some(false), &item.text[4..]),
            _ => (None, item.text.as_str()),
        };
        let gap = leading_gap(text)?;
        let behind = &text[text.find(&gap.to_string())? + gap.to_string().len()..];
        let description = behind
            .trim_start_matches(['*', '`', ':', ' ', '-', '–'])
            .to_owned();
        let state = state_in(behind).unwrap_or(match checked {
            Some(true) => GapState::Resolved,
            _ => GapState::Open,
        });
        let entry = StatusEntry {
            gap,
            severity: severity_tag(behind),
            state,
            description,
            line: item.line,
        };
        Some((item.span.start, entry))
    });
    let mut entries: Vec<(usize, StatusEntry)> = rows.chain(items).collect();
    entries.sort_by_key(|(at, _)| *at);
    entries
}

/// Titles of columns that describe: `High load` in one is no severity, and `New users` no state.
const DESCRIBING: [&str; 10] = [
    "description",
    "what",
    "title",
    "summary",
    "missing",
    "question",
    "resolution",
    "note",
    "notes",
    "comment",
];

/// The rows of all tables, each with the cells behind its first that may say a severity or a state.
pub(super) fn telling_cells<'d>(
    document: &'d Document,
) -> impl Iterator<Item = (&'d TableRow, Vec<&'d str>)> {
    let mut describes: Vec<bool> = Vec::new();
    document.rows.iter().map(move |row| {
        if row.is_head {
            let describing = |cell: &String| words_of(cell).any(|word| has_word(&DESCRIBING, word));
            describes = row.cells.iter().map(describing).collect();
        }
        let cells = row.cells.iter().enumerate().skip(1);
        let telling = cells.filter(|(nth, _)| !describes.get(*nth).is_some_and(|known| *known));
        (row, telling.map(|(_, cell)| cell.as_str()).collect())
    })
}

fn leading_gap(text: &str) -> Option<GapId> {
    let bare = text.trim_start_matches(['*', '`', '_', '[', ' ', '~']);
    let found = gap_ids_in(bare).into_iter().next()?;
    (found.at == 0).then_some(found.id)
}

fn state_at_start(cell: &str) -> Option<GapState> {
    let cell = cell.trim_start_matches(|c: char| !c.is_alphanumeric());
    let cell = cell.to_ascii_uppercase();
    let mut states = STATE_WORDS.iter();
    let found = states.find(|(word, _)| cell.starts_with(word));
    found.map(|(_, state)| *state)
}

/// The state that a line ends with or names in capitals: `… - RESOLVED Round 9`.
fn state_in(text: &str) -> Option<GapState> {
    STATE_WORDS
        .iter()
        .filter_map(|(word, state)| {
            let at = text.rfind(word)?;
            let joins = |c: char| c.is_alphanumeric() || c == '_';
            let bounded =
                !text[..at].ends_with(joins) && !text[at + word.len()..].starts_with(joins);
            bounded.then_some((at, *state))
        })
        .max_by_key(|(at, _)| *at)
        .map(|(_, state)| state)
}

fn is_limitation(document: &Document, at: usize) -> bool {
    document.heading_at(at).is_some_and(|heading| {
        let words = words_of(&heading.title).map(str::to_ascii_lowercase);
        words.eq(["known", "limitations"])
    })
}

/// The severity of the section that a place stands in.
fn section_severity(document: &Document, at: usize) -> Option<Severity> {
    let title = &document.heading_at(at)?.title;
    severity_of_title(title).or_else(|| words_of(title).next()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let document = Document::parse(text);
        read_status(&document)
            .gaps
            .iter()
            .map(|entry| {
                let severity = entry.severity.map_or("-", Severity::name);
                format!("{} {severity} {}", entry.gap, entry.state)
            })
            .collect()
    }

    #[test]
    fn severity_headings_with_tables() {
        let text = "### HIGH (Weight: 4)\n\n| ID | Description | State | Resolution |\n|--|--|--|--|\n| GAP-AA-001 | x | RESOLVED | Section 5 |\n| GAP-AA-002 | y | DEFERRED | later |\n";
        assert_eq!(
            read(text),
            ["GAP-AA-001 HIGH RESOLVED", "GAP-AA-002 HIGH USER_DEFERRED"]
        );
    }

    #[test]
    fn severity_columns() {
        let text = "| ID | Description | State | Severity |\n|--|--|--|--|\n| GAP-AA-001 | x | ACCEPTED (R2) | CRITICAL |\n";
        assert_eq!(read(text), ["GAP-AA-001 CRITICAL ACCEPTED"]);
    }

    #[test]
    fn what_is_described_is_no_severity_and_no_state() {
        let text = "### CRITICAL\n\n| Gap | Description | State |\n|--|--|--|\n| GAP-AA-001 | Medium priority | OPEN |\n| GAP-AA-002 | Closed doors | PROPOSED |\n";
        assert_eq!(
            read(text),
            ["GAP-AA-001 CRITICAL OPEN", "GAP-AA-002 CRITICAL PROPOSED"]
        );
    }

    #[test]
    fn an_inventory_says_more_than_the_limitations_before_it() {
        let text = "## Known limitations\n- GAP-AA-001 [HIGH]: x (deferred: later)\n\n## Gaps\n\n| Gap | Severity | State |\n|--|--|--|\n| GAP-AA-001 | HIGH | USER_DEFERRED |\n";
        assert_eq!(read(text), ["GAP-AA-001 HIGH USER_DEFERRED"]);
    }

    #[test]
    fn checkboxes() {
        let text = "### Flow\n- [x] **GAP-AA-001**: done - RESOLVED Round 9\n- [ ] **GAP-AA-002** [HIGH]: not yet\n- [x] **GAP-AA-003**: ticked\n";
        assert_eq!(
            read(text),
            [
                "GAP-AA-001 - RESOLVED",
                "GAP-AA-002 HIGH OPEN",
                "GAP-AA-003 - RESOLVED"
            ]
        );
    }
}
