//! What all sessions of a workspace come to: for people, for scripts, for spreadsheets.

use std::fs;
use std::path::Path;

use crate::support::Project;

/// A workspace with the recorded log of a session, whose times are those of its making.
fn with_log(name: &str) -> Project {
    let project = Project::new();
    let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/logs");
    fs::create_dir(project.path(".gapless")).unwrap();
    let database = project.path(".gapless/gapless.db");
    fs::copy(log.join(name).join("gapless.db"), database).unwrap();
    project
}

const FLAGS: &str = "0006-flags-and-a-systematic-concern";
const ROLLBACKS: &str = "0007-rollbacks-and-a-split";

#[test]
fn people_see_tables() {
    for (name, log) in [("flags", FLAGS), ("rollbacks", ROLLBACKS)] {
        let said = with_log(log).gapless(&["stats"]).exits(0);
        insta::assert_snapshot!(name, said.out);
        assert_eq!(said.err, "");
    }
}

#[test]
fn scripts_get_one_document() {
    let document = with_log(ROLLBACKS).json(&["stats"]);
    insta::assert_json_snapshot!("document", document);
}

#[test]
fn spreadsheets_get_one_table_of_all_figures() {
    let said = with_log(FLAGS).gapless(&["stats", "--csv"]).exits(0);
    assert!(said.out.lines().count() > 100);
    insta::assert_snapshot!("csv", said.out.replace("\r\n", "\n"));
}

#[test]
fn a_folder_without_sessions_is_told_how_to_start_one() {
    let project = Project::new();
    let said = project.gapless(&["stats"]).exits(0);
    assert_eq!(
        said.out,
        "No sessions yet; `gapless run SPEC` starts one.\n"
    );
    let document = project.json(&["stats"]);
    assert_eq!(document["summary"]["sessions"], 0);
    for list in ["sessions", "agents", "gaps", "unread"] {
        assert_eq!(document[list].as_array().unwrap().len(), 0, "{list}");
    }
    let csv = project.gapless(&["stats", "--csv"]).exits(0).out;
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("table,key,detail,metric,value"));
    assert!(lines.all(|line| line.starts_with("summary,,,")), "{csv}");
    assert!(!project.path(".gapless").exists(), "nothing is made");
    let said = project.gapless(&["stats", "orders"]).exits(2);
    assert!(
        said.err.contains("there is no session `orders`"),
        "{}",
        said.err
    );
}

#[test]
fn a_session_that_cannot_be_read_is_named_and_the_others_are_counted() {
    let project = Project::with_ended_demo();
    let words = [
        "run",
        "spec.md",
        "--name",
        "mine",
        "--agents",
        "replay:recorded",
    ];
    project.gapless(&words).exits(3);
    let both = project.gapless(&["stats"]).exits(0).out;
    assert!(
        both.starts_with("2 sessions: 1 COMPLETE, 1 under way\n"),
        "{both}"
    );
    assert!(both.contains(" mine      Inventory "), "{both}");
    let one = project.json(&["stats", "mine"]);
    assert_eq!(one["summary"]["sessions"], 1);
    assert_eq!(one["sessions"][0]["waiting_for"], 1);

    let database = rusqlite::Connection::open(project.path(".gapless/gapless.db")).unwrap();
    let newer = "UPDATE events SET version = 999 WHERE session = 'mine' AND seq = 2";
    assert_eq!(database.execute(newer, []).unwrap(), 1);
    drop(database);
    let said = project.gapless(&["stats"]).exits(0);
    assert!(said.err.starts_with("mine is left out: "), "{}", said.err);
    assert!(
        said.out.starts_with("1 session: 1 COMPLETE\n"),
        "{}",
        said.out
    );
    let document = project.json(&["stats"]);
    assert_eq!(document["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(document["unread"][0]["session"], "mine");
    assert!(document["unread"][0]["hint"].is_string());
    let only = project.gapless(&["stats", "mine"]).exits(0);
    assert_eq!(only.out, "");
    // A run goes on learning from what can be read.
    let words = [
        "run",
        "spec.md",
        "--name",
        "third",
        "--agents",
        "replay:recorded",
    ];
    project.gapless(&words).exits(3);
}
