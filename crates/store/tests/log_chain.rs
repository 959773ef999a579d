//! An event that is missing, changed or moved is noticed by whoever reads the log, and so is a log that lost its end.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use gapless_domain::text::{TextHash, TextMap};
use gapless_domain::time::Time;
use gapless_store::{Commit, NewRow, SqliteStore, Store, StoreError};
use rusqlite::Connection;
use tempfile::TempDir;

/// A database with two sessions: `a` has 12 events in 4 commits, `b` one.
fn place() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("gapless.db");
    let mut store = SqliteStore::open(&file).unwrap();
    for nth in 0..4 {
        store.commit("a", &commit(nth * 3, 3)).unwrap();
    }
    store.commit("b", &commit(0, 1)).unwrap();
    (dir, file)
}

fn commit(after_seq: u64, count: u64) -> Commit {
    let rows = (after_seq..after_seq + count).map(|seq| NewRow {
        at: Time(1_768_228_200_000 + seq.cast_signed()),
        type_name: "t".to_owned(),
        version: 1,
        body: format!("event {seq}"),
    });
    let mut texts = TextMap::default();
    texts.keep(&format!("text {after_seq}"));
    Commit {
        after_seq,
        rows: rows.collect(),
        texts,
        summary: format!("{{\"events\":{}}}", after_seq + count),
        ..Commit::default()
    }
}

/// What reading session `a` says, from where on it is damaged.
fn damage(file: &Path) -> (u64, String) {
    let read = SqliteStore::open_read_only(file).and_then(|store| {
        store.sessions()?;
        store.read("a")
    });
    let error = read.unwrap_err();
    let StoreError::LogDamaged { session, since, .. } = &error else {
        panic!("{error:?}");
    };
    assert_eq!(session, "a");
    assert!(error.hint().contains("gapless doctor"));
    (*since, error.to_string())
}

#[test]
fn an_event_that_is_missing_changed_or_moved_is_noticed() {
    let swap = "UPDATE events SET seq = 99 WHERE session = 'a' AND seq = 5;
                UPDATE events SET seq = 5 WHERE session = 'a' AND seq = 6;
                UPDATE events SET seq = 6 WHERE session = 'a' AND seq = 99";
    for (change, since) in [
        ("DELETE FROM events WHERE session = 'a' AND seq = 5", 5),
        ("DELETE FROM events WHERE session = 'a' AND seq = 1", 1),
        ("DELETE FROM events WHERE session = 'a' AND seq > 9", 10),
        ("DELETE FROM events WHERE session = 'a'", 1),
        ("DELETE FROM sessions WHERE name = 'a'", 13),
        (
            "DELETE FROM events WHERE session = 'a'; DELETE FROM sessions WHERE name = 'a'",
            1,
        ),
        (
            "UPDATE events SET body = 'event x' WHERE session = 'a' AND seq = 5",
            5,
        ),
        (
            "UPDATE events SET at = at + 1 WHERE session = 'a' AND seq = 7",
            7,
        ),
        (
            "UPDATE events SET type = 'u' WHERE session = 'a' AND seq = 12",
            12,
        ),
        (
            "UPDATE events SET version = 2 WHERE session = 'a' AND seq = 2",
            2,
        ),
        (
            "UPDATE events SET chain = NULL WHERE session = 'a' AND seq = 2",
            2,
        ),
        (swap, 5),
        (
            "INSERT INTO events SELECT session, 13, at, type, version, body, chain, 1 FROM events WHERE session = 'a' AND seq = 12",
            13,
        ),
        ("UPDATE sessions SET body = '{}' WHERE name = 'a'", 12),
        ("UPDATE sessions SET updated_at = 7 WHERE name = 'a'", 12),
        ("UPDATE sessions SET seal = NULL WHERE name = 'a'", 12),
    ] {
        let (_dir, file) = place();
        Connection::open(&file)
            .unwrap()
            .execute_batch(change)
            .unwrap();
        let (found, said) = damage(&file);
        assert_eq!(found, since, "{change}: {said}");
        // Nor is anything written behind the damage.
        let store = SqliteStore::open(&file).unwrap();
        let read = store.sessions().and_then(|_| store.read("a"));
        assert!(read.is_err(), "{change}");
        assert_eq!(store.read("b").unwrap().len(), 1);
    }
}

#[test]
fn when_the_damage_began_is_said() {
    let (_dir, file) = place();
    let change = "DELETE FROM events WHERE session = 'a' AND seq = 5";
    Connection::open(&file)
        .unwrap()
        .execute_batch(change)
        .unwrap();
    assert_eq!(
        damage(&file).1,
        "the log of session `a` is damaged since event 5 (the one before it is of 2026-01-12T14:30:00Z): event 5 is missing"
    );
}

/// As a killed process leaves it: the last commits are in the write-ahead log only.
fn with_write_ahead_log() -> (TempDir, PathBuf) {
    let (dir, file) = place();
    let mut store = SqliteStore::open(&file).unwrap();
    for nth in 4..8 {
        store.commit("a", &commit(nth * 3, 3)).unwrap();
    }
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(dir.path()).unwrap() {
        let entry = entry.unwrap();
        if !entry.file_name().to_string_lossy().ends_with("-shm") {
            fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
        }
    }
    let file = copy.path().join("gapless.db");
    (copy, file)
}

