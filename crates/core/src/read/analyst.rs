//! Owns the reading of the Analyst's document: `## Gap: GAP-AUTH-001` sections with their fields.

use serde::{Deserialize, Serialize};

use super::document::{Document, Heading};
use super::gap_line::DeclaredGap;
use super::{field, find_field, is_none_word};
use crate::ids::{GapId, gap_ids_in};

/// What an Analyst's document says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AnalystReading {
    pub gaps: Vec<DeclaredGap>,
    /// It says, in so many words, that there are none.
    pub no_gaps_found: bool,
}

fn declared(heading: &Heading) -> Option<GapId> {
    if heading.level != 2 {
        return None;
    }
    let rest = heading.title.strip_prefix("Gap:")?;
    gap_ids_in(rest).into_iter().next().map(|found| found.id)
}

/// Reads an Analyst's document.
pub fn read_analyst(document: &Document) -> AnalystReading {
    let gaps = document
        .headings
        .iter()
        .enumerate()
        .filter_map(|(index, heading)| {
            let id = declared(heading)?;
            let body = document.section(index, |next| next.level <= 2);
            let prose = document.prose_of(body);
            let blocked_by = find_field(prose, "Blocked by").unwrap_or("");
            Some(DeclaredGap {
                id,
                severity: find_field(prose, "Severity").and_then(|value| value.parse().ok()),
                section: find_field(prose, "Section")
                    .filter(|section| !is_none_word(section))
                    .map(str::to_owned),
                blocked_by: gap_ids_in(blocked_by).into_iter().map(|f| f.id).collect(),
                description: first_paragraph(prose),
                line: heading.line,
            })
        })
        .collect();
    let no_gaps_found = document
        .prose()
        .lines()
        .any(|line| line.trim().trim_matches('*') == "NO_GAPS_FOUND");
    AnalystReading {
        gaps,
        no_gaps_found,
    }
}

/// The first paragraph that is no field and no heading.
fn first_paragraph(prose: &str) -> String {
    prose
        .split("\n\n")
        .map(|paragraph| {
            let lines = paragraph
                .lines()
                .filter(|line| field(line).is_none() && !line.starts_with('#'));
            lines
                .flat_map(str::split_whitespace)
                .collect::<Vec<_>>()
                .join(" ")
        })
        .find(|paragraph| !paragraph.is_empty())
        .unwrap_or_default()
}
