//! Which file a database is: one that was deleted or replaced under a running process must not be written to any more.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

/// The file at a path, as far as the system tells files apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity(#[cfg(unix)] (u64, u64));

impl Identity {
    #[cfg(unix)]
    pub fn of(file: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let found = fs::metadata(file).ok()?;
        Some(Self((found.dev(), found.ino())))
    }

    /// Elsewhere an open file can't be deleted or replaced.
    #[cfg(not(unix))]
    pub fn of(_: &Path) -> Option<Self> {
        Some(Self())
    }
}

/// Writes what an open database has into a new file: beside where it was, else in the folder above.
pub(super) fn rescue(db: &Connection, file: &Path) -> Option<PathBuf> {
    let name = file.file_name()?.to_string_lossy().into_owned();
    // Nowhere that others can read, such as the folder for temporary files.
    file.ancestors().skip(1).take(2).find_map(|folder| {
        let free = (1..1000)
            .map(|nth| folder.join(format!("{name}.rescued-{nth}")))
            .find(|file| fs::symlink_metadata(file).is_err())?;
        let path = free.to_str()?;
        db.execute("VACUUM INTO ?1", [path]).ok()?;
        Some(free)
    })
}
