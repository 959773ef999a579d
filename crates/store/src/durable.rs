//! Giving a file its content in one step: written anew under another name, then renamed; and synced, with its folder,
//! where it must survive a power cut.

use std::fs::{self, File, Permissions};
use std::io;
use std::path::{Path, PathBuf};

use crate::fault::{self, Point};

/// The steps of giving a file its content, as tests know them; what is not synced has no steps for it.
pub(crate) struct Steps {
    pub write: Point,
    pub sync: Option<Point>,
    pub rename: Point,
    pub sync_folder: Option<Point>,
}

/// What lies beside the log is there, for good, before the log is.
pub(crate) const PLACED: Steps = Steps {
    write: Point::PlacedWritten,
    sync: Some(Point::PlacedSynced),
    rename: Point::PlacedNamed,
    sync_folder: Some(Point::PlacedFolderSynced),
};

/// Where a file is written before it gets its name; what a killed process left there is written over.
pub(crate) fn temporary(file: &Path) -> PathBuf {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    file.with_file_name(temporary_name(&name))
}

pub(crate) fn temporary_name(name: &str) -> String {
    format!(".{name}.new")
}

/// Gives a file its content. Where that fails, what was written under the other name goes again.
pub(crate) fn put(file: &Path, bytes: &[u8], steps: &Steps) -> io::Result<()> {
    put_by(&temporary(file), file, bytes, None, steps)
}

/// Gives a file its content by a file of this name beside it, and with these permissions.
pub(crate) fn put_by(
    temporary: &Path,
    file: &Path,
    bytes: &[u8],
    permissions: Option<Permissions>,
    steps: &Steps,
) -> io::Result<()> {
    let write = || {
        let mut new = create(temporary)?;
        fault::writing(steps.write, &mut new, bytes)?;
        if let Some(permissions) = permissions {
            new.set_permissions(permissions)?;
        }
        if let Some(sync) = steps.sync {
            fault::doing(sync, || new.sync_all())?;
        }
        fault::doing(steps.rename, || fs::rename(temporary, file))?;
        match steps.sync_folder {
            Some(sync) => fault::doing(sync, || sync_parent(file)),
            None => Ok(()),
        }
    };
    write().inspect_err(|_| drop(fs::remove_file(temporary)))
}

/// Makes a file new, so that no link standing under the name is followed; what a killed process left there goes.
fn create(file: &Path) -> io::Result<File> {
    match File::create_new(file) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            fs::remove_file(file)?;
            File::create_new(file)
        }
        made => made,
    }
}

/// What was found; `None` where there is nothing.
pub(crate) fn found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

/// Removes a file that may not be there.
pub(crate) fn remove(file: &Path) -> io::Result<()> {
    found(fs::remove_file(file)).map(drop)
}

/// Keeps a file under another name: as a link, which also keeps what an editor that still has the file open writes to it
/// after this, or by `copy`.
pub(crate) fn keep_as(
    link: Point,
    file: &Path,
    kept: &Path,
    content: &[u8],
    copy: impl FnOnce() -> io::Result<()>,
) -> io::Result<()> {
    if fault::doing(link, || fs::hard_link(file, kept)).is_ok() {
        return Ok(());
    }
    match found(fs::symlink_metadata(kept))? {
        // After a crash between keeping and replacing, the same content is met again.
        Some(there) if there.is_file() && fs::read(kept)? == content => Ok(()),
        Some(_) => Err(io::ErrorKind::AlreadyExists.into()),
        // Not every file system has links.
        None => copy(),
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
    // A bare file name has an empty parent.
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    File::open(folder)?.sync_all()
}

/// Only some systems can sync a folder.
#[cfg(not(unix))]
pub(crate) fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// True where anything at all stands there, also a link to nothing.
pub(crate) fn is_there(path: &Path) -> io::Result<bool> {
    Ok(found(fs::symlink_metadata(path))?.is_some())
}
