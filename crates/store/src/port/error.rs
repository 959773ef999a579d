//! What can be wrong with an export, in words that a person can act on.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::archive::{ArchiveError, Fault};

/// A fault inside of an export, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// The file in the export.
    pub path: String,
    pub line: Option<u32>,
    pub why: String,
}

impl Flaw {
    pub fn new(path: &str, line: impl Into<Option<u32>>, why: impl fmt::Display) -> Self {
        Self {
            path: path.to_owned(),
            line: line.into(),
            why: why.to_string(),
        }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}, line {line}: {}", self.path, self.why),
            None => write!(f, "{}: {}", self.path, self.why),
        }
    }
}

/// Why a session could not be exported or imported.
#[derive(Debug, thiserror::Error)]
pub enum PortError {
    #[error("{} is no export of a session: {why}", place.display())]
    NotAnExport { place: PathBuf, why: String },
    #[error("the export has version {version}, and this gapless knows versions up to {known}")]
    Newer { version: u64, known: u32 },
    #[error("{} was altered or cut off: it is not what was exported", file.display())]
    Altered { file: PathBuf },
    #[error("{} can't be unpacked: {fault}", file.display())]
    Unpacking { file: PathBuf, fault: Fault },
    #[error("{0}")]
    Flaw(Flaw),
    #[error("{} is there already", place.display())]
    InTheWay { place: PathBuf },
    #[error("{} holds something else than an export of `{session}`", folder.display())]
    OtherFolder { folder: PathBuf, session: String },
    #[error("{} was changed since it was exported", file.display())]
    Edited { file: PathBuf },
    #[error("{}: {doing} failed: {source}", place.display())]
    Io {
        place: PathBuf,
        doing: &'static str,
        source: io::Error,
    },
    #[error(transparent)]
    Archive(#[from] ArchiveError),
}

impl PortError {
    /// What the person who meets this error can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotAnExport { .. } => {
                "name a file or folder that `gapless export` wrote, or the folder of a recorded session"
            }
            Self::Newer { .. } => "update gapless; nothing was imported",
            Self::Altered { .. } | Self::Unpacking { .. } => {
                "export it again and copy it as a binary file; nothing was imported"
            }
            Self::Flaw(_) => "an export can't be edited: make it anew; nothing was imported",
            Self::InTheWay { .. } => "name another with --output, or move it away",
            Self::OtherFolder { .. } => {
                "name a folder that is not there yet, or one of an earlier export"
            }
            Self::Edited { .. } => "move it away or undo the change; nothing was written",
            Self::Io { .. } => "check the path, who may use it, and whether the disk is full",
            Self::Archive(error) => error.hint(),
        }
    }

    pub(super) fn io(place: &Path, doing: &'static str, source: io::Error) -> Self {
        Self::Io {
            place: place.to_owned(),
            doing,
            source,
        }
    }
}

impl From<Flaw> for PortError {
    fn from(flaw: Flaw) -> Self {
        Self::Flaw(flaw)
    }
}
