//! The open database file and its connections.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};

use gapless_domain::text::TextHash;
use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::head::Heads;
use super::identity::{self, Identity};
use super::{commit, open, reading};
use crate::access::Access;
use crate::error::StoreError;
use crate::store::Commit;

#[derive(Debug)]
pub(super) struct Database {
    pub file: PathBuf,
    pub access: Access,
    pub heads: Heads,
    /// The file that is open, unless it is only read.
    identity: Option<Identity>,
    /// Its write-ahead log, from the first commit on.
    journal: OnceLock<Option<Identity>>,
    /// Where the log was saved to, once its file was found gone.
    rescued: OnceLock<Option<PathBuf>>,
    /// The texts that there are, once one was not found.
    texts: OnceLock<Result<BTreeSet<TextHash>, String>>,
    connection: Mutex<Connection>,
    /// For reads that meet a commit; opened by the first of them.
    reader: OnceLock<Option<Mutex<Connection>>>,
}

impl Database {
    pub fn new(file: &Path, connection: Connection, access: Access) -> Self {
        Self {
            file: file.to_owned(),
            access,
            heads: Heads::beside(file),
            identity: match access {
                Access::ReadWrite => Identity::of(file),
                Access::ReadOnly(_) => None,
            },
            journal: OnceLock::new(),
            rescued: OnceLock::new(),
            texts: OnceLock::new(),
            connection: Mutex::new(connection),
            reader: OnceLock::new(),
        }
    }

    pub fn connection(&self) -> MutexGuard<'_, Connection> {
        // A transaction that a panic cut off was rolled back when it was dropped.
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection for reading that doesn't wait for a commit's sync.
    pub fn reader(&self) -> MutexGuard<'_, Connection> {
        match self.connection.try_lock() {
            Ok(free) => return free,
            Err(TryLockError::Poisoned(left)) => return left.into_inner(),
            Err(TryLockError::WouldBlock) => {}
        }
        if !self.is_same_file() {
            return self.connection();
        }
        let open = || Some(Mutex::new(open::for_reading(&self.file).ok()?.0));
        match self.reader.get_or_init(open) {
            Some(reader) => reader.lock().unwrap_or_else(PoisonError::into_inner),
            None => self.connection(),
        }
    }

    /// Writes commits, all with one sync, and says what came of each.
    pub fn write(&self, commits: &[(&str, &Commit)]) -> Vec<Result<u64, StoreError>> {
        if self.is_in_place().is_err() {
            let each = commits.iter();
            return each.map(|_| self.is_in_place().map(|()| 0)).collect();
        }
        let written = commit::write_together(&mut self.connection(), commits);
        if written.iter().any(Result::is_ok) {
            self.journal
                .get_or_init(|| Identity::of(&self.journal_file()));
        }
        let said = written
            .into_iter()
            .zip(commits)
            .map(|(result, (session, _))| match result {
                Ok(head) => {
                    self.heads.write(session, head);
                    Ok(head.events)
                }
                Err(commit::Failure::Refused(error)) => Err(error),
                Err(commit::Failure::Sqlite(error)) => Err(self.wrong(error)),
            });
        said.collect()
    }

    /// Fails where the path no longer leads to the open file, and saves what that has.
    pub fn is_in_place(&self) -> Result<(), StoreError> {
        let file = match (self.is_same_file(), self.is_same_journal()) {
            (true, true) => return Ok(()),
            (true, false) => self.journal_file(),
            (false, _) => self.file.clone(),
        };
        // Nothing of this goes into what another process may have made there.
        self.leave_as_found();
        let save = || identity::rescue(&self.connection(), &self.file);
        Err(StoreError::Replaced {
            file,
            rescued: self.rescued.get_or_init(save).clone(),
        })
    }

    fn journal_file(&self) -> PathBuf {
        let mut name = self.file.as_os_str().to_owned();
        name.push("-wal");
        name.into()
    }

    fn is_same_journal(&self) -> bool {
        match self.journal.get() {
            Some(Some(known)) => Identity::of(&self.journal_file()) == Some(*known),
            _ => true,
        }
    }

    fn is_same_file(&self) -> bool {
        self.identity.is_none() || Identity::of(&self.file) == self.identity
    }

    /// The texts that there are, or what is wrong with them; looked at once.
    pub fn texts(&self) -> &Result<BTreeSet<TextHash>, String> {
        self.texts.get_or_init(|| reading::texts(&self.reader()))
    }

    /// Keeps the write-ahead log of a damaged database: the last to close it would remove what SQLite holds for nothing.
    pub fn leave_as_found(&self) {
        let keep = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        let _ = self.connection().set_db_config(keep, true);
    }

    pub fn wrong(&self, error: rusqlite::Error) -> StoreError {
        match (StoreError::from_sqlite(&self.file, error), self.access) {
            (StoreError::ReadOnly { file, .. }, Access::ReadOnly(why)) => {
                StoreError::ReadOnly { file, why }
            }
            (error, _) => error,
        }
    }
}
