//! The refined spec where the user wants it: in a file of its own, or in place of the spec.

use std::fs;

use serde_json::Value;

use crate::support::Project;

const REPLAY: &str = "replay:recorded";
const REFINED: &str = ".gapless/sessions/spec/spec.md";

fn run<'w>(more: &[&'w str]) -> Vec<&'w str> {
    let words = ["run", "spec.md", "--agents", REPLAY];
    [&words, more].concat()
}

/// Runs the demo to its end.
fn ended(project: &Project, more: &[&str]) -> Value {
    let words = run(&[&["--answers", "answers.toml", "--json"], more].concat());
    project.gapless(&words).exits(0).json()
}

fn path(project: &Project, name: &str) -> String {
    let folder = project.path("").canonicalize().unwrap();
    folder.join(name).to_string_lossy().into_owned()
}

#[test]
fn the_refined_spec_is_written_at_the_end_and_what_stood_there_is_kept() {
    let project = Project::with_demo();
    project.write("out/refined.md", "mine");
    let document = ended(&project, &["--output", "out/refined.md"]);
    assert_eq!(project.read("out/refined.md"), project.read(REFINED));
    assert_eq!(project.read("out/refined.md.bak"), "mine");
    let output = &document["output"];
    assert_eq!(output["path"], path(&project, "out/refined.md"));
    assert_eq!(output["backup"], path(&project, "out/refined.md.bak"));
    assert_eq!(
        (&output["written"], &output["in_place"]),
        (&true.into(), &false.into())
    );
    let said = project.gapless(&["status"]).exits(0);
    let expected = format!("Refined spec: {}", path(&project, "out/refined.md"));
    assert!(said.out.contains(&expected), "{}", said.out);
    // The source is as it was.
    assert_eq!(
        project.read("spec.md"),
        project.read(".gapless/sessions/spec/source.md")
    );
}

#[test]
fn the_wish_is_kept_over_a_pause_and_replaced_by_another() {
    let project = Project::with_demo();
    project.gapless(&run(&["--output", "first.md"])).exits(3);
    project.gapless(&["resume"]).exits(3);
    project
        .gapless(&["resume", "--output", "second.md"])
        .exits(3);
    let status = project.json(&["status"]);
    assert_eq!(status["output"]["path"], path(&project, "second.md"));
    assert_eq!(status["output"]["written"], false);
    project
        .gapless(&["resume", "--answers", "answers.toml"])
        .exits(0);
    assert!(!project.path("first.md").exists());
    assert_eq!(project.read("second.md"), project.read(REFINED));
}

#[test]
fn an_ended_session_is_written_when_that_is_asked_for() {
    let project = Project::with_demo();
    assert_eq!(ended(&project, &["--no-output"])["output"], Value::Null);
    assert!(!project.path("spec.refined.md").exists());
    let said = project
        .gapless(&["resume", "spec", "--output", "late.md"])
        .exits(0);
    assert!(
        said.out.contains("COMPLETE: no gap is open"),
        "{}",
        said.out
    );
    let expected = format!("Refined spec: {}", path(&project, "late.md"));
    assert!(said.out.contains(&expected), "{}", said.out);
    assert_eq!(project.read("late.md"), project.read(REFINED));
    // Nothing more is done by itself, and the file is the user's.
    fs::remove_file(project.path("late.md")).unwrap();
    project.gapless(&["resume"]).exits(0);
    assert!(!project.path("late.md").exists());
    project.gapless(&["resume", "--output", "late.md"]).exits(0);
    assert!(project.path("late.md").exists());
}

#[test]
fn what_could_not_be_written_is_said_and_made_up_for() {
    let project = Project::with_demo();
    project.write("out/x", "");
    project
        .gapless(&run(&["--output", "out/refined.md"]))
        .exits(3);
    fs::remove_dir_all(project.path("out")).unwrap();
    let said = project
        .gapless(&["resume", "--answers", "answers.toml"])
        .exits(1);
    let why = "the refined spec was not written to";
    assert!(said.out.contains(why), "{}", said.out);
    assert!(said.out.contains("its folder is not there"), "{}", said.out);
    let said = project.gapless(&["status"]).exits(0);
    assert!(said.out.contains(why), "{}", said.out);
    fs::create_dir(project.path("out")).unwrap();
    project.gapless(&["resume"]).exits(0);
    assert_eq!(project.read("out/refined.md"), project.read(REFINED));
}

