//! `gapless disagreement` on a review and an answer, and on recorded sessions.

use serde_json::{Value, json};

use crate::support::Project;

const PROPOSAL: &str = "## Gap Resolution: GAP-TEA-001\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\nThe kettle boils until it is empty.\n";
const REVIEW: &str = "## Review: GAP-TEA-001\n\n### Critical Issues\n\n- **ISSUE-R1-001**: Kettle has no shutdown temperature\n  - Suggestion: Switch off at one hundred degrees.\n\n### High Priority\n\n- **ISSUE-R1-002**: Cup volume is undefined\n\n**Verdict:** NEEDS_REVISION\n";
const ANSWER: &str = "## Gap Resolution: GAP-TEA-001\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\nISSUE-R1-001: a bimetal strip opens the circuit when steam reaches it.\n\nEvery cup has a volume of 250 ml.\n";
const SILENT: &str = "## Gap Resolution: GAP-TEA-001\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\nSugar comes in cubes.\n";

fn flags(said: &Value, id: &str) -> Vec<(String, u64)> {
    let issues = said["issues"].as_array().unwrap();
    let issue = issues.iter().find(|issue| issue["id"] == id).unwrap();
    let flags = issue["flags"].as_array().unwrap().iter();
    flags
        .map(|flag| {
            (
                flag["heuristic"].as_str().unwrap().to_owned(),
                flag["round"].as_u64().unwrap(),
            )
        })
        .collect()
}

fn pair() -> Project {
    let project = Project::new();
    project.write("review.md", REVIEW);
    project.write("previous.md", PROPOSAL);
    project.write("answer.md", ANSWER);
    project.write("silent.md", SILENT);
    project
}

#[test]
fn answered_issues_exit_0_and_ignored_ones_1() {
    let project = pair();
    let call = [
        "disagreement",
        "--review",
        "review.md",
        "--previous",
        "previous.md",
        "--engineer",
    ];
    let answered = project
        .gapless(&[&call[..], &["answer.md", "--json"]].concat())
        .exits(0)
        .json();
    assert_eq!(answered["flagged"], 0);
    let issue = &answered["issues"][0];
    assert_eq!(
        (
            &issue["state"],
            &issue["gap"],
            &issue["severity"],
            &issue["round"],
            &issue["aliases"]
        ),
        (
            &json!("ANSWERED"),
            &json!("GAP-TEA-001"),
            &json!("CRITICAL"),
            &json!(1),
            &json!([])
        )
    );
    assert_eq!(issue["answers"][0]["by"], "id");
    assert_eq!(
        answered["rounds"][0]["answered"],
        json!(["ISSUE-R1-001", "ISSUE-R1-002"])
    );
    let ignored = project
        .gapless(&[&call[..], &["silent.md", "--json"]].concat())
        .exits(1)
        .json();
    assert_eq!(flags(&ignored, "ISSUE-R1-001"), [("H1".to_owned(), 2)]);
    let flag = &ignored["issues"][0]["flags"][0];
    assert_eq!(flag["confidence"], "HIGH");
    assert!(
        flag["evidence"]["text"]
            .as_str()
            .unwrap()
            .contains("ISSUE-R1-001")
    );
    assert_eq!(ignored["rounds"][0]["escalation"], "USER_WARNED");
    let human = project
        .gapless(&[&call[..], &["silent.md"]].concat())
        .exits(1);
    assert!(
        human.out.contains("H1 r2")
            && human
                .out
                .contains("2 of 2 CRITICAL and HIGH issues flagged"),
        "{}",
        human.out
    );
}

#[test]
fn what_is_out_of_scope_is_deferred() {
    let project = pair();
    let call = [
        "disagreement",
        "--review",
        "review.md",
        "--engineer",
        "silent.md",
        "--scope",
        "GAP-TEA-002,GAP-TEA-003",
        "--json",
    ];
    let said = project.gapless(&call).exits(0).json();
    assert_eq!(
        said["rounds"][0]["deferred"],
        json!(["ISSUE-R1-001", "ISSUE-R1-002"])
    );
}

#[test]
fn a_session_is_walked_through_with_its_revisions() {
    let project = Project::new();
    project.write("tea/round_001/engineer.md", PROPOSAL);
    project.write("tea/round_001/reviewer.md", REVIEW);
    project.write("tea/round_002/engineer.md", SILENT);
    project.write("tea/round_002/notes.md", ANSWER);
    project.write(
        "tea/status.md",
        "| ID | State |\n|---|---|\n| GAP-TEA-001 | RESOLVED (R2) |\n",
    );
    let call = ["disagreement", "--session", "tea", "--json"];
    let said = project.gapless(&call).exits(1).json();
    let both = [("H1".to_owned(), 2), ("H6".to_owned(), 2)];
    assert_eq!(flags(&said, "ISSUE-R1-001"), both);
    assert_eq!(flags(&said, "ISSUE-R1-002"), both);
    project.write("tea/round_002/engineer_v2.md", ANSWER);
    let said = project.gapless(&call).exits(0).json();
    assert_eq!(said["issues"][0]["settled_flags"][0]["heuristic"], "H1");
    let human = project.gapless(&call[..3]).exits(0);
    assert!(
        human.out.contains("settled") && human.out.contains("0 of 2"),
        "{}",
        human.out
    );
}

#[test]
fn the_demo_answers_its_issues() {
    let call = [
        "disagreement",
        "--session",
        crate::support::RECORDED,
        "--json",
    ];
    let said = Project::new().gapless(&call).exits(0).json();
    assert_eq!(flags(&said, "ISSUE-R1-002"), []);
    assert_eq!(said["issues"][0]["due"], json!([2]));
}

#[test]
fn wrong_calls_say_what_is_wrong() {
    let project = pair();
    let empty = ["disagreement", "--session", ".", "--json"];
    let said = project.gapless(&empty).exits(2).json();
    assert_eq!(said["error"]["kind"], "usage");
    for call in [
        &["disagreement"][..],
        &["disagreement", "--review", "review.md"],
        &[
            "disagreement",
            "--review",
            "review.md",
            "--engineer",
            "missing.md",
        ],
        &["disagreement", "--session", "missing"],
        &["disagreement", "--session", ".", "--engineer", "answer.md"],
        &[
            "disagreement",
            "--review",
            "review.md",
            "--engineer",
            "answer.md",
            "--scope",
            "TEA",
        ],
    ] {
        project.gapless(call).exits(2);
    }
}

#[test]
fn bytes_that_are_no_text_are_taken() {
    let project = pair();
    project.write(
        "noise.md",
        "\u{0}\u{1b}[31m## Gap Resolution: GAP-TEA-001\u{202e}\n```\n",
    );
    let call = [
        "disagreement",
        "--review",
        "noise.md",
        "--engineer",
        "noise.md",
    ];
    let said = project.gapless(&call).exits(0);
    assert!(!said.out.contains('\u{1b}'), "{}", said.out);
}