#[test]
fn a_damaged_end_of_the_write_ahead_log_is_noticed() {
    let (dir, file) = with_write_ahead_log();
    assert_eq!(
        SqliteStore::open(&file).unwrap().read("a").unwrap().len(),
        24
    );

    let (_dir, file) = with_write_ahead_log();
    drop(dir);
    let log = file.with_file_name("gapless.db-wal");
    let mut bytes = fs::read(&log).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&log, &bytes).unwrap();
    let (since, said) = damage(&file);
    assert!((13..=24).contains(&since), "{said}");
    assert!(said.contains("24 events were written"), "{said}");

    // Who wanted to write leaves the damaged log for others to look at.
    let store = SqliteStore::open(&file).unwrap();
    assert!(store.read("a").is_err());
    drop(store);
    assert_eq!(fs::read(&log).unwrap(), bytes);

    // Without it there is even less.
    fs::remove_file(&log).unwrap();
    assert_eq!(damage(&file).0, 13);
}

#[test]
fn a_record_of_the_end_that_is_behind_damaged_or_gone_says_nothing() {
    let (_dir, file) = place();
    let head = file.with_file_name("gapless.db-head-a");
    let before = fs::read(&head).unwrap();
    SqliteStore::open(&file)
        .unwrap()
        .commit("a", &commit(12, 3))
        .unwrap();
    let read = || {
        SqliteStore::open_read_only(&file)
            .unwrap()
            .read("a")
            .unwrap()
            .len()
    };
    for record in [before.as_slice(), &before[..40], b"", &[7; 72]] {
        fs::write(&head, record).unwrap();
        assert_eq!(read(), 15);
    }
    fs::remove_file(&head).unwrap();
    assert_eq!(read(), 15);
    SqliteStore::open(&file)
        .unwrap()
        .commit("a", &commit(15, 1))
        .unwrap();
    assert_eq!(read(), 16);
    Connection::open(&file)
        .unwrap()
        .execute_batch("DELETE FROM events; DELETE FROM sessions")
        .unwrap();
    assert_eq!(damage(&file).0, 1);
}

#[test]
fn a_database_without_hashes_gets_them_once() {
    let (_dir, file) = place();
    let raw = Connection::open(&file).unwrap();
    raw.execute_batch(
        "DROP TABLE session_ids; ALTER TABLE inbox DROP COLUMN session_id;
         ALTER TABLE events DROP COLUMN chain; ALTER TABLE events DROP COLUMN closes;
         ALTER TABLE sessions DROP COLUMN events; ALTER TABLE sessions DROP COLUMN head;
         ALTER TABLE sessions DROP COLUMN seal; PRAGMA user_version = 1",
    )
    .unwrap();
    drop(raw);
    for name in ["a", "b"] {
        fs::remove_file(file.with_file_name(format!("gapless.db-head-{name}"))).unwrap();
    }
    let store = SqliteStore::open_read_only(&file).unwrap();
    assert_eq!(store.sessions().unwrap().len(), 2);
    assert_eq!(store.read("a").unwrap().len(), 12);
    drop(store);

    let mut store = SqliteStore::open(&file).unwrap();
    assert_eq!(store.read("a").unwrap().len(), 12);
    assert_eq!(store.sessions().unwrap().len(), 2);
    assert_eq!(store.commit("a", &commit(12, 1)).unwrap(), 13);
    assert_eq!(store.rows_after("a", 11).unwrap().len(), 2);
    drop(store);
    let change = "UPDATE events SET body = '' WHERE session = 'a' AND seq = 3";
    Connection::open(&file)
        .unwrap()
        .execute_batch(change)
        .unwrap();
    assert_eq!(damage(&file).0, 3);
}

#[test]
fn a_database_that_is_gone_or_another_takes_no_more_commits() {
    for replace in [false, true] {
        let (dir, file) = place();
        let mut store = SqliteStore::open(&file).unwrap();
        store.commit("a", &commit(12, 1)).unwrap();
        let copy = fs::read(&file).unwrap();
        for name in ["gapless.db", "gapless.db-wal", "gapless.db-shm"] {
            fs::remove_file(dir.path().join(name)).unwrap();
        }
        if replace {
            fs::write(&file, copy).unwrap();
        }
        let error = store.commit("a", &commit(13, 1)).unwrap_err();
        let StoreError::Replaced {
            rescued: Some(saved),
            ..
        } = &error
        else {
            panic!("{error:?}");
        };
        assert!(store.is_in_place().is_err());
        assert_eq!(*saved, dir.path().join("gapless.db.rescued-1"));
        let saved = SqliteStore::open_read_only(saved).unwrap();
        assert_eq!(saved.read("a").unwrap().len(), 13);
    }
}

#[test]
fn a_text_that_is_not_found_is_looked_for() {
    let (_dir, file) = place();
    let hash = TextHash::of("text 3");
    let store = SqliteStore::open_read_only(&file).unwrap();
    assert_eq!(
        store.text_checked(&TextHash::of("never kept")).unwrap(),
        None
    );
    let raw = Connection::open(&file).unwrap();
    raw.execute(
        "UPDATE texts SET hash = ?1 WHERE body = 'text 3'",
        [[7_u8; 32].as_slice()],
    )
    .unwrap();
    let store = SqliteStore::open_read_only(&file).unwrap();
    let error = store.text_checked(&hash).unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
}
