//! Attempts: in the session's folder, and shown from the log.

use std::fs;

use crate::support::Project;

#[test]
fn the_folder_keeps_every_attempt_of_a_retried_slot() {
    let project = Project::with_ended_demo();
    let rounds = fs::read_dir(project.path(".gapless/sessions/spec")).unwrap();
    let with_attempts: Vec<String> = rounds
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().join("attempts").exists())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    assert_eq!(with_attempts, ["round_003"]);
    let folder = ".gapless/sessions/spec/round_003/attempts";
    let mut files: Vec<String> = fs::read_dir(project.path(folder))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(
        files,
        [
            "engineer-1.md",
            "engineer-1.prompt.md",
            "engineer-1.result.json",
            "engineer-2.md",
            "engineer-2.prompt.md",
            "engineer-2.result.json",
        ]
    );
    let recorded = project.read("recorded/round_003/attempts/engineer-1.md");
    assert_eq!(project.read(&format!("{folder}/engineer-1.md")), recorded);
}

#[test]
fn an_attempt_is_shown_from_the_log() {
    let project = Project::with_ended_demo();
    fs::remove_dir_all(project.path(".gapless/sessions/spec/round_003")).unwrap();
    let said = project
        .gapless(&["show", "3", "--attempt", "engineer-2"])
        .exits(0)
        .out;
    let mut rest = said.as_str();
    for part in [
        "engineer-2 of round 3 of spec",
        "Agent     replay:recorded",
        "Verdict   VALID",
        "─── Prompt ──",
        "# Attempt 2: your last document could not be used",
        "─── Output ──",
        "## Gap Resolution: GAP-ORD-001",
    ] {
        let (_, after) = rest
            .split_once(part)
            .unwrap_or_else(|| panic!("no `{part}` in {said}"));
        rest = after;
    }

    let shown = project.json(&["show", "3", "--attempt", "engineer-1"]);
    let listed = &project.json(&["show", "3"])["attempts"][0];
    for (key, value) in listed.as_object().unwrap() {
        assert_eq!(&shown[key], value, "{key}");
    }
    assert_eq!(shown["failure_type"], "SPEC_CHANGE_MISMATCH");
    assert!(
        shown["prompt"]
            .as_str()
            .unwrap()
            .starts_with("# Your task: Engineer, round 3")
    );
    let recorded = project.read("recorded/round_003/attempts/engineer-1.md");
    assert_eq!(shown["output"], recorded.as_str());
}

#[test]
fn parallel_attempts_go_by_their_gap() {
    let project = Project::with_ended_demo();
    let of = |name: &str| project.json(&["show", "2", "--attempt", name]);
    assert_eq!(of("engineer-GAP-RET-001-1")["slot"], 1);
    assert_eq!(
        of("engineer-GAP-SIG-001-1")["slot"],
        0,
        "the first slot answers to its gap too"
    );
    assert_eq!(of("engineer-1")["slot"], 0);
}

#[test]
fn an_unknown_attempt_is_answered_with_the_known_ones() {
    let project = Project::with_ended_demo();
    let said = project
        .gapless(&["show", "3", "--attempt", "engineer-3", "--json"])
        .exits(2);
    let error = &said.json()["error"];
    assert_eq!(error["message"], "there is no attempt `engineer-3`");
    assert_eq!(
        error["hint"],
        "there are: engineer-1, engineer-2, reviewer-1"
    );
    project
        .gapless(&["show", "3", "engineer", "--attempt", "engineer-1"])
        .exits(2);
}
