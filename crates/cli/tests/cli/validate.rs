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

const SESSION_SPEC: &str = "# A lamp\n\nIt has a colour.\n\n## Known gaps\n\n- GAP-COL-001 [HIGH]: the colour is missing\n";

/// What a session says of a review: the failure type of its first attempt, or nothing.
fn judged_in_a_session(review: &str) -> Option<String> {
    let project = Project::new();
    project.write("lamp.md", SESSION_SPEC);
    let review = project.write("review.md", review);
    let agent = project.agent(&format!(
        r####"
cat > /dev/null
case "$GAPLESS_ROLE" in
  engineer) printf '## Gap Resolution: GAP-COL-001\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\nIt is blue, as the norm says.\n' ;;
  *) cat {} ;;
esac
"####,
        review.display()
    ));
    let words = [
        "run",
        "lamp.md",
        "--agents",
        &agent,
        "--analyst",
        "none",
        "--editor",
        "none",
        "--policy",
        "recommended",
        "--set",
        "max_retries=0",
        "--max-rounds",
        "1",
        "--scan-from",
        "never",
    ];
    project.gapless(&words);
    let log = project.json(&["log", "lamp"]);
    let events = log["events"].as_array().unwrap();
    let judged = events.iter().find(|event| {
        let judged = ["task.validated", "task.exhausted"].map(|name| json!(name));
        judged.contains(&event["type"]) && event["task"]["slot"]["role"] == "reviewer"
    });
    let failure = &judged.unwrap()["exhaustion"]["failure"];
    failure.as_str().map(str::to_owned)
}

#[test]
fn a_review_gets_the_verdict_that_a_session_gives_it() {
    let reviews = [
        (
            "a bare verdict",
            "**NO_ISSUES_FOUND**\n\nExamined:\n\n- the value\n",
            Some("NO_GAPS_ADDRESSED"),
        ),
        (
            "no gap is named",
            "### High Priority\n\n- **ISSUE-R1-001**: the value is wrong\n",
            Some("NO_GAPS_ADDRESSED"),
        ),
        (
            "an unknown gap",
            "## Review: GAP-NO-404\n\n**NO_ISSUES_FOUND**\n\nExamined:\n\n- it\n",
            Some("INCONSISTENT_REFS"),
        ),
        (
            "no judgement",
            "## Review: GAP-COL-001\n\nIt is fine.\n",
            Some("WRONG_FORMAT"),
        ),
        (
            "a review",
            "## Review: GAP-COL-001\n\n**NO_ISSUES_FOUND**\n\nExamined:\n\n- it\n",
            None,
        ),
    ];
    let project = Project::new();
    project.write(
        "status.md",
        "| ID | State | Severity |\n|---|---|---|\n| GAP-COL-001 | PROPOSED | HIGH |\n",
    );
    for (name, review, failure) in reviews {
        assert_eq!(
            judged_in_a_session(review).as_deref(),
            failure,
            "{name}, in a session"
        );
        project.write("review.md", review);
        let words = [
            "validate",
            "reviewer",
            "review.md",
            "--status",
            "status.md",
            "--json",
        ];
        let said = project
            .gapless(&words)
            .exits(i32::from(failure.is_some()))
            .json();
        assert_eq!(said["failure_type"], json!(failure), "{name}");
    }
}

#[test]
fn what_cannot_be_known_is_said() {
    let project = Project::new();
    project.write("status.md", STATUS);
    project.write(
        "review.md",
        "## Review: GAP-DLV-001\n\n**NO_ISSUES_FOUND**\n\nExamined:\n\n- it\n",
    );
    let without = project
        .gapless(&["validate", "reviewer", "review.md"])
        .exits(0);
    assert!(
        !without.out.contains("every reviewed gap exists"),
        "{}",
        without.out
    );
    assert!(
        without.out.contains("not checked: whether the gaps exist"),
        "{}",
        without.out
    );
    let said = project.json(&["validate", "reviewer", "review.md", "--status", "status.md"]);
    assert_eq!(
        said["not_checked"],
        json!(["whether the gaps are those that the task was given"])
    );
    // Without an inventory too, a review that names no gap reviews none.
    project.write("none.md", "**NO_ISSUES_FOUND**\n\nExamined:\n\n- it\n");
    let none = project
        .gapless(&["validate", "reviewer", "none.md"])
        .exits(1);
    assert!(none.out.contains("✗ a gap is reviewed"), "{}", none.out);
}

