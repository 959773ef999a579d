//! Writing a text to a file of the user's, outside of the session folder: by write-and-rename, with the file's
//! permissions, through links, and synced, since nobody would write it again.
//!
//! Invariant: what stood there is kept under a name of its own before the file is replaced, and no backup is ever
//! overwritten.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io;
use std::path::{Path, PathBuf};

use gapless_domain::TextHash;

use crate::durable::{self, Steps};
use crate::fault::Point;

const STEPS: Steps = Steps {
    write: Point::DeliveryWritten,
    sync: Some(Point::DeliverySynced),
    rename: Point::DeliveryNamed,
    sync_folder: Some(Point::DeliveryFolderSynced),
};

const BACKUP_STEPS: Steps = Steps {
    write: Point::BackupCopied,
    sync: Some(Point::BackupSynced),
    rename: Point::BackupNamed,
    sync_folder: None,
};

/// What may stand in the file before it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected<'a> {
    /// Anything, or nothing at all.
    Anything,
    /// Anything but a link, which leads to a file that nobody named.
    NoLink,
    /// One of these contents and no other; the newest last.
    OneOf(&'a [TextHash]),
    /// Anything but a link. What was written in the same way before is replaced without a backup.
    Last(TextHash),
    /// Anything; what has this mark at its beginning was written in the same way before, and is replaced without a backup.
    Marked(&'static str),
}

/// How far into a file its mark stands.
const MARK_WITHIN: usize = 1_000;

/// A text that stands where it was wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenOut {
    /// The file itself, behind all links.
    pub file: PathBuf,
    /// Where what stood there before is kept.
    pub backup: Option<PathBuf>,
}

/// Why a file was not written; it is as it was.
#[derive(Debug, thiserror::Error)]
pub enum WriteOutError {
    #[error("it has changed since the session started")]
    Changed,
    #[error("it is no longer there")]
    Gone,
    #[error("a folder or a device stands there")]
    NotAFile,
    #[error("it is a link to nothing")]
    DeadLink,
    #[error("a link stands there")]
    Link,
    #[error("its folder is not there")]
    NoFolder,
    #[error("the disk is full")]
    DiskFull,
    #[error("no permission, or the disk is read-only")]
    Denied,
    #[error("{doing} failed: {source}")]
    Io {
        doing: &'static str,
        source: io::Error,
    },
}

/// Writes a text to a file, after keeping what stands there beside it as `FILE.bak`, `FILE.bak.1` and so on.
pub fn write_out(
    file: &Path,
    text: &str,
    expected: Expected<'_>,
) -> Result<WrittenOut, WriteOutError> {
    if matches!(expected, Expected::NoLink | Expected::Last(_)) && file.is_symlink() {
        return Err(WriteOutError::Link);
    }
    let (file, before) = match what_stands(file)? {
        Some((real, before)) => (real, Some(before)),
        None => (file.to_owned(), None),
    };
    // Also after a crash between writing it and saying so.
    if before.as_deref() == Some(text.as_bytes()) {
        let backup = match expected {
            Expected::OneOf(known) => {
                let mut newest_first = known.iter().rev();
                newest_first.find_map(|known| kept_before(&file, *known))
            }
            Expected::Anything | Expected::NoLink | Expected::Last(_) | Expected::Marked(_) => None,
        };
        return Ok(WrittenOut { file, backup });
    }
    match (expected, &before) {
        (Expected::Anything | Expected::NoLink | Expected::Last(_) | Expected::Marked(_), _) => {}
        (Expected::OneOf(_), None) => return Err(WriteOutError::Gone),
        (Expected::OneOf(known), Some(before)) if known.contains(&TextHash::of_bytes(before)) => {}
        (Expected::OneOf(_), Some(_)) => return Err(WriteOutError::Changed),
    }
    let is_there = before.is_some();
    let backup = before
        .filter(|before| !is_ours(before, expected))
        .map(|before| keep(&file, &before))
        .transpose()
        .map_err(|error| failed("keeping what stands there", error))?;
    replace(&file, text, is_there)?;
    Ok(WrittenOut { file, backup })
}

