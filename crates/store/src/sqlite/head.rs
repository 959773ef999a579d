//! Where the log of each session ends, kept in a small file beside the database: a damaged write-ahead log looks like a
//! shorter one, and only something outside of it can tell.
//!
//! Invariant: it is written after a commit is on the disk and is never synced, so it may be behind the log, but not ahead.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::chain::Link;
use crate::fault::{self, Point};
use crate::folder::SessionName;

/// Where a log ends: the number of its events, and the hash of the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    pub events: u64,
    pub link: Link,
}

const LENGTH: usize = 8 + 32 + 32;

impl Head {
    fn to_bytes(self) -> Vec<u8> {
        let mut bytes = self.events.to_le_bytes().to_vec();
        bytes.extend(self.link);
        bytes.extend(blake3::hash(&bytes).as_bytes());
        bytes
    }

    /// A record that was cut off, or is none, says nothing.
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (said, sum) = bytes.split_at_checked(LENGTH - 32)?;
        if blake3::hash(said).as_bytes() != sum {
            return None;
        }
        let (events, link) = said.split_at(8);
        Some(Self {
            events: u64::from_le_bytes(events.try_into().ok()?),
            link: link.try_into().ok()?,
        })
    }
}

const BETWEEN: &str = "-head-";

/// The records beside a database.
#[derive(Debug)]
pub(super) struct Heads {
    database: PathBuf,
    open: Mutex<HashMap<String, Option<File>>>,
}

impl Heads {
    pub fn beside(database: &Path) -> Self {
        Self {
            database: database.to_owned(),
            open: Mutex::default(),
        }
    }

    fn file(&self, session: &str) -> Option<PathBuf> {
        // Other names are not safe as the name of a file.
        session.parse::<SessionName>().ok()?;
        let name = self.database.file_name()?.to_str()?;
        let name = format!("{name}{BETWEEN}{session}");
        Some(self.database.with_file_name(name))
    }

    pub fn read(&self, session: &str) -> Option<Head> {
        let file = self.file(session)?;
        // A link, a pipe or a large file is none of ours.
        let found = fs::symlink_metadata(&file).ok()?;
        if !found.is_file() || found.len() != LENGTH as u64 {
            return None;
        }
        Head::from_bytes(&fs::read(file).ok()?)
    }

    /// The sessions that there are records of.
    pub fn sessions(&self) -> Vec<String> {
        let Some((folder, name)) = self.database.parent().zip(self.database.file_name()) else {
            return Vec::new();
        };
        let prefix = format!("{}{BETWEEN}", name.to_string_lossy());
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut sessions: Vec<String> = entries
            .filter_map(|entry| {
                Some(
                    entry
                        .file_name()
                        .to_str()?
                        .strip_prefix(&prefix)?
                        .to_owned(),
                )
            })
            .filter(|session| self.read(session).is_some())
            .collect();
        sessions.sort();
        sessions
    }

    /// Notes where a log ends. Where that fails, the record is behind, as after a crash.
    pub fn write(&self, session: &str, head: Head) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let file = open
            .entry(session.to_owned())
            .or_insert_with(|| opened(&self.file(session)?));
        if let Some(file) = file {
            let _ = file
                .seek(SeekFrom::Start(0))
                .and_then(|_| fault::writing(Point::HeadWritten, file, &head.to_bytes()));
        }
    }

    /// Removes every record, before another database is made.
    pub fn forget(&self) {
        for session in self.sessions() {
            if let Some(file) = self.file(&session) {
                let _ = fs::remove_file(file);
            }
        }
    }
}

/// Opens a record for writing, and never what a link leads to.
fn opened(file: &Path) -> Option<File> {
    let is_plain = |file: &Path| fs::symlink_metadata(file).is_ok_and(|found| found.is_file());
    let mut options = OpenOptions::new();
    options.write(true);
    match options.create_new(true).open(file) {
        Ok(made) => Some(made),
        Err(_) if is_plain(file) => options.create_new(false).open(file).ok(),
        Err(_) => None,
    }
}
