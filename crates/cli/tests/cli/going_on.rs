//! Sessions that go on after their end: reopened gaps, changed decisions, and a refined spec that is applied twice.

use crate::rolling_back::agent;
use crate::support::Project;

impl Project {
    /// A session on a lamp that has ended as COMPLETE.
    fn with_ended_lamp() -> Self {
        let project = Self::new();
        project.write(
            "lamp.md",
            "# A lamp\n\nIt has a colour and a switch.\n\n## Known gaps\n\n\
             - GAP-COL-001 [MEDIUM]: the colour is missing\n- GAP-SWI-001 [LOW]: the switch is missing\n",
        );
        let agent = project.agent(&agent(""));
        let words = ["run", "lamp.md", "--agents", &agent, "--analyst", "none"];
        let words = [words.as_slice(), &["--policy", "recommended"]].concat();
        project.gapless(&words).exits(0);
        project
    }

    fn resume(&self) -> crate::support::Said {
        self.gapless(&["resume", "--policy", "recommended"])
    }
}

#[test]
fn a_wrong_answer_is_corrected_the_next_day() {
    let project = Project::with_ended_lamp();
    let said = project.gapless(&[]).exits(0);
    assert!(said.out.contains("gapless reopen lamp"), "{}", said.out);
    project.gapless(&["apply", "--yes"]).exits(0);
    let first = project.read("lamp.md");

    let reason = ["--reason", "the buyer wants another colour"];
    let words = [["gap", "reopen", "GAP-COL-001"].as_slice(), &reason].concat();
    let said = project.gapless(&words).exits(0);
    assert!(
        said.out
            .starts_with("Chapter 2: the session ended as COMPLETE and goes on\n"),
        "{}",
        said.out
    );
    assert!(
        said.out.ends_with("Go on with: gapless resume lamp\n"),
        "{}",
        said.out
    );
    let status = project.gapless(&["status"]).exits(0).out;
    assert!(
        status.contains("Chapter 2 goes on after round 1 (paused)"),
        "{status}"
    );
    assert!(
        status.contains("Chapter 1 ended after round 1 as COMPLETE: "),
        "{status}"
    );
    assert!(status.ends_with("Next: gapless resume lamp\n"), "{status}");
    assert_eq!(
        project.read("lamp.refined.md"),
        first,
        "written again only at the next end"
    );

    let said = project.resume().exits(0);
    assert!(said.out.contains("COMPLETE"), "{}", said.out);
    // What gapless wrote over the spec itself is no change of the user's.
    assert!(!said.out.contains("has changed since"), "{}", said.out);
    project.gapless(&["apply", "--dry-run"]).exits(0);
    let document = project.json(&["status"]);
    assert_eq!(document["chapter"], 2);
    assert_eq!(document["chapters"][0]["end"], "COMPLETE");
    assert_eq!(document["chapters"][0]["last_round"], 1);
    let words = ["report", "--format", "md", "--output", "report.md"];
    project.gapless(&words).exits(0);
    let report = project.read("report.md");
    assert!(
        report.contains("- Chapter 1 ended after round 1 as COMPLETE"),
        "{report}"
    );
}

#[test]
fn a_session_is_reopened_only_once_it_has_ended() {
    let project = Project::with_ended_lamp();
    let said = project.gapless(&["reopen"]).exits(0);
    assert_eq!(
        said.out,
        "Chapter 2: the session ended as COMPLETE and goes on\nGo on with: gapless resume lamp\n"
    );
    let said = project.gapless(&["reopen"]).exits(1);
    assert!(
        said.err.contains("the session has not ended"),
        "{}",
        said.err
    );
    let document = project.gapless(&["reopen", "--json"]).exits(1).json();
    assert_eq!(document["error"]["kind"], "refused");
    project.resume().exits(0);
    let document = project.json(&["reopen"]);
    assert_eq!(
        (&document["taken"], &document["next"]),
        (&true.into(), &"gapless resume lamp".into())
    );
}

