//! The commits that wait for the disk. The first to come gets the turn to write; what comes while it writes is written
//! next, all of it in one transaction with one sync.
//!
//! Invariant: somebody has the turn for as long as anything waits, and every commit is given its result once.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::database::Database;
use crate::error::StoreError;
use crate::store::{Commit, Done, Turn};

pub(super) struct Waiting {
    pub session: String,
    pub commit: Commit,
    /// Counts the commits of the handle that it came by.
    pub counter: Arc<AtomicU64>,
    pub done: Done,
}

impl fmt::Debug for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.session)
    }
}

/// A database, and who waits to write to it.
#[derive(Debug)]
pub(super) struct Log {
    pub database: Database,
    queue: Mutex<Queue>,
}

#[derive(Debug, Default)]
struct Queue {
    waiting: Vec<Waiting>,
    /// Somebody has the turn to write.
    taken: bool,
}

impl Log {
    pub fn new(database: Database) -> Self {
        Self {
            database,
            queue: Mutex::default(),
        }
    }

    /// Puts a commit in the queue, and gives the turn to whoever finds it free.
    pub fn join(self: &Arc<Self>, commit: Waiting) -> Option<Turn> {
        let mut queue = self.queue();
        queue.waiting.push(commit);
        if std::mem::replace(&mut queue.taken, true) {
            return None;
        }
        let mut writer = Writer {
            log: Arc::clone(self),
            writing: Vec::new(),
            has_turn: true,
        };
        Some(Turn::new(move || writer.write_all()))
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whoever has the turn.
struct Writer {
    log: Arc<Log>,
    writing: Vec<Waiting>,
    has_turn: bool,
}

impl Writer {
    fn write_all(&mut self) {
        while self.take_waiting() {
            let commits = self.writing.iter();
            let commits: Vec<(&str, &Commit)> = commits
                .map(|waiting| (waiting.session.as_str(), &waiting.commit))
                .collect();
            let results = self.log.database.write(&commits);
            for (waiting, result) in self.writing.drain(..).zip(results) {
                if result.is_ok() {
                    waiting.counter.fetch_add(1, Ordering::Relaxed);
                }
                (waiting.done)(result);
            }
        }
    }

    /// Takes everything that waits; gives the turn back where nothing does.
    fn take_waiting(&mut self) -> bool {
        let mut queue = self.log.queue();
        self.writing.append(&mut queue.waiting);
        self.has_turn = !self.writing.is_empty();
        queue.taken = self.has_turn;
        self.has_turn
    }
}

impl Drop for Writer {
    /// Where nobody took the turn, or a panic ended it, those who wait are told.
    fn drop(&mut self) {
        while self.has_turn && self.take_waiting() {
            for waiting in self.writing.drain(..) {
                let file = self.log.database.file.clone();
                let source = rusqlite::Error::UnwindingPanic;
                (waiting.done)(Err(StoreError::Sqlite { file, source }));
            }
        }
    }
}