#[test]
fn a_session_that_ends_by_an_answer_is_written_too() {
    let project = Project::with_two_gaps();
    project.write("recorded/round_001/engineer.md", "nothing");
    let words = ["run", "tiny.md", "--agents", REPLAY, "--in-place"];
    project.gapless(&words).exits(3);
    let source = project.read("tiny.md");
    project
        .gapless(&["gap", "close", "GAP-COL-001", "--reason", "none needed"])
        .exits(0);
    project.gapless(&["stop"]).exits(3);
    let waiting = project.json(&["questions"])["items"].clone();
    let stop = waiting
        .as_array()
        .unwrap()
        .iter()
        .find(|q| q["kind"] == "stop");
    let id = stop.unwrap()["id"].as_str().unwrap();
    let document = project.json(&["answer", "tiny", id, "--option", "accept"]);
    assert_eq!(document["output"]["written"], true);
    assert_eq!(project.read("tiny.md.bak"), source);
    assert_eq!(
        project.read("tiny.md"),
        project.read(".gapless/sessions/tiny/spec.md")
    );
}

#[test]
fn in_place_replaces_the_spec_after_a_backup() {
    let project = Project::with_demo();
    let source = project.read("spec.md");
    let document = ended(&project, &["--in-place"]);
    assert_eq!(document["output"]["in_place"], true);
    assert_eq!(document["output"]["path"], path(&project, "spec.md"));
    assert_eq!(project.read("spec.md"), project.read(REFINED));
    assert_eq!(project.read("spec.md.bak"), source);
    // A session on what came of it keeps that backup.
    let words = run(&["--name", "again", "--in-place"]);
    project.gapless(&words).exits(3);
}

#[test]
fn in_place_leaves_a_spec_alone_that_was_changed_meanwhile() {
    let project = Project::with_demo();
    project.gapless(&run(&["--in-place"])).exits(3);
    project.write("spec.md", "edited meanwhile");
    let words = ["resume", "--answers", "answers.toml"];
    let said = project.gapless(&words).exits(1);
    assert!(said.out.contains("COMPLETE"), "{}", said.out);
    for expected in [
        "it has changed since the session started",
        "gapless resume spec --output FILE",
        "gapless diff --session spec",
    ] {
        assert!(said.out.contains(expected), "{expected} in {}", said.out);
    }
    assert_eq!(project.read("spec.md"), "edited meanwhile");
    assert!(!project.path("spec.md.bak").exists());
    project
        .gapless(&["resume", "spec", "--output", "out.md"])
        .exits(0);
    assert_eq!(project.read("out.md"), project.read(REFINED));
    assert_eq!(project.read("spec.md"), "edited meanwhile");
}

#[cfg(unix)]
#[test]
fn in_place_a_link_stays_a_link_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let project = Project::with_demo();
    fs::rename(project.path("spec.md"), project.path("real.md")).unwrap();
    let private = fs::Permissions::from_mode(0o600);
    fs::set_permissions(project.path("real.md"), private).unwrap();
    symlink("real.md", project.path("spec.md")).unwrap();
    ended(&project, &["--in-place"]);
    assert!(project.path("spec.md").is_symlink());
    assert_eq!(project.read("real.md"), project.read(REFINED));
    let mode = fs::metadata(project.path("real.md")).unwrap().permissions();
    assert_eq!(mode.mode() & 0o777, 0o600);
}

#[test]
fn nothing_is_begun_for_a_place_that_can_not_be_written() {
    let project = Project::with_demo();
    let words = run(&["--output", "no/out.md"]);
    project.gapless(&words).exits(2);
    assert!(!project.path(".gapless").exists());
}

#[test]
fn without_a_place_it_is_written_beside_the_spec() {
    let project = Project::with_demo();
    project.write("spec.refined.md", "an earlier one");
    let document = ended(&project, &[]);
    let output = &document["output"];
    assert_eq!(output["path"], path(&project, "spec.refined.md"));
    assert_eq!(output["backup"], path(&project, "spec.refined.md.bak"));
    assert_eq!(
        (
            &output["written"],
            &output["by_default"],
            &output["in_place"]
        ),
        (&true.into(), &true.into(), &false.into())
    );
    assert_eq!(project.read("spec.refined.md"), project.read(REFINED));
    assert_eq!(project.read("spec.refined.md.bak"), "an earlier one");
    // The same content again needs no backup.
    ended(&project, &["--name", "again"]);
    assert!(!project.path("spec.refined.md.bak.1").exists());
}

#[test]
fn an_end_says_where_the_refined_spec_is_and_what_to_do_with_it() {
    let project = Project::with_demo();
    let said = project
        .gapless(&run(&["--answers", "answers.toml"]))
        .exits(0);
    let file = path(&project, "spec.refined.md");
    let expected = format!(
        "Refined spec: {file}\n\
         See what changed: gapless diff --session spec; write it over spec.md: gapless apply spec\n"
    );
    assert!(said.out.ends_with(&expected), "{}", said.out);
    assert!(
        project
            .gapless(&["status"])
            .exits(0)
            .out
            .ends_with(&expected)
    );
    // Where it was taken away, the session's own is named.
    fs::remove_file(file).unwrap();
    let said = project.gapless(&["status"]).exits(0);
    let expected = format!("Refined spec: {}\n", path(&project, REFINED));
    assert!(said.out.contains(&expected), "{}", said.out);
}