#[test]
fn the_fix_names_what_the_document_lacks() {
    let project = Project::new();
    let cases = [
        (
            "reviewer",
            "## Review: GAP-DLV-001\n\nIt is fine.\n",
            "under the heading of GAP-DLV-001 (line 1)",
        ),
        (
            "reviewer",
            "## Review: GAP-DLV-001\n\nIt is fine.\n",
            "`**NO_ISSUES_FOUND**`",
        ),
        (
            "reviewer",
            "**NO_ISSUES_FOUND**\n",
            "by its id: `## Review: GAP-…`",
        ),
        (
            "reviewer",
            "It is fine.\n",
            "begins with `## Review: GAP-…`",
        ),
        (
            "reviewer",
            "## Gap Resolution: GAP-DLV-001\n\n**Confidence:** HIGH\n\n- **ISSUE-R1-001** [HIGH]: x GAP-DLV-001\n",
            "hand over the review",
        ),
        (
            "engineer",
            "I would say ten seconds.\n",
            "begins with `## Gap Resolution: GAP-…`",
        ),
        (
            "engineer",
            "## Gap Resolution: GAP-DLV-001\n",
            "write the proposal under the headings",
        ),
        (
            "engineer",
            "UNCERTAINTY: which clock is meant?\n",
            "`BLOCKED_NEEDS_INPUT: GAP-…`",
        ),
        (
            "engineer",
            "## Gap Resolution: GAP-DLV-001\n\nTen.\n\n## DISAGREE: ISSUE-R1-001\n\n**Engineer Position:** no\n\n**Rationale:** no\n",
            "DISAGREE block on ISSUE-R1-001 its **Reviewer Concern:**",
        ),
        (
            "analyst",
            "Nothing to say.\n",
            "begins with `## Gap: GAP-…`",
        ),
        (
            "analyst",
            "## Gap: GAP-DLV-001\n",
            "say under the heading of GAP-DLV-001 (line 1) what is missing",
        ),
        (
            "final",
            "## Final Review\n\nFine.\n",
            "write `**Verdict:** READY_FOR_TERMINATION`",
        ),
        ("final", "Fine.\n", "begin with `## Final Review`"),
    ];
    for (role, text, fix) in cases {
        project.write("document.md", text);
        let human = project.gapless(&["validate", role, "document.md"]).exits(1);
        let said = human.out.lines().find(|line| line.starts_with("Fix: "));
        assert!(
            said.is_some_and(|said| said.contains(fix)),
            "{role}, {text:?}: {}",
            human.out
        );
    }
}

#[test]
fn a_mistyped_path_is_a_usage_error_that_names_it() {
    let project = Project::new();
    project.write(
        "reviewer.md",
        "## Review: GAP-DLV-001\n\n**NO_ISSUES_FOUND**\n",
    );
    project.write("spec.md", "# A spec\n");
    let calls: [&[&str]; 12] = [
        &["validate", "reviewer", "reveiwer.md"],
        &[
            "validate",
            "reviewer",
            "reviewer.md",
            "--status",
            "reveiwer.md",
        ],
        &["analyze", "reveiwer.md"],
        &["analyze", "reviewer.md", "--source", "reveiwer.md"],
        &["analyze", "reviewer.md", "--status", "reveiwer.md"],
        &[
            "disagreement",
            "--review",
            "reveiwer.md",
            "--engineer",
            "reviewer.md",
        ],
        &[
            "disagreement",
            "--review",
            "reviewer.md",
            "--engineer",
            "reveiwer.md",
        ],
        &["disagreement", "--session", "reveiwer.md"],
        &["scan", "reveiwer.md"],
        &["run", "reveiwer.md", "--agents", "offline"],
        &[
            "run",
            "spec.md",
            "--agents",
            "offline",
            "--answers",
            "reveiwer.md",
        ],
        &["import", "reveiwer.md"],
    ];
    for words in calls {
        let said = project.gapless(words).exits(2);
        assert!(said.err.contains("reveiwer.md"), "{words:?}: {}", said.err);
        assert!(
            said.err.contains("hint: check the path"),
            "{words:?}: {}",
            said.err
        );
        assert!(
            !said.err.contains("left no document"),
            "{words:?}: {}",
            said.err
        );
    }
    let said = project.gapless(calls[0]).exits(2);
    assert!(
        said.err.contains("did you mean `reviewer.md`?"),
        "{}",
        said.err
    );
    let said = project
        .gapless(&[calls[0], &["--json"]].concat())
        .exits(2)
        .json();
    assert_eq!(said["error"]["kind"], "usage");
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

#[test]
fn explain_shows_each_section_with_its_role_and_why() {
    let project = Project::new();
    let review = "# Review: Round 3\n\n**Reviewing:** GAP-DLV-001\n\n## Strengths\n\n- short\n\n\
                  ## MUST CLARIFY (Blocking)\n\n- nobody says how long a delivery may take\n\n## Verdict: NEEDS_REVISION\n";
    project.write("review.md", review);
    let told = project
        .gapless(&["validate", "reviewer", "review.md", "--explain"])
        .exits(0);
    let sections: Vec<&str> = told.out.lines().take(5).collect();
    assert_eq!(
        sections,
        [
            "   1 Review: Round 3 → title (it is the title of the document)",
            "   5   Strengths → praise (the title says \"strength\")",
            "   9   MUST CLARIFY (Blocking) → findings, HIGH (the title says \"blocking\")",
            "  13   Verdict: NEEDS_REVISION → verdict, REVISE (it states a verdict)",
            "",
        ]
    );
    let said = project.json(&["validate", "reviewer", "review.md", "--explain"]);
    assert_eq!(
        said["sections"][2],
        json!({
            "line": 9,
            "depth": 1,
            "title": "MUST CLARIFY (Blocking)",
            "role": "findings",
            "why": "the title says \"blocking\"",
            "severity": "HIGH",
        })
    );
    assert_eq!(said["verdict"], "REVISE");
    // Without the option nothing of it is there.
    let said = project.json(&["validate", "reviewer", "review.md"]);
    assert_eq!(said.get("sections"), None);
    // The Engineer's document is explained too, and a document without headings says so.
    let engineer = format!("{RECORDED}/round_001/engineer.md");
    let told = project
        .gapless(&["validate", "engineer", &engineer, "--explain"])
        .exits(0);
    assert!(
        told.out.contains("→ resolution of GAP-DLV-001 ("),
        "{}",
        told.out
    );
    project.write("prose.md", "Looks good to me!\n");
    let told = project
        .gapless(&["validate", "reviewer", "prose.md", "--explain"])
        .exits(1);
    assert!(
        told.out
            .starts_with("no sections: the document has no headings\n")
    );
}