#[test]
fn a_decision_is_changed_from_the_command_line() {
    let project = Project::with_ended_lamp();
    let reason = ["--reason", "shops ask"];
    let words = [
        ["gap", "severity", "GAP-SWI-001", "HIGH"].as_slice(),
        &reason,
    ]
    .concat();
    project.gapless(&words).exits(0);
    let decision = project.json(&["decisions"])["items"][0]["id"].clone();
    let decision = decision.as_str().unwrap();
    let words = [
        "decisions",
        "change",
        decision,
        "--text",
        "LOW",
        "--reason",
        "they no longer do",
    ];
    project.gapless(&words).exits(0);
    let items = project.json(&["decisions"])["items"].clone();
    assert_eq!(items[0]["state"], "LIFTED");
    assert_eq!(
        items[0]["lifted"],
        format!("replaced by {}", items[1]["id"].as_str().unwrap())
    );
    assert_eq!(
        (&items[1]["severity"], &items[1]["replaces"]),
        (&"LOW".into(), &items[0]["id"])
    );
    let unknown = ["decisions", "change", "DECISION-R9-001", "--text", "LOW"];
    let said = project.gapless(&unknown).exits(2);
    assert!(
        said.err.contains("there is no decision DECISION-R9-001"),
        "{}",
        said.err
    );
    let neither = project.gapless(&["decisions", "change", decision]).exits(2);
    assert!(neither.err.contains("--text"), "{}", neither.err);
}

#[test]
fn the_last_answer_and_the_last_command_are_taken_back() {
    let project = Project::with_ended_lamp();
    let said = project.gapless(&["undo", "--list"]).exits(0);
    assert_eq!(
        said.out, "There is no answer or command to take back.\n",
        "a policy answered"
    );
    let reason = ["--reason", "another colour"];
    let words = [["gap", "reopen", "GAP-COL-001"].as_slice(), &reason].concat();
    project.gapless(&words).exits(0);
    let list = project.json(&["undo", "--list"]);
    assert_eq!(list["items"][0]["said"], "gap reopen GAP-COL-001");
    let said = project.gapless(&["undo"]).exits(0);
    assert!(
        said.out
            .starts_with("! Taken back: gap reopen GAP-COL-001\n"),
        "{}",
        said.out
    );
    assert!(
        said.out.contains("lamp has ended as COMPLETE"),
        "{}",
        said.out
    );
    assert_eq!(project.json(&["status"])["chapter"], 1);
    let said = project.gapless(&["undo"]).exits(1);
    assert!(
        said.err
            .contains("there is no answer or command to take back"),
        "{}",
        said.err
    );
    // A session in which rounds followed.
    project.gapless(&words).exits(0);
    project.resume().exits(0);
    let said = project.gapless(&["undo"]).exits(0);
    assert!(
        said.out
            .contains("round 2 (GAP-COL-001), archived as round_002_rolled_back_1"),
        "{}",
        said.out
    );
    let log = project.gapless(&["log"]).exits(0).out;
    assert!(log.contains("gap reopen GAP-COL-001"), "{log}");
}

#[test]
fn a_person_goes_back_to_the_question_before() {
    let project = Project::new();
    project.write(
        "lamp.md",
        "# A lamp\n\n## Known gaps\n\n- GAP-COL-001 [MEDIUM]: the colour is missing\n",
    );
    let agent = project.agent(&agent("[ \"$GAPLESS_ROLE\" = engineer ] && exit 1"));
    let line = format!("gapless run lamp.md --agents '{agent}' --analyst none --set max_retries=0");
    let Some(said) = project.at_terminal(&line, "begin\nback\nabandon\n") else {
        return;
    };
    let asked = said.out.matches("1 gap was found. Begin?").count();
    assert!(asked >= 2, "{}", said.out);
    assert!(said.out.contains("ABANDONED"), "{}", said.out);
}
