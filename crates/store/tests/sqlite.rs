//! What a person is told when something is wrong with the database file, and what a killed writer leaves.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Barrier};
use std::thread;

use gapless_domain::text::{TextHash, TextMap, Texts};
use gapless_domain::time::Time;
use gapless_store::{Access, Commit, NewRow, SqliteStore, Store, StoreError, WhyReadOnly};
use rusqlite::Connection;
use tempfile::TempDir;

fn place() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("gapless.db");
    (dir, file)
}

fn commit(after_seq: u64, count: usize, body: &str) -> Commit {
    let row = NewRow {
        at: Time(1),
        type_name: "t".to_owned(),
        version: 1,
        body: body.to_owned(),
    };
    let mut texts = TextMap::default();
    texts.keep(body);
    Commit {
        after_seq,
        rows: vec![row; count],
        texts,
        summary: "{}".to_owned(),
        ..Commit::default()
    }
}

#[test]
fn a_damaged_file_is_named() {
    let (_dir, file) = place();
    let mut store = SqliteStore::open(&file).unwrap();
    store
        .commit("a", &commit(0, 200, &"x".repeat(500)))
        .unwrap();
    store.check().unwrap();
    drop(store);
    let mut raw = fs::OpenOptions::new().write(true).open(&file).unwrap();
    let length = raw.metadata().unwrap().len();
    assert!(length > 50_000);
    // Whole pages of noise: neither the header nor the schema, but the rows.
    raw.seek(SeekFrom::Start(length / 2 / 4096 * 4096)).unwrap();
    raw.write_all(&vec![0xA5; 8 * 4096]).unwrap();
    drop(raw);

    let store = SqliteStore::open(&file).unwrap();
    let error = store.read("a").unwrap_err();
    assert!(
        matches!(&error, StoreError::Corrupt { file: named, .. } if *named == file),
        "{error:?}"
    );
    assert!(
        error.to_string().contains("gapless.db is damaged"),
        "{error}"
    );
    assert!(error.hint().contains("backup"));
    assert!(matches!(store.check(), Err(StoreError::Corrupt { .. })));
}

#[test]
fn a_text_that_changed_under_its_hash_is_corruption() {
    let (_dir, file) = place();
    let mut store = SqliteStore::open(&file).unwrap();
    store.commit("a", &commit(0, 1, "what was said")).unwrap();
    let raw = Connection::open(&file).unwrap();
    raw.execute("UPDATE texts SET body = 'what was not'", [])
        .unwrap();

    let hash = TextHash::of("what was said");
    let error = store.text_checked(&hash).unwrap_err();
    assert!(error.to_string().contains(&hash.to_string()), "{error}");
    assert!(matches!(store.check(), Err(StoreError::Corrupt { .. })));
    assert_eq!(store.text(&hash), None);
    assert!(matches!(
        store.take_text_error(),
        Some(StoreError::Corrupt { .. })
    ));
    assert!(store.take_text_error().is_none());
}

#[test]
fn a_file_of_another_kind_is_no_database() {
    let (_dir, file) = place();
    fs::write(&file, "# A spec, not a database\n".repeat(100)).unwrap();
    for opened in [SqliteStore::open(&file), SqliteStore::open_read_only(&file)] {
        assert!(
            matches!(opened, Err(StoreError::NotADatabase { .. })),
            "{opened:?}"
        );
    }
    assert!(fs::read_to_string(&file).unwrap().starts_with("# A spec"));
}

#[test]
fn a_folder_in_place_of_the_file_is_said() {
    let (_dir, file) = place();
    fs::create_dir(&file).unwrap();
    for opened in [SqliteStore::open(&file), SqliteStore::open_read_only(&file)] {
        let error = opened.unwrap_err();
        assert!(matches!(error, StoreError::Misplaced(_)), "{error:?}");
        assert!(error.to_string().contains("is a folder"), "{error}");
    }
}

