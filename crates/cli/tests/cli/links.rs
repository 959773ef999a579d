//! Links, pipes and long paths in a workspace that somebody else prepared: nothing outside of it is read or written.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::support::{Project, Said, lamp_agent, until};

const RUN: [&str; 7] = [
    "run",
    "tiny.md",
    "--agents",
    "offline",
    "--analyst",
    "none",
    "--policy",
];

/// A project of two gaps, and beside it a file and a folder that are none of its business.
struct Prepared {
    project: Project,
    outside: tempfile::TempDir,
}

impl Prepared {
    fn new() -> Self {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("precious"), "precious").unwrap();
        fs::create_dir(outside.path().join("folder")).unwrap();
        fs::write(outside.path().join("folder/kept"), "kept").unwrap();
        let project = Project::with_two_gaps();
        Self { project, outside }
    }

    fn link(&self, path: &str, target: &str) {
        let at = self.project.path(path);
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        symlink(self.outside.path().join(target), at).unwrap();
    }

    fn run(&self) -> Said {
        self.project
            .gapless(&[RUN.as_slice(), &["recommended"]].concat())
    }

    #[track_caller]
    fn is_untouched(&self) {
        let outside = self.outside.path();
        assert_eq!(
            fs::read_to_string(outside.join("precious")).unwrap(),
            "precious"
        );
        assert_eq!(names(outside), ["folder", "precious"]);
        assert_eq!(names(&outside.join("folder")), ["kept"]);
    }

    /// Refused, with the path and what to do, and without an effect.
    #[track_caller]
    fn refuses(&self, said: Said, path: &str) {
        let said = said.exits(2);
        let named = format!("{} is a link to ", self.project.path(path).display());
        let named = named.replace("/private/", "/");
        assert!(said.err.contains(&named), "{path}: {}", said.err);
        assert!(said.err.contains("remove it"), "{}", said.err);
        self.is_untouched();
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn pipe(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn a_link_that_came_with_the_folder_is_refused_when_a_session_starts() {
    for (path, target) in [
        (".gapless", "folder"),
        (".gapless", "nothing"),
        (".gapless/gapless.db", "precious"),
        (".gapless/gapless.db", "nothing"),
        (".gapless/gapless.db-wal", "precious"),
        (".gapless/gapless.db-journal", "precious"),
        (".gapless/sessions", "folder"),
        (".gapless/sessions/tiny", "folder"),
        (".gapless/sessions/tiny", "nothing"),
        (".gapless/sessions/tiny/driver.json", "precious"),
        (".gapless/sessions/tiny/driver.json", "nothing"),
        (".gapless/sessions/tiny/driver.lock", "precious"),
        (".gapless/sessions/tiny/drafts", "folder"),
        (".gapless/sessions/tiny/examples", "folder"),
        (".gapless/sessions/tiny/examples/engineer.md", "precious"),
        (".gapless/prompts", "folder"),
        (".gapless/prompts/engineer.md", "precious"),
        (".gapless/prompts/retry", "folder"),
    ] {
        let prepared = Prepared::new();
        prepared.link(path, target);
        prepared.refuses(prepared.run(), path);
    }
}

#[test]
fn a_link_to_another_folder_of_rounds_gets_no_documents() {
    let prepared = Prepared::new();
    prepared.link(".gapless/sessions/tiny/round_001", "folder");
    prepared.link(".gapless/sessions/tiny/status.md", "precious");
    let said = prepared.run();
    assert!(said.out.contains("round_001 is a link to "), "{}", said.out);
    prepared.is_untouched();
    // A link in the place of a document gives way to it.
    let status = prepared.project.path(".gapless/sessions/tiny/status.md");
    assert!(fs::symlink_metadata(status).unwrap().is_file());
}

#[test]
fn a_link_made_after_the_start_is_refused_by_every_command() {
    for (path, target) in [
        (".gapless", "folder"),
        (".gapless/gapless.db", "precious"),
        (".gapless/sessions", "folder"),
        (".gapless/sessions/tiny", "folder"),
        (".gapless/sessions/tiny/driver.json", "precious"),
        (".gapless/sessions/tiny/driver.lock", "precious"),
    ] {
        let prepared = Prepared::new();
        prepared.run();
        let at = prepared.project.path(path);
        match at.is_dir() {
            true => fs::remove_dir_all(&at).unwrap(),
            false => fs::remove_file(&at).unwrap(),
        }
        prepared.link(path, target);
        for words in [
            &["resume", "tiny"][..],
            &["pause", "tiny"],
            &["stop", "tiny"],
        ] {
            prepared.refuses(prepared.project.gapless(words), path);
        }
        // Reading commands may do without the folder, and follow nothing either.
        for words in [&["status", "tiny"][..], &["log", "tiny"], &["show", "spec"]] {
            prepared.project.gapless(words);
            prepared.is_untouched();
        }
    }
}

#[test]
fn a_second_name_of_another_file_is_not_written() {
    let prepared = Prepared::new();
    prepared.run();
    let driver = prepared.project.path(".gapless/sessions/tiny/driver.json");
    fs::remove_file(&driver).unwrap();
    fs::hard_link(prepared.outside.path().join("precious"), &driver).unwrap();
    let said = prepared.project.gapless(&["resume", "tiny"]).exits(2);
    assert!(
        said.err
            .contains("driver.json is a second name of another file"),
        "{}",
        said.err
    );
    assert!(said.err.contains("remove it"), "{}", said.err);
    prepared.is_untouched();
}

#[test]
fn a_link_made_while_a_session_runs_is_not_followed() {
    let prepared = Prepared::new();
    let project = &prepared.project;
    let (gate, started) = (project.path("gate"), project.path("started"));
    let agent = project.agent(&lamp_agent(&gate, &started));
    let words = ["run", "tiny.md", "--agents", &agent, "--analyst", "none"];
    let running = project.start(&[&words[..], &["--policy", "recommended"]].concat());
    until("the height is being worked on", || started.exists());

    let session = project.path(".gapless/sessions/tiny");
    fs::rename(&session, project.path("moved")).unwrap();
    prepared.link(".gapless/sessions/tiny", "folder");
    project.write("gate", "");
    let said = running.wait();
    assert!(
        said.out.contains("is a link to "),
        "{}\n{}",
        said.out,
        said.err
    );
    prepared.is_untouched();
}

#[test]
fn a_report_is_not_written_through_a_link() {
    for name in ["report.html", "report.md"] {
        let prepared = Prepared::new();
        prepared.run();
        let path = format!(".gapless/sessions/tiny/{name}");
        prepared.link(&path, "precious");
        let format = name.rsplit('.').next().unwrap();
        let words = ["report", "tiny", "--format", format];
        prepared.refuses(prepared.project.gapless(&words), &path);
    }
}

#[test]
fn archives_are_not_written_through_a_link() {
    let prepared = Prepared::new();
    prepared.run();
    prepared.link(".gapless/sessions/tiny/archives", "folder");
    for words in [
        &["archive", "list", "tiny"][..],
        &["rollback", "tiny", "--to", "0", "--reason", "anew"],
        &["export", "tiny"],
    ] {
        prepared.project.gapless(words);
        prepared.is_untouched();
    }
}

#[test]
fn the_workspace_itself_may_be_reached_through_a_link() {
    let prepared = Prepared::new();
    let link = prepared.outside.path().join("project");
    symlink(prepared.project.path(""), &link).unwrap();
    let spec = link.join("tiny.md");
    let mut words = RUN;
    words[1] = spec.to_str().unwrap();
    let said = prepared
        .project
        .gapless(&[words.as_slice(), &["recommended"]].concat());
    assert_ne!(said.code, Some(2), "{}", said.err);
    let named = ["status", "--workspace", link.to_str().unwrap()];
    prepared.project.gapless(&named).exits(0);
}

#[test]
fn pipes_are_refused_without_waiting_for_their_other_end() {
    for path in [
        ".gapless",
        ".gapless/gapless.db",
        ".gapless/sessions/tiny",
        ".gapless/sessions/tiny/driver.json",
        ".gapless/sessions/tiny/driver.lock",
        ".gapless/sessions/tiny/examples/engineer.md",
        ".gapless/prompts/engineer.md",
    ] {
        let prepared = Prepared::new();
        pipe(&prepared.project.path(path));
        let said = prepared.run().exits(2);
        let named = format!("{} is a pipe", prepared.project.path(path).display());
        assert!(said.err.contains(&named), "{path}: {}", said.err);
    }
    // Also one that takes the place of a file later, for a command that only reads.
    let prepared = Prepared::new();
    prepared.run();
    let file = prepared.project.path(".gapless/sessions/tiny/driver.json");
    fs::remove_file(&file).unwrap();
    pipe(&file);
    prepared.project.gapless(&["status", "tiny"]);
    prepared.project.gapless(&["resume", "tiny"]).exits(2);
}

#[test]
fn a_workspace_with_too_long_a_path_is_refused_before_anything_is_written() {
    let prepared = Prepared::new();
    let root = prepared.project.path("").canonicalize().unwrap();
    let mut folder = root.clone();
    while folder.as_os_str().len() < 490 {
        let left = 495 - folder.as_os_str().len();
        folder.push("x".repeat(left.min(100)));
    }
    fs::create_dir_all(&folder).unwrap();
    let spec = folder.join("tiny.md");
    fs::copy(prepared.project.path("tiny.md"), &spec).unwrap();
    let mut words = RUN;
    words[1] = spec.to_str().unwrap();
    let said = prepared
        .project
        .gapless(&[words.as_slice(), &["recommended"]].concat());
    let said = said.exits(2);
    assert!(
        said.err
            .contains("bytes long, and SQLite takes at most 504"),
        "{}",
        said.err
    );
    assert!(said.err.contains("nothing was written"), "{}", said.err);
    assert_eq!(names(&folder), ["tiny.md"]);
}
