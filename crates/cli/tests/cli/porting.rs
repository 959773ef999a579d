//! `gapless export` and `gapless import`: a session carried to another workspace, as one file and as a folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use gapless_store::{Commit, NewRow, Row, SqliteStore, Store};
use serde_json::Value;

use crate::support::{Project, Said};

const FILE: &str = "spec.gapless.tar.gz";

/// Everything below a folder, by path.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => waiting.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().to_string_lossy();
                    files.insert(name.into_owned(), fs::read(&path).unwrap());
                }
            }
        }
    }
    files
}

impl Project {
    fn brings(&self, from: &Path, more: &[&str]) -> Said {
        let from = from.to_str().unwrap();
        self.gapless(&[&["import", from], more].concat())
    }

    /// What the commands say of a session, without the names of its folder and of the one where it began.
    fn told_of(&self, began: &Project) -> Vec<Value> {
        let commands: [&[&str]; 7] = [
            &["status"],
            &["gaps"],
            &["issues"],
            &["decisions", "--archived"],
            &["questions"],
            &["log"],
            &["show", "2"],
        ];
        let strip = |mut document: Value| {
            let text = began.filtered(&self.filtered(&document.to_string()));
            document = serde_json::from_str(&text).unwrap();
            document.as_object_mut().unwrap().remove("driver");
            document
        };
        commands.map(|words| strip(self.json(words))).into()
    }

    fn told(&self) -> Vec<Value> {
        self.told_of(self)
    }
}

/// The demo at the beginning of its seventh round, with the three before it undone.
fn with_archives() -> Project {
    let project = Project::with_demo();
    let words = ["run", "spec.md", "--agents", "replay:recorded", "--policy"];
    project
        .gapless(&[words.as_slice(), &["recommended"]].concat())
        .exits(3);
    project
        .gapless(&["rollback", "spec", "--to", "4", "--reason", "too broad"])
        .exits(0);
    project
}

#[test]
fn a_session_comes_back_the_same_and_makes_the_same_file() {
    let here = Project::with_ended_demo();
    here.gapless(&["export", "spec"]).exits(0);
    let there = Project::new();
    let said = there.brings(&here.path(FILE), &[]).exits(0);
    assert!(said.out.contains("It has ended (COMPLETE)"), "{}", said.out);
    let exported = there.json(&["export", "--output", "again"]);
    assert_eq!(
        fs::read(there.path("again")).unwrap(),
        fs::read(here.path(FILE)).unwrap()
    );
    assert_eq!(exported["kind"], "file");
    assert_eq!(exported["session"], "spec");

    let (ours, theirs) = (here.told(), there.told_of(&here));
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(there.gapless(&["diff"]).out, here.gapless(&["diff"]).out);
    let folder = ".gapless/sessions/spec";
    let mut rebuilt = tree(&there.path(folder));
    let mut original = tree(&here.path(folder));
    for lock in ["driver.json", "driver.lock"] {
        rebuilt.remove(lock);
        original.remove(lock);
    }
    assert_eq!(rebuilt, original, "the files are made again");
}

