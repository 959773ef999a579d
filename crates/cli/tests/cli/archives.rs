//! Archives of rolled-back rounds, from the command line.

use std::fs;

use gapless_domain::archives::ArchiveChoice;
use gapless_domain::time::Time;
use gapless_mediator::UserInput;
use gapless_runner::Session;
use gapless_store::archive::{Archives, ColdStore, Owner, dispose};
use gapless_store::{SessionFolder, SqliteStore, Store};

use crate::support::Project;

const FIFTH: &str = "round_005_rolled_back_1";

impl Project {
    /// The demo's session at the beginning of its seventh round, which was undone with the two before it.
    fn with_undone_rounds() -> Self {
        let project = Self::with_demo();
        let words = ["run", "spec.md", "--agents", "replay:recorded", "--policy"];
        let words = [words.as_slice(), &["recommended"]].concat();
        project.gapless(&words).exits(3);
        let rollback = UserInput::Rollback {
            to: Some(4),
            reason: "too \u{1b}[31mbroad".to_owned(),
            adjust: Vec::new(),
        };
        let mut store = SqliteStore::open(&project.path(".gapless/gapless.db")).unwrap();
        for said in [rollback, UserInput::Pause] {
            let body = serde_json::to_string(&said).unwrap();
            store.post("spec", Time(i64::MAX), &body).unwrap();
        }
        drop(store);
        project.gapless(&["resume", "spec"]).exits(3);
        project
    }

    fn cold(&self) -> ColdStore {
        ColdStore::below(&self.path("data"))
    }

    /// Moves the archives to cold storage so many days ago.
    fn move_to_cold(&self, days: i64) {
        let store = SqliteStore::open(&self.path(".gapless/gapless.db")).unwrap();
        let session = Session::open(store, "spec").unwrap();
        let owner = Owner {
            session: "spec".to_owned(),
            workspace: self.path("").canonicalize().unwrap(),
            started_at: session.state().kept.origin.as_ref().unwrap().at,
        };
        let folder = SessionFolder::new(&self.path(".gapless"), &"spec".parse().unwrap());
        let archives = Archives::of(&folder);
        let now = std::time::SystemTime::now();
        let since = now.duration_since(std::time::UNIX_EPOCH).unwrap();
        let at = Time(i64::try_from(since.as_millis()).unwrap() - days * 86_400_000);
        let moved = dispose(&archives, ArchiveChoice::Cold, at, &self.cold(), &owner).unwrap();
        assert_eq!(moved.moved.len(), 3);
    }

    fn places(&self) -> Vec<(String, String, bool)> {
        let listed = self.json(&["archive", "list", "spec"]);
        let items = listed["items"].as_array().unwrap().iter();
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        items
            .map(|item| {
                let keep = item["keep"].as_bool().unwrap();
                (text(&item["archive"]), text(&item["place"]), keep)
            })
            .collect()
    }
}

#[test]
fn archives_are_listed_shown_and_restored() {
    let project = Project::with_undone_rounds();
    let listed = project.gapless(&["archive", "list"]).exits(0).out;
    assert!(
        listed.contains("round_005_rolled_back_1.tar.gz"),
        "{listed}"
    );
    assert!(
        listed.contains("round_006_rolled_back_1.tar.gz"),
        "{listed}"
    );
    assert!(listed.contains("too broad"), "{listed}");
    assert!(!listed.contains('\u{1b}'), "{listed}");
    let document = project.json(&["archive", "list"]);
    let first = &document["items"][0];
    assert_eq!(first["round"], 5);
    assert_eq!(first["attempt"], 1);
    assert_eq!(first["place"], "session");
    assert_eq!(first["reason"], "too \u{1b}[31mbroad");

    let shown = project
        .gapless(&["archive", "show", "spec", FIFTH])
        .exits(0)
        .out;
    for file in [
        "Round 5 as it was when it was rolled back to round 4",
        "decisions_from_round_5.md",
        "rollback_metadata.json",
        "round_005/engineer.md",
        "round_005/summary.md",
    ] {
        assert!(shown.contains(file), "{shown}");
    }
    let words = ["archive", "show", "spec", FIFTH, "round_005/engineer.md"];
    let engineer = project.gapless(&words).exits(0).out;
    let recorded = project.read("recorded/round_005/engineer.md");
    assert_eq!(engineer.trim_end(), recorded.trim_end());
    assert_eq!(project.json(&words)["text"], recorded);
    let short = ["archive", "show", "spec", FIFTH, "engineer.md"];
    assert_eq!(project.json(&short)["file"], "round_005/engineer.md");

    let words = ["archive", "restore", "spec", FIFTH];
    project.gapless(&words).exits(0);
    let restored = project.read("round_005_rolled_back_1/round_005/engineer.md");
    assert_eq!(restored, recorded);
    let refused = project.gapless(&words).exits(2).err;
    assert!(refused.contains("is there already"), "{refused}");
    assert!(refused.contains("--to"), "{refused}");
    let elsewhere = [words.as_slice(), &["--to", "back"]].concat();
    let document = project.json(&elsewhere);
    assert_eq!(document["files"].as_array().unwrap().len(), 6);
    assert!(project.path("back/rollback_metadata.json").exists());
}

