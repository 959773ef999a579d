//! Asking a session to end: here, in the run that drives it, by file, by policy, and what forbids it.

use crate::support::{Project, lamp_agent, until};

const REPLAY: &str = "replay:recorded";

/// A session of a HIGH and a LOW gap that waits for its inventory to be confirmed.
fn waiting() -> Project {
    let project = Project::with_two_gaps();
    project.write("recorded/round_001/engineer.md", "nothing");
    project
        .gapless(&["run", "tiny.md", "--agents", REPLAY])
        .exits(3);
    project
}

const ACCEPT: &str = "[[answer]]\nkind = \"stop\"\noption = \"accept\"\n\
    [answer.fields]\nhigh = \"I acknowledge\"\nGAP-COL-001 = \"any colour will do\"\n";

#[test]
fn without_a_terminal_the_question_is_printed_with_its_commands() {
    let project = waiting();
    let said = project.gapless(&["stop"]).exits(3);
    for expected in [
        "? Q-002 End the session with 2 gaps left?",
        "gapless answer tiny Q-002 --option accept --field 'high=I acknowledge'",
        "gapless answer tiny Q-002 --option continue",
        "Waiting for you: answer with one of the commands above.",
    ] {
        assert!(said.out.contains(expected), "{expected} in {}", said.out);
    }
    assert!(!said.out.contains("Q-001"), "{}", said.out);
    // Asked again, it is the same question.
    let document = project.gapless(&["stop", "tiny", "--json"]).exits(3).json();
    assert_eq!(document["stopped"], "waiting");
    let ids: Vec<&str> = document["waiting_for"]
        .as_array()
        .unwrap()
        .iter()
        .map(|question| question["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["Q-002", "Q-001"], "what is HIGH comes first");
    let command = |out: &str| {
        let mut lines = out.lines().map(str::trim);
        let line = lines.find(|line| line.contains("--option accept")).unwrap();
        line.to_owned()
    };
    let said = project.shell(&command(&said.out)).exits(0);
    assert!(
        said.out.contains("tiny has ended as USER_APPROVED"),
        "{}",
        said.out
    );
    let said = project.gapless(&["stop"]).exits(1);
    assert!(
        said.err.contains("the session has ended (USER_APPROVED)"),
        "{}",
        said.err
    );
}

#[test]
fn an_answers_file_ends_it_or_lets_it_go_on() {
    let project = waiting();
    project.write(
        "continue.toml",
        "[[answer]]\nkind = \"stop\"\noption = \"continue\"\n",
    );
    let said = project
        .gapless(&["stop", "--answers", "continue.toml"])
        .exits(0);
    assert!(
        said.out
            .contains("tiny has not ended. Go on with: gapless resume tiny"),
        "{}",
        said.out
    );
    assert_eq!(project.json(&["status"])["waiting_for"][0]["id"], "Q-001");
    project.write("accept.toml", ACCEPT);
    let words = ["stop", "--answers", "accept.toml", "--output", "out.md"];
    let said = project.gapless(&words).exits(0);
    assert!(said.out.contains("USER_APPROVED: the user asked to stop"));
    assert!(said.out.contains("Refined spec:"), "{}", said.out);
    assert!(project.read("out.md").starts_with("# A lamp"));
    assert_eq!(project.json(&["status"])["output"]["written"], true);
}

#[test]
fn a_policy_ends_only_what_has_nothing_grave_left() {
    let project = waiting();
    let words = ["stop", "--policy", "recommended"];
    project.gapless(&words).exits(3);
    assert_eq!(
        project.json(&["status"])["termination"],
        serde_json::Value::Null
    );
    project
        .gapless(&["gap", "close", "GAP-COL-001", "--reason", "none needed"])
        .exits(0);
    let said = project.gapless(&words).exits(0);
    assert!(said.out.contains("GOOD_ENOUGH"), "{}", said.out);
}

#[test]
fn giving_up_ends_it_at_once_without_a_refined_spec() {
    let project = waiting();
    let said = project.gapless(&["stop", "--abandon"]).exits(0);
    assert!(
        said.out.contains("tiny has ended as ABANDONED"),
        "{}",
        said.out
    );
    let said = project.gapless(&["resume", "tiny"]).exits(1);
    assert!(said.out.contains("What was left:"), "{}", said.out);
    assert!(!said.out.contains("end of the spec"), "{}", said.out);
    let said = project
        .gapless(&["resume", "tiny", "--output", "out.md"])
        .exits(1);
    assert!(
        said.err.contains("there is no refined spec"),
        "{}",
        said.err
    );
    assert!(!project.path("out.md").exists());
}

#[test]
fn the_run_that_drives_it_asks() {
    let project = Project::with_two_gaps();
    let (gate, started) = (project.path("gate"), project.path("started"));
    let agent = project.agent(&lamp_agent(&gate, &started));
    project.write(
        "begin.toml",
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
        "begin.toml",
    ];
    let mut running = project.start(&words);
    until("the height is being worked on", || started.exists());
    let said = project.gapless(&["stop", "--output", "out.md"]).exits(0);
    let who = format!(
        "Taken by the run that drives tiny (process {}): it asks there whether to end",
        running.id()
    );
    assert!(said.out.contains(&who), "{}", said.out);
    assert!(!running.has_ended());
    let questions = project.json(&["questions"]);
    assert_eq!(questions["items"][0]["kind"], "stop");
    let id = questions["items"][0]["id"].as_str().unwrap();
    // Answered from here, it ends there, and is written by that run.
    let words = [
        "answer",
        "tiny",
        id,
        "--option",
        "accept",
        "--field",
        "high=I acknowledge",
        "--field",
        "GAP-COL-001=any will do",
    ];
    project.gapless(&words).exits(0);
    let said = running.wait().exits(0);
    assert!(said.out.contains("Refined spec:"), "{}", said.out);
    assert!(project.path("out.md").exists());
}

#[test]
fn an_undecided_critical_conflict_is_named_with_the_command_that_decides_it() {
    let project = Project::new();
    project.write(
        "tiny.md",
        "# A lamp\n\n- GAP-COL-001 [HIGH]: the colour is missing\n",
    );
    let resolution = "## Gap Resolution: GAP-COL-001\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\nIt is blue, \
        as every lamp of this house has been since the first one, and no other colour is offered to anybody.\n\n\
        ### Examples\n\nA blue lamp.\n\n### Trade-offs\n\nNone.\n\n### New Gaps Introduced\n\nNone\n\n";
    let review = "## Review: GAP-COL-001\n\n### Critical Issues\n\n- **ISSUE-R1-001**: the shade is not said.\n  \
        - **Location:** Proposed Solution\n  - **Impact:** it may clash\n  - **Suggestion:** name the shade\n";
    let disagree = "## DISAGREE: ISSUE-R1-001\n\n**Reviewer Concern:**\n> the shade is not said.\n\n\
        **Engineer Position:** blue is enough\n\n**Rationale:** there is one blue paint only\n";
    project.write("recorded/round_001/engineer.md", resolution);
    project.write("recorded/round_001/reviewer.md", review);
    project.write(
        "recorded/round_002/engineer.md",
        &format!("{resolution}{disagree}"),
    );
    project.write("recorded/round_002/reviewer.md", review);
    let begin = "[[answer]]\nkind = \"inventory\"\noption = \"begin\"\n";
    project.write("begin.toml", begin);
    let words = [
        "run",
        "tiny.md",
        "--agents",
        REPLAY,
        "--answers",
        "begin.toml",
    ];
    project.gapless(&words).exits(3);
    let conflict = project.json(&["questions"])["items"][0].clone();
    assert_eq!(conflict["kind"], "conflict", "{conflict}");

    let said = project.gapless(&["stop"]).exits(1);
    let id = conflict["id"].as_str().unwrap();
    assert!(
        said.err
            .contains(&format!("a CRITICAL conflict is undecided: {id}")),
        "{}",
        said.err
    );
    let error = project.gapless(&["stop", "--json"]).exits(1).json()["error"].clone();
    let hint = error["hint"].as_str().unwrap();
    let command = conflict["options"][0]["command"].as_str().unwrap();
    assert!(hint.contains(command), "{hint}");
    assert!(hint.contains("gapless stop tiny --abandon"), "{hint}");
    project.shell(command).exits(0);
    project.gapless(&["stop"]).exits(3);
}
