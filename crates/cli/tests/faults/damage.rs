//! Damage that a person or a disk does to the database, while a session runs and between two calls: every command says it.

use std::fs;

use rusqlite::Connection;

use crate::place::{Came, Place};
use crate::tour::TOUR;

fn say(place: &Place, words: &str) -> Came {
    place.call(place.command(&words.split(' ').collect::<Vec<_>>()))
}

/// A session that waits for an answer.
fn begun() -> Place {
    let place = Place::new();
    (TOUR[0].first)(&place);
    let came = say(&place, TOUR[0].words);
    assert_eq!(came.code, Some(3), "{came:?}");
    place
}

/// Ends with an error that says what is wrong and what to do.
fn is_told(came: &Came, what: &str) {
    assert_eq!(came.code, Some(2), "{came:?}");
    assert!(came.err.contains(what), "{came:?}");
    assert!(came.err.contains("hint: "), "{came:?}");
}

/// Every command that opens a session.
const COMMANDS: &[&str] = &[
    "status lamp",
    "gaps lamp",
    "issues lamp",
    "decisions lamp",
    "questions lamp",
    "log lamp",
    "show 1",
    "diff 1",
    "report lamp",
    "export lamp",
    "pause lamp",
    "stop lamp",
    "gap severity GAP-PRC-001 medium --reason shops",
    "rollback lamp --to 1 --reason beside-the-point",
    "resume lamp --answers begin.toml",
];

#[test]
fn an_event_deleted_in_the_middle_is_noticed_by_every_command() {
    let place = begun();
    let database = Connection::open(place.path(".gapless/gapless.db")).unwrap();
    database
        .execute("DELETE FROM events WHERE seq = 20", [])
        .unwrap();
    drop(database);
    for words in COMMANDS {
        let came = say(&place, words);
        is_told(&came, "the log of session `lamp` is damaged since event 20");
        is_told(&came, "gapless doctor");
    }
}

#[test]
fn a_damaged_end_of_the_write_ahead_log_is_noticed_by_every_command() {
    let place = Place::new();
    (TOUR[0].first)(&place);
    let words: Vec<&str> = TOUR[0].words.split(' ').collect();
    let (came, _) = place.call_with(place.command(&words), "log-end:7:dies-after");
    assert_eq!(came.code, None, "{came:?}");
    let log = place.path(".gapless/gapless.db-wal");
    let mut bytes = fs::read(&log).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&log, &bytes).unwrap();
    for words in COMMANDS {
        let came = say(&place, words);
        is_told(&came, "the log of session `lamp` is damaged since event ");
        is_told(&came, " events were written");
    }
    assert_eq!(fs::read(&log).unwrap(), bytes);
}

/// Runs a session whose agent does something to the database first.
fn meanwhile(what: &str) -> (Place, Came) {
    let place = Place::new();
    (TOUR[0].first)(&place);
    let folder = place.path("");
    let script = format!(
        "cd {0}\nif [ $GAPLESS_ROLE = reviewer ] && [ ! -e done ]; then touch done; {what}; fi\n\
         cat >/dev/null; cat {0}recorded/round_00$GAPLESS_ROUND/$GAPLESS_ROLE.md\n",
        folder.display()
    );
    place.write("agent.sh", &script);
    let agent = format!("cmd:sh {}", place.path("agent.sh").display());
    let mut command = place.command(&["run", "lamp.md", "--agents", &agent]);
    command.args(["--analyst", "none", "--answers", "begin.toml"]);
    let came = place.call(command);
    assert!(place.path("done").exists(), "{came:?}");
    (place, came)
}

#[test]
fn a_database_that_is_removed_or_replaced_ends_the_run() {
    let copy =
        "cp .gapless/gapless.db copy && rm .gapless/gapless.db* && mv copy .gapless/gapless.db";
    for what in ["rm .gapless/gapless.db*", "rm .gapless/gapless.db", copy] {
        let (place, came) = meanwhile(what);
        is_told(
            &came,
            "gapless.db was deleted or replaced while the session ran",
        );
        is_told(&came, "gapless.db.rescued-1");
        // As the message says.
        for name in ["", "-wal", "-shm", "-head-lamp"] {
            let _ = fs::remove_file(place.path(&format!(".gapless/gapless.db{name}")));
        }
        let saved = place.path(".gapless/gapless.db.rescued-1");
        fs::rename(saved, place.path(".gapless/gapless.db")).unwrap();
        let came = say(
            &place,
            "resume lamp --answers begin.toml --agents replay:recorded",
        );
        assert_eq!(came.code, Some(3), "{what}: {came:?}");
        assert!(place.events() > 30, "{what}");
    }
}

#[test]
fn a_folder_that_is_removed_ends_the_run_and_the_log_is_saved_above_it() {
    let (place, came) = meanwhile("rm -rf .gapless");
    is_told(&came, "was deleted or replaced while the session ran");
    assert!(place.path("gapless.db.rescued-1").exists(), "{came:?}");
}
