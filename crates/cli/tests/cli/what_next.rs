//! `gapless` alone: what a newcomer, and one who comes back, is told to do next in a folder.

use std::fs;

use crate::support::{Project, Said};

/// Calls gapless where no agent is installed and no key is set.
fn alone(project: &Project, words: &[&str]) -> Said {
    let mut command = project.command(words);
    command
        .env_clear()
        .env("PATH", project.path("bin"))
        .env("HOME", project.path("home"));
    let said = Said::of(command.output().unwrap()).exits(0);
    assert_eq!(said.err, "");
    if words.is_empty() {
        assert!(said.out.lines().count() <= 15, "{}", said.out);
    }
    said
}

#[test]
fn a_folder_with_nothing_in_it() {
    let project = Project::new();
    project.write("README.md", "# A project\n");
    insta::assert_snapshot!(alone(&project, &[]).out);
    assert!(!project.path(".gapless").exists(), "nothing is made");
    let document = alone(&project, &["--json"]).json();
    assert_eq!(document["next"][0]["command"], "gapless demo");
    assert_eq!(document["sessions"].as_array().unwrap().len(), 0);
}

#[test]
fn a_folder_with_a_spec() {
    let project = Project::new();
    project.write("README.md", "# A project\n");
    project.write("notes.md", "# Notes\n");
    project.write("the orders spec.md", "# Orders\n");
    insta::assert_snapshot!(alone(&project, &[]).out);
    let document = alone(&project, &["--json"]).json();
    let first = document["next"][0]["command"].as_str().unwrap();
    assert_eq!(first, "gapless scan 'the orders spec.md'");
    assert_eq!(document["specs"][1], "notes.md");
    // What is printed works as it is.
    let findings = project.shell(first);
    assert!(matches!(findings.code, Some(0 | 1)), "{findings:?}");
}

#[test]
fn agents_that_are_there_are_named_and_none_is_started() {
    let project = Project::new();
    project.write("spec.md", "# Orders\n");
    let program = project.write("bin/claude", "#!/bin/sh\ntouch started\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let said = alone(&project, &[]).out;
    assert!(said.contains("\nAgents found: claude\n"), "{said}");
    assert!(said.contains("  gapless run spec.md   "), "{said}");
    assert!(!project.path("started").exists());
}

#[test]
fn a_session_that_waits_for_an_answer() {
    let project = Project::with_demo();
    let words = ["run", "spec.md", "--agents", "replay:recorded"];
    project.gapless(&words).exits(3);
    insta::assert_snapshot!(alone(&project, &[]).out);
    let document = alone(&project, &["--json"]).json();
    assert_eq!(document["sessions"][0]["waiting"], 1);
    let answer = document["next"][1]["command"].as_str().unwrap();
    assert_eq!(answer, "gapless answer spec Q-001 --option begin");
    let from_elsewhere = Project::new();
    let root = project.path("").display().to_string();
    let said = alone(&from_elsewhere, &["--workspace", &root, "--json"]).json();
    let command = said["next"][0]["command"].as_str().unwrap();
    assert_eq!(from_elsewhere.shell(command).code, Some(0), "{command}");
}

#[test]
fn a_session_that_has_ended() {
    let project = Project::with_ended_demo();
    project.write("another.md", "# Another\n");
    insta::assert_snapshot!(alone(&project, &[]).out);
    let document = alone(&project, &["--json"]).json();
    assert_eq!(document["sessions"][0]["end"], "COMPLETE");
    let diff = document["next"][0]["command"].as_str().unwrap();
    assert_eq!(project.shell(diff).code, Some(0), "{diff}");
}

#[test]
fn a_session_that_is_paused_and_one_that_cannot_be_read() {
    let project = Project::with_demo();
    let words = ["run", "spec.md", "--agents", "replay:recorded"];
    project.gapless(&words).exits(3);
    project.shell("gapless pause spec").exits(0);
    project
        .shell("gapless answer spec Q-001 --option begin")
        .exits(0);
    let document = alone(&project, &["--json"]).json();
    assert_eq!(document["sessions"][0]["paused"], true);
    assert_eq!(document["next"][0]["command"], "gapless resume spec");

    let database = rusqlite::Connection::open(project.path(".gapless/gapless.db")).unwrap();
    let newer = "UPDATE events SET version = 999 WHERE seq = 2";
    assert_eq!(database.execute(newer, []).unwrap(), 1);
    drop(database);
    let said = alone(&project, &[]).out;
    assert!(said.contains("Session spec can't be read: "), "{said}");
}

#[test]
fn help_stays_what_it_is() {
    let project = Project::new();
    let help = project.gapless(&["--help"]).exits(0).out;
    assert!(
        help.contains("Usage: gapless [OPTIONS] [COMMAND]"),
        "{help}"
    );
    assert!(help.contains("Exit codes:"), "{help}");
}

#[test]
fn the_other_sessions_are_named_behind_the_spec() {
    let project = Project::with_demo();
    for name in ["one", "two"] {
        let run = ["run", "spec.md", "--agents", "offline", "--name", name];
        project.gapless(&run).exits(3);
    }
    let said = alone(&project, &[]).out;
    assert!(
        said.contains("\nSession two on spec.md (others: one)\n"),
        "{said}"
    );
}
