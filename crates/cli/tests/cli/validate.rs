//! `gapless validate` for people and scripts.

use serde_json::json;

use crate::support::{Project, RECORDED};

const STATUS: &str = "# Status\n\n| ID | Description | State | Severity |\n|---|---|---|---|\n\
    | GAP-DLV-001 | delivery | OPEN | CRITICAL |\n| GAP-SIG-001 | signing | ACCEPTED (R2) | CRITICAL |\n\
    | GAP-SEC-001 | addresses | OPEN | HIGH |\n";

#[test]
fn a_valid_document_is_said_to_be_with_what_was_read() {
    let project = Project::new();
    project.write("status.md", STATUS);
    let engineer = format!("{RECORDED}/round_001/engineer.md");
    let said = project.json(&[
        "validate",
        "engineer",
        &engineer,
        "--status",
        "status.md",
        "--round",
        "1",
    ]);
    assert_eq!(said["role"], "engineer");
    assert_eq!(
        (&said["success"], &said["failure_type"]),
        (&json!(true), &json!(null))
    );
    assert_eq!(
        said["gaps_addressed"],
        json!(["GAP-DLV-001", "GAP-SIG-001", "GAP-SEC-001"])
    );
    let reviewer = format!("{RECORDED}/round_001/reviewer.md");
    let said = project.json(&["validate", "reviewer", &reviewer, "--status", "status.md"]);
    let issues = said["issues"].as_array().unwrap();
    assert_eq!(issues.len(), 4);
    assert_eq!(
        (&issues[1]["id"], &issues[1]["severity"], &issues[1]["gap"]),
        (
            &json!("ISSUE-R1-002"),
            &json!("HIGH"),
            &json!("GAP-SIG-001")
        )
    );
    let human = project
        .gapless(&["validate", "reviewer", &reviewer, "--status", "status.md"])
        .exits(0);
    assert!(
        human.out.contains("ISSUE-R1-002 [HIGH]") && human.out.ends_with("valid\n"),
        "{}",
        human.out
    );
    let final_review = format!("{RECORDED}/round_007/final_review.md");
    let said = project.json(&["validate", "final", &final_review]);
    assert_eq!(said["verdict"], "READY_FOR_TERMINATION");
}

#[test]
fn an_invalid_document_exits_1_and_says_what_to_do() {
    let project = Project::new();
    project.write("status.md", STATUS);
    project.write(
        "prose.md",
        "# Thoughts\n\nSix digits, I would say.\n\n# More\n\nYes.\n",
    );
    project.write(
        "foreign.md",
        "## Gap Resolution: GAP-NO-404\n\n**Confidence:** HIGH\n\nText enough to say something.\n",
    );
    let cases = [
        ("prose.md", "WRONG_FORMAT"),
        ("foreign.md", "INCONSISTENT_REFS"),
        ("missing.md", "FILE_MISSING"),
    ];
    for (file, failure) in cases {
        let words = ["validate", "engineer", file, "--status", "status.md"];
        let human = project.gapless(&words).exits(1);
        assert!(
            human.out.contains(failure) && human.out.contains("Fix: "),
            "{}",
            human.out
        );
        let said = project
            .gapless(&[&words[..], &["--json"]].concat())
            .exits(1)
            .json();
        assert_eq!(
            (&said["success"], &said["failure_type"]),
            (&json!(false), &json!(failure))
        );
        assert_eq!(said["retriable"], true);
    }
}

#[test]
fn strict_takes_only_the_canonical_forms() {
    let project = Project::new();
    let text = "## Gap Resolution: GAP-DLV-001 (Revised)\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\nTen seconds.\n";
    project.write("revised.md", text);
    project
        .gapless(&["validate", "engineer", "revised.md"])
        .exits(0);
    project
        .gapless(&["validate", "engineer", "revised.md", "--strict"])
        .exits(1);
}

#[test]
fn what_an_agent_wrote_does_not_steer_the_terminal() {
    let project = Project::new();
    let text = "## Review: GAP-DLV-001\n\n### High Priority\n\n- **ISSUE-R1-001**: \u{1b}[2Jgone \u{1b}]0;title\u{7}\n";
    project.write("review.md", text);
    let human = project
        .gapless(&["validate", "reviewer", "review.md"])
        .exits(0);
    assert!(
        !human.out.contains('\u{1b}') && !human.out.contains('\u{7}'),
        "{:?}",
        human.out
    );
}

#[test]
fn a_status_document_without_gaps_is_a_usage_error() {
    let project = Project::new();
    project.write("status.md", "# Nothing here\n");
    project.write(
        "review.md",
        "## Review: GAP-DLV-001\n\n**NO_ISSUES_FOUND**\n",
    );
    for status in ["status.md", "missing.md"] {
        project
            .gapless(&["validate", "reviewer", "review.md", "--status", status])
            .exits(2);
    }
}