/// Whether a file has what was written there in the same way before.
fn is_ours(content: &[u8], expected: Expected<'_>) -> bool {
    let mark = match expected {
        Expected::Marked(mark) => mark,
        Expected::Last(hash) => return TextHash::of_bytes(content) == hash,
        Expected::Anything | Expected::NoLink | Expected::OneOf(_) => return false,
    };
    let beginning = &content[..content.len().min(MARK_WITHIN)];
    String::from_utf8_lossy(beginning).contains(mark)
}

/// The file behind all links and its content, where there is one.
fn what_stands(file: &Path) -> Result<Option<(PathBuf, Vec<u8>)>, WriteOutError> {
    let looking = |error| failed("looking at what stands there", error);
    if !durable::is_there(file).map_err(looking)? {
        return Ok(None);
    }
    let real = fs::canonicalize(file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => WriteOutError::DeadLink,
        _ => looking(error),
    })?;
    // Reading a device or a pipe may never end.
    if !fs::metadata(&real).map_err(looking)?.is_file() {
        return Err(WriteOutError::NotAFile);
    }
    let content = fs::read(&real).map_err(|error| failed("reading what stands there", error))?;
    Ok(Some((real, content)))
}

/// Keeps a file under the first name that is free or already keeps the same.
fn keep(file: &Path, content: &[u8]) -> io::Result<PathBuf> {
    let mut nth = 0_u32;
    loop {
        let backup = backup_of(file, nth);
        match keep_as(file, &backup, content) {
            Ok(()) => return Ok(backup),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => nth += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Where a content was kept by a process that could not say so.
fn kept_before(file: &Path, content: TextHash) -> Option<PathBuf> {
    let mut backups = (0..).map(|nth| backup_of(file, nth));
    loop {
        // A folder or a link that stands there is not one of ours, and the last name is free.
        let backup = backups.next()?;
        let found = fs::symlink_metadata(&backup).ok()?;
        let is_same = found.is_file()
            && fs::read(&backup).is_ok_and(|found| TextHash::of_bytes(&found) == content);
        if is_same {
            return Some(backup);
        }
    }
}

fn backup_of(file: &Path, nth: u32) -> PathBuf {
    match nth {
        0 => beside(file, "", ".bak"),
        nth => beside(file, "", &format!(".bak.{nth}")),
    }
}

fn keep_as(file: &Path, backup: &Path, content: &[u8]) -> io::Result<()> {
    durable::keep_as(Point::BackupLinked, file, backup, content, || {
        // A link has them by itself.
        let permissions = fs::metadata(file)?.permissions();
        put(backup, content, Some(permissions), &BACKUP_STEPS)
    })
}

fn replace(file: &Path, text: &str, is_there: bool) -> Result<(), WriteOutError> {
    if !file.parent().is_some_and(Path::is_dir) {
        return Err(WriteOutError::NoFolder);
    }
    let write = || {
        let permissions = match is_there {
            true => Some(fs::metadata(file)?.permissions()),
            false => None,
        };
        put(file, text.as_bytes(), permissions, &STEPS)
    };
    write().map_err(|error| failed("writing it", error))
}

/// By a name that nobody else's program would use: the folder is the user's.
fn put(
    file: &Path,
    content: &[u8],
    permissions: Option<Permissions>,
    steps: &Steps,
) -> io::Result<()> {
    let temporary = beside(file, ".", ".gapless-new");
    durable::put_by(&temporary, file, content, permissions, steps)
}

fn beside(file: &Path, before: &str, behind: &str) -> PathBuf {
    let mut name = OsString::from(before);
    name.push(file.file_name().unwrap_or_default());
    name.push(behind);
    file.with_file_name(name)
}

fn failed(doing: &'static str, source: io::Error) -> WriteOutError {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => WriteOutError::DiskFull,
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            WriteOutError::Denied
        }
        _ => WriteOutError::Io { doing, source },
    }
}
