//! What agents on stage write when they stand apart: reviews with several issues, and DISAGREE blocks.

use gapless_domain::ids::GapId;
use gapless_domain::severity::Severity;
use gapless_domain::task::Role;

use crate::stage::{Stage, with_config};
use crate::writing::{meeting, met_in};

pub const GAP: &str = "GAP-API-001";
/// The first issue of round 1.
pub const ISSUE: &str = "ISSUE-R1-001";

/// An issue as a review has it.
#[derive(Debug, Clone)]
pub struct Raised {
    pub severity: Severity,
    pub id: String,
    pub summary: String,
    pub suggestion: String,
    pub impact: String,
}

/// An issue of round 1 with words of its own.
pub fn raised(severity: Severity, number: usize) -> Raised {
    Raised {
        severity,
        id: format!("ISSUE-R1-{number:03}"),
        summary: format!("Point {number} of the answer is left to the reader."),
        suggestion: format!("write point {number} down"),
        impact: format!("clients guess point {number}"),
    }
}

pub fn issue_on(severity: Severity, id: &str, summary: &str, suggestion: &str) -> Raised {
    Raised {
        severity,
        id: id.to_owned(),
        summary: summary.to_owned(),
        suggestion: suggestion.to_owned(),
        impact: "clients go wrong".to_owned(),
    }
}

/// The first issue of round 1, about rejected requests.
pub fn audit(severity: Severity) -> Raised {
    issue_on(
        severity,
        ISSUE,
        "Nobody audits rejected requests.",
        "Append a signed journal entry to the ledger for each refusal",
    )
}

pub fn all_of(severities: &[Severity]) -> Vec<Raised> {
    let numbered = severities.iter().zip(1..);
    numbered.map(|(severity, n)| raised(*severity, n)).collect()
}

/// A proposal that meets these issues, and the one that keeps a gap going whose other issues hold nothing.
fn meets(gap: &GapId, issues: &[Raised]) -> String {
    let keeper = raised(Severity::High, 90);
    let met = issues.iter().chain([&keeper]);
    let parts: Vec<String> = met
        .clone()
        .map(|issue| met_in(&issue.summary, &issue.suggestion, 2))
        .collect();
    let responses: String = met
        .map(|issue| {
            format!(
                "## Response to {}\n\nA table has it: {}.\n\n",
                issue.id, issue.suggestion
            )
        })
        .collect();
    meeting(gap, &parts) + &responses
}

/// A proposal that disagrees in these words, and answers nothing else but what keeps the gap going.
pub fn proposal_with(gap: &GapId, words: &str) -> String {
    meets(gap, &[]) + words + "\n"
}

pub fn review(gap: &GapId, issues: &[Raised]) -> String {
    let mut text = format!("## Review: {gap}\n");
    for (severity, heading) in [
        (Severity::Critical, "Critical Issues"),
        (Severity::High, "High Priority"),
        (Severity::Medium, "Medium Priority"),
        (Severity::Low, "Low Priority / Nits"),
    ] {
        text += &format!("\n### {heading}\n\n");
        for issue in issues.iter().filter(|issue| issue.severity == severity) {
            text += &format!(
                "- **{}**: {}\n  - **Location:** Proposed Solution\n  - **Impact:** {}\n  - **Suggestion:** {}\n",
                issue.id, issue.summary, issue.impact, issue.suggestion
            );
        }
    }
    text + "\n"
}

pub fn disagree(issue: &Raised, position: &str, rationale: &str) -> String {
    format!(
        "## DISAGREE: {}\n\n**Reviewer Concern:**\n> {}\n\n**Engineer Position:**\n{position}\n\n**Rationale:**\n{rationale}\n\n\
         **Request:** Escalate to user for resolution\n\n",
        issue.id, issue.summary
    )
}

/// A proposal that is new for the most part, so that a response to any issue seems to have led to something.
pub fn rewritten(gap: &GapId) -> String {
    let buckets = "Every account has a bucket of 40 tokens that refills by one each second. A call takes one token out of it; \
        an empty bucket delays the call until the next token drops, and at most 20 calls of an account are delayed at once.";
    let kept = "Buckets live in the memory of each node and are lost when it restarts, which only ever gives an account more.";
    meeting(gap, &[buckets.to_owned(), kept.to_owned()])
}

/// Answers some issues and disagrees with the others.
pub fn answers(gap: &GapId, disagreed: &[Raised], answered: &[Raised]) -> String {
    let mut text = meets(gap, answered);
    for issue in disagreed {
        text += &disagree(issue, "The answer is clear enough.", "Nobody has asked.");
    }
    text
}

/// One gap with these issues of round 1, and one more that is answered where none of them holds the gap. In round 2 the
/// Engineer disagrees with the first so many, and the Reviewer holds on to those.
pub fn quarrel(severities: &[Severity], disagrees: usize) -> Stage {
    let (mut first, second, third) = (all_of(severities), all_of(severities), all_of(severities));
    if !severities.iter().any(|severity| severity.holds()) {
        first.push(raised(Severity::High, 90));
    }
    with_config(&[("GAP-API-001", "HIGH", "")], |met| {
        met.config.max_rounds = Some(20);
    })
    .when(Role::Reviewer, 1, 0, move |r| {
        Ok(Some(review(&r.gaps[0], &first)))
    })
    .when(Role::Engineer, 2, 0, move |r| {
        let (disagreed, answered) = second.split_at(disagrees);
        Ok(Some(answers(&r.gaps[0], disagreed, answered)))
    })
    .when(Role::Reviewer, 2, 0, move |r| {
        Ok(Some(review(&r.gaps[0], &third[..disagrees])))
    })
}
