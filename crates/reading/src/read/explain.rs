//! How a document is read, section by section: the role that each heading was given, and why.

use super::analyst::declared;
use super::engineer::explain_engineer;
use super::explained::ExplainedSection;
use super::final_review::is_blocking_heading;
use super::review::explain_reviewer;
use gapless_domain::{Role, Strictness};
use gapless_markdown::{Document, Heading};

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
