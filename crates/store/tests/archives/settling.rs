//! From a round's folder to its archive, killed at every step and made up for.

use std::fs;
use std::ops::ControlFlow;

use gapless_domain::archives::ArchiveChoice;
use gapless_store::archive::{ArchiveError, Step, Undone, dispose, settle};
use gapless_store::{Document, Projector};
use proptest::prelude::*;

use crate::support::{ROLLED_BACK, Session, files, name, undone};

/// What the archive of [`Session::with_round`] holds.
fn expected() -> Vec<(&'static str, &'static [u8])> {
    vec![
        ("round_002/attempts/engineer-1.md", b"tried"),
        ("round_002/engineer.edited.md", b"better"),
        ("round_002/engineer.md", b"proposal"),
        ("round_002/scan ö.bin", &[0, 255, 10]),
        ("round_002/summary.md", b"summary"),
    ]
}

#[track_caller]
fn is_settled(session: &Session) {
    let mut contents = session.contents(2);
    let metadata = contents.remove("rollback_metadata.json").unwrap();
    assert!(String::from_utf8(metadata).unwrap().contains("too broad"));
    let contents: Vec<(&str, &[u8])> = contents
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    assert_eq!(contents, expected());
    let names: Vec<String> = files(session.folder.root()).into_keys().collect();
    assert_eq!(names, ["archives/round_002_rolled_back_1.tar.gz"]);
    assert!(!session.path("round_002").exists());
    assert!(!session.path("archives/round_002_rolled_back_1").exists());
}

