//! Sessions from their start to their end: answered from a file, by policy, by command, interrupted and resumed.

use std::fs;
use std::process::Command;

use crate::support::{Project, recorded_agent, until};

/// The demo's recording, as it lies beside its spec.
const REPLAY: &str = "replay:recorded";

#[test]
fn a_session_with_prepared_answers_ends_complete() {
    let project = Project::with_demo();
    let words = [
        "run",
        "spec.md",
        "--agents",
        REPLAY,
        "--answers",
        "answers.toml",
    ];
    let said = project.gapless(&words).exits(0);
    assert!(
        said.out.contains("COMPLETE: no gap is open"),
        "{}",
        said.out
    );
    let again = project.gapless(&words).exits(2);
    assert!(again.err.contains("there is a session `spec` already"));
    assert!(again.err.contains("gapless resume spec"), "{}", again.err);
    assert!(again.err.contains("--name"), "{}", again.err);
    // An ended session stays as it ended.
    project.gapless(&["resume"]).exits(0);
    let refused = project.gapless(&["pause"]).exits(1);
    assert!(refused.err.contains("the session has ended (COMPLETE)"));
}

#[test]
fn without_anyone_to_ask_the_printed_commands_answer() {
    let project = Project::with_demo();
    let said = project
        .gapless(&["run", "spec.md", "--agents", REPLAY])
        .exits(3);
    insta::assert_snapshot!(project.filtered(&said.out));

    let command = |out: &str, part: &str| -> String {
        let line = out
            .lines()
            .map(str::trim)
            .find(|line| line.starts_with("gapless answer") && line.contains(part));
        line.unwrap_or_else(|| panic!("no {part} in {out}"))
            .to_owned()
    };
    let answered = project
        .shell(&command(&said.out, "--option begin"))
        .exits(0);
    assert!(answered.out.contains("Go on with: gapless resume spec"));

    let said = project.gapless(&["resume"]).exits(3);
    let give = command(&said.out, "--option input");
    assert!(
        give.ends_with("--field 'input=<what the Engineer needs to know>'"),
        "{give}"
    );
    project.shell(&give).exits(0);
    let twice = project.shell(&give).exits(1);
    assert!(twice.err.contains("Q-002 has been answered already"));

    let said = project.gapless(&["resume"]).exits(3);
    project
        .shell(&command(&said.out, "--option prioritise"))
        .exits(0);
    project.gapless(&["resume"]).exits(0);
}

#[test]
fn an_answer_that_does_not_fit_is_refused() {
    let project = Project::with_demo();
    project
        .gapless(&["run", "spec.md", "--agents", REPLAY])
        .exits(3);
    let refused = |words: &[&str], why: &str| {
        let words: Vec<&str> = ["answer", "spec", "Q-001"]
            .iter()
            .chain(words)
            .copied()
            .collect();
        let said = project.gapless(&words).exits(1);
        assert!(said.err.contains(why), "{}", said.err);
    };
    refused(
        &["--option", "start"],
        "`start` is not an option of Q-001; it has: begin, change, pause, abandon",
    );
    refused(
        &["--option", "begin", "--field", "a=b"],
        "Q-001 has no field `a`",
    );
    project
        .gapless(&["answer", "spec", "Q-001", "--option", "abandon"])
        .exits(0);
    let said = project.gapless(&["resume"]).exits(1);
    assert!(
        said.out.contains("ABANDONED: the user gave up"),
        "{}",
        said.out
    );
}

#[test]
fn a_budget_that_no_agent_counts_towards_is_said_and_a_used_up_one_is_named_in_what_comes_next() {
    let project = Project::with_two_gaps();
    let words = [
        "run",
        "tiny.md",
        "--agents",
        "cmd:false",
        "--analyst",
        "none",
    ];
    let said = project.gapless(&[&words[..], &["--budget", "tokens=1"]].concat());
    assert!(
        said.err.contains("no agent of this session reports tokens"),
        "{}",
        said.err
    );
    let policy = ["--policy", "recommended", "--budget", "tokens=none"];
    let said = project.gapless(&[&["resume"], &policy[..], &["--budget", "time=0"]].concat());
    let said = said.exits(3);
    assert!(!said.err.contains("reports"), "{}", said.err);
    let said = project.gapless(&["status"]).exits(0);
    assert!(
        said.out
            .contains("Next: gapless resume tiny --budget time=…"),
        "{}",
        said.out
    );
}

