//! Commits of several sessions at once: they share a sync, and nothing else.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use gapless_domain::time::Time;
use gapless_store::{Commit, NewRow, SqliteStore, Store, StoreError, Turn};
use rusqlite::Connection;
use tempfile::TempDir;

fn place() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("gapless.db");
    (dir, file)
}

fn commit(after_seq: u64, count: usize) -> Commit {
    let row = NewRow {
        at: Time(1),
        type_name: "t".to_owned(),
        version: 1,
        body: "{}".to_owned(),
    };
    Commit {
        after_seq,
        rows: vec![row; count],
        ..Commit::default()
    }
}

/// Hands a commit over by a handle of its own; gives back where its result comes, and the turn to write if it is free.
fn submit(
    store: &SqliteStore,
    session: &str,
    commit: Commit,
) -> (Receiver<Result<u64, StoreError>>, Option<Turn>) {
    let (tell, told) = mpsc::channel();
    let done = Box::new(move |result| {
        // A test that has ended doesn't listen.
        let _ = tell.send(result);
    });
    (told, store.clone().submit(session, commit, done))
}

/// How many transactions are in the write-ahead log: a frame that ends one says how large the database is after it.
fn transactions(file: &Path) -> usize {
    let wal = fs::read(file.with_extension("db-wal")).unwrap();
    let page = u32::from_be_bytes(wal[8..12].try_into().unwrap()) as usize;
    let frames = wal[32..].chunks_exact(24 + page);
    frames.filter(|frame| frame[4..8] != [0; 4]).count()
}

#[test]
fn commits_that_wait_together_share_one_sync() {
    let (_dir, file) = place();
    let store = SqliteStore::open(&file).unwrap();
    let before = transactions(&file);
    let (first, turn) = submit(&store, "a", commit(0, 3));
    let (second, none) = submit(&store, "b", commit(0, 2));
    assert!(none.is_none(), "one writes for all");
    let (refused, none) = submit(&store, "c", commit(7, 1));
    assert!(none.is_none());
    assert!(first.try_recv().is_err(), "nothing is on disk yet");
    assert_eq!(store.sessions().unwrap(), []);

    turn.unwrap().take();
    assert_eq!(first.recv().unwrap().unwrap(), 3);
    assert_eq!(second.recv().unwrap().unwrap(), 2);
    let refused = refused.recv().unwrap();
    assert!(matches!(refused, Err(StoreError::Fenced { .. })));
    assert_eq!(transactions(&file) - before, 1);

    let (third, turn) = submit(&store, "a", commit(3, 1));
    turn.unwrap().take();
    assert_eq!(third.recv().unwrap().unwrap(), 4);
}

#[test]
fn a_turn_that_nobody_takes_is_no_wait_for_ever() {
    let (_dir, file) = place();
    let store = SqliteStore::open(&file).unwrap();
    let (first, turn) = submit(&store, "a", commit(0, 1));
    let (second, _) = submit(&store, "b", commit(0, 1));
    drop(turn);
    assert!(first.recv().unwrap().is_err() && second.recv().unwrap().is_err());
    let (again, turn) = submit(&store, "a", commit(0, 1));
    turn.unwrap().take();
    assert_eq!(again.recv().unwrap().unwrap(), 1);
}

#[test]
fn one_whose_commit_fails_on_the_disk_fails_no_other() {
    let (_dir, file) = place();
    let store = SqliteStore::open(&file).unwrap();
    // A check stands for a disk that fails.
    let raw = Connection::open(&file).unwrap();
    let check = "ALTER TABLE events ADD COLUMN fails TEXT CHECK (session <> 'b')";
    raw.execute_batch(check).unwrap();
    let (first, turn) = submit(&store, "a", commit(0, 1));
    let (failed, _) = submit(&store, "b", commit(0, 1));
    let (last, _) = submit(&store, "c", commit(0, 1));
    turn.unwrap().take();
    assert_eq!(first.recv().unwrap().unwrap(), 1);
    assert!(matches!(
        failed.recv().unwrap(),
        Err(StoreError::Sqlite { .. })
    ));
    assert_eq!(last.recv().unwrap().unwrap(), 1);
    assert_eq!(store.sessions().unwrap().len(), 2);
}

#[test]
fn a_read_does_not_wait_for_a_commit() {
    let (_dir, file) = place();
    let mut store = SqliteStore::open(&file).unwrap();
    store.commit("a", &commit(0, 1)).unwrap();
    let (tell, told) = mpsc::channel();
    let reader = store.clone();
    let (written, turn) = submit(&store, "a", commit(1, 1));
    let writing = thread::spawn(move || {
        turn.unwrap().take();
        tell.send(()).unwrap();
    });
    while told.try_recv().is_err() {
        let seen = reader.read("a").unwrap().len();
        assert!(seen == 1 || seen == 2, "{seen}");
    }
    writing.join().unwrap();
    assert_eq!(written.recv().unwrap().unwrap(), 2);
    assert_eq!(reader.read("a").unwrap().len(), 2);
}

const FILE_OF_CHILD: &str = "GAPLESS_TEST_DATABASE";
const SESSIONS: [&str; 3] = ["a", "b", "c"];

/// Not a test of its own: run again by `a_kill_leaves_all_of_what_was_written_together_or_nothing`, it commits until it is killed.
#[test]
fn child_that_commits_together_for_ever() {
    let Ok(file) = std::env::var(FILE_OF_CHILD) else {
        return;
    };
    let store = SqliteStore::open(Path::new(&file)).unwrap();
    for last in (0..).step_by(5) {
        let submitted = SESSIONS.map(|session| submit(&store, session, commit(last, 5)));
        for (told, turn) in submitted {
            if let Some(turn) = turn {
                turn.take();
            }
            told.recv().unwrap().unwrap();
        }
        println!("committed {}", last + 5);
    }
}

#[test]
fn a_kill_leaves_all_of_what_was_written_together_or_nothing() {
    let (_dir, file) = place();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "child_that_commits_together_for_ever",
            "--nocapture",
        ])
        .env(FILE_OF_CHILD, &file)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let said: usize = lines
        .filter_map(|line| line.unwrap().rsplit_once("committed ")?.1.parse().ok())
        .nth(20)
        .unwrap();
    child.kill().unwrap();
    child.wait().unwrap();

    let store = SqliteStore::open(&file).unwrap();
    let lengths = SESSIONS.map(|session| store.read(session).unwrap().len());
    assert!(
        lengths[0] >= said && lengths[0].is_multiple_of(5),
        "{said} said, {lengths:?} there"
    );
    assert_eq!(lengths, [lengths[0]; 3]);
    store.check().unwrap();
}
