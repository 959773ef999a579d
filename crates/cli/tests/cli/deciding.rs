//! Decisions: conflicts, waivers and severities from the command line, and the list of what was decided.

use serde_json::{Value, json};

use crate::support::Project;

/// An Engineer that disagrees with much and, asked again, with less; a Reviewer that holds on to it.
const QUARREL: &str = r####"
prompt=$(cat)
propose() {
  printf '## Gap Resolution: GAP-COL-001\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n'
  printf 'The lamp is blue, RAL 5015, with a tolerance of one shade either way. Every lamp that leaves the works is '
  printf 'compared with the card, and one outside the tolerance is not sold.\n\n'
  printf '### Examples\n\nRAL 5012 is not sold.\n\n### Trade-offs\n\nNone.\n\n### New Gaps Introduced\n\nNone\n\n'
}
disagree() {
  for number in "$@"; do
    printf '## DISAGREE: ISSUE-R1-00%s\n\n**Reviewer Concern:**\n> Shade %s of the lamp is not said.\n\n' "$number" "$number"
    printf '**Engineer Position:** The card says it.\n\n**Rationale:** The works have the card.\n\n'
  done
}
respond() {
  for number in "$@"; do
    printf '## Response to ISSUE-R1-00%s\n\nThe solution says it now.\n\n' "$number"
  done
}
issue() {
  printf -- '- **ISSUE-R1-00%s**: Shade %s of the lamp is not said.\n  - **Impact:** lamps differ in shade %s\n' "$1" "$1" "$1"
  printf -- '  - **Suggestion:** name shade %s\n' "$1"
}
review() {
  printf '## Review: GAP-COL-001\n\n### Critical Issues\n\n'; issue 1
  printf '\n### High Priority\n\n'; issue 2; issue 3; issue 6
  printf '\n### Medium Priority\n\n'; issue 4
  printf '\n### Low Priority / Nits\n\n'; issue 5
}
case "$GAPLESS_ROLE $GAPLESS_ROUND $prompt" in
  "engineer 2 # Once more"*) propose; disagree 1 2 4 5; respond 3 6 ;;
  "engineer 2 "*) propose; disagree 1 2 3 4 5 6 ;;
  engineer*) propose ;;
  "reviewer 1 "*|"reviewer 2 "*) review ;;
  reviewer*) printf '## Review: GAP-COL-001\n\n**NO_ISSUES_FOUND**\n\nExamined:\n\n- the shades\n- the card\n' ;;
  final_review*) printf '## Final Review\n\n**Verdict:** READY_FOR_TERMINATION\n\n### Blocking Issues\n\nNone\n' ;;
esac
"####;

/// A session whose second round waits for the user.
fn in_conflict() -> Project {
    let project = Project::new();
    project.write(
        "lamp.md",
        "# A lamp\n\n- GAP-COL-001 [HIGH]: the colour is missing\n",
    );
    let answers = "[[answer]]\nkind = \"inventory\"\noption = \"begin\"\n\n[[answer]]\nkind = \"rate_limit\"\nsubject = \"round 2\"\n\
                   option = \"revise\"\n";
    project.write("answers.toml", answers);
    let agent = project.agent(QUARREL);
    let words = ["run", "lamp.md", "--agents", &agent, "--analyst", "none"];
    let words: Vec<&str> = words
        .into_iter()
        .chain(["--answers", "answers.toml"])
        .collect();
    // What the Engineer passes over is not the subject here.
    let quiet = "unaddressed_high_threshold = 1000\nunaddressed_critical_threshold = 1000\npattern_threshold = 1000\n";
    project.write("gapless.toml", quiet);
    project.gapless(&words).exits(3);
    project
}

fn waiting(project: &Project) -> Vec<String> {
    let questions = project.json(&["questions"]);
    let items = questions["items"].as_array().unwrap().iter();
    items
        .map(|item| {
            let word = |key: &str| item[key].as_str().unwrap().to_owned();
            format!("{} {} {}", word("kind"), word("subject"), word("id"))
        })
        .collect()
}

fn answer(project: &Project, subject: &str, words: &[&str]) {
    let asked = waiting(project);
    let asked = asked.iter().find(|asked| asked.contains(subject)).unwrap();
    let id = asked.rsplit(' ').next().unwrap();
    let words: Vec<&str> = ["answer", "lamp", id]
        .iter()
        .chain(words)
        .copied()
        .collect();
    project.gapless(&words).exits(0);
}

