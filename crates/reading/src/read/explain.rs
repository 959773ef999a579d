//! How a document is read, section by section: the role that each heading was given, and why.

use super::analyst::declared;
use super::engineer::explain_engineer;
use super::explained::ExplainedSection;
use super::final_review::is_blocking_heading;
use super::read_document::ReadDocument;
use super::review::explain_reviewer;
use gapless_domain::{Role, Strictness};
use gapless_markdown::Heading;

/// Explains how a document of a role is read.
pub fn explain(role: Role, read: &ReadDocument, mode: Strictness) -> Vec<ExplainedSection> {
    let document = &read.structure;
    let headings = document.headings.iter();
    match role {
        Role::Reviewer => explain_reviewer(document),
        Role::Engineer => explain_engineer(&read.text, document, mode),
        Role::Analyst => headings
            .map(|heading| match declared(heading, mode) {
                Some(gap) => {
                    let why = "the title declares a gap";
                    ExplainedSection::of_heading(heading, format!("gap {gap}"), why)
                }
                None => other(heading),
            })
            .collect(),
        Role::FinalReviewer => headings
            .map(|heading| {
                let role = match heading.title.to_ascii_lowercase() {
                    _ if is_blocking_heading(heading) => "blocking issues",
                    title if title.contains("final review") => "final review",
                    _ => return other(heading),
                };
                ExplainedSection::of_heading(heading, role, "the title says so")
            })
            .collect(),
        Role::Editor => headings.map(other).collect(),
    }
}

fn other(heading: &Heading) -> ExplainedSection {
    ExplainedSection::of_heading(heading, "other", "nothing tells what it is for")
}
