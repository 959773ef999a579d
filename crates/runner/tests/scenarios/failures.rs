//! What a role writes to fail in each way that it can, and what the retry must say of it.

use gapless_agents::Request;
use gapless_domain::task::Role;

use crate::stage::{engineer, gap_id, no_issues, resolution};

/// A failure of a role: the round it happens in, what is written, and what the retry must say of it.
pub struct Case {
    pub role: Role,
    pub failure: &'static str,
    pub round: u32,
    pub writes: fn(&Request) -> Option<String>,
    pub says: &'static [&'static str],
}

const fn case(
    role: Role,
    failure: &'static str,
    round: u32,
    writes: fn(&Request) -> Option<String>,
    says: &'static [&'static str],
) -> Case {
    Case {
        role,
        failure,
        round,
        writes,
        says,
    }
}

const DISAGREE: &str = "## DISAGREE: ISSUE-R1-001\n\n**Reviewer Concern:**\n> the limit is not justified.\n\n\
    **Engineer Position:** it needs no justification\n\n**Rationale:** it is the platform's own limit\n";

fn nothing(_: &Request) -> Option<String> {
    None
}

fn blank(_: &Request) -> Option<String> {
    Some(" \n\t\n".to_owned())
}

fn prose(_: &Request) -> Option<String> {
    Some(
        "It goes without saying that requests are limited. I would look at the limits again."
            .to_owned(),
    )
}

/// A good proposal, with more behind it.
fn and(request: &Request, more: &str) -> Option<String> {
    let text = engineer(request);
    let text = text.split("## Response to").next().unwrap();
    Some(format!("{text}{more}"))
}

fn headings_only(request: &Request) -> Option<String> {
    let headings = request
        .gaps
        .iter()
        .map(|gap| format!("## Gap Resolution: {gap}\n\n"));
    Some(headings.collect())
}

pub fn on_unknown_gap(request: &Request) -> Option<String> {
    and(request, &resolution(&gap_id("GAP-NOPE-009"), "None"))
}

fn against_unknown_issue(request: &Request) -> Option<String> {
    and(request, &DISAGREE.replace("ISSUE-R1-001", "ISSUE-R9-009"))
}

fn against_without_reason(request: &Request) -> Option<String> {
    and(request, DISAGREE.split("**Rationale:**").next().unwrap())
}

pub fn against(request: &Request) -> Option<String> {
    and(request, DISAGREE)
}

fn review_of_unknown(request: &Request) -> Option<String> {
    Some(
        request.gaps.iter().map(no_issues).collect::<String>()
            + &no_issues(&gap_id("GAP-NOPE-009")),
    )
}

fn review_of_nothing(_: &Request) -> Option<String> {
    Some("## Summary\n\n**Verdict:** APPROVED\n\nAll of it can be built.\n".to_owned())
}

fn review_without_verdict(request: &Request) -> Option<String> {
    Some(format!(
        "## Review: {}\n\nI have read it.\n",
        request.gaps[0]
    ))
}

fn gap_without_words(_: &Request) -> Option<String> {
    Some("## Gap: GAP-AUTH-001\n\n**Severity:** HIGH\n".to_owned())
}

fn final_without_verdict(_: &Request) -> Option<String> {
    Some("## Final Review\n\n### Completeness\n- [x] read\n".to_owned())
}

pub const CASES: [Case; 22] = {
    use Role::{Analyst, Engineer, FinalReviewer, Reviewer};
    [
        case(
            Engineer,
            "FILE_MISSING",
            1,
            nothing,
            &["    round_001/engineer.md\n"],
        ),
        case(
            Engineer,
            "EMPTY_OUTPUT",
            1,
            blank,
            &[
                "At least 200 characters for each gap: GAP-API-001.",
                "**Confidence:** LOW",
            ],
        ),
        case(
            Engineer,
            "WRONG_FORMAT",
            1,
            prose,
            &["`## Gap Resolution: GAP-API-001`", "`### Trade-offs`"],
        ),
        case(
            Engineer,
            "NO_GAPS_ADDRESSED",
            1,
            headings_only,
            &[
                "Begin with `## Gap Resolution: GAP-API-001`",
                "- GAP-API-001 [HIGH]",
            ],
        ),
        case(
            Engineer,
            "INCONSISTENT_REFS",
            1,
            on_unknown_gap,
            &[
                "GAP-NOPE-009",
                "Only these may have a section of their own:\n\n- GAP-API-001 [HIGH]",
            ],
        ),
        case(
            Engineer,
            "INVALID_DISAGREE_REF",
            1,
            against_unknown_issue,
            &[
                "names ISSUE-R9-009, and there is no such issue",
                "No issue is open on your gaps: leave the block out.",
            ],
        ),
        case(
            Engineer,
            "INVALID_DISAGREE_REF",
            2,
            against_unknown_issue,
            &[
                "- ISSUE-R1-001 [HIGH] on GAP-API-001: the limit is not justified.",
                "    ## DISAGREE: ISSUE-R1-001\n",
            ],
        ),
        case(
            Engineer,
            "MALFORMED_DISAGREE",
            2,
            against_without_reason,
            &[
                "**Rationale:** is missing",
                "**Reviewer Concern:** \"the limit is not justified.\"",
            ],
        ),
        case(
            Engineer,
            "RE_ARGUED_CONFLICT",
            3,
            against,
            &[
                "ISSUE-R1-001 is decided",
                "The Reviewer's position holds: say where it comes from",
            ],
        ),
        case(
            Reviewer,
            "FILE_MISSING",
            1,
            nothing,
            &["    round_001/reviewer.md\n"],
        ),
        case(
            Reviewer,
            "EMPTY_OUTPUT",
            1,
            blank,
            &[
                "A review of each of these, under its own heading: GAP-API-001.",
                "**NO_ISSUES_FOUND**",
            ],
        ),
        case(
            Reviewer,
            "WRONG_FORMAT",
            1,
            prose,
            &["`## Review: GAP-API-001`", "**ISSUE-R1-001**"],
        ),
        case(
            Reviewer,
            "WRONG_FORMAT",
            1,
            review_without_verdict,
            &["has neither severity sections nor **NO_ISSUES_FOUND**"],
        ),
        case(
            Reviewer,
            "NO_GAPS_ADDRESSED",
            1,
            review_of_nothing,
            &["Begin with `## Review: GAP-API-001`"],
        ),
        case(
            Reviewer,
            "INCONSISTENT_REFS",
            1,
            review_of_unknown,
            &["GAP-NOPE-009", "`### New Gaps Identified`"],
        ),
        case(
            Analyst,
            "FILE_MISSING",
            0,
            nothing,
            &["    round_000/analyst.md\n"],
        ),
        case(Analyst, "EMPTY_OUTPUT", 0, blank, &["**NO_GAPS_FOUND**"]),
        case(Analyst, "WRONG_FORMAT", 0, prose, &["`## Gap:` with an id"]),
        case(
            Analyst,
            "WRONG_FORMAT",
            0,
            gap_without_words,
            &["GAP-AUTH-001 (line 1) does not say what is missing"],
        ),
        case(
            FinalReviewer,
            "FILE_MISSING",
            1,
            nothing,
            &["    round_001/final_review.md\n"],
        ),
        case(
            FinalReviewer,
            "EMPTY_OUTPUT",
            1,
            blank,
            &["the verdict is `NOT_READY`"],
        ),
        case(
            FinalReviewer,
            "WRONG_FORMAT",
            1,
            final_without_verdict,
            &["**Verdict:** READY_FOR_TERMINATION"],
        ),
    ]
};
