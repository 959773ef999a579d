//! Stdout that takes nothing: a full device is an error, a reader that went away is none.

#![cfg(target_os = "linux")]

use std::process::Stdio;

use crate::support::{Project, Said};

/// Commands that print, each in another way: lines, tables, documents, bytes, and help.
const PRINTING: [&[&str]; 19] = [
    &["--help"],
    &["--version"],
    &["run", "--help"],
    &[],
    &["status"],
    &["status", "--json"],
    &["gaps"],
    &["issues"],
    &["log"],
    &["log", "--json"],
    &["show", "1"],
    &["diff"],
    &["stats"],
    &["stats", "--csv"],
    &["scan", "spec.md"],
    &["scan", "spec.md", "--format", "sarif"],
    &["validate", "engineer", "recorded/round_001/engineer.md"],
    &["man"],
    &["completions", "bash"],
];

#[test]
fn output_that_cannot_be_written_is_an_error_on_stderr() {
    let project = Project::with_ended_demo();
    for words in PRINTING {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let mut command = project.command(words);
        command.stdout(full.unwrap()).stderr(Stdio::piped());
        let said = Said::of(command.output().unwrap());
        assert_eq!(said.code, Some(2), "{words:?} {}", said.err);
        assert!(
            said.err
                .contains("error: the output can't be written: No space left on device"),
            "{words:?} {}",
            said.err
        );
    }
}

#[test]
fn a_session_goes_on_without_its_output_and_the_exit_says_so() {
    let project = Project::with_demo();
    let full = std::fs::File::options().write(true).open("/dev/full");
    let words = ["run", "spec.md", "--agents", "replay:recorded"];
    let mut command = project.command(&words);
    command.args(["--answers", "answers.toml"]);
    command.stdout(full.unwrap()).stderr(Stdio::piped());
    Said::of(command.output().unwrap()).exits(2);
    assert_eq!(project.json(&["status"])["termination"]["type"], "COMPLETE");
}

#[test]
fn a_closed_pipe_is_no_error_and_nothing_is_said() {
    let project = Project::with_ended_demo();
    for words in PRINTING {
        let whole = project.gapless(words);
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = project.command(words);
        command.stdout(writer).stderr(Stdio::piped());
        let said = Said::of(command.output().unwrap());
        assert_eq!(
            (said.code, &said.err),
            (whole.code, &whole.err),
            "{words:?}"
        );
    }
}
