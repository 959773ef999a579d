//! The open database file and its connections.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};

use rusqlite::Connection;

use super::{commit, open};
use crate::access::Access;
use crate::error::StoreError;
use crate::store::Commit;

#[derive(Debug)]
pub(super) struct Database {
    pub file: PathBuf,
    pub access: Access,
    connection: Mutex<Connection>,
    /// For reads that meet a commit; opened by the first of them.
    reader: OnceLock<Option<Mutex<Connection>>>,
}

impl Database {
    pub fn new(file: &Path, connection: Connection, access: Access) -> Self {
        Self {
            file: file.to_owned(),
            access,
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
        let open = || Some(Mutex::new(open::for_reading(&self.file).ok()?.0));
        match self.reader.get_or_init(open) {
            Some(reader) => reader.lock().unwrap_or_else(PoisonError::into_inner),
            None => self.connection(),
        }
    }

    /// Writes commits, all with one sync, and says what came of each.
    pub fn write(&self, commits: &[(&str, &Commit)]) -> Vec<Result<u64, StoreError>> {
        let written = commit::write_together(&mut self.connection(), commits);
        let said = written.into_iter().map(|result| {
            result.map_err(|failure| match failure {
                commit::Failure::Refused(error) => error,
                commit::Failure::Sqlite(error) => self.wrong(error),
            })
        });
        said.collect()
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