#[test]
fn no_policy_begins_over_an_entry_that_was_not_taken_as_a_gap() {
    let project = Project::new();
    project.write(
        "low.md",
        "# Lamp\n\n## Light\n\n- GAP-A-001 [LOW]: the colour\n",
    );
    let words = [
        "run",
        "low.md",
        "--agents",
        "cmd:false",
        "--analyst",
        "none",
        "--policy",
        "recommended",
    ];
    let said = project.gapless(&words).exits(3);
    assert!(
        said.out.contains("`GAP-A-001` is no gap id"),
        "{}",
        said.out
    );
}

#[test]
fn a_policy_answers_with_what_is_recommended() {
    let project = Project::with_demo();
    let words = [
        "run",
        "spec.md",
        "--agents",
        REPLAY,
        "--policy",
        "recommended",
    ];
    let said = project.gapless(&words);
    assert!(
        said.out.contains("Q-001 answered by policy: begin"),
        "{}",
        said.out
    );
    assert!(
        said.out.contains("Q-002 answered by policy: go_on"),
        "{}",
        said.out
    );
    // What only the user may decide, a policy leaves to them.
    assert_eq!(said.code, Some(3), "{}", said.out);
}

#[test]
fn an_answer_refused_from_the_file_is_not_given_again() {
    let project = Project::with_demo();
    project.write(
        "wrong.toml",
        "[[answer]]\nkind = \"inventory\"\noption = \"start\"\nrepeat = true\n",
    );
    let words = [
        "run",
        "spec.md",
        "--agents",
        REPLAY,
        "--answers",
        "wrong.toml",
    ];
    let said = project.gapless(&words).exits(3);
    assert_eq!(
        said.out
            .matches("the answer to Q-001 was not taken")
            .count(),
        1
    );
}

#[test]
fn a_paused_session_goes_on_when_it_is_resumed() {
    let project = Project::with_demo();
    project
        .gapless(&["run", "spec.md", "--agents", REPLAY])
        .exits(3);
    let said = project.gapless(&["pause"]).exits(0);
    assert!(said.out.contains("Paused"), "{}", said.out);
    assert_eq!(project.json(&["status"])["paused"], true);
    project.gapless(&["pause"]).exits(1);
    let said = project
        .gapless(&["resume", "--answers", "answers.toml"])
        .exits(0);
    assert!(said.out.contains("Resumed"), "{}", said.out);
}

#[test]
fn commands_on_gaps_change_the_inventory() {
    let project = Project::with_demo();
    project
        .gapless(&["run", "spec.md", "--agents", REPLAY])
        .exits(3);
    let gap = |words: &[&str]| {
        let words: Vec<&str> = ["gap"].iter().chain(words).copied().collect();
        project.gapless(&words)
    };
    gap(&[
        "add",
        "UX",
        "HIGH",
        "no empty state",
        "--section",
        "Dashboard",
    ])
    .exits(0);
    gap(&["defer", "GAP-UX-001", "--reason", "later"]).exits(0);
    gap(&["resume", "GAP-UX-001"]).exits(0);
    gap(&["severity", "GAP-UX-001", "low", "--reason", "polish"]).exits(0);
    gap(&["split", "GAP-UX-001", "no text", "no picture"]).exits(0);
    gap(&["block", "GAP-UX-001a", "--by", "GAP-UX-001b"]).exits(0);
    gap(&["unblock", "GAP-UX-001a", "--by", "GAP-UX-001b"]).exits(0);
    gap(&["close", "GAP-UX-001a", "--reason", "not needed"]).exits(0);
    gap(&["reopen", "GAP-UX-001a", "--reason", "needed"]).exits(0);
    let refused = gap(&["confirm", "GAP-UX-001a"]).exits(1);
    assert!(
        refused.err.contains("a gap that is OPEN cannot"),
        "{}",
        refused.err
    );
    let refused = gap(&["input", "GAP-UX-001a", "blue"]).exits(1);
    assert!(refused.err.contains("GAP-UX-001a"), "{}", refused.err);
    let critical = gap(&["close", "GAP-DLV-001", "--reason", "no"]).exits(1);
    assert!(
        critical.err.contains("I accept CRITICAL gaps"),
        "{}",
        critical.err
    );

    let gaps = project.json(&["gaps"]);
    let state = |id: &str| {
        let items = gaps["items"].as_array().unwrap();
        items.iter().find(|item| item["id"] == id).unwrap()["state"].clone()
    };
    assert_eq!(state("GAP-UX-001"), "SUPERSEDED");
    assert_eq!(state("GAP-UX-001a"), "OPEN");
    let decisions = project.json(&["decisions"]);
    let mut decisions = decisions["items"].as_array().unwrap().iter();
    let reopened = decisions
        .find(|item| item["title"] == "GAP-UX-001a is reopened")
        .unwrap();
    // What was closed without a resolution has none to change: the reason is no text of the spec.
    assert_eq!(reopened["kind"], "scope", "{reopened}");
}