#[test]
fn the_folder_and_what_the_log_has_beside_it_become_an_archive() {
    let session = Session::with_round();
    let mut steps = Vec::new();
    settle(&session.folder, &undone(2, 1), &mut |step| {
        steps.push(step);
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(steps, Step::ALL);
    is_settled(&session);
    session.settle(&undone(2, 1)).unwrap();
    is_settled(&session);
}

#[test]
fn killed_after_any_step_it_is_made_up_for() {
    for step in Step::ALL {
        for again in Step::ALL {
            let session = Session::with_round();
            session.settle_until(&undone(2, 1), step);
            // Killed once more while making up for it, where that step comes up.
            let _ = settle(
                &session.folder,
                &undone(2, 1),
                &mut |now| match now == again {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                },
            );
            session.settle(&undone(2, 1)).unwrap();
            is_settled(&session);
        }
    }
}

#[test]
fn killed_after_any_step_the_round_that_is_run_again_is_left_alone() {
    for step in Step::ALL {
        let session = Session::with_round();
        session.settle_until(&undone(2, 1), step);
        session.write("round_002/engineer.md", b"second try");
        let mut undone = undone(2, 1);
        undone.later = vec![Document::new("round_002/engineer.md", "second try")];
        session.settle(&undone).unwrap();
        let again = fs::read(session.path("round_002/engineer.md")).unwrap();
        assert_eq!(again, b"second try");
        fs::remove_dir_all(session.path("round_002")).unwrap();
        is_settled(&session);
    }
}

#[test]
fn the_same_round_gives_the_same_bytes() {
    let bytes = || {
        let session = Session::with_round();
        session.settle(&undone(2, 1)).unwrap();
        fs::read(session.archives().file(name(2, 1))).unwrap()
    };
    assert_eq!(bytes(), bytes());
}

#[test]
fn what_a_killed_process_left_of_an_archive_is_removed() {
    let session = Session::with_round();
    session.write("archives/.round_002_rolled_back_1.tar.gz.new", b"half");
    session.settle(&undone(2, 1)).unwrap();
    is_settled(&session);
    session.write("archives/.round_002_rolled_back_1.tar.gz.new", b"half");
    session.settle(&undone(2, 1)).unwrap();
    is_settled(&session);
}

#[test]
fn a_damaged_archive_is_kept_and_made_anew_while_the_folder_is_there() {
    let session = Session::with_round();
    session.settle_until(&undone(2, 1), Step::FolderSynced);
    let file = session.archives().file(name(2, 1));
    let mut bytes = fs::read(&file).unwrap();
    bytes.truncate(bytes.len() - 9);
    fs::write(&file, &bytes).unwrap();
    session.settle(&undone(2, 1)).unwrap();
    let damaged = session.path("archives/round_002_rolled_back_1.tar.gz.damaged");
    assert_eq!(fs::read(&damaged).unwrap(), bytes);
    fs::remove_file(damaged).unwrap();
    is_settled(&session);
}

#[test]
fn what_changed_after_the_archive_was_made_is_not_removed() {
    let session = Session::with_round();
    session.settle_until(&undone(2, 1), Step::FolderSynced);
    session.write(
        "archives/round_002_rolled_back_1/engineer.md",
        b"late words",
    );
    session.write("archives/round_002_rolled_back_1/late.md", b"later words");
    for _ in 0..2 {
        let left = session.settle(&undone(2, 1));
        assert!(
            matches!(left, Err(ArchiveError::LeftOver { .. })),
            "{left:?}"
        );
        let left: Vec<_> = files(&session.path("archives/round_002_rolled_back_1"))
            .into_iter()
            .collect();
        assert_eq!(
            left,
            [
                ("engineer.md".to_owned(), b"late words".to_vec()),
                ("late.md".to_owned(), b"later words".to_vec())
            ]
        );
    }
    assert_eq!(session.contents(2)["round_002/engineer.md"], b"proposal");
}

#[cfg(unix)]
#[test]
fn links_are_neither_followed_nor_removed() {
    let session = Session::with_round();
    let outside = session.dir.path().join("secret");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("key"), "secret").unwrap();
    std::os::unix::fs::symlink(&outside, session.path("round_002/link")).unwrap();
    let left = session.settle(&undone(2, 1));
    assert!(
        matches!(left, Err(ArchiveError::LeftOver { .. })),
        "{left:?}"
    );
    assert!(
        session
            .contents(2)
            .keys()
            .all(|name| !name.contains("link"))
    );
    assert_eq!(fs::read(outside.join("key")).unwrap(), b"secret");
    assert!(
        session
            .path("archives/round_002_rolled_back_1/link")
            .is_symlink()
    );
    assert!(!session.path("round_002").exists());
}

/// A pipe would keep whoever reads it waiting for ever.
#[cfg(unix)]
#[test]
fn a_pipe_is_not_read() {
    let session = Session::with_round();
    fs::remove_file(session.path("round_002/engineer.md")).unwrap();
    let pipe = session.path("round_002/engineer.md");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let mut undone = undone(2, 1);
    undone.later = vec![Document::new("round_002/engineer.md", "second try")];
    let left = session.settle(&undone);
    assert!(
        matches!(left, Err(ArchiveError::LeftOver { .. })),
        "{left:?}"
    );
    assert_eq!(session.contents(2)["round_002/engineer.md"], b"proposal");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever stands in the folder, each file is in the archive or still where it was moved to.
    #[test]
    fn nothing_that_stood_in_the_folder_is_lost(
        names in prop::collection::btree_set("[ab\\\\\u{1b}é.][ab\u{7}ö.]{0,3}(/[ab.]{1,3}){0,2}", 1..12),
        seed in any::<u8>(),
    ) {
        let session = Session::new();
        for (nth, name) in names.iter().enumerate() {
            let file = session.path("round_002").join(name);
            // Two names may want the same place as a file and as a folder.
            let content = vec![seed.wrapping_add(u8::try_from(nth).unwrap()); nth * 700];
            let _ = fs::create_dir_all(file.parent().unwrap()).and_then(|()| fs::write(&file, content));
        }
        let held = files(&session.path("round_002"));
        let undone = Undone { documents: Vec::new(), ..undone(2, 1) };
        let settled = session.settle(&undone);
        let left = files(&session.path("archives/round_002_rolled_back_1"));
        prop_assert_eq!(settled.is_ok(), left.is_empty());
        let mut archived = session.contents(2);
        archived.remove("rollback_metadata.json");
        prop_assert_eq!(archived.len() + left.len(), held.len());
        for (name, content) in held {
            let kept = archived.get(&format!("round_002/{name}")).or_else(|| left.get(&name));
            prop_assert_eq!(kept, Some(&content), "{}", name);
        }
    }
}

#[test]
fn without_folder_and_archive_it_is_made_of_the_log() {
    let session = Session::new();
    session.settle(&undone(2, 1)).unwrap();
    let names: Vec<String> = session.contents(2).into_keys().collect();
    assert_eq!(
        names,
        [
            "rollback_metadata.json",
            "round_002/engineer.md",
            "round_002/summary.md"
        ]
    );
}

#[test]
fn the_projector_archives_between_what_came_before_and_what_comes_after() {
    let session = Session::with_round();
    let projector = Projector::start(session.folder.clone(), Vec::new());
    projector.write(vec![
        Document::new("round_002/summary.md", "summary"),
        Document::new("status.md", "before"),
    ]);
    projector.archive(vec![undone(2, 1)]);
    projector.write(vec![
        Document::new("round_002/engineer.md", "second try"),
        Document::new("status.md", "after"),
    ]);
    let report = projector.flush();
    assert!(
        report.errors.is_empty() && report.edits.is_empty(),
        "{report:?}"
    );
    assert_eq!(fs::read(session.path("status.md")).unwrap(), b"after");
    let again = files(&session.path("round_002"));
    assert_eq!(
        again.into_iter().collect::<Vec<_>>(),
        [("engineer.md".to_owned(), b"second try".to_vec())]
    );
    fs::remove_file(session.path("status.md")).unwrap();
    fs::remove_dir_all(session.path("round_002")).unwrap();
    is_settled(&session);
}

#[test]
fn nothing_is_written_where_the_undone_round_stands_still() {
    let session = Session::with_round();
    // Nothing can be moved below a file.
    session.write("archives", b"in the way");
    let projector = Projector::start(session.folder.clone(), Vec::new());
    projector.archive(vec![undone(2, 1)]);
    projector.write(vec![Document::new("round_002/engineer.md", "second try")]);
    let report = projector.flush();
    assert!(report.written.is_empty());
    let errors: Vec<String> = report.errors.iter().map(ToString::to_string).collect();
    assert!(
        errors.iter().any(|error| error.contains("is not archived")),
        "{errors:?}"
    );
    assert!(
        errors
            .iter()
            .any(|error| error.contains("stands there still")),
        "{errors:?}"
    );
    let engineer = session.path("round_002/engineer.md");
    assert_eq!(fs::read(&engineer).unwrap(), b"proposal");

    fs::remove_file(session.path("archives")).unwrap();
    projector.write(vec![Document::new("round_002/engineer.md", "second try")]);
    let report = projector.flush();
    assert!(report.errors.is_empty(), "{:?}", report.errors);
    assert_eq!(fs::read(&engineer).unwrap(), b"second try");
    fs::remove_dir_all(session.path("round_002")).unwrap();
    is_settled(&session);
}

#[test]
fn what_a_killed_process_had_not_finished_writing_is_no_part_of_the_archive() {
    let session = Session::with_round();
    // The log has both; a file of the user's that looks like it stays.
    session.write("round_002/.engineer.md.new", b"propo");
    session.write("round_002/.summary.md.new", b"");
    session.settle(&undone(2, 1)).unwrap();
    is_settled(&session);

    let session = Session::with_round();
    session.write("round_002/.mine.new", b"mine");
    session.settle(&undone(2, 1)).unwrap();
    assert_eq!(session.contents(2)["round_002/.mine.new"], b"mine");
}

#[test]
fn a_round_that_was_run_again_to_the_same_bytes_is_left_where_it_stands() {
    for choice in [ArchiveChoice::Delete, ArchiveChoice::Cold] {
        let session = Session::with_archives(0);
        let (cold, owner) = (session.cold(), session.owner());
        dispose(&session.archives(), choice, ROLLED_BACK, &cold, &owner).unwrap();
        session.write("round_002/engineer.md", b"proposal");
        session.write("round_002/summary.md", b"summary");
        let mut again = undone(2, 1);
        again.later.clone_from(&again.documents);
        session.settle(&again).unwrap();
        assert!(session.archives().list().unwrap().is_empty());
        assert_eq!(files(&session.path("round_002")).len(), 2);
    }
}