#[test]
fn what_nobody_asked_for_fails_no_session() {
    let project = Project::with_demo();
    project.write("spec.refined.md/x", "");
    let said = project
        .gapless(&run(&["--answers", "answers.toml"]))
        .exits(0);
    let file = path(&project, "spec.refined.md");
    for expected in [
        format!("! the refined spec was not written to {file}: a folder or a device stands there"),
        format!("Refined spec: {}", path(&project, REFINED)),
        "gapless resume spec --output FILE".to_owned(),
    ] {
        assert!(said.out.contains(&expected), "{expected} in {}", said.out);
    }
    let status = project.json(&["status"]);
    assert_eq!(status["output"]["written"], false);
    assert_eq!(
        status["output"]["problem"],
        "a folder or a device stands there"
    );
    // The next look at it tries again, and who wants none says so.
    fs::remove_dir_all(project.path("spec.refined.md")).unwrap();
    project.gapless(&["resume"]).exits(0);
    assert_eq!(project.read("spec.refined.md"), project.read(REFINED));
    project.gapless(&["resume", "--no-output"]).exits(0);
    assert_eq!(project.json(&["status"])["output"], Value::Null);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link_that_nobody_named() {
    use std::os::unix::fs::symlink;
    let project = Project::with_demo();
    project.write("precious", "mine");
    symlink("precious", project.path("spec.refined.md")).unwrap();
    let said = project
        .gapless(&run(&["--answers", "answers.toml"]))
        .exits(0);
    assert!(said.out.contains("a link stands there"), "{}", said.out);
    assert_eq!(project.read("precious"), "mine");
    assert!(!project.path("precious.bak").exists());
}

#[test]
fn a_spec_outside_of_the_workspace_gets_it_beside_itself() {
    let project = Project::with_demo();
    fs::create_dir(project.path("work")).unwrap();
    let workspace = project.path("work").display().to_string();
    let words = run(&["--answers", "answers.toml", "--workspace", &workspace]);
    project.gapless(&words).exits(0);
    assert_eq!(
        project.read("spec.refined.md"),
        project.read(&format!("work/{REFINED}"))
    );
}

#[test]
fn a_session_of_an_older_version_writes_nothing_by_itself() {
    let project = Project::with_demo();
    project.gapless(&run(&["--no-output"])).exits(3);
    // As older versions wrote it.
    let file = project.path(".gapless/gapless.db");
    let database = rusqlite::Connection::open(file).unwrap();
    database
        .execute_batch(crate::support::AS_BEFORE_HASHES)
        .unwrap();
    let sql = r#"UPDATE events SET body = replace(body, ',"delivery":{"to":"nowhere"}', '')"#;
    assert!(database.execute(sql, []).unwrap() > 0);
    drop(database);
    fs::remove_file(project.path(".gapless/gapless.db-head-spec")).unwrap();
    let words = ["resume", "--answers", "answers.toml"];
    project.gapless(&words).exits(0);
    assert!(!project.path("spec.refined.md").exists());
    assert_eq!(project.json(&["status"])["output"], Value::Null);
}

#[test]
fn the_options_for_the_place_exclude_each_other() {
    let project = Project::with_demo();
    for other in [&["--in-place"][..], &["--output", "out.md"]] {
        let words = run(&[other, &["--no-output"]].concat());
        project.gapless(&words).exits(2);
    }
    assert!(!project.path(".gapless").exists());
}

#[test]
fn a_refined_spec_is_no_further_spec() {
    let project = Project::with_demo();
    ended(&project, &[]);
    fs::remove_dir_all(project.path("recorded")).unwrap();
    assert_eq!(project.json(&[])["specs"], Value::Array(Vec::new()));
    let scanned = project.gapless(&["scan", "."]);
    assert!(!scanned.out.contains("spec.refined.md"), "{}", scanned.out);
    // Unless it is named, or stands alone.
    let scanned = project.gapless(&["scan", "spec.refined.md"]);
    assert_ne!(scanned.code, Some(2), "{}", scanned.err);
    fs::rename(project.path("spec.md"), project.path("old.txt")).unwrap();
    let specs = project.json(&[])["specs"].clone();
    assert_eq!(specs, Value::from(vec!["spec.refined.md"]));
    project.write("recorded/round_001/engineer.md", "nothing");
    let words = ["run", "spec.refined.md", "--agents", REPLAY];
    project.gapless(&words).exits(3);
    assert!(project.path(".gapless/sessions/spec-refined").is_dir());
}
