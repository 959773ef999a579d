//! A section as it was read, for people: its role and why it has it.

use serde::Serialize;

use super::review::Verdict;
use gapless_domain::Severity;
use gapless_markdown::Heading;

/// A section of a document, with the role in which it was read and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExplainedSection {
    pub line: u32,
    /// How deep it is nested.
    pub depth: u32,
    pub title: String,
    pub role: String,
    pub why: String,
    /// The severity that its title gives to what is in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// The verdict that its title or its first words state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

/// How deep the changes of a section are nested.
const DEPTH_OF_CHANGE: u32 = 3;

impl ExplainedSection {
    /// A part that has no heading of its own in the structure.
    pub(super) fn at(
        line: u32,
        title: String,
        role: impl Into<String>,
        why: impl Into<String>,
    ) -> Self {
        Self {
            line,
            depth: DEPTH_OF_CHANGE,
            title,
            role: role.into(),
            why: why.into(),
            severity: None,
            verdict: None,
        }
    }

    pub(super) fn of_heading(
        heading: &Heading,
        role: impl Into<String>,
        why: impl Into<String>,
    ) -> Self {
        Self {
            line: heading.line,
            depth: u32::from(heading.level.saturating_sub(1)),
            title: heading.title.clone(),
            role: role.into(),
            why: why.into(),
            severity: None,
            verdict: None,
        }
    }
}
