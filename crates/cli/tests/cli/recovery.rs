//! Roles that fail, with no terminal to ask at: the printed commands, a person as the Engineer, and what `show` says.

use std::fs;

use crate::support::{Project, RECORDED, until};

/// An Engineer that brings the colour together with a gap that doesn't exist, as long as both gaps are its own; a Reviewer
/// that says what it examined only when pressed.
fn agent() -> String {
    format!(
        r####"
prompt=$(cat)
propose() {{
  printf '## Gap Resolution: %s\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n' "$1"
  printf 'It is fixed at forty-two units, measured as the norm says, with a tolerance of one unit either way. '
  printf 'Every lamp that leaves the works is measured, and one outside the tolerance is not sold.\n\n'
  printf '### Examples\n\nForty-one passes, forty does not.\n\n### Trade-offs\n\nNone.\n\n### New Gaps Introduced\n\nNone\n\n'
}}
case "$GAPLESS_ROLE $prompt" in
  engineer*"### GAP-COL-001 ["*) propose GAP-COL-001; propose GAP-NOPE-009 ;;
  engineer*) propose GAP-HGT-001 ;;
  reviewer*"Once more"*) printf '## Review: GAP-COL-001\n\n**NO_ISSUES_FOUND**\n\nExamined:\n\n- the colour\n' ;;
  reviewer*"### GAP-COL-001 ["*) printf '## Review: GAP-COL-001\n\n**NO_ISSUES_FOUND**\n' ;;
  reviewer*) printf '## Review: GAP-HGT-001\n\n**NO_ISSUES_FOUND**\n' ;;
  final_review*) cat {RECORDED}/round_007/final_review.md ;;
esac
"####
    )
}

/// A run that stops at the first question but the inventory.
fn started(script: &str, settings: &str) -> (Project, String) {
    let project = Project::with_two_gaps();
    let agent = project.agent(script);
    project.write("gapless.toml", settings);
    project.write(
        "answers.toml",
        "[[answer]]\nkind = \"inventory\"\noption = \"begin\"\n",
    );
    let words = [
        "run",
        "tiny.md",
        "--agents",
        &agent,
        "--analyst",
        "none",
        "--answers",
        "answers.toml",
    ];
    let said = project.gapless(&words).exits(3).out;
    (project, said)
}

/// The line of an output that is a command and has this in it.
#[track_caller]
fn command(out: &str, part: &str) -> String {
    let mut lines = out.lines().map(str::trim);
    let line = lines.find(|line| line.starts_with("gapless ") && line.contains(part));
    line.unwrap_or_else(|| panic!("no {part} in {out}"))
        .to_owned()
}

#[test]
fn an_escalation_prints_a_command_for_each_option_and_they_work_as_they_are() {
    let (project, said) = started(&agent(), "");
    insta::assert_snapshot!(project.filtered(&said));
    let shown = project.shell(&command(&said, "gapless show")).exits(0).out;
    assert!(shown.contains("engineer-3 of round 1 of tiny"), "{shown}");

    project.shell(&command(&said, "--option best")).exits(0);
    project.gapless(&["resume"]).exits(0);
    assert!(
        project
            .read(".gapless/sessions/tiny/round_001/summary.md")
            .contains("| content | INCONSISTENT_REFS, taken as the best |")
    );

    let shown = project.gapless(&["show", "1"]).exits(0).out;
    let row = |name: &str| {
        let mut lines = shown.lines();
        lines
            .find(|line| line.contains(name))
            .unwrap_or_else(|| panic!("no {name} in {shown}"))
            .to_owned()
    };
    assert!(!row("engineer-2").contains("taken"), "{shown}");
    assert!(
        row("engineer-3").contains("INCONSISTENT_REFS (taken as the best)"),
        "{shown}"
    );
    assert!(row("reviewer-1").contains("PRESSED"), "{shown}");
    assert!(row("reviewer-2").contains("VALID"), "{shown}");
    let attempt = |name: &str| {
        project
            .gapless(&["show", "1", "--attempt", name])
            .exits(0)
            .out
    };
    assert!(attempt("engineer-3").contains("Verdict   INCONSISTENT_REFS (taken as the best)"));
    let pressed = attempt("reviewer-1");
    assert!(pressed.contains("Verdict   PRESSED\nMessage   valid, but it finds nothing on GAP-COL-001 and does not say what it examined"), "{pressed}");
    assert!(attempt("reviewer-2").contains("# Once more: say what you examined"));
    let document = project.json(&["show", "1"]);
    let taken: Vec<_> = document["attempts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|attempt| attempt["taken_as_best"].clone())
        .collect();
    assert_eq!(
        taken,
        [
            serde_json::Value::Null,
            serde_json::Value::Null,
            true.into(),
            serde_json::Value::Null,
            serde_json::Value::Null
        ]
    );
}

#[test]
fn every_option_of_an_escalation_can_be_pasted() {
    for (option, event) in [
        ("skip", "task.skipped"),
        ("context", "task.granted"),
        ("narrow", "task.granted"),
        ("roll_back", "question.asked"),
        ("pause", "session.paused"),
    ] {
        let (project, said) = started(&agent(), "max_retries = 0\n");
        let happened = || {
            let log = project.json(&["log"]);
            let events = log["events"].as_array().unwrap().clone();
            events
                .iter()
                .filter(|logged| logged["type"] == event)
                .count()
        };
        let before = happened();
        project
            .shell(&command(&said, &format!("--option {option}")))
            .exits(0);
        assert_eq!(happened(), before + 1, "{option}");
    }
}

#[test]
fn a_person_writes_the_proposal_of_a_round_that_produced_nothing() {
    let script = agent().replace("propose GAP-COL-001; propose GAP-NOPE-009", "echo nonsense");
    let (project, said) = started(&script, "max_retries = 0\n");
    project.shell(&command(&said, "--option skip")).exits(0);
    let said = project.gapless(&["resume"]).exits(3).out;
    assert!(said.contains("Round 1 produced nothing"), "{said}");
    project.shell(&command(&said, "--option human")).exits(0);

    let running = project.start(&["resume"]);
    let folder = project.path(".gapless/sessions/tiny/drafts/round_001");
    let draft = folder.join("engineer-GAP-COL-001-1.draft.md");
    until("the draft", || {
        fs::read_to_string(&draft).is_ok_and(|text| text.contains("Now write"))
    });
    let form = fs::read_to_string(&draft).unwrap();
    let form = form
        .replace("<!-- HIGH, MEDIUM or LOW -->", "HIGH")
        .replace(
            "### Examples\n",
            "It is forty-two units, give or take one.\n\n### Examples\n",
        );
    fs::write(&draft, form).unwrap();
    fs::rename(&draft, folder.join("engineer-GAP-COL-001-1.md")).unwrap();
    running.wait().exits(0);
    let attempts = project.json(&["show", "1"])["attempts"].clone();
    assert_eq!(attempts[1]["agent"], "human");
    assert_eq!(attempts[1]["verdict"], "VALID");
}
