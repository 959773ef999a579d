//! What the scan hands on: something that it found missing in a source, and what it ran with.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Severity;

/// What the source of a session was scanned with. The refined spec is scanned with the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScannedWith {
    /// Findings become gaps from this severity on.
    pub from: Severity,
    /// What the project set for rules: `off`, or a severity.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, String>,
}

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
