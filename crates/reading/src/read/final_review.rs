//! The reading of the final review: its verdict and what blocks.

use std::sync::Arc;

use gapless_domain::{Concern, GapId, Severity, Strictness, named};
use serde::{Deserialize, Serialize};

use super::fields::{find_field, is_none_word};
use super::gap_line::first_gap;
use super::review::read_blocker_item;
use super::vocabulary::words_of;
use gapless_markdown::{Document, Heading};

/// Whether the spec is ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[derive(strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum FinalVerdict {
    ReadyForTermination,
    NotReady,
}

named!(FinalVerdict);

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

pub fn read_final_review(document: &Document, mode: Strictness) -> FinalReading {
    let has_heading = document.headings.iter().any(|heading| match mode {
        Strictness::Strict => heading.level == 2 && heading.title == "Final Review",
        Strictness::Tolerant => heading.title.to_ascii_lowercase().contains("final review"),
    });
    let verdict = find_field(document.prose(), "Verdict").and_then(|value| match mode {
        Strictness::Strict => exact_verdict(value.trim_matches(['*', '`', ' '])),
        Strictness::Tolerant => loose_verdict(value),
    });
    let mut blockers = Vec::new();
    for (index, heading) in document.headings.iter().enumerate() {
        if !is_blocking_heading(heading) {
            continue;
        }
        let part = document.section(index, |next| next.level <= heading.level);
        for item in document.items_in(&part) {
            let says_something = item.text.chars().any(char::is_alphanumeric);
            if item.depth > 0 || !says_something || is_none_word(&item.text) {
                continue;
            }
            let (gap, concern) = match read_blocker_item(document, item) {
                Some(issue) => {
                    let gap = issue.gap.or_else(|| first_gap(&item.text));
                    let summary = without_gap(&issue.concern.summary, gap.as_ref()).to_owned();
                    let concern = Concern {
                        summary,
                        ..Arc::unwrap_or_clone(issue.concern)
                    };
                    (gap, concern)
                }
                None => {
                    let concern = Concern {
                        severity: Severity::High,
                        summary: item.text.clone(),
                        location: None,
                        impact: None,
                        suggestion: None,
                        settled_by_user: false,
                    };
                    (first_gap(&item.text), concern)
                }
            };
            let line = item.line;
            blockers.push(Blocker { gap, concern, line });
        }
    }
    FinalReading {
        has_heading,
        verdict,
        blockers,
    }
}

/// True for the heading under which a final review lists its blockers.
pub(super) fn is_blocking_heading(heading: &Heading) -> bool {
    let title = heading.title.to_ascii_lowercase();
    title.starts_with("blocking issues")
}

/// `GAP-X-001: what blocks`: the id says where it belongs, and is no part of what it says.
fn without_gap<'s>(summary: &'s str, gap: Option<&GapId>) -> &'s str {
    let behind = gap.and_then(|gap| summary.strip_prefix(&gap.to_string()));
    match behind.filter(|rest| rest.starts_with([':', ' ', ','])) {
        Some(rest) => match rest.trim_start_matches([':', ' ', ',', '-', '–']) {
            "" => summary,
            rest => rest,
        },
        None => summary,
    }
}

fn exact_verdict(word: &str) -> Option<FinalVerdict> {
    let mut known = FinalVerdict::ALL.into_iter();
    known.find(|verdict| verdict.name() == word)
}

/// `NOT READY`, `Ready for termination` and the like; a `not` anywhere before `ready` decides.
fn loose_verdict(value: &str) -> Option<FinalVerdict> {
    let words: Vec<String> = words_of(value).map(str::to_ascii_lowercase).collect();
    let ready = words.iter().position(|word| word == "ready")?;
    if words[..ready].iter().any(|word| word == "not") {
        Some(FinalVerdict::NotReady)
    } else {
        (ready == 0).then_some(FinalVerdict::ReadyForTermination)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blocker_says_what_blocks_without_the_id_of_its_gap() {
        let text = "## Final Review\n\n**Verdict:** NOT_READY\n\n### Blocking Issues\n\n\
                    - **ISSUE-R2-900**: GAP-AA-001: the limit is lost\n\
                    - **ISSUE-R2-901**: GAP-AA-002 has no end\n\
                    - **ISSUE-R2-902**: the end of GAP-AA-003 is open\n\
                    - **ISSUE-R2-903**: GAP-AA-004\n- <!-- **ISSUE-R2-904**: seen by nobody -->\n- **\n";
        let read = read_final_review(&Document::parse(text), Strictness::Tolerant);
        let said: Vec<String> = read
            .blockers
            .iter()
            .map(|Blocker { gap, concern, .. }| {
                let gap = gap.as_ref().map_or("-".to_owned(), GapId::to_string);
                format!("{gap}: {}", concern.summary)
            })
            .collect();
        assert_eq!(
            said,
            [
                "GAP-AA-001: the limit is lost",
                "GAP-AA-002: has no end",
                "GAP-AA-003: the end of GAP-AA-003 is open",
                "GAP-AA-004: GAP-AA-004",
            ]
        );
    }
}
