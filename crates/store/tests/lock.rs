//! One driver at a time, across handles and processes, and what is said of it.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use gapless_domain::time::Time;
use gapless_store::{Driver, LockError, SessionFolder, SessionLock};

fn folder(dir: &Path) -> SessionFolder {
    SessionFolder::new(dir, &"billing".parse().unwrap())
}

fn driver(pid: u32) -> Driver {
    Driver {
        pid,
        since: Time(1_768_228_200_000),
        command: "gapless run spec.md".to_owned(),
    }
}

#[test]
fn a_second_driver_is_told_of_the_first() {
    let dir = tempfile::tempdir().unwrap();
    let folder = folder(dir.path());
    let first = SessionLock::acquire(&folder, &driver(11)).unwrap();
    let error = SessionLock::acquire(&folder, &driver(22)).unwrap_err();
    assert!(matches!(&error, LockError::Held { driver: Some(held) } if *held == driver(11)));
    assert_eq!(
        error.to_string(),
        "another process drives this session: process 11 since 2026-01-12T14:30:00Z (`gapless run spec.md`)"
    );
    assert_eq!(SessionLock::peek(&folder).unwrap(), Some(driver(11)));

    drop(first);
    assert_eq!(SessionLock::peek(&folder).unwrap(), None);
    let _second = SessionLock::acquire(&folder, &driver(22)).unwrap();
    assert_eq!(SessionLock::peek(&folder).unwrap(), Some(driver(22)));
}

#[test]
fn looking_makes_nothing_and_keeps_nobody_out() {
    let dir = tempfile::tempdir().unwrap();
    let folder = folder(dir.path());
    assert_eq!(SessionLock::peek(&folder).unwrap(), None);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);

    drop(SessionLock::acquire(&folder, &driver(1)).unwrap());
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..200 {
                    SessionLock::peek(&folder).unwrap();
                }
            });
        }
        for pid in 0..200 {
            drop(SessionLock::acquire(&folder, &driver(pid)).unwrap());
        }
    });
}

#[test]
fn what_others_hear_is_always_the_present_driver() {
    let dir = tempfile::tempdir().unwrap();
    let folder = folder(dir.path());
    std::thread::scope(|scope| {
        for rival in 0..4 {
            let folder = &folder;
            scope.spawn(move || {
                for nth in 0..100 {
                    // A shorter text after a longer one must not leave a tail of it.
                    let mut me = driver(rival);
                    me.command = "x".repeat(100 - nth);
                    match SessionLock::acquire(folder, &me) {
                        Ok(_lock) => assert_eq!(SessionLock::peek(folder).unwrap(), Some(me)),
                        Err(LockError::Held { driver: Some(held) }) => assert_ne!(held.pid, rival),
                        Err(error) => panic!("{error}"),
                    }
                }
            });
        }
    });
}

#[test]
fn a_session_is_locked_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let other = SessionFolder::new(dir.path(), &"other".parse().unwrap());
    let _one = SessionLock::acquire(&folder(dir.path()), &driver(1)).unwrap();
    let _two = SessionLock::acquire(&other, &driver(1)).unwrap();
}

#[test]
fn a_held_lock_without_a_readable_holder_is_still_held() {
    let dir = tempfile::tempdir().unwrap();
    let folder = folder(dir.path());
    let _held = SessionLock::acquire(&folder, &driver(1)).unwrap();
    fs::write(folder.root().join("driver.json"), "{").unwrap();
    let refused = SessionLock::acquire(&folder, &driver(2));
    assert!(matches!(refused, Err(LockError::Held { driver: None })));
    let seen = SessionLock::peek(&folder);
    assert!(matches!(seen, Err(LockError::Held { driver: None })));
}

#[test]
fn a_folder_that_can_not_be_made_is_named() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("sessions"), "").unwrap();
    let error = SessionLock::acquire(&folder(dir.path()), &driver(1)).unwrap_err();
    assert!(matches!(error, LockError::Misplaced(_)));
    assert!(error.to_string().contains("sessions is a file"), "{error}");
}

const FOLDER_OF_CHILD: &str = "GAPLESS_TEST_FOLDER";

/// Not a test of its own: run again by the test below, it holds the lock until it is killed.
#[test]
fn child_that_drives_for_ever() {
    let Ok(dir) = std::env::var(FOLDER_OF_CHILD) else {
        return;
    };
    let _held =
        SessionLock::acquire(&folder(Path::new(&dir)), &driver(std::process::id())).unwrap();
    println!("driving");
    loop {
        std::thread::park();
    }
}

fn start_driving(dir: &Path) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_that_drives_for_ever", "--nocapture"])
        .env(FOLDER_OF_CHILD, dir)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines
        .find(|line| line.as_ref().unwrap().contains("driving"))
        .unwrap()
        .unwrap();
    child
}

#[test]
fn the_lock_of_a_killed_process_is_free_and_nobody_is_said_to_hold_it() {
    let dir = tempfile::tempdir().unwrap();
    let folder = folder(dir.path());
    let mut child = start_driving(dir.path());
    assert_eq!(
        SessionLock::peek(&folder).unwrap(),
        Some(driver(child.id()))
    );
    let refused = SessionLock::acquire(&folder, &driver(1));
    assert!(
        matches!(refused, Err(LockError::Held { driver: Some(held) }) if held.pid == child.id())
    );

    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(SessionLock::peek(&folder).unwrap(), None);
    let _mine = SessionLock::acquire(&folder, &driver(1)).unwrap();
    assert_eq!(SessionLock::peek(&folder).unwrap(), Some(driver(1)));
}