#[test]
fn a_file_in_place_of_the_folder_is_said() {
    let (dir, _) = place();
    fs::write(dir.path().join(".gapless"), "").unwrap();
    let opened = SqliteStore::open(&dir.path().join(".gapless/gapless.db"));
    assert!(
        matches!(opened, Err(StoreError::Misplaced(_))),
        "{opened:?}"
    );
}

#[test]
fn readers_make_nothing() {
    let (dir, file) = place();
    let opened = SqliteStore::open_read_only(&file);
    assert!(
        matches!(opened, Err(StoreError::Missing { .. })),
        "{opened:?}"
    );
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);

    fs::write(&file, "").unwrap();
    let opened = SqliteStore::open_read_only(&file);
    assert!(
        matches!(opened, Err(StoreError::Older { found: 0, .. })),
        "{opened:?}"
    );
}

#[test]
fn a_reader_can_not_write() {
    let (_dir, file) = place();
    SqliteStore::open(&file)
        .unwrap()
        .commit("a", &commit(0, 1, "x"))
        .unwrap();
    let mut reader = SqliteStore::open_read_only(&file).unwrap();
    assert_eq!(reader.access(), Access::ReadOnly(WhyReadOnly::Asked));
    for refused in [
        reader.commit("a", &commit(1, 1, "y")).map(drop),
        reader.post("a", Time(1), "{}").map(drop),
    ] {
        let asked = matches!(
            refused,
            Err(StoreError::ReadOnly {
                why: WhyReadOnly::Asked,
                ..
            })
        );
        assert!(asked, "{refused:?}");
    }
}

#[test]
fn a_newer_database_is_only_read() {
    let (_dir, file) = place();
    SqliteStore::open(&file)
        .unwrap()
        .commit("a", &commit(0, 1, "x"))
        .unwrap();
    Connection::open(&file)
        .unwrap()
        .pragma_update(None, "user_version", 9)
        .unwrap();

    let mut store = SqliteStore::open(&file).unwrap();
    let Access::ReadOnly(why @ WhyReadOnly::Newer { found: 9, .. }) = store.access() else {
        panic!("{:?}", store.access());
    };
    assert_eq!(store.read("a").unwrap().len(), 1);
    let error = store.commit("a", &commit(1, 1, "y")).unwrap_err();
    assert!(
        matches!(error, StoreError::ReadOnly { why: found, .. } if found == why),
        "{error:?}"
    );
    assert!(error.to_string().contains("version 9"), "{error}");
    assert!(error.hint().contains("update gapless"));
    assert_eq!(
        SqliteStore::open_read_only(&file).unwrap().access(),
        Access::ReadOnly(why)
    );
}

#[test]
fn a_write_in_progress_elsewhere_keeps_no_reader_waiting() {
    let (_dir, file) = place();
    let mut store = SqliteStore::open(&file).unwrap();
    store.commit("a", &commit(0, 1, "x")).unwrap();
    let raw = Connection::open(&file).unwrap();
    raw.execute_batch("BEGIN IMMEDIATE; DELETE FROM events;")
        .unwrap();
    let reader = SqliteStore::open_read_only(&file).unwrap();
    assert_eq!(reader.read("a").unwrap().len(), 1);
    assert_eq!(store.read("a").unwrap().len(), 1);
    assert_eq!(
        SqliteStore::open(&file).unwrap().read("a").unwrap().len(),
        1
    );
    raw.execute_batch("ROLLBACK").unwrap();
}

#[test]
fn a_reader_in_the_middle_keeps_no_writer_waiting() {
    let (_dir, file) = place();
    let mut store = SqliteStore::open(&file).unwrap();
    store.commit("a", &commit(0, 1, "x")).unwrap();
    let raw = Connection::open(&file).unwrap();
    let count = |raw: &Connection| -> u32 {
        raw.query_row("SELECT count(*) FROM events", [], |row| row.get(0))
            .unwrap()
    };
    raw.execute_batch("BEGIN").unwrap();
    assert_eq!(count(&raw), 1);
    assert_eq!(store.commit("a", &commit(1, 1, "y")).unwrap(), 2);
    assert_eq!(count(&raw), 1);
}

