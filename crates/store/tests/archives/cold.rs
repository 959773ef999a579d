//! Moving archives to the cold store, killed at every step, and cleaning up there with the time as an input.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use gapless_domain::time::Time;
use gapless_store::archive::{ArchiveError, MoveStep, Owner, data_home};

use crate::support::{Session, files, name};

const DAY: i64 = 24 * 60 * 60 * 1000;
const MOVED: Time = Time(1_768_300_000_000);

impl Session {
    fn take_in(&self, round: u32, last: Option<MoveStep>) -> Result<PathBuf, ArchiveError> {
        let found = self.archives().list().unwrap().into_iter();
        let found = found
            .map(|found| found.entry)
            .find(|entry| entry.round == round);
        let Some(entry) = found else {
            return Ok(PathBuf::new());
        };
        let stop = &mut |step| match Some(step) == last {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let (cold, owner) = (self.cold(), self.owner());
        cold.take_in(&owner, &self.archives(), entry, MOVED, stop)
    }

    fn cold_names(&self) -> Vec<String> {
        let mut names: Vec<String> = files(self.cold().root()).into_keys().collect();
        names.retain(|name| name != ".lock");
        names
    }
}

#[test]
fn killed_after_any_step_an_archive_is_in_one_place_at_least() {
    for step in MoveStep::ALL {
        let session = Session::with_archives(0);
        let archive = session.archives().file(name(2, 1));
        let bytes = fs::read(&archive).unwrap();
        let stopped = session.take_in(2, Some(step));
        assert!(matches!(stopped, Err(ArchiveError::Stopped)));
        let cold = session
            .cold()
            .folder_of(&session.owner())
            .join("round_002_rolled_back_1.tar.gz");
        let there = |file: &Path| fs::read(file).is_ok_and(|found| found == bytes);
        assert!(there(&archive) || there(&cold), "{step:?}");

        session.take_in(2, None).unwrap();
        assert!(!archive.exists() && there(&cold), "{step:?}");
        let manifest = session
            .cold()
            .of(&session.owner())
            .unwrap()
            .unwrap()
            .manifest;
        let entry = &manifest.archives[0];
        assert_eq!(manifest.archives.len(), 1);
        assert_eq!((entry.round, entry.attempt), (2, 1));
        assert_eq!((entry.moved_at, entry.keep), (Some(MOVED), false));
        assert_eq!(entry.bytes, bytes.len() as u64);
        assert_eq!(
            entry.blake3.to_string(),
            blake3::hash(&bytes).to_hex().as_str()
        );
        assert_eq!(entry.reason, "too broad");
        assert_eq!(
            session.archives().list().unwrap().len(),
            1,
            "the other stays"
        );
    }
}

#[test]
fn another_archive_of_the_same_name_is_never_overwritten() {
    let session = Session::with_archives(0);
    let folder = session.cold().folder_of(&session.owner());
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("round_002_rolled_back_1.tar.gz"), "another").unwrap();
    let clash = session.take_in(2, None);
    assert!(
        matches!(clash, Err(ArchiveError::Clash { .. })),
        "{clash:?}"
    );
    assert!(session.archives().file(name(2, 1)).exists());
}

#[test]
fn sessions_of_the_same_name_have_folders_of_their_own() {
    let session = Session::new();
    let owner = |workspace: &str, started| Owner {
        session: "s".to_owned(),
        workspace: workspace.into(),
        started_at: Time(started),
    };
    let owners = [owner("/a", 1), owner("/b", 1), owner("/a", 2)];
    let mut folders: Vec<_> = owners
        .iter()
        .map(|owner| session.cold().folder_of(owner))
        .collect();
    folders.sort();
    folders.dedup();
    assert_eq!(folders.len(), 3);
}

