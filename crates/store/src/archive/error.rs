//! What can go wrong with an archive, in words that a person can act on.

use std::io;
use std::path::{Path, PathBuf};

use gapless_domain::ArchiveName;

use crate::beneath::{MISPLACED_HINT, Misplaced};
use crate::durable;

/// Why something was not done with an archive; nothing is lost by any of these.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error("there is no archive {}", file.display())]
    Missing { file: PathBuf },
    #[error("{} can't be read as an archive: {fault}", file.display())]
    Unreadable { file: PathBuf, fault: Fault },
    #[error("{} doesn't hold what was put into it", file.display())]
    Unlike { file: PathBuf },
    #[error("what can't go into an archive was left in {}: links, devices, what has changed meanwhile, or names and sizes beyond its limits", folder.display())]
    LeftOver { folder: PathBuf },
    #[error("{} is another archive of the same name", file.display())]
    Clash { file: PathBuf },
    #[error("{} is damaged: {why}", file.display())]
    Manifest { file: PathBuf, why: String },
    #[error("{} is not listed in {}", name, folder.display())]
    Unlisted { name: ArchiveName, folder: PathBuf },
    #[error("{} is there already", folder.display())]
    InTheWay { folder: PathBuf },
    #[error("{} can't be written: the disk is full", file.display())]
    DiskFull { file: PathBuf },
    #[error("{} can't be written: no permission, or the disk is read-only", file.display())]
    Denied { file: PathBuf },
    #[error(transparent)]
    Misplaced(io::Error),
    #[error("{}: {doing} failed: {source}", file.display())]
    Io {
        file: PathBuf,
        doing: &'static str,
        source: io::Error,
    },
    #[error("{} was removed, and that could not be noted: {problem}", file.display())]
    Unnoted {
        file: PathBuf,
        problem: Box<ArchiveError>,
    },
    #[error("it was stopped between two steps")]
    Stopped,
}

impl ArchiveError {
    /// What the person who meets this error can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Missing { .. } | Self::Unlisted { .. } => {
                "`gapless archive list` shows what is there"
            }
            Self::Unreadable { .. } => {
                "its texts are still in the session's log; move the file away, and `gapless resume` makes it anew"
            }
            Self::Unlike { .. } | Self::Stopped => {
                "nothing was removed; `gapless resume` tries again"
            }
            Self::LeftOver { .. } => "move what you need elsewhere; nothing there is ever deleted",
            Self::Clash { .. } => "nothing was moved; move one of the two elsewhere",
            Self::Manifest { .. } => "mend the file, or move it away",
            Self::InTheWay { .. } => "name a folder that is not there yet, with --to",
            Self::DiskFull { .. } => "free some space and try again; nothing was removed",
            Self::Denied { .. } => "check who owns it; nothing was removed",
            Self::Misplaced(_) => MISPLACED_HINT,
            Self::Io { .. } => "check the disk and try again; nothing was removed",
            Self::Unnoted { .. } => {
                "mend that, and `gapless archive prune` again notes what is gone"
            }
        }
    }

    pub(super) fn io(file: &Path, doing: &'static str, source: io::Error) -> Self {
        if Misplaced::caused(&source) {
            return Self::Misplaced(source);
        }
        let file = file.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { file },
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                Self::Denied { file }
            }
            _ => Self::Io {
                file,
                doing,
                source,
            },
        }
    }
}

/// True where anything at all stands there, also a link to nothing.
pub(super) fn stands(path: &Path) -> Result<bool, ArchiveError> {
    durable::is_there(path)
        .map_err(|error| ArchiveError::io(path, "looking at what stands there", error))
}

/// What is wrong in an archive.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    #[error("it is cut off, damaged, or no .tar.gz: {0}")]
    Damaged(io::Error),
    #[error("something stands behind its end")]
    Trailing,
    #[error("it has more than {most} entries")]
    TooMany { most: usize },
    #[error("unpacked it is more than {most} bytes")]
    TooLarge { most: u64 },
    #[error("it unpacks to more than {ratio} times its size")]
    TooDense { ratio: u64 },
    #[error("an entry's name is no path inside of it: {name:?}")]
    Outside { name: String },
    #[error("an entry's name has characters that names must not have: {name:?}")]
    BadName { name: String },
    #[error("{name:?} is no file but a link, a device or the like")]
    NotAFile { name: String },
    #[error("{name:?} is in it twice, or as a file and a folder")]
    Twice { name: String },
}
