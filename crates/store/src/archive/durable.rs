//! Owns writing a file so that it survives a power cut: written anew under another name, synced, renamed, and its folder
//! synced.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::ArchiveError;

/// Where a file is written before it gets its name; what a killed process left there is written over.
pub(crate) fn temporary(file: &Path) -> PathBuf {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!(".{name}.new"))
}

pub(crate) fn replace(file: &Path, bytes: &[u8]) -> Result<(), ArchiveError> {
    let temporary = temporary(file);
    let write = || {
        remove(&temporary)?;
        // Made new, so that no link standing under the name is followed.
        let mut new = File::create_new(&temporary)?;
        new.write_all(bytes)?;
        new.sync_all()?;
        fs::rename(&temporary, file)?;
        sync_parent(file)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&temporary);
        ArchiveError::io(file, "writing it", error)
    })
}

/// Removes a file that may not be there.
pub(crate) fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

pub(crate) fn sync_parent(file: &Path) -> io::Result<()> {
    match file.parent() {
        Some(folder) => sync_folder(folder),
        None => Ok(()),
    }
}

#[cfg(unix)]
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Only some systems can sync a folder.
#[cfg(not(unix))]
pub(crate) fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// True where anything at all stands there, also a link to nothing.
pub(crate) fn is_there(path: &Path) -> Result<bool, ArchiveError> {
    match fs::symlink_metadata(path) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(ArchiveError::io(
            path,
            "looking at what stands there",
            error,
        )),
    }
}
