//! What becomes of archives when a session ends.

use gapless_domain::archives::{ArchiveChoice, ArchiveName};
use gapless_domain::time::Time;
use gapless_store::archive::{Disposed, dispose};

use crate::support::{ROLLED_BACK, Session, name, undone};

const DAY: i64 = 24 * 60 * 60 * 1000;

impl Session {
    /// Eight days after the rollback of round 2, four after that of round 3.
    fn dispose(&self, choice: ArchiveChoice) -> Disposed {
        let now = Time(ROLLED_BACK.0 + 8 * DAY);
        let disposed = dispose(&self.archives(), choice, now, &self.cold(), &self.owner()).unwrap();
        assert!(disposed.problems.is_empty(), "{:?}", disposed.problems);
        disposed
    }

    fn left(&self) -> Vec<ArchiveName> {
        let found = self.archives().list().unwrap();
        found.into_iter().map(|found| found.entry.archive).collect()
    }
}

#[test]
fn each_choice_does_what_it_says() {
    let (second, third) = (name(2, 1), name(3, 1));
    for (choice, left) in [
        (ArchiveChoice::Keep, vec![second, third]),
        (ArchiveChoice::Delete, vec![]),
        (ArchiveChoice::Recent, vec![third]),
        (ArchiveChoice::Cold, vec![]),
    ] {
        let session = Session::with_archives(4 * DAY);
        let disposed = session.dispose(choice);
        assert_eq!(session.left(), left, "{choice:?}");
        assert_eq!(disposed.kept, left);
        assert_eq!(
            disposed.kept.len() + disposed.deleted.len() + disposed.moved.len(),
            2
        );
        let moved = session.cold().of(&session.owner()).unwrap();
        assert_eq!(moved.is_some(), choice == ArchiveChoice::Cold);
        // Once more: there is nothing left to do.
        assert_eq!(session.dispose(choice).kept, left);
        // And what was taken away on purpose is not made again.
        session.settle(&undone(2, 1)).unwrap();
        assert_eq!(session.left(), left);
    }
}

#[test]
fn what_is_marked_is_never_deleted_and_moves_with_its_mark() {
    for choice in [ArchiveChoice::Delete, ArchiveChoice::Recent] {
        let session = Session::with_archives(0);
        session.archives().mark(name(2, 1), true).unwrap();
        session.dispose(choice);
        assert_eq!(session.left(), [name(2, 1)]);
        session.archives().mark(name(2, 1), false).unwrap();
        session.dispose(choice);
        assert!(session.left().is_empty());
    }
    let session = Session::with_archives(0);
    session.archives().mark(name(2, 1), true).unwrap();
    session.dispose(ArchiveChoice::Cold);
    let cold = session.cold().of(&session.owner()).unwrap().unwrap();
    let marks: Vec<bool> = cold
        .manifest
        .archives
        .iter()
        .map(|entry| entry.keep)
        .collect();
    assert_eq!(marks, [true, false]);
}

#[test]
fn one_that_cannot_be_read_is_not_deleted_for_its_age_and_can_be_moved() {
    let session = Session::with_archives(0);
    let bytes = b"no archive at all";
    session.write("archives/round_002_rolled_back_1.tar.gz", bytes);
    session.dispose(ArchiveChoice::Recent);
    assert_eq!(session.left(), [name(2, 1)]);
    let moved = session.dispose(ArchiveChoice::Cold).moved;
    assert_eq!(std::fs::read(&moved[0].1).unwrap(), bytes);
}
