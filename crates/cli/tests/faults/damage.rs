//! Damage that a person or a disk does to the database, while a session runs and between two calls: every command says it.

use std::collections::BTreeMap;
use std::fs;

use rusqlite::Connection;
use serde_json::Value;

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
    // The tour brings an example along.
    let came = place.call(place.command(&["trust", "--yes"]));
    assert_eq!(came.code, Some(0), "{came:?}");
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
    for what in [
        "rm .gapless/gapless.db*",
        "rm .gapless/gapless.db",
        "rm .gapless/gapless.db-wal",
        copy,
    ] {
        let (place, came) = meanwhile(what);
        is_told(&came, "was deleted or replaced while the session ran");
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

/// What the doctor says as JSON.
fn doctor(place: &Place, words: &str, code: i32) -> Value {
    let came = say(place, &format!("doctor --json{words}"));
    assert_eq!(came.code, Some(code), "{came:?}");
    serde_json::from_str(&came.out).unwrap()
}

fn bytes_of(place: &Place, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(place.path(folder)).unwrap();
    let files = entries.map(|entry| entry.unwrap().path());
    files
        .filter(|path| path.is_file() && !path.to_string_lossy().ends_with("-shm"))
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read(path).unwrap())
        })
        // A reader makes an empty write-ahead log.
        .filter(|(_, bytes)| !bytes.is_empty())
        .collect()
}

#[test]
fn the_doctor_finds_nothing_wrong_with_a_sound_session() {
    let place = begun();
    let before = place.remains();
    let said = doctor(&place, "", 0);
    assert_eq!(said["is_sound"], true, "{said}");
    assert_eq!(said["sessions"][0]["files"], serde_json::json!([]));
    assert_eq!(doctor(&place, " --repair", 0)["repaired"], Value::Null);
    assert!(place.remains() == before);
    assert!(!place.path(".gapless/damaged-1").exists());
    let came = say(&place, "doctor");
    assert!(came.out.ends_with("Nothing is damaged.\n"), "{came:?}");
}

#[test]
fn the_doctor_says_what_is_damaged_since_when_and_saves_the_rest() {
    let place = begun();
    let database = Connection::open(place.path(".gapless/gapless.db")).unwrap();
    let whole = place.events();
    let sql = "UPDATE events SET body = replace(body, 'GAP', 'GUP') WHERE seq = 31";
    assert_eq!(database.execute(sql, []).unwrap(), 1);
    let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
    database.query_row(sql, [], |_| Ok(())).unwrap();
    drop(database);
    let before = bytes_of(&place, ".gapless");

    let came = say(&place, "doctor");
    assert_eq!(came.code, Some(1), "{came:?}");
    let damaged = "✗ lamp: damaged since event 31, after 2026-01-12T14:30:00Z, in round 1: event 31 is not what was written; ";
    assert!(came.out.contains(damaged), "{came:?}");
    assert!(
        came.out
            .contains(&format!(" of {whole} events can be saved")),
        "{came:?}"
    );
    assert!(came.out.contains("gapless doctor --repair"), "{came:?}");
    assert!(bytes_of(&place, ".gapless") == before);

    let came = say(&place, "doctor --repair");
    assert_eq!(came.code, Some(0), "{came:?}");
    assert!(came.out.contains("what came later is lost"), "{came:?}");
    assert!(came.out.contains(".gapless/damaged-1"), "{came:?}");
    assert!(bytes_of(&place, ".gapless/damaged-1") == before);
    let saved = place.events();
    assert!((10..31).contains(&saved), "{saved}");

    assert_eq!(doctor(&place, "", 0)["is_sound"], true);
    let came = say(&place, "resume lamp --answers begin.toml");
    assert_eq!(came.code, Some(3), "{came:?}");
    // It came to the same once more. What the folder had of the lost round was kept, which are events too.
    assert!(place.events() > whole, "{came:?}");
}

/// Tables that only commands that write read whole: SQLite calls the pages of both cases sound.
#[test]
fn the_doctor_finds_damage_that_only_going_on_would_meet() {
    let invalid = "UPDATE projections SET path = CAST(x'ff' || path AS TEXT)
                   WHERE path = (SELECT path FROM projections LIMIT 1)";
    let misplaced = "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'inbox_waiting')
                     WHERE name = 'session_ids'";
    for (table, sql) in [("projections", invalid), ("session_ids", misplaced)] {
        let place = begun();
        let database = Connection::open(place.path(".gapless/gapless.db")).unwrap();
        let checks = "PRAGMA writable_schema = ON; PRAGMA ignore_check_constraints = ON;";
        database.execute_batch(checks).unwrap();
        assert!(database.execute(sql, []).unwrap() > 0, "{table}");
        drop(database);

        let came = say(&place, "doctor");
        assert_eq!(came.code, Some(1), "{came:?}");
        assert!(came.out.contains("✗ database"), "{came:?}");
        let came = say(&place, "doctor --repair");
        assert_eq!(came.code, Some(0), "{came:?}");
        let came = say(&place, "resume lamp --answers begin.toml");
        assert_eq!(came.code, Some(3), "{table}: {came:?}");
    }
}

#[test]
fn the_doctor_saves_what_a_damaged_write_ahead_log_left() {
    let place = Place::new();
    (TOUR[0].first)(&place);
    let words: Vec<&str> = TOUR[0].words.split(' ').collect();
    place.call_with(place.command(&words), "log-end:7:dies-after");
    let log = place.path(".gapless/gapless.db-wal");
    let mut bytes = fs::read(&log).unwrap();
    let late = bytes.len() * 4 / 5;
    bytes[late] ^= 1;
    fs::write(&log, &bytes).unwrap();
    let before = bytes_of(&place, ".gapless");
    let said = doctor(&place, " --repair", 0);
    let session = &said["sessions"][0];
    assert!(
        session["events"].as_u64() < session["damage"]["events_written"].as_u64(),
        "{said}"
    );
    assert!(bytes_of(&place, ".gapless/damaged-1") == before);
    assert_eq!(doctor(&place, "", 0)["is_sound"], true);
    let came = say(&place, "resume lamp --answers begin.toml");
    assert_eq!(came.code, Some(3), "{came:?}");
}

#[test]
fn the_doctor_saves_the_rounds_before_a_text_that_is_damaged() {
    let place = begun();
    let database = Connection::open(place.path(".gapless/gapless.db")).unwrap();
    let sql = "UPDATE texts SET body = body || 'x' WHERE rowid = (SELECT max(rowid) FROM texts)";
    assert_eq!(database.execute(sql, []).unwrap(), 1);
    drop(database);
    let said = doctor(&place, "", 1);
    assert!(said["texts_damage"].is_string(), "{said}");
    doctor(&place, " --repair", 0);
    assert_eq!(doctor(&place, "", 0)["is_sound"], true);
    assert_eq!(say(&place, "status lamp").code, Some(0));
}

#[test]
fn nothing_is_replaced_where_nothing_can_be_saved() {
    let place = begun();
    let file = place.path(".gapless/gapless.db");
    let mut bytes = fs::read(&file).unwrap();
    bytes[..100].fill(0xa5);
    fs::write(&file, &bytes).unwrap();
    for words in ["doctor", "doctor --repair"] {
        is_told(&say(&place, words), "is not a gapless database");
    }
    bytes[..100].fill(0);
    fs::write(&file, &bytes[..0]).unwrap();
    let came = say(&place, "doctor --repair");
    is_told(&came, "nothing can be saved");
    assert!(!place.path(".gapless/damaged-1").exists());
}
