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

/// An Engineer that disagrees with a HIGH issue on the colour in round 2 and with a CRITICAL one on the height in round 3.
const LATER_AND_GRAVER: &str = r####"
prompt=$(cat)
propose() {
  printf '## Gap Resolution: %s\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n' "$1"
  printf 'It is forty-two units in round %s, with a tolerance of one unit either way. ' "$GAPLESS_ROUND"
  printf 'Every lamp that leaves the works is measured, and one outside the tolerance is not sold.\n\n'
  printf '### Trade-offs\n\nNone.\n\n### New Gaps Introduced\n\nNone\n\n'
}
disagree() {
  printf '## DISAGREE: %s\n\n**Reviewer Concern:**\n> The %s is not measured.\n\n' "$1" "$2"
  printf '**Engineer Position:** The card says it.\n\n**Rationale:** The works have the card.\n\n'
}
review() {
  printf '## Review: %s\n\n### %s\n\n- **%s**: The %s is not measured.\n  - **Suggestion:** measure it\n\n' "$1" "$2" "$3" "$4"
}
case "$GAPLESS_ROLE $GAPLESS_ROUND" in
  "engineer 1") propose GAP-COL-001; propose GAP-HGT-001 ;;
  "engineer 2") propose GAP-COL-001; disagree ISSUE-R1-001 colour; propose GAP-HGT-001
    printf '## Response to ISSUE-R1-002\n\nThe height is measured with a rule now.\n' ;;
  "engineer 3") propose GAP-HGT-001; disagree ISSUE-R2-001 depth ;;
  "reviewer 1") review GAP-COL-001 'High Priority' ISSUE-R1-001 colour; review GAP-HGT-001 'High Priority' ISSUE-R1-002 height ;;
  "reviewer 2") review GAP-COL-001 'High Priority' ISSUE-R1-001 colour; review GAP-HGT-001 'Critical Issues' ISSUE-R2-001 depth ;;
  "reviewer 3") review GAP-HGT-001 'Critical Issues' ISSUE-R2-001 depth ;;
esac
"####;

/// Runs this agent on a spec of two gaps until it waits, and gives what was printed.
fn run_until_it_waits(project: &Project, script: &str, stall_threshold: u32) -> String {
    let spec = "# A lamp\n\n- GAP-COL-001 [HIGH]: the colour is missing\n- GAP-HGT-001 [HIGH]: the height is missing\n";
    project.write("lamp.md", spec);
    project.write(
        "answers.toml",
        "[[answer]]\nkind = \"inventory\"\noption = \"begin\"\n",
    );
    let quiet = "unaddressed_high_threshold = 1000\nunaddressed_critical_threshold = 1000\npattern_threshold = 1000\n\
                 disagree_session_share = 100\n";
    let settings = format!("{quiet}stall_threshold = {stall_threshold}\n");
    project.write("gapless.toml", &settings);
    let agent = project.agent(script);
    let words = [
        "run",
        "lamp.md",
        "--agents",
        &agent,
        "--analyst",
        "none",
        "--answers",
        "answers.toml",
    ];
    project.gapless(&words).exits(3).out
}

#[test]
fn what_waits_comes_critical_first_wherever_it_is_listed() {
    let project = Project::new();
    let said = run_until_it_waits(&project, LATER_AND_GRAVER, 9);
    let later = |one: &str, other: &str, text: &str| {
        let (one, other) = (text.find(one).unwrap(), text.find(other).unwrap());
        assert!(one > other, "{text}");
    };
    let (_, printed) = said
        .rsplit_once("? Q-003 Conflict on ISSUE-R2-001: The depth is not measured. [CRITICAL]")
        .unwrap();
    assert!(
        printed.contains("? Q-002 Conflict on ISSUE-R1-001"),
        "{said}"
    );
    let status = project.gapless(&["status"]).exits(0).out;
    later("? Q-002", "? Q-003", &status);
    let document = project.read(".gapless/sessions/lamp/status.md");
    later("- Q-002 (", "- Q-003 (", &document);
    for words in [["status", "waiting_for"], ["questions", "items"]] {
        let document = project.json(&words[..1]);
        let items = document[words[1]].as_array().unwrap().iter();
        let ids: Vec<&str> = items.map(|item| item["id"].as_str().unwrap()).collect();
        assert_eq!(ids, ["Q-003", "Q-002"], "{words:?}");
    }
}

#[test]
fn printed_commands_show_every_field_of_an_option() {
    let project = Project::new();
    let said = run_until_it_waits(&project, LATER_AND_GRAVER, 9);
    let line_with = |part: &str, text: &str| {
        let at = text.lines().position(|line| line.contains(part)).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).skip(at).take(2).collect();
        (lines[0].to_owned(), lines[1].to_owned())
    };
    let optional = "optional: --field 'rationale=<why, for the record>' --field 'constraints=<conditions on how it is carried out>'";
    for option in ["A", "B"] {
        let (command, below) = line_with(&format!("Q-003 --option {option}"), &said);
        assert_eq!(
            command,
            format!("gapless answer lamp Q-003 --option {option}")
        );
        assert_eq!(below, optional);
    }
    let (command, below) = line_with("Q-003 --option D", &said);
    assert!(
        command.ends_with("--field 'text=<what shall hold instead>'"),
        "{command}"
    );
    assert_eq!(below, optional);
    let document = project.json(&["questions"]);
    let choice = &document["items"][0]["options"][0];
    assert_eq!(
        choice["optional"][0],
        "--field 'rationale=<why, for the record>'"
    );

    // The command as it is and what is optional behind it, filled in.
    let fields = below
        .trim_start_matches("optional: ")
        .replace("<why, for the record>", "the works have it")
        .replace(
            "<conditions on how it is carried out>",
            "with the card of 2025",
        );
    let (command, _) = line_with("Q-003 --option A", &said);
    project.shell(&format!("{command} {fields}")).exits(0);
    let decision = &project.json(&["decisions"])["items"][0];
    assert_eq!(decision["rationale"], "the works have it");
    assert_eq!(decision["constraints"], "with the card of 2025");
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

