//! The simulated store: the one in memory, with commits that fail, or that succeed and report a failure.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use gapless_domain::{TextHash, Texts, Time};
use gapless_store::{Commit, Intended, Letter, MemoryStore, Row, Store, StoreError, Summary};

/// What happens to the next commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It is refused, and nothing of it is found.
    Refused,
    /// An error is said, and all of it is found.
    Unsaid,
}

/// A handle on the store; clones share it, and its next fault.
#[derive(Debug, Clone, Default)]
pub struct FaultyStore {
    kept: MemoryStore,
    next: Arc<Mutex<Option<Fault>>>,
}

impl FaultyStore {
    /// The store itself, without its faults.
    pub fn kept(&self) -> MemoryStore {
        self.kept.clone()
    }

    /// Lets the next commit fail.
    pub fn fail_next(&self, fault: Fault) {
        *self.next.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault);
    }

    /// Lets commits through again.
    pub fn heal(&self) {
        self.take_fault();
    }

    fn take_fault(&self) -> Option<Fault> {
        self.next
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}

impl Texts for FaultyStore {
    fn text(&self, hash: &TextHash) -> Option<Arc<str>> {
        self.kept.text(hash)
    }
}

impl Store for FaultyStore {
    fn sessions(&self) -> Result<Vec<Summary>, StoreError> {
        self.kept.sessions()
    }

    fn rows_after(&self, session: &str, seq: u64) -> Result<Vec<Row>, StoreError> {
        self.kept.rows_after(session, seq)
    }

    fn commit(&mut self, session: &str, commit: &Commit) -> Result<u64, StoreError> {
        let file = PathBuf::from("memory");
        match self.take_fault() {
            None => self.kept.commit(session, commit),
            Some(Fault::Refused) => Err(StoreError::DiskFull { file }),
            Some(Fault::Unsaid) => {
                self.kept.commit(session, commit)?;
                Err(StoreError::Busy { file })
            }
        }
    }

    fn session_id(&self, session: &str) -> Result<Option<String>, StoreError> {
        self.kept.session_id(session)
    }

    fn post(&mut self, session: &str, at: Time, body: &str) -> Result<i64, StoreError> {
        self.kept.post(session, at, body)
    }

    fn letters(&self, session: &str) -> Result<Vec<Letter>, StoreError> {
        self.kept.letters(session)
    }

    fn letter(&self, id: i64) -> Result<Option<Letter>, StoreError> {
        self.kept.letter(id)
    }

    fn intended(&self, session: &str) -> Result<Vec<Intended>, StoreError> {
        self.kept.intended(session)
    }

    fn text_checked(&self, hash: &TextHash) -> Result<Option<Arc<str>>, StoreError> {
        self.kept.text_checked(hash)
    }

    fn take_text_error(&self) -> Option<StoreError> {
        self.kept.take_text_error()
    }

    fn commits(&self) -> u64 {
        self.kept.commits()
    }
}