#[test]
fn what_changed_around_a_session_is_said_when_it_is_resumed() {
    let project = Project::with_demo();
    project
        .gapless(&["run", "spec.md", "--agents", REPLAY])
        .exits(3);
    let status = project.path(".gapless/sessions/spec/status.md");
    fs::write(&status, "mine").unwrap();
    let spec = project.read("spec.md");
    project.write("spec.md", &format!("{spec}\nMore.\n"));
    project.write("gapless.toml", "gaps_per_round = 2\n");
    let said = project.gapless(&["resume"]).exits(3);
    assert!(
        said.out
            .contains("status.md was edited by hand: the edit is kept as status.edited.md"),
        "{}",
        said.out
    );
    assert!(
        said.out
            .contains("spec.md has changed since the session started: reported, not read again"),
        "{}",
        said.out
    );
    assert_eq!(
        project.read(".gapless/sessions/spec/status.edited.md"),
        "mine"
    );
    assert!(
        project
            .read(".gapless/sessions/spec/status.md")
            .contains("gaps_per_round | 2")
    );

    let again = project.gapless(&["resume"]).exits(3);
    assert!(!again.out.contains("edited by hand"), "{}", again.out);
    assert!(!again.out.contains("has changed since"), "{}", again.out);
}

/// Ctrl-C, Ctrl-\, another process, and a terminal that is closed.
#[test]
fn an_interrupted_session_exits_130_ends_its_agent_and_goes_on() {
    for signal in ["INT", "QUIT", "TERM", "HUP"] {
        let project = Project::with_demo();
        let (started, gate) = (project.path("started"), project.path("gate"));
        let before = format!(
            "echo $$ > {0}.new && mv {0}.new {0}\nwhile [ ! -e {1} ]; do sleep 0.02; done",
            started.display(),
            gate.display()
        );
        let agent = project.agent(&recorded_agent(&before));
        let words = [
            "run",
            "spec.md",
            "--agents",
            &agent,
            "--analyst",
            "none",
            "--editor",
            "none",
            "--scan-from",
            "never",
            "--answers",
            "answers.toml",
        ];
        let running = project.start(&words);
        until("the agent has started", || started.exists());
        running.signal(signal);
        let said = running.wait().exits(130);
        assert!(
            said.out.contains(
                "Interrupted; everything so far is on disk. Go on with: gapless resume spec"
            ),
            "{signal}: {}",
            said.out
        );
        let agent = project.read("started");
        until("the agent is gone", || {
            let alive = Command::new("kill").args(["-0", agent.trim()]).output();
            !alive.unwrap().status.success()
        });
        project.write("gate", "");
        project
            .gapless(&["resume", "--answers", "answers.toml"])
            .exits(0);
    }
}

#[test]
fn which_session_is_meant_is_said_where_it_is_not_obvious() {
    let project = Project::with_demo();
    let run = |name: &str| {
        project
            .gapless(&["run", "spec.md", "--name", name, "--agents", REPLAY])
            .exits(3);
    };
    run("one");
    let said = project.gapless(&["status"]).exits(0);
    assert_eq!(said.err, "");
    run("two");
    let said = project.gapless(&["status"]).exits(0);
    assert!(
        said.err
            .contains("session two (the last one worked on; 1 more: one)"),
        "{}",
        said.err
    );
    project
        .gapless(&["answer", "two", "Q-001", "--option", "abandon"])
        .exits(0);
    let said = project.gapless(&["status"]).exits(0);
    assert!(said.err.contains("session one"), "{}", said.err);
    let said = project.gapless(&["status", "tow"]).exits(2);
    assert!(said.err.contains("did you mean `two`?"), "{}", said.err);
}