#[test]
fn many_may_make_the_database_at_once() {
    for _ in 0..5 {
        let (_dir, file) = place();
        let together = Arc::new(Barrier::new(6));
        let openers: Vec<_> = (0..6)
            .map(|nth| {
                let (file, together) = (file.clone(), Arc::clone(&together));
                thread::spawn(move || {
                    together.wait();
                    let mut store = SqliteStore::open(&file).unwrap();
                    store
                        .commit(&format!("s{nth}"), &commit(0, 1, "x"))
                        .unwrap();
                })
            })
            .collect();
        openers
            .into_iter()
            .for_each(|opener| opener.join().unwrap());
        let store = SqliteStore::open_read_only(&file).unwrap();
        assert_eq!(store.sessions().unwrap().len(), 6);
    }
}

const FILE_OF_CHILD: &str = "GAPLESS_TEST_DATABASE";

/// Not a test of its own: run again by `a_killed_writer_leaves_whole_commits`, it commits until it is killed.
#[test]
fn child_that_commits_for_ever() {
    let Ok(file) = std::env::var(FILE_OF_CHILD) else {
        return;
    };
    let mut store = SqliteStore::open(Path::new(&file)).unwrap();
    let mut last = 0;
    loop {
        last = store
            .commit("a", &commit(last, 7, &last.to_string()))
            .unwrap();
        println!("committed {last}");
    }
}

#[test]
fn a_killed_writer_leaves_whole_commits() {
    let (_dir, file) = place();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_that_commits_for_ever", "--nocapture"])
        .env(FILE_OF_CHILD, &file)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let said: u64 = lines
        .filter_map(|line| line.unwrap().rsplit_once("committed ")?.1.parse().ok())
        .nth(30)
        .unwrap();
    child.kill().unwrap();
    child.wait().unwrap();

    let mut store = SqliteStore::open(&file).unwrap();
    let rows = store.read("a").unwrap();
    let last = rows.len() as u64;
    assert!(
        last >= said && last.is_multiple_of(7),
        "{said} was said, {last} are there"
    );
    for row in &rows {
        assert!(
            store
                .text_checked(&TextHash::of(&row.body))
                .unwrap()
                .is_some()
        );
    }
    store.check().unwrap();
    assert_eq!(store.commit("a", &commit(last, 1, "on")).unwrap(), last + 1);
}

#[test]
fn clones_commit_side_by_side_through_one_open_file() {
    let (_dir, file) = place();
    let store = SqliteStore::open(&file).unwrap();
    let all_at_once = Arc::new(Barrier::new(4));
    let writers: Vec<_> = (0..4)
        .map(|number| {
            let (mut store, all_at_once) = (store.clone(), Arc::clone(&all_at_once));
            thread::spawn(move || {
                let session = format!("session-{number}");
                all_at_once.wait();
                for seq in 0..20 {
                    let body = format!("{seq} of {session}");
                    store.commit(&session, &commit(seq, 1, &body)).unwrap();
                }
                store.commits()
            })
        })
        .collect();
    for writer in writers {
        assert_eq!(writer.join().unwrap(), 20);
    }
    for number in 0..4 {
        let session = format!("session-{number}");
        assert_eq!(store.read(&session).unwrap().len(), 20, "{session}");
    }
    assert_eq!(store.commits(), 0);
    let (again, _more) = (store.clone(), store.clone());
    drop(store);
    assert_eq!(again.sessions().unwrap().len(), 4);
    assert_eq!(times_open(&file), 1);
}

/// How often this process has a file open.
fn times_open(file: &Path) -> usize {
    let file = file.canonicalize().unwrap();
    match fs::read_dir("/proc/self/fd") {
        Ok(open) => open
            .filter_map(|entry| fs::read_link(entry.ok()?.path()).ok())
            .filter(|target| *target == file)
            .count(),
        // Only Linux says it there.
        Err(_) => 1,
    }
}