/// The line of an output that is a command and has this in it.
#[track_caller]
fn printed(out: &str, part: &str) -> String {
    let mut lines = out.lines().map(str::trim);
    let line = lines.find(|line| line.starts_with("gapless ") && line.contains(part));
    line.unwrap_or_else(|| panic!("no {part} in {out}"))
        .to_owned()
}

#[test]
fn a_printed_command_goes_on_working_when_another_answer_changes_the_inventory() {
    let project = Project::new();
    // No CRITICAL issue, and no answer to the HIGH one on the height: the session stalls with a conflict undecided.
    let stalling = LATER_AND_GRAVER.replace(
        "'Critical Issues' ISSUE-R2-001",
        "'High Priority' ISSUE-R1-002",
    );
    let said = run_until_it_waits(&project, &stalling, 2);
    assert!(
        said.contains("? Q-003 No gain in 2 rounds in a row"),
        "{said}"
    );
    let on = printed(&said, "Q-003 --option accept");
    let answered = project
        .shell(&printed(&said, "Q-002 --option B"))
        .exits(0)
        .out;
    assert!(
        answered.contains("? Q-003 No gain in 2 rounds in a row"),
        "{answered}"
    );
    assert!(!answered.contains("withdrawn"), "{answered}");
    project.shell(&on).exits(0);

    // Twice is once too often, and what is said is true.
    let twice = project.shell(&on).exits(1).err;
    assert!(twice.contains("Q-003 has been answered already"), "{twice}");
    assert!(
        twice.contains("`gapless questions lamp` shows what waits now"),
        "{twice}"
    );
    assert!(!twice.contains("nothing has changed"), "{twice}");
}

#[test]
fn a_stop_that_lists_other_gaps_names_the_command_that_accepts_them() {
    let project = Project::new();
    run_until_it_waits(
        &project,
        LATER_AND_GRAVER
            .replace("'Critical Issues'", "'High Priority'")
            .as_str(),
        2,
    );
    let said = project.gapless(&["stop", "lamp"]).exits(3).out;
    let fill = |command: &str| command.replace("<why it may stay open>", "a gateway does it");
    let (accept, on) = (
        fill(&printed(&said, "--option accept")),
        printed(&said, "--option continue"),
    );
    let close = ["gap", "close", "GAP-COL-001", "--reason", "not sold"];
    project.gapless(&close).exits(0);
    let refused = project.shell(&accept).exits(1).err;
    assert!(
        refused.contains("what is left has changed since"),
        "{refused}"
    );
    assert!(!refused.contains("nothing has changed"), "{refused}");
    let now = fill(&printed(&refused, "--option accept"));
    assert_ne!(now, accept);
    assert!(!now.contains("GAP-COL-001"), "{now}");
    assert_eq!(project.json(&["status"])["termination"], Value::Null);
    // What accepts nothing means what it meant.
    project.shell(&on).exits(0);
    project.gapless(&["stop", "lamp"]).exits(3);
    let waiting = waiting(&project);
    let id = waiting
        .iter()
        .find(|asked| asked.starts_with("stop "))
        .unwrap();
    let id = id.rsplit(' ').next().unwrap();
    let (_, rest) = now.split_once("--option").unwrap();
    project
        .shell(&format!("gapless answer lamp {id} --option{rest}"))
        .exits(0);
    assert_eq!(
        project.json(&["status"])["termination"]["type"],
        "USER_APPROVED"
    );
}

#[test]
fn a_critical_gap_that_was_lowered_is_closed_only_with_the_sentence() {
    let project = Project::new();
    let spec = "# A lamp\n\n- GAP-COL-001 [CRITICAL]: the colour is missing\n";
    project.write("lamp.md", spec);
    let words = ["run", "lamp.md", "--agents", "offline"];
    project.gapless(&words).exits(3);
    let lower = ["gap", "severity", "GAP-COL-001", "LOW", "--reason", "no"];
    project.gapless(&lower).exits(0);
    let close = ["gap", "close", "GAP-COL-001", "--reason", "no"];
    let refused = project.gapless(&close).exits(1);
    assert!(
        refused
            .err
            .contains("is CRITICAL, or was before its severity was changed"),
        "{}",
        refused.err
    );
    let sentence = "I accept CRITICAL gaps knowing the spec may be unusable";
    let close = close.into_iter().chain(["--sentence", sentence]);
    project.gapless(&close.collect::<Vec<_>>()).exits(0);
}
