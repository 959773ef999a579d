//! The folder of one run, below the temporary folder: the agent's working folder, and a lock that its driver holds. A folder whose lock
//! nobody holds is of a driver that was killed.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

const PREFIX: &str = "gapless-";
/// The lock, which is the mark of such a folder too.
const LOCK: &str = "driver.lock";
const WORK: &str = "work";
const HOME: &str = "home";
/// What a supervisor notes where it can't start the program: the system's error number.
#[cfg(unix)]
const NOT_STARTED: &str = "not-started";

/// The folder of a run that this process drives; gone when dropped.
#[derive(Debug)]
pub(crate) struct RunFolder {
    /// Before the folder, since some systems remove no folder with an open file in it.
    lock: File,
    folder: TempDir,
}

impl RunFolder {
    pub(crate) fn make() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
        let work = folder.path().join(WORK);
        fs::create_dir(&work)?;
        let lock = File::create_new(folder.path().join(LOCK))?;
        lock.lock()?;
        // A folder without this mark may be one that is just being made.
        io::Write::write_all(&mut &lock, b"locked by the run\n")?;
        Ok(Self { lock, folder })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.folder.path().join(WORK)
    }

    /// Where a home of the run's own is made, for a program that gets one.
    pub(crate) fn home(&self) -> PathBuf {
        self.path().join(HOME)
    }

    /// Why the supervisor could not start the program, if it could not.
    pub(crate) fn not_started(&self) -> Option<io::Error> {
        #[cfg(unix)]
        {
            let noted = fs::read_to_string(self.path().join(NOT_STARTED)).ok()?;
            let number = noted.trim().parse().ok()?;
            Some(io::Error::from_raw_os_error(number))
        }
        #[cfg(not(unix))]
        None
    }

    pub(crate) fn remove(self) -> io::Result<()> {
        drop(self.lock);
        self.folder.close()
    }
}

#[cfg(target_os = "linux")]
pub(super) fn note_not_started(folder: &Path, error: &io::Error) {
    let number = error.raw_os_error().unwrap_or_default();
    let _ = fs::write(folder.join(NOT_STARTED), number.to_string());
}

/// Removes the folder of a run whose driver is gone.
#[cfg(target_os = "linux")]
pub(super) fn remove(folder: &Path) {
    if is_run(folder) {
        let _ = fs::remove_dir_all(folder);
    }
}

/// The folders of runs whose drivers are gone, each locked while it is looked at.
pub(super) fn abandoned() -> Vec<(PathBuf, File)> {
    let Ok(entries) = fs::read_dir(std::env::temp_dir()) else {
        return Vec::new();
    };
    let folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let folders = folders.filter(|folder| is_run(folder));
    folders.filter_map(locked).collect()
}

fn locked(folder: PathBuf) -> Option<(PathBuf, File)> {
    let lock = File::open(folder.join(LOCK)).ok()?;
    match lock.try_lock() {
        Ok(()) => Some((folder, lock)),
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => None,
    }
}

/// Whether this is such a folder and the user's own. Links are not followed.
fn is_run(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default();
    let is_named = name.as_encoded_bytes().starts_with(PREFIX.as_bytes());
    let is_own = |path: &Path| fs::symlink_metadata(path).is_ok_and(|found| is_users(&found));
    let is_marked = || {
        let lock = fs::symlink_metadata(folder.join(LOCK));
        lock.is_ok_and(|lock| lock.is_file() && lock.len() > 0)
    };
    let is_folder = || fs::symlink_metadata(folder).is_ok_and(|found| found.is_dir());
    is_named && is_folder() && is_own(folder) && is_marked()
}

#[cfg(unix)]
fn is_users(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    found.uid() == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_users(_found: &fs::Metadata) -> bool {
    true
}