#[test]
fn what_is_past_its_days_goes_unless_it_is_marked() {
    let session = Session::with_archives(0);
    session.take_in(2, None).unwrap();
    session.take_in(3, None).unwrap();
    let (cold, owner) = (session.cold(), session.owner());
    let folder = cold.folder_of(&owner);
    let key = folder.file_name().unwrap().to_string_lossy().into_owned();
    cold.mark(&folder, name(3, 1), true).unwrap();

    let at = |days: i64| Time(MOVED.0 + days * DAY);
    let early = cold.clean_up(at(30), 30, false).unwrap();
    assert!(early.removed.is_empty() && early.marked.is_empty());
    let backwards = cold.clean_up(Time(0), 0, false).unwrap();
    assert!(backwards.removed.is_empty());

    let before = session.cold_names();
    let rehearsed = cold.clean_up(at(31), 30, true).unwrap();
    assert_eq!(rehearsed.removed.len(), 1);
    assert_eq!(session.cold_names(), before);

    let done = cold.clean_up(at(31), 30, false).unwrap();
    assert_eq!(done.removed, rehearsed.removed);
    assert_eq!(done.removed[0].0, key);
    assert_eq!(done.removed[0].1.archive, name(2, 1));
    assert_eq!(done.marked.len(), 1);
    let left = format!("{key}/round_003_rolled_back_1.tar.gz");
    assert_eq!(
        session.cold_names(),
        [
            "cleanup.log".to_owned(),
            format!("{key}/manifest.json"),
            left
        ]
    );
    let log = fs::read_to_string(cold.root().join("cleanup.log")).unwrap();
    let removed = format!("{} removed {key}/round_002_rolled_back_1.tar.gz (", at(31));
    assert!(log.starts_with(&removed), "{log}");
    assert_eq!(log.lines().count(), 1);

    cold.mark(&folder, name(3, 1), false).unwrap();
    assert_eq!(cold.clean_up(at(31), 30, false).unwrap().removed.len(), 1);
    assert_eq!(session.cold_names(), ["cleanup.log"]);
    let gone = cold.mark(&folder, name(3, 1), true);
    assert!(
        matches!(gone, Err(ArchiveError::Unlisted { .. })),
        "{gone:?}"
    );
}

#[test]
fn killed_between_removing_and_recording_the_next_cleaning_up_records_it() {
    let session = Session::with_archives(0);
    let moved = session.take_in(2, None).unwrap();
    fs::remove_file(moved).unwrap();
    let late = Time(MOVED.0 + 40 * DAY);
    let done = session.cold().clean_up(late, 30, false).unwrap();
    assert_eq!(done.removed.len(), 1);
    assert_eq!(session.cold_names(), ["cleanup.log"]);
}

#[test]
fn what_was_removed_and_could_not_be_noted_is_said_and_noted_the_next_time() {
    let session = Session::with_archives(0);
    let moved = session.take_in(2, None).unwrap();
    let (cold, late) = (session.cold(), Time(MOVED.0 + 40 * DAY));
    let log = cold.root().join("cleanup.log");
    fs::create_dir(&log).unwrap();
    let done = cold.clean_up(late, 30, false).unwrap();
    assert!(done.removed.is_empty() && !moved.exists());
    let [problem] = &done.problems[..] else {
        panic!("{:?}", done.problems);
    };
    assert!(matches!(problem, ArchiveError::Unnoted { .. }));
    assert!(problem.to_string().contains("was removed"), "{problem}");
    assert!(!problem.hint().contains("nothing was removed"));

    fs::remove_dir(&log).unwrap();
    assert_eq!(cold.clean_up(late, 30, false).unwrap().removed.len(), 1);
    assert_eq!(session.cold_names(), ["cleanup.log"]);
}

#[test]
fn a_damaged_manifest_is_told_and_keeps_nobody_else_waiting() {
    let session = Session::with_archives(0);
    session.take_in(2, None).unwrap();
    let other = session.cold().root().join("other-000000000000");
    fs::create_dir_all(&other).unwrap();
    for bad in [
        "{",
        r#"{"version":1,"session":"s","archives":[{"archive":"../../x"}]}"#,
        r#"{"version":2,"session":"s","archives":[]}"#,
    ] {
        fs::write(other.join("manifest.json"), bad).unwrap();
        let seen = session
            .cold()
            .clean_up(Time(MOVED.0 + 40 * DAY), 30, true)
            .unwrap();
        assert_eq!((seen.removed.len(), seen.problems.len()), (1, 1), "{bad}");
        assert!(matches!(seen.problems[0], ArchiveError::Manifest { .. }));
    }
}

#[test]
fn a_store_that_is_not_there_has_nothing_to_clean_up() {
    let session = Session::new();
    let done = session.cold().clean_up(MOVED, 0, false).unwrap();
    assert!(done.removed.is_empty() && done.problems.is_empty());
    assert!(!session.cold().root().exists());
}

#[test]
fn data_go_where_xdg_says() {
    let home = || Some(PathBuf::from("/home/u"));
    let at = |set: Option<&str>, home| data_home(set.map(Into::into), home);
    assert_eq!(at(Some("/data"), home()), Some("/data".into()));
    let fallback = Some(PathBuf::from("/home/u/.local/share"));
    assert_eq!(at(None, home()), fallback);
    assert_eq!(at(Some(""), home()), fallback);
    assert_eq!(at(Some("relative"), home()), fallback);
    assert_eq!(at(None, None), None);
}
