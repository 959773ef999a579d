//! Owns the reading of documents: from markdown to facts that go into events. Nothing re-reads a text to know the state.
//! Structure comes from a CommonMark parser; what stands in code or in an HTML comment binds nothing.

use serde::{Deserialize, Serialize};

mod analyst;
mod decisions;
mod disagree;
mod editor;
mod engineer;
mod explain;
mod final_review;
mod foreign;
mod gap_line;
mod inventory;
mod lexicon;
mod review;
mod salvage;
mod source;
mod status;
mod vocabulary;

pub use analyst::{AnalystReading, read_analyst};
pub use decisions::{DecisionsReading, RecordedDecision, read_decisions};
pub use disagree::{DisagreeForm, Disagreement, disputes};
pub use editor::is_section_mark;
pub use editor::{EditedSection, EditorError, EditorReading, read_editor};
pub use engineer::{BlockedMarker, BoundGap, EngineerReading, Response, read_engineer};
pub use explain::{ExplainedSection, explain};
pub use final_review::{Blocker, FinalReading, FinalVerdict, read_final_review};
pub use foreign::{ForeignEntry, read_foreign};
pub use gap_line::DeclaredGap;
pub use inventory::lists_what_is_open;
pub use inventory::{CLARIFY, Declaration, DeclaredAs, Inventory, inventory};
pub use review::{
    Contradiction, IssueStatus, RaisedIssue, Review, ReviewerReading, SectionRole, SeveritySource,
    Verdict, read_reviewer, status_at_start,
};
pub use salvage::{Candidate, candidates};
pub use source::{
    LIMITATIONS_BEGIN, LIMITATIONS_END, Section, declared_gaps, earlier_limitations, near_misses,
    sections, traced_gaps,
};
pub use status::{StatusEntry, StatusReading, read_status};
pub use vocabulary::PLACEHOLDER_WORDS;
pub use vocabulary::{is_new_gaps_title, words_of};

/// What was read from a valid output, by role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Reading {
    Analyst(AnalystReading),
    Engineer(EngineerReading),
    Reviewer(ReviewerReading),
    Editor(EditorReading),
    FinalReviewer(FinalReading),
}

/// How many gaps one heading may bind: each reads the whole section, and no honest heading names more.
const MOST_GAPS_IN_HEADING: usize = 20;

/// Splits `**Name:** value` and `**Name**: value` into name and value.
pub fn field(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim().strip_prefix("**")?;
    let (inner, behind) = rest.split_once("**")?;
    match inner.strip_suffix(':') {
        Some(name) => Some((name.trim(), behind.trim())),
        None => Some((inner.trim(), behind.trim().strip_prefix(':')?.trim())),
    }
}

/// Reads the value of the first field of this name among the lines.
pub(crate) fn find_field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines()
        .map(|line| line.trim_start().strip_prefix("- ").unwrap_or(line))
        .filter_map(field)
        .find(|(found, _)| found.eq_ignore_ascii_case(name))
        .map(|(_, value)| value)
}

/// True for the words that stand for an empty list.
pub fn is_none_word(text: &str) -> bool {
    let word = text.trim().trim_end_matches('.').trim_matches('*');
    ["none", "n/a", "-", "nothing"]
        .iter()
        .any(|none| word.eq_ignore_ascii_case(none))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_with_the_colon_on_either_side() {
        assert_eq!(field("**Severity:** HIGH"), Some(("Severity", "HIGH")));
        assert_eq!(
            field("  **Impact**: it breaks "),
            Some(("Impact", "it breaks"))
        );
        assert_eq!(field("**bold** words"), None);
        assert_eq!(field("Severity: HIGH"), None);
    }
}