#[test]
fn a_session_under_way_goes_on_where_it_was_carried_to() {
    let here = with_archives();
    let said = here.json(&["export", "spec"]);
    assert_eq!(said["archives"], 3, "{said}");
    let there = Project::with_demo();
    let brought = there.brings(&here.path(FILE), &["--json"]).exits(0);
    assert_eq!(brought.json()["agents"]["engineer"], "replay:recorded");
    assert!(
        brought
            .err
            .contains("It goes on with Engineer replay:recorded"),
        "{}",
        brought.err
    );
    assert_eq!(there.told_of(&here), here.told());
    assert_eq!(
        there.json(&["archive", "list", "spec"])["items"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    there.json(&["export", "--output", "again"]);
    assert_eq!(
        fs::read(there.path("again")).unwrap(),
        fs::read(here.path(FILE)).unwrap()
    );
    let words = [
        "resume",
        "spec",
        "--answers",
        "answers.toml",
        "--policy",
        "recommended",
    ];
    let ours = here.gapless(&words);
    let theirs = there.gapless(&words);
    assert_eq!(theirs.code, ours.code);
    assert_eq!(there.json(&["gaps"]), here.json(&["gaps"]));
}

#[test]
fn archives_in_cold_storage_go_along() {
    let here = with_archives();
    let words = ["stop", "spec", "--abandon"];
    here.gapless(&words);
    here.gapless(&["resume", "spec"]);
    let cold = here.json(&["archive", "list", "spec"]);
    assert_eq!(cold["items"][0]["place"], "cold", "{cold}");
    here.json(&["export", "spec"]);
    let there = Project::new();
    there.brings(&here.path(FILE), &[]).exits(0);
    let items = there.json(&["archive", "list", "spec"]);
    assert_eq!(items["items"].as_array().unwrap().len(), 3, "{items}");
    there.json(&["export", "--output", "again"]);
    assert_eq!(
        fs::read(there.path("again")).unwrap(),
        fs::read(here.path(FILE)).unwrap()
    );
}

#[test]
fn a_folder_of_texts_brings_the_same_session() {
    let here = with_archives();
    here.json(&["export", "spec"]);
    let said = here.json(&["export", "spec", "--folder", "kept/spec"]);
    assert_eq!(said["kind"], "folder");
    let files = tree(&here.path("kept/spec"));
    assert!(
        files
            .values()
            .all(|bytes| std::str::from_utf8(bytes).is_ok())
    );
    for name in [
        "source.md",
        "spec.md",
        "status.md",
        "decisions.md",
        "events/round_005.jsonl",
        "round_003/attempts/engineer-1.md",
        "round_004/reviewer.md",
        "archives/round_005_rolled_back_1/round_005/engineer.md",
    ] {
        assert!(files.contains_key(name), "{name}: {:?}", files.keys());
    }
    // Again, over itself, after the session went on.
    here.gapless(&["gap", "add", "LATER", "LOW", "later"])
        .exits(0);
    here.json(&["export", "spec", "--folder", "kept/spec"]);
    here.json(&["export", "spec", "--output", "later"]);
    let there = Project::new();
    there.brings(&here.path("kept/spec"), &[]).exits(0);
    there.json(&["export", "--output", "again"]);
    assert_eq!(
        fs::read(there.path("again")).unwrap(),
        fs::read(here.path("later")).unwrap()
    );
}

#[test]
fn a_folder_that_was_edited_is_refused_with_its_place() {
    let here = Project::with_ended_demo();
    here.json(&["export", "spec", "--folder", "kept"]);
    let there = Project::new();
    let before = tree(&there.path(""));
    let events = here.path("kept/events/round_001.jsonl");
    let text = fs::read_to_string(&events).unwrap();
    fs::write(
        &events,
        text.replacen("\"to\":\"IN_PROGRESS\"", "\"to\":\"OPEN\"", 1),
    )
    .unwrap();
    let said = there.brings(&here.path("kept"), &[]).exits(1);
    let moved = "events/round_001.jsonl, line 3: GAP-DLV-001 does not go from OPEN to OPEN";
    assert!(said.err.contains(moved), "{}", said.err);
    fs::write(
        &events,
        text.replacen("GAP-SEC-001\"]", "GAP-SEC-009\"]", 1),
    )
    .unwrap();
    let said = there
        .brings(&here.path("kept"), &["--json"])
        .exits(1)
        .json();
    assert_eq!(said["error"]["kind"], "export");
    let message = said["error"]["message"].as_str().unwrap();
    assert!(
        message.starts_with("events/round_001.jsonl: it was edited"),
        "{message}"
    );
    fs::write(&events, text.replacen("{\"seq\":21", "{\"seq\":  21", 1)).unwrap();
    let said = there.brings(&here.path("kept"), &[]).exits(1);
    assert!(
        said.err.contains("events/round_001.jsonl, line 2: "),
        "{}",
        said.err
    );
    fs::write(&events, &text).unwrap();
    fs::remove_file(here.path("kept/gapless.json")).unwrap();
    let said = there.brings(&here.path("kept"), &[]).exits(1);
    assert!(
        said.err.contains("gapless.json: it is missing"),
        "{}",
        said.err
    );
    assert_eq!(tree(&there.path("")), before, "nothing was written");
}

#[test]
fn a_damaged_file_is_refused_and_leaves_nothing() {
    let here = Project::with_ended_demo();
    here.json(&["export", "spec"]);
    let whole = fs::read(here.path(FILE)).unwrap();
    let empty = Project::new();
    let used = Project::with_ended_demo();
    let (nothing, something) = (tree(&empty.path("")), used.told());
    for at in [0, 3, 12, 60, 100, 2_000, whole.len() / 2, whole.len() - 4] {
        let mut altered = whole.clone();
        altered[at] ^= 1;
        fs::write(here.path("altered"), &altered).unwrap();
        fs::write(here.path("cut"), &whole[..at]).unwrap();
        for file in ["altered", "cut"] {
            let said = empty.brings(&here.path(file), &[]).exits(1);
            assert!(
                said.err.contains("error: ") && said.err.contains("hint: "),
                "{}",
                said.err
            );
            used.brings(&here.path(file), &["--name", "other"]).exits(1);
        }
    }
    assert_eq!(tree(&empty.path("")), nothing);
    assert_eq!(used.told(), something);
    assert!(!used.path(".gapless/sessions/other").exists());
}

#[test]
fn a_name_that_is_taken_is_told_and_another_can_be_given() {
    let project = Project::with_ended_demo();
    project.json(&["export", "spec"]);
    let before = project.told();
    let said = project.brings(&project.path(FILE), &[]).exits(2);
    assert!(
        said.err.contains("there is a session `spec` already"),
        "{}",
        said.err
    );
    assert!(said.err.contains("--name NAME"), "{}", said.err);
    assert_eq!(project.told(), before);
    project
        .brings(&project.path(FILE), &["--name", "copy"])
        .exits(0);
    let gaps = |name: &str| project.json(&["gaps", name])["items"].clone();
    assert_eq!(gaps("copy"), gaps("spec"));
    project
        .brings(&project.path(FILE), &["--name", "A b"])
        .exits(2);
}

#[test]
fn what_stands_where_it_would_go_is_kept() {
    let project = Project::with_ended_demo();
    project.write(FILE, "mine");
    let said = project.gapless(&["export", "spec"]).exits(2);
    assert!(said.err.contains("is there already"), "{}", said.err);
    assert_eq!(project.read(FILE), "mine");
    let said = project
        .gapless(&["export", "spec", "--folder", "recorded"])
        .exits(2);
    assert!(said.err.contains("holds something else"), "{}", said.err);
    project.gapless(&["export", "nobody"]).exits(2);
    project.gapless(&["import", "nowhere"]).exits(2);
}

#[test]
fn every_log_ever_written_can_be_carried() {
    let logs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/logs"));
    let logs = fs::read_dir(logs)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let logs: Vec<_> = logs.filter(|log| log.is_dir()).collect();
    assert!(!logs.is_empty());
    for log in logs {
        let here = Project::new();
        fs::create_dir(here.path(".gapless")).unwrap();
        fs::copy(log.join("gapless.db"), here.path(".gapless/gapless.db")).unwrap();
        // Brings the folder with its archives about.
        here.gapless(&["gap", "add", "LATER", "LOW", "added by a later version"])
            .exits(0);
        here.json(&["export", "--output", "file"]);
        here.json(&["export", "--folder", "folder"]);
        for from in ["file", "folder"] {
            let there = Project::new();
            there.brings(&here.path(from), &[]).exits(0);
            there.json(&["export", "--output", "again"]);
            let (ours, theirs) = (here.path("file"), there.path("again"));
            assert_eq!(
                fs::read(ours).unwrap(),
                fs::read(theirs).unwrap(),
                "{}",
                log.display()
            );
        }
    }
}

type Forgery = fn(Vec<Row>) -> Vec<Row>;

/// Puts a log beside an ended session that is made of its events.
fn forge(project: &Project, make: Forgery) {
    let mut store = SqliteStore::open(&project.path(".gapless/gapless.db")).unwrap();
    let rows = make(store.read("spec").unwrap());
    let rows = rows.into_iter().map(|row| NewRow {
        at: row.at,
        type_name: row.type_name,
        version: row.version,
        body: row.body,
    });
    let commit = Commit {
        rows: rows.collect(),
        summary: store.sessions().unwrap()[0].body.clone(),
        ..Commit::default()
    };
    store.commit("forged", &commit).unwrap();
}

/// The last event of a kind.
fn last(rows: &[Row], kind: &str) -> Row {
    let mut rows = rows.iter().rev();
    rows.find(|row| row.type_name == kind).unwrap().clone()
}

#[test]
fn an_end_that_the_rules_do_not_reach_is_refused() {
    // After the first round, with gaps open.
    let too_early = |rows: Vec<Row>| {
        let began = |row: &Row| row.type_name == "round.began" && row.body.contains('2');
        let second = rows.iter().position(began).unwrap();
        let mut forged = rows[..second].to_vec();
        forged.extend(["session.entered", "session.ended"].map(|kind| last(&rows, kind)));
        forged
    };
    let unreviewed = |mut rows: Vec<Row>| {
        rows.retain(|row| row.type_name != "round.final_reviewed");
        rows
    };
    let by_nobody = |mut rows: Vec<Row>| {
        let ended = rows.iter_mut().find(|row| row.type_name == "session.ended");
        let ended = ended.unwrap();
        ended.body = ended.body.replace("final_review_ready", "user_stop");
        rows
    };
    let another_text = |mut rows: Vec<Row>| {
        let source = last(&rows, "session.started").body;
        let source: Value = serde_json::from_str(&source).unwrap();
        let mut review = rows.iter_mut().rev();
        let review = review.find(|row| row.type_name == "round.final_reviewed");
        let review = review.unwrap();
        let mut body: Value = serde_json::from_str(&review.body).unwrap();
        body["text"] = source["source"].clone();
        review.body = body.to_string();
        rows
    };
    let forgeries: [(Forgery, &str); 4] = [
        (too_early, "COMPLETE needs a final review that says ready"),
        (unreviewed, "COMPLETE needs a final review that says ready"),
        (
            by_nobody,
            "COMPLETE is not how a session ends where the user asked to stop",
        ),
        (another_text, "no final reviewer wrote this final review"),
    ];
    for (make, why) in forgeries {
        let here = Project::with_ended_demo();
        forge(&here, make);
        here.gapless(&["export", "forged"]).exits(0);
        let there = Project::new();
        let before = tree(&there.path(""));
        let file = here.path("forged.gapless.tar.gz");
        let said = there.brings(&file, &[]).exits(1);
        assert!(said.err.contains(why), "{}", said.err);
        assert_eq!(tree(&there.path("")), before, "nothing was written");
        // The doctor doesn't believe it either.
        let said = here.gapless(&["doctor"]).exits(1);
        assert!(said.out.contains(why), "{}", said.out);
    }
}
