//! What the scan hands on: something that it found missing in a source.

use crate::Severity;

/// Something that the scan found in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanFinding {
    pub rule: String,
    /// What an answer would be about, the surest first.
    pub topics: Vec<String>,
    /// The category of its id.
    pub category: String,
    pub severity: Severity,
    pub description: String,
    /// The title of the section that it stands in.
    pub section: Option<String>,
    pub line: u32,
    /// It is a mark that says itself that something is missing: what is declared there is the same.
    pub is_mark: bool,
}
