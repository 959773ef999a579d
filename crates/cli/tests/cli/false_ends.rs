//! Sessions that nobody watches, with agents that would close what is open. The recorded documents go as far as the false end;
//! none of them ends as COMPLETE.

use serde_json::Value;

use crate::support::Project;

const SPEC: &str = "# A lamp\n\n## Colour\n\nThe lamp has a colour.\n\n## Known gaps\n\n\
    - GAP-COL-001 [HIGH] (section: Colour): which colours a lamp may have is not said\n\
    - GAP-COL-002 [HIGH] (section: Colour): who measures a lamp is not said\n";

fn resolution(gap: &str, solution: &str) -> String {
    format!(
        "## Gap Resolution: {gap}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n{solution}\n\n### Examples\n\nA red lamp \
         passes.\n\n### Trade-offs\n\nNone.\n\n### New Gaps Introduced\n\nNone\n\n"
    )
}

fn proposals() -> String {
    let colour = "A lamp is red, green or blue, as the norm for signal lamps in buildings defines these three colours.";
    let measured = "The works measures every lamp before it leaves the hall, with the instrument that the norm asks for.";
    resolution("GAP-COL-001", colour) + &resolution("GAP-COL-002", measured)
}

fn review(gap: &str, id: &str, summary: &str, suggestion: &str) -> String {
    format!(
        "## Review: {gap}\n\n### Critical Issues\n\n- **{id}**: {summary}\n  - **Location:** Proposed Solution\n  - **Impact:** \
         lamps are sold twice\n  - **Suggestion:** {suggestion}\n\n"
    )
}

fn no_issues(gap: &str) -> String {
    format!("## Review: {gap}\n\n**NO_ISSUES_FOUND**\n\nExamined:\n- the solution\n\n")
}

/// A run over these documents without anybody to ask: how it exits, its status and its issues.
fn run(rounds: &[(String, String)]) -> (Option<i32>, Value, Value) {
    let project = Project::new();
    project.write("spec.md", SPEC);
    for (number, (engineer, reviewer)) in rounds.iter().enumerate() {
        let folder = format!("recorded/round_{:03}", number + 1);
        project.write(&format!("{folder}/engineer.md"), engineer);
        project.write(&format!("{folder}/reviewer.md"), reviewer);
        let ready = "## Final Review\n\n**Verdict:** READY_FOR_TERMINATION\n\n### Completeness\n- [x] all\n\n### Blocking Issues\n\nNone\n";
        project.write(&format!("{folder}/final_review.md"), ready);
    }
    let words = [
        "run",
        "spec.md",
        "--agents",
        "replay:recorded",
        "--analyst",
        "none",
        "--policy",
        "recommended",
    ];
    let said = project.gapless(&words);
    (
        said.code,
        project.json(&["status"]),
        project.json(&["issues"]),
    )
}

fn state_of(issues: &Value, id: &str) -> String {
    let items = issues["items"].as_array().into_iter().flatten();
    let found = items.clone().find(|item| item["id"] == id);
    let state = found.and_then(|item| item["state"].as_str());
    state.unwrap_or("none").to_owned()
}

#[test]
fn an_issue_that_is_put_off_is_not_closed_by_silence() {
    let put_off = proposals() + "## Notes\n\nISSUE-R1-001: deferred to a later round.\n";
    let rounds = [
        (
            proposals(),
            review(
                "GAP-COL-001",
                "ISSUE-R1-001",
                "Nobody says how a faded lamp is told.",
                "Compare it with a new one",
            ) + &no_issues("GAP-COL-002"),
        ),
        (put_off, no_issues("GAP-COL-001")),
    ];
    let (code, status, issues) = run(&rounds);
    assert_eq!(code, Some(3), "{status}");
    assert!(status["termination"].is_null(), "{status}");
    // The policy made a conflict of it, and the Reviewer's position is to be carried out.
    assert_eq!(state_of(&issues, "ISSUE-R1-001"), "DECIDED", "{issues}");
    let gaps = status["gaps"]["by_state"].clone();
    assert_eq!(
        gaps["ACCEPTED"].as_u64().unwrap_or(0) + gaps["RESOLVED"].as_u64().unwrap_or(0),
        1,
        "{status}"
    );
}

#[test]
fn two_issues_under_one_id_are_both_open() {
    let rounds = [(
        proposals(),
        review(
            "GAP-COL-001",
            "ISSUE-R1-001",
            "Nobody says how a faded lamp is told.",
            "Compare it with a new one",
        ) + &review(
            "GAP-COL-002",
            "ISSUE-R1-001",
            "The instrument has no tolerance.",
            "Give it in nanometres",
        ),
    )];
    let (code, status, issues) = run(&rounds);
    assert_eq!(code, Some(3), "{status}");
    assert_eq!(
        issues["items"].as_array().map(Vec::len),
        Some(2),
        "{issues}"
    );
    assert_eq!(state_of(&issues, "ISSUE-R1-002"), "OPEN", "{issues}");
}

#[test]
fn a_grave_disagreement_waits_for_a_person() {
    let block = "## DISAGREE: ISSUE-R1-001\n\n**Reviewer Concern:** Nobody says how a faded lamp is told.\n\
        **Engineer Position:** Lamps don't fade.\n**Rationale:** The norm tests that.\n";
    let rounds = [
        (
            proposals(),
            review(
                "GAP-COL-001",
                "ISSUE-R1-001",
                "Nobody says how a faded lamp is told.",
                "Compare it with a new one",
            )
            .replace("### Critical Issues", "### High Priority")
                + &no_issues("GAP-COL-002"),
        ),
        (
            resolution(
                "GAP-COL-001",
                "A lamp is red, green or blue, as the norm for signal lamps in buildings has it.",
            ) + block,
            no_issues("GAP-COL-001"),
        ),
    ];
    let (code, status, issues) = run(&rounds);
    assert_eq!(code, Some(3), "{status}");
    assert!(status["termination"].is_null(), "{status}");
    assert_eq!(state_of(&issues, "ISSUE-R1-001"), "ANSWERED", "{issues}");
    let waiting = status["waiting_for"].to_string();
    assert!(waiting.contains("conflict"), "{status}");
}
