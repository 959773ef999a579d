//! How a document is read, section by section: the role that each heading was given, and why.

use serde::Serialize;

use super::analyst::declared;
use super::engineer::explain_engineer;
use super::final_review::is_blocking_heading;
use super::review::{Verdict, explain_reviewer};
use gapless_domain::config::Strictness;
use gapless_domain::severity::Severity;
use gapless_domain::task::Role;
use gapless_markdown::{Document, Heading};

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

impl ExplainedSection {
    pub(super) fn of_heading(heading: &Heading, role: String, why: String) -> Self {
        Self {
            line: heading.line,
            depth: u32::from(heading.level.saturating_sub(1)),
            title: heading.title.clone(),
            role,
            why,
            severity: None,
            verdict: None,
        }
    }
}

/// Explains how a document of a role is read.
pub fn explain(role: Role, document: &Document, mode: Strictness) -> Vec<ExplainedSection> {
    let headings = document.headings.iter();
    match role {
        Role::Reviewer => explain_reviewer(document),
        Role::Engineer => explain_engineer(document, mode),
        Role::Analyst => headings
            .map(|heading| match declared(heading, mode) {
                Some(gap) => {
                    let why = "the title declares a gap".to_owned();
                    ExplainedSection::of_heading(heading, format!("gap {gap}"), why)
                }
                None => other(heading),
            })
            .collect(),
        Role::FinalReviewer => headings
            .map(|heading| {
                let lower = heading.title.to_ascii_lowercase();
                let given = |role: &str, why: &str| {
                    ExplainedSection::of_heading(heading, role.to_owned(), why.to_owned())
                };
                if is_blocking_heading(heading) {
                    given("blocking issues", "the title says so")
                } else if lower.contains("final review") {
                    given("final review", "the title says so")
                } else {
                    other(heading)
                }
            })
            .collect(),
        Role::Editor => headings.map(other).collect(),
    }
}

fn other(heading: &Heading) -> ExplainedSection {
    let why = "nothing tells what it is for".to_owned();
    ExplainedSection::of_heading(heading, "other".to_owned(), why)
}
