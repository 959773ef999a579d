//! What becomes of a session's archives when it ends. What the user marked stays, or moves with its mark; it is never
//! deleted.

use std::ops::ControlFlow;
use std::path::PathBuf;

use gapless_domain::archives::RECENT_DAYS;
use gapless_domain::{ArchiveChoice, ArchiveName, Time};

use super::cold::{ColdStore, MILLIS_OF_A_DAY, Owner};
use super::error::{ArchiveError, stands};
use super::manifest::Entry;
use super::session::{Archives, Found};

/// What became of archives.
#[derive(Debug, Default)]
pub struct Disposed {
    pub kept: Vec<ArchiveName>,
    pub deleted: Vec<ArchiveName>,
    /// Each with where it is now.
    pub moved: Vec<(ArchiveName, PathBuf)>,
    /// Those that are still where they were.
    pub problems: Vec<(ArchiveName, ArchiveError)>,
}

/// Does with a session's archives what was chosen. Called again, it goes on with what is left.
pub fn dispose(
    archives: &Archives,
    choice: ArchiveChoice,
    now: Time,
    cold: &ColdStore,
    owner: &Owner,
) -> Result<Disposed, ArchiveError> {
    let mut disposed = already(archives, cold, owner)?;
    for Found { entry, .. } in archives.list()? {
        let archive = entry.archive;
        let done = match choice {
            ArchiveChoice::Keep => Ok(Fate::Kept),
            ArchiveChoice::Delete | ArchiveChoice::Recent if entry.keep => Ok(Fate::Kept),
            ArchiveChoice::Recent if is_recent(&entry, now) => Ok(Fate::Kept),
            ArchiveChoice::Delete | ArchiveChoice::Recent => {
                archives.delete(entry, now).map(|()| Fate::Deleted)
            }
            ArchiveChoice::Cold => {
                let go_on = &mut |_| ControlFlow::Continue(());
                let moved = cold.take_in(owner, archives, entry, now, go_on);
                moved.map(Fate::Moved)
            }
        };
        match done {
            Ok(Fate::Kept) => disposed.kept.push(archive),
            Ok(Fate::Deleted) => disposed.deleted.push(archive),
            Ok(Fate::Moved(to)) => disposed.moved.push((archive, to)),
            Err(error) => disposed.problems.push((archive, error)),
        }
    }
    disposed.deleted.sort_unstable();
    disposed.moved.sort_unstable();
    Ok(disposed)
}

/// What was done before by a process that could not say so.
fn already(archives: &Archives, cold: &ColdStore, owner: &Owner) -> Result<Disposed, ArchiveError> {
    let mut done = Disposed::default();
    for entry in archives.marks()? {
        let archive = entry.archive;
        if stands(&archives.file(archive))? {
            continue;
        }
        if entry.deleted_at.is_some() {
            done.deleted.push(archive);
        } else if entry.moved_at.is_some() {
            let file = cold.folder_of(owner).join(archive.to_string());
            done.moved.push((archive, file));
        }
    }
    Ok(done)
}

enum Fate {
    Kept,
    Deleted,
    Moved(PathBuf),
}

/// One that doesn't say when it was made counts as recent: it isn't deleted for that.
fn is_recent(entry: &Entry, now: Time) -> bool {
    let longest = u64::from(RECENT_DAYS) * MILLIS_OF_A_DAY;
    let at = entry.rolled_back_at;
    at.is_none_or(|at| now.millis_since(at) <= longest)
}