#[test]
fn conflicts_waivers_and_severities_are_decided_and_listed() {
    let project = in_conflict();
    assert_eq!(
        project.gapless(&["decisions"]).exits(0).out,
        "No decisions.\n"
    );
    assert_eq!(project.json(&["decisions"])["items"], json!([]));
    let kinds: Vec<String> = waiting(&project)
        .iter()
        .map(|asked| asked.rsplit_once(' ').unwrap().0.to_owned())
        .collect();
    assert_eq!(
        kinds,
        [
            "conflict ISSUE-R1-001",
            "conflict ISSUE-R1-002",
            "lesser_conflicts ISSUE-R1-004, ISSUE-R1-005"
        ]
    );

    let own = [
        "--option",
        "D",
        "--field",
        "text=Shade 1 is RAL 5015.\nNo other.",
        "--field",
        "rationale=the card",
    ];
    answer(&project, "ISSUE-R1-001", &own);
    answer(&project, "ISSUE-R1-002", &["--option", "A"]);
    answer(&project, "ISSUE-R1-004", &["--option", "B"]);
    let said = project
        .gapless(&[
            "issue",
            "waive",
            "ISSUE-R1-003",
            "--reason",
            "not sold",
            "--session",
            "lamp",
        ])
        .exits(0);
    assert!(said.out.contains("ISSUE-R1-003 WAIVED"), "{}", said.out);
    let lower = [
        "issue",
        "severity",
        "ISSUE-R1-006",
        "LOW",
        "--reason",
        "nobody sees it",
    ];
    let document = project.json(&lower);
    assert_eq!(document["taken"], true);

    let document = project.json(&["decisions"]);
    let items = document["items"].as_array().unwrap();
    let brief: Vec<String> = items
        .iter()
        .map(|item| {
            let word = |key: &str| item[key].as_str().unwrap_or("-").to_owned();
            format!(
                "{} {} {} {} {}",
                word("id"),
                word("kind"),
                word("issue"),
                word("severity"),
                word("state")
            )
        })
        .collect();
    assert_eq!(
        brief,
        [
            "DECISION-R2-001 conflict ISSUE-R1-001 CRITICAL TO_CARRY_OUT",
            "DECISION-R2-002 conflict ISSUE-R1-002 HIGH TO_CARRY_OUT",
            "DECISION-R2-003 conflict ISSUE-R1-004 MEDIUM IN_FORCE",
            "DECISION-R2-004 conflict ISSUE-R1-005 LOW IN_FORCE",
            "DECISION-R2-005 waiver ISSUE-R1-003 - IN_FORCE",
            "DECISION-R2-006 severity ISSUE-R1-006 LOW IN_FORCE",
        ]
    );
    let first = &items[0];
    assert_eq!(first["decision"], "Shade 1 is RAL 5015.\nNo other.");
    assert_eq!(first["positions"]["chosen"], "D");
    assert_eq!(first["gaps"], json!(["GAP-COL-001"]));
    assert_eq!(first["by"], "user");
    assert_eq!(first["lifted"], Value::Null);
    assert_eq!(first["rationale"], "the card");
    assert!(first["at"].as_str().unwrap().ends_with('Z'));
    assert!(
        first["action"]["gap"]
            .as_str()
            .unwrap()
            .contains("not accepted before")
    );
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "[time]");
    settings.bind(|| {
        let table = project.gapless(&["decisions", "lamp"]).exits(0).out;
        insta::assert_snapshot!("decisions", table);
        let document = project.read(".gapless/sessions/lamp/decisions.md");
        insta::assert_snapshot!("decisions_md", document);
    });

    // What was settled is not settled twice, and nothing has changed.
    for words in [
        ["issue", "waive", "ISSUE-R1-003", "--reason", "again"],
        ["issue", "waive", "ISSUE-R1-001", "--reason", "again"],
        ["issue", "waive", "ISSUE-R1-006", "--reason", " "],
    ] {
        let said = project.gapless(&words).exits(1);
        assert!(said.err.contains("nothing has changed"), "{}", said.err);
    }
    assert_eq!(
        project.json(&["decisions"])["items"]
            .as_array()
            .unwrap()
            .len(),
        6
    );

    project
        .gapless(&["resume", "--policy", "recommended"])
        .exits(0);
    let states = project.json(&["decisions"]);
    let states = states["items"].as_array().unwrap().iter();
    assert!(states.into_iter().all(|item| item["state"] == "IN_FORCE"));
}
