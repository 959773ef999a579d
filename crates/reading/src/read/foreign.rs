//! The entries of a recorded status.md that go by ids of another shape: `OQ-001`, `ISSUE-META-001`, `XCUT-NAV-001`.

use super::status::telling_cells;
use super::vocabulary::{severity_at_start, severity_tag, words_of};
use gapless_domain::{GapId, IssueId, Severity};
use gapless_markdown::Document;

/// An entry under a name that is none of gapless's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignEntry {
    pub name: String,
    /// True where it is an objection, and not something that is missing.
    pub is_issue: bool,
    /// True where the record has it as settled.
    pub settled: bool,
    pub severity: Option<Severity>,
    pub description: String,
    pub line: u32,
}

const SETTLED_WORDS: [&str; 5] = ["RESOLVED", "CLOSED", "DONE", "FIXED", "ACCEPTED"];

/// Reads the entries: checkboxes, and rows with a severity or a state. One that stands in several places is settled where any of
/// them says so.
pub fn read_foreign(document: &Document) -> Vec<ForeignEntry> {
    let mut entries: Vec<ForeignEntry> = Vec::new();
    let mut put = |entry: ForeignEntry| {
        let mut known = entries.iter_mut();
        match known.find(|known| known.name == entry.name) {
            Some(known) => known.settled |= entry.settled,
            None => entries.push(entry),
        }
    };
    for item in &document.items {
        let (checked, text) = match item.text.get(..4) {
            Some("[x] " | "[X] ") => (true, &item.text[4..]),
            Some("[ ] ") => (false, &item.text[4..]),
            _ => continue,
        };
        let Some((name, behind)) = foreign_name(text) else {
            continue;
        };
        let description = behind.trim_start_matches(['*', '`', ':', ' ', '-', '–']);
        put(ForeignEntry {
            is_issue: is_issue(document, name, item.span.start),
            name: name.to_owned(),
            settled: checked,
            severity: severity_tag(behind),
            description: without_tag(description),
            line: item.line,
        });
    }
    for (row, telling) in telling_cells(document).filter(|(row, _)| !row.is_head) {
        let first = row.cells.first().map_or("", String::as_str);
        let Some((name, _)) = foreign_name(first) else {
            continue;
        };
        let cells = &row.cells[1..];
        let short = || telling.iter().filter(|cell| words_of(cell).count() <= 2);
        let severity = short().find_map(|cell| severity_at_start(cell));
        let state = |words: &[&str]| {
            short().any(|cell| words.iter().any(|word| cell.trim().starts_with(word)))
        };
        let settled = state(&SETTLED_WORDS);
        if severity.is_none() && !settled && !state(&["OPEN", "NEW", "TODO"]) {
            continue;
        }
        let longest = cells.iter().max_by_key(|cell| cell.len());
        put(ForeignEntry {
            is_issue: is_issue(document, name, row.span.start),
            name: name.to_owned(),
            settled,
            severity,
            description: longest.cloned().unwrap_or_default(),
            line: row.line,
        });
    }
    entries
}

/// `[HIGH]: what` without the tag.
fn without_tag(text: &str) -> String {
    let bare = text
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
        .map_or(text, |(_, behind)| behind);
    bare.trim_start_matches([':', '*', ' ', '-', '–'])
        .trim()
        .to_owned()
}

/// The name that a text begins with, where it is one of another shape, and what is behind it.
fn foreign_name(text: &str) -> Option<(&str, &str)> {
    let bare = text.trim_start_matches(['*', '`', '_', '[', ' ', '~']);
    let end = bare.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let (name, behind) = bare.split_at(end.unwrap_or(bare.len()));
    let (head, number) = name.rsplit_once('-')?;
    let shaped = head.starts_with(|c: char| c.is_ascii_uppercase())
        && !head.contains(|c: char| c.is_ascii_lowercase())
        && !number.is_empty()
        && number.len() <= 6
        && number.bytes().all(|byte| byte.is_ascii_digit());
    let ours = name.parse::<GapId>().is_ok() || name.parse::<IssueId>().is_ok();
    (shaped && !ours).then_some((name, behind))
}

fn is_issue(document: &Document, name: &str, at: usize) -> bool {
    let in_issues = document.heading_at(at).is_some_and(|heading| {
        let mut words = words_of(&heading.title);
        words.any(|word| word.eq_ignore_ascii_case("issues"))
    });
    in_issues || name.starts_with("ISSUE-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkboxes_and_rows_of_other_shapes_are_read() {
        let text = "## Issues\n- [ ] **ISSUE-LAMP-001** [HIGH]: it is too bright\n\n## Open Questions\n- [ ] **OQ-001**: which colour?\n\
                    - [ ] **OQ-002**: how high?\n- [ ] **GAP-COL-001**: ours\n- FR-001 is no checkbox\n\n\
                    | ID | What | State |\n|--|--|--|\n| XCUT-NAV-001 | where to go | OPEN |\n| GAP-COL-002 | ours | OPEN |\n\n\
                    ## Answers\n- [x] **OQ-002**: two metres\n";
        let read = read_foreign(&Document::parse(text));
        let said: Vec<String> = read
            .iter()
            .map(|entry| {
                format!(
                    "{} {} {} {} {:?}: {}",
                    entry.line,
                    entry.name,
                    entry.is_issue,
                    entry.settled,
                    entry.severity,
                    entry.description
                )
            })
            .collect();
        assert_eq!(
            said,
            [
                "2 ISSUE-LAMP-001 true false Some(High): it is too bright",
                "5 OQ-001 false false None: which colour?",
                "6 OQ-002 false true None: how high?",
                "12 XCUT-NAV-001 false false None: where to go",
            ]
        );
    }
}
