//! The documents of `--json`: they parse, and have the keys that scripts rely on.

use serde_json::Value;

use crate::support::{Project, without_times};

fn has(document: &Value, keys: &[&str]) {
    for key in keys {
        let mut value = document;
        for part in key.split('.') {
            value = value
                .get(part)
                .unwrap_or_else(|| panic!("no `{key}` in {document:#}"));
        }
    }
}

#[test]
fn documents_have_the_keys_that_scripts_rely_on() {
    let project = Project::with_demo();
    let words = ["run", "spec.md", "--agents", "replay:recorded", "--json"];
    let run = project.gapless(&words).exits(3).json();
    let status = [
        "session",
        "round",
        "convergence.state",
        "convergence.cause",
        "convergence.flat_count",
        "convergence.weighted_net",
        "convergence.unweighted_net",
        "open_count",
        "gaps.by_state.OPEN",
        "gaps.by_severity.CRITICAL",
        "termination",
        "waiting_for",
    ];
    has(&run, &status);
    has(&run, &["exit", "stopped"]);
    assert_eq!(
        (&run["exit"], &run["stopped"]),
        (&3.into(), &"waiting".into())
    );
    assert_eq!(run["waiting_for"][0]["id"], "Q-001");
    assert_eq!(run["termination"], Value::Null);
    let item = ["id", "severity", "state"];
    has(&project.json(&["questions"])["items"][0], &item);
    has(
        &project.json(&["questions"])["items"][0],
        &["kind", "subject", "options", "context", "holds"],
    );

    let told = project.gapless(&["answer", "spec", "Q-001", "--option", "begin", "--json"]);
    assert_eq!(told.exits(0).json()["next"], "gapless resume spec");
    let words = ["resume", "--answers", "answers.toml", "--json"];
    let resumed = project.gapless(&words).exits(0);
    assert!(resumed.err.contains("Round 6"), "the story goes to stderr");
    has(
        &resumed.json(),
        &["termination.type", "termination.trigger", "exit"],
    );

    has(&project.json(&["status"]), &status);
    has(&project.json(&["gaps"])["items"][0], &item);
    has(&project.json(&["issues"])["items"][0], &item);
    assert_eq!(
        project.json(&["questions"])["items"],
        Value::Array(Vec::new())
    );
    let log = project.json(&["log"]);
    has(
        &log["events"][0],
        &["seq", "at", "type", "name", "source_path"],
    );
    assert_eq!(log["events"][0]["seq"], 1);
    let show = project.json(&["show", "3"]);
    assert_eq!(show["attempts"][0]["verdict"], "SPEC_CHANGE_MISMATCH");
    has(&show, &["session", "round", "documents", "attempts"]);
    has(&project.json(&["show", "3", "summary"]), &["path", "text"]);
    has(&project.json(&["init"]), &["made", "kept"]);
}

#[test]
fn the_same_inputs_give_the_same_log() {
    let log = || {
        let project = Project::with_demo();
        let words = [
            "run",
            "spec.md",
            "--agents",
            "replay:recorded",
            "--answers",
            "answers.toml",
        ];
        project.gapless(&words).exits(0);
        let log = without_times(project.json(&["log"])).to_string();
        project.filtered(&log)
    };
    assert_eq!(log(), log());
}
