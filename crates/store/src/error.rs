//! What can go wrong with a store, in words that a person can act on, and how SQLite's codes map to them.

use std::path::{Path, PathBuf};

use gapless_domain::time::Time;
use rusqlite::ErrorCode;

use crate::access::WhyReadOnly;
use crate::beneath::MISPLACED_HINT;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("there is no session `{session}`")]
    NoSuchSession { session: String },
    #[error(
        "the log of session `{session}` ends at event {found}, not at {expected}: another process wrote to it"
    )]
    Fenced {
        session: String,
        expected: u64,
        found: u64,
    },
    #[error("letter {id} doesn't wait in the inbox of session `{session}`")]
    NotWaiting { session: String, id: i64 },
    #[error("there is no database at {}", file.display())]
    Missing { file: PathBuf },
    #[error("{} is not a gapless database", file.display())]
    NotADatabase { file: PathBuf },
    #[error("{} is damaged: {what}", file.display())]
    Corrupt { file: PathBuf, what: String },
    #[error(
        "the log of session `{session}` is damaged since event {since}{}: {what}", after(*at)
    )]
    LogDamaged {
        session: String,
        /// The first event that is missing or not what was written.
        since: u64,
        /// When the last event before it happened.
        at: Option<Time>,
        what: String,
    },
    #[error("{} was deleted or replaced while the session ran{}", file.display(), saved(rescued))]
    Replaced {
        file: PathBuf,
        /// Where the log was saved to.
        rescued: Option<PathBuf>,
    },
    #[error("no space left to write {}", file.display())]
    DiskFull { file: PathBuf },
    #[error("{} can't be written: {why}", file.display())]
    ReadOnly { file: PathBuf, why: WhyReadOnly },
    #[error("{} has schema version {found}, older than {known}, and was opened for reading only", file.display())]
    Older {
        file: PathBuf,
        found: u32,
        known: u32,
    },
    #[error("{} is busy: another process has been writing to it for seconds", file.display())]
    Busy { file: PathBuf },
    #[error("{} can't be opened: {why}", file.display())]
    CannotOpen { file: PathBuf, why: String },
    #[error(transparent)]
    Misplaced(std::io::Error),
    #[error(
        "the path of the database is {bytes} bytes long, and SQLite takes at most {most}: {}",
        file.display()
    )]
    PathTooLong {
        file: PathBuf,
        bytes: usize,
        most: usize,
    },
    #[error("reading or writing {} failed: {source}", file.display())]
    Io {
        file: PathBuf,
        source: rusqlite::Error,
    },
    #[error("{}: {source}", file.display())]
    Sqlite {
        file: PathBuf,
        source: rusqlite::Error,
    },
}

fn after(at: Option<Time>) -> String {
    at.map_or_else(String::new, |at| format!(" (the one before it is of {at})"))
}

fn saved(rescued: &Option<PathBuf>) -> String {
    match rescued {
        Some(file) => format!(
            "; its log up to the last commit is saved in {}",
            file.display()
        ),
        None => "; its log could not be saved".to_owned(),
    }
}

impl StoreError {
    /// What the person who meets this error can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoSuchSession { .. } => "list the sessions and check the name",
            Self::Fenced { .. } => {
                "nothing was written; resume the session to go on from where its log ends"
            }
            Self::NotWaiting { .. } => "nothing was written; read the inbox again",
            Self::Missing { .. } => "start a session first, or check that this is the right folder",
            Self::NotADatabase { .. } => "move the file away; gapless makes a new one in its place",
            Self::Corrupt { .. } => {
                "`gapless doctor` shows what can be saved, and `gapless doctor --repair` saves it into a new database; \
                 a backup or an exported session may have more"
            }
            Self::LogDamaged { .. } => {
                "`gapless doctor` shows what can be saved, and `gapless doctor --repair` saves it"
            }
            Self::Replaced {
                rescued: Some(_), ..
            } => "put the saved file in its place, and resume the session",
            Self::Replaced { rescued: None, .. } => "restore the database from a backup",
            Self::DiskFull { .. } => "nothing was written; free some space and resume the session",
            Self::ReadOnly { why, .. } => match why {
                WhyReadOnly::Newer { .. } => "update gapless, or only read with this version",
                WhyReadOnly::Asked => {
                    "nothing was written; run the command that drives the session"
                }
                WhyReadOnly::NotWritable => {
                    "check who owns the file and its folder, and whether the disk is mounted for writing"
                }
            },
            Self::Older { .. } => {
                "resume a session of it once, which brings the database up to date"
            }
            Self::Busy { .. } => {
                "nothing was written; try again, and see whether a gapless process hangs"
            }
            Self::CannotOpen { .. } => {
                "check the path, who owns it, and that its folder can be written"
            }
            Self::Misplaced(_) => MISPLACED_HINT,
            Self::PathTooLong { .. } => {
                "move the project to a folder with a shorter path; nothing was written"
            }
            Self::Io { .. } => {
                "check the disk, then resume the session: what was committed is safe"
            }
            Self::Sqlite { .. } => "this is unexpected; please report it with the message above",
        }
    }

    pub(crate) fn no_session(session: &str) -> Self {
        Self::NoSuchSession {
            session: session.to_owned(),
        }
    }

    pub(crate) fn from_sqlite(file: &Path, error: rusqlite::Error) -> Self {
        use rusqlite::Error::{
            FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error,
        };
        let file = file.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { file },
            Some(ErrorCode::DatabaseCorrupt) => Self::Corrupt {
                file,
                what: error.to_string(),
            },
            Some(ErrorCode::NotADatabase) => Self::NotADatabase { file },
            Some(ErrorCode::DiskFull) => Self::DiskFull { file },
            Some(ErrorCode::ReadOnly) => Self::ReadOnly {
                file,
                why: WhyReadOnly::NotWritable,
            },
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                Self::cannot_open(file, &error)
            }
            Some(ErrorCode::SystemIoFailure) if file.is_dir() => Self::cannot_open(file, &error),
            Some(ErrorCode::SystemIoFailure) => Self::Io {
                file,
                source: error,
            },
            // Tables are STRICT, so a value of another kind than the schema's was not written by anyone.
            None if matches!(
                error,
                FromSqlConversionFailure(..)
                    | IntegralValueOutOfRange(..)
                    | InvalidColumnType(..)
                    | Utf8Error(..)
            ) =>
            {
                Self::Corrupt {
                    file,
                    what: error.to_string(),
                }
            }
            _ => Self::Sqlite {
                file,
                source: error,
            },
        }
    }

    fn cannot_open(file: PathBuf, error: &rusqlite::Error) -> Self {
        let why = match file.is_dir() {
            true => "it is a folder".to_owned(),
            false => error.to_string(),
        };
        Self::CannotOpen { file, why }
    }
}