#[test]
fn a_session_goes_on_from_any_folder_below() {
    let project = Project::with_demo();
    fs::create_dir(project.path("specs")).unwrap();
    fs::rename(project.path("spec.md"), project.path("specs/spec.md")).unwrap();
    project.gapless(&["init"]).exits(0);
    fs::rename(project.path("recorded"), project.path("specs/recorded")).unwrap();
    project
        .shell("cd specs && gapless run spec.md --agents replay:recorded")
        .exits(3);
    assert_eq!(project.json(&["status"])["source"], "specs/spec.md");
    project
        .shell("cd specs/recorded && gapless resume --answers ../../answers.toml")
        .exits(0);
}

#[test]
fn init_never_overwrites() {
    let project = Project::with_demo();
    let said = project.gapless(&["init"]).exits(0);
    assert!(said.out.contains("made"), "{}", said.out);
    let template = project.read("gapless.toml");
    project.write("gapless.toml", "gaps_per_round = 2\n");
    let said = project.gapless(&["init"]).exits(0);
    assert!(said.out.contains("left as it is"), "{}", said.out);
    assert_eq!(project.read("gapless.toml"), "gaps_per_round = 2\n");
    // As written it is valid, and changes nothing.
    project.write("gapless.toml", &template);
    project.write("spec.md", "# A spec\n\n- GAP-AB-001: nothing is said\n");
    project
        .gapless(&["run", "spec.md", "--agents", REPLAY])
        .exits(3);
}

#[test]
fn gapless_toml_names_the_agents() {
    let project = Project::with_demo();
    project.write("gapless.toml", &format!("[agents]\nall = \"{}\"\n", REPLAY));
    project
        .gapless(&["run", "spec.md", "--answers", "answers.toml"])
        .exits(0);
}

#[test]
fn an_example_of_the_session_stands_in_for_the_built_in_one_and_a_change_is_an_event() {
    let project = Project::with_two_gaps();
    let example = ".gapless/sessions/tiny/examples/engineer.md";
    project.write(
        example,
        "## Gap Resolution: GAP-OWN-001\n\nThe first of our own.\n",
    );
    project.write(
        ".gapless/prompts/retry/wrong_format.md",
        "Our words for {{ role }}.\n",
    );
    project.trust();
    // Keeps what it was asked and writes nothing that can be used.
    let agent = project.agent("cat >> \"$(dirname \"$0\")/asked.txt\"; echo nonsense\n");
    let run = [
        "run",
        "tiny.md",
        "--agents",
        &agent,
        "--analyst",
        "none",
        "--answers",
        "begin.toml",
    ];
    project.write(
        "begin.toml",
        "[[answer]]\nkind = \"inventory\"\noption = \"begin\"\n",
    );
    project.gapless(&run).exits(3);
    let asked = project.read("asked.txt");
    assert_eq!(asked.matches("The first of our own.").count(), 3, "{asked}");
    assert_eq!(
        asked.matches("Our words for engineer.").count(),
        2,
        "{asked}"
    );
    let attempts = project.json(&["show", "1"])["attempts"].clone();
    let source = |index: usize| attempts[index]["example"]["source"].clone();
    assert_eq!(source(0), "examples/engineer.md of this session");
    assert_eq!(attempts[1]["example"]["retry"], "WRONG_FORMAT");
    let configured = || {
        let log = project.json(&["log"]);
        let events = log["events"].as_array().unwrap().iter();
        events
            .filter(|event| event["type"] == "session.configured")
            .count()
    };
    assert_eq!(configured(), 1);
    project.gapless(&["resume"]).exits(3);
    assert_eq!(configured(), 1, "nothing changed");
    project.write(example, "");
    project.gapless(&["resume"]).exits(3);
    assert_eq!(configured(), 2);
}