#[test]
fn what_is_not_there_is_told_with_what_is() {
    let project = Project::with_undone_rounds();
    let said = |words: &[&str]| {
        let said = project.gapless(words).exits(2);
        project.filtered(&said.err)
    };
    insta::assert_snapshot!(
        [
            said(&["archive", "show", "spec", "round_004_rolled_back_1"]),
            said(&["archive", "show", "spec", "yesterday"]),
            said(&["archive", "show", "spec", FIFTH, "x"]),
            said(&["archive", "show", "spec", FIFTH, "round_005/enginer.md"]),
            said(&["archive", "list", "spek"]),
        ]
        .join("\n")
    );
    let file = project.path(".gapless/sessions/spec/archives/round_005_rolled_back_1.tar.gz");
    fs::write(file, "no archive").unwrap();
    let damaged = said(&["archive", "show", "spec", FIFTH]);
    assert!(damaged.contains("can't be read as an archive"), "{damaged}");
    project.gapless(&["archive", "list", "spec"]).exits(0);
}

#[test]
fn cold_archives_go_after_their_days_unless_they_are_kept() {
    let project = Project::with_undone_rounds();
    project
        .gapless(&["archive", "keep", "spec", FIFTH])
        .exits(0);
    assert!(project.places()[0].2);
    project.move_to_cold(31);
    let sixth = "round_006_rolled_back_1.tar.gz".to_owned();
    let expected = |name: &str, keep| (name.to_owned(), "cold".to_owned(), keep);
    let fifth = format!("{FIFTH}.tar.gz");
    let seventh = "round_007_rolled_back_1.tar.gz";
    assert_eq!(
        project.places(),
        [
            expected(&fifth, true),
            expected(&sixth, false),
            expected(seventh, false)
        ]
    );
    let all = project.json(&["archive", "list", "--cold"]);
    assert_eq!(all["items"][0]["session"], "spec");
    let listed = project.gapless(&["archive", "list", "--cold"]).exits(0).out;
    assert!(
        listed.contains("round_006_rolled_back_1.tar.gz"),
        "{listed}"
    );
    project
        .gapless(&["archive", "show", "spec", FIFTH])
        .exits(0);

    let none = project.json(&["archive", "prune", "--days", "32"]);
    assert_eq!(none["removed"].as_array().unwrap().len(), 0);
    project.write("gapless.toml", "archive_retention_days = 40\n");
    let none = project.json(&["archive", "prune"]);
    assert_eq!(
        (&none["days"], none["removed"].as_array().unwrap().len()),
        (&40.into(), 0)
    );
    fs::remove_file(project.path("gapless.toml")).unwrap();
    let rehearsed = project
        .gapless(&["archive", "prune", "--dry-run"])
        .exits(0)
        .out;
    assert!(rehearsed.contains("would remove spec-"), "{rehearsed}");
    assert_eq!(project.places().len(), 3);
    let done = project.gapless(&["archive", "prune"]).exits(0).out;
    assert!(
        done.contains("removed spec-") && done.contains("kept spec-"),
        "{done}"
    );
    assert_eq!(project.places(), [expected(&fifth, true)]);
    let log = fs::read_to_string(project.cold().root().join("cleanup.log")).unwrap();
    assert!(log.contains(&sixth) && !log.contains(&fifth), "{log}");

    let words = ["archive", "keep", "spec", FIFTH, "--undo"];
    assert_eq!(project.json(&words)["keep"], false);
    project.gapless(&["archive", "prune"]).exits(0);
    let empty = project.gapless(&["archive", "list", "spec"]).exits(0).out;
    assert_eq!(empty, "No archives.\n");
    // What went on purpose is not made again.
    project.gapless(&["resume", "spec"]);
    assert!(project.places().is_empty());
}
