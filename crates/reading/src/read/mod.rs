//! The reading of documents: from markdown to facts that go into events. Nothing re-reads a text to know the state.
//! Structure comes from a CommonMark parser; what stands in code or in an HTML comment binds nothing.

use serde::{Deserialize, Serialize};

mod analyst;
mod decisions;
mod disagree;
mod editor;
mod engineer;
mod explain;
mod explained;
mod fields;
mod final_review;
mod foreign;
mod gap_line;
mod inventory;
mod lexicon;
mod near_misses;
mod read_document;
mod reasoning;
mod review;
mod salvage;
mod source;
mod spec_changes;
mod status;
mod vocabulary;

pub use analyst::{AnalystReading, analyst_sections, read_analyst};
pub use decisions::{DecisionsReading, RecordedDecision, read_decisions};
pub use disagree::{DisagreeForm, Disagreement, disputes};
pub use editor::{EditedSection, EditorError, EditorReading, is_section_mark, read_editor};
pub use engineer::{
    BlockedMarker, BoundGap, EngineerReading, Response, engineer_sections, read_engineer,
};
pub use explain::explain;
pub use explained::ExplainedSection;
pub use fields::{field, is_none_word};
pub use final_review::{Blocker, FinalReading, FinalVerdict, read_final_review};
pub use foreign::{ForeignEntry, read_foreign};
pub use gap_line::DeclaredGap;
pub use inventory::{
    CLARIFY, Declaration, DeclaredAs, Inventory, declared_gaps, inventory, lists_what_is_open,
};
pub use near_misses::near_misses;
pub use read_document::{Excerpt, ReadDocument};
pub use reasoning::reasoning_is_open;
pub use review::{
    Contradiction, IssueStatus, RaisedIssue, Review, ReviewerReading, SectionRole, SeveritySource,
    Verdict, read_reviewer, status_at_start,
};
pub use salvage::{Candidate, candidates, plainly};
pub use source::{
    LIMITATIONS_LEAD, LIMITATIONS_TITLE, POINTER, Section, earlier_limitations, sections,
    traced_gaps,
};
pub use spec_changes::{UnclearChange, UnclearFault, WrittenChange};
pub use status::{StatusEntry, StatusReading, read_status};
pub use vocabulary::{PLACEHOLDER_WORDS, is_new_gaps_title, words_of};

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
