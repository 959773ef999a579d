//! Owns the reading of the final review: its verdict and what blocks.

use serde::{Deserialize, Serialize};

use super::document::Document;
use super::reviewer::read_issue;
use super::{find_field, is_none_word};
use crate::ids::{GapId, gap_ids_in};
use crate::issue::Concern;
use crate::severity::Severity;

/// Whether the spec is ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FinalVerdict {
    ReadyForTermination,
    NotReady,
}

/// Something that the final review says must be mended first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocker {
    pub gap: Option<GapId>,
    pub concern: Concern,
    pub line: u32,
}

/// What a final review says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FinalReading {
    pub has_heading: bool,
    pub verdict: Option<FinalVerdict>,
    pub blockers: Vec<Blocker>,
}

/// Reads a final review.
pub fn read_final_review(document: &Document) -> FinalReading {
    let has_heading = document
        .headings
        .iter()
        .any(|heading| heading.level == 2 && heading.title == "Final Review");
    let verdict = find_field(document.prose(), "Verdict").and_then(|value| {
        match value.trim_matches(['*', '`', ' ']) {
            "READY_FOR_TERMINATION" => Some(FinalVerdict::ReadyForTermination),
            "NOT_READY" => Some(FinalVerdict::NotReady),
            _ => None,
        }
    });
    let mut blockers = Vec::new();
    for (index, heading) in document.headings.iter().enumerate() {
        if heading.level != 3 || !heading.title.eq_ignore_ascii_case("Blocking Issues") {
            continue;
        }
        let part = document.section(index, |next| next.level <= 3);
        for item in document.items_in(&part) {
            if item.depth > 0 || is_none_word(&item.text) {
                continue;
            }
            blockers.push(match read_issue(document, item, Severity::High, None) {
                Some(issue) => Blocker {
                    gap: issue.gap.or_else(|| first_gap(&item.text)),
                    concern: issue.concern,
                    line: item.line,
                },
                None => Blocker {
                    gap: first_gap(&item.text),
                    concern: Concern {
                        severity: Severity::High,
                        summary: item.text.clone(),
                        location: None,
                        impact: None,
                        suggestion: None,
                    },
                    line: item.line,
                },
            });
        }
    }
    FinalReading {
        has_heading,
        verdict,
        blockers,
    }
}

fn first_gap(text: &str) -> Option<GapId> {
    gap_ids_in(text).into_iter().next().map(|found| found.id)
}
