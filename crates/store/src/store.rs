//! What a store keeps and the rules that every store holds to; `tests/conformance` checks each of them.

use std::sync::Arc;

use gapless_domain::{TextHash, TextMap, Texts, Time};

use crate::error::StoreError;

/// One event as it stands in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Counts from 1 in each session, without holes.
    pub seq: u64,
    pub at: Time,
    pub type_name: String,
    pub version: u32,
    /// JSON that only the caller reads.
    pub body: String,
}

/// An event to be appended; the store gives it its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRow {
    pub at: Time,
    pub type_name: String,
    pub version: u32,
    pub body: String,
}

/// What a list of sessions shows of one, without reading its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub name: String,
    pub updated_at: Time,
    /// JSON that only the caller reads.
    pub body: String,
}

/// A command that another process left for the driver of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    pub id: i64,
    pub posted_at: Time,
    pub body: String,
    /// The id of the session that it was posted to; `None` where that isn't known.
    pub bound_to: Option<String>,
    /// What became of it; `None` while it waits.
    pub outcome: Option<String>,
}

/// A file of the session folder and the content it is to have, or has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Projection {
    /// Relative to the session folder, with `/` between its parts.
    pub path: String,
    pub hash: TextHash,
}

/// Every content that a file may have without anyone having edited it, oldest intent first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intended {
    pub path: String,
    pub hashes: Vec<TextHash>,
}

/// Everything that becomes true at once. The first commit of a session makes it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Commit {
    /// The last row the caller has seen, 0 for none.
    pub after_seq: u64,
    pub rows: Vec<NewRow>,
    /// Texts that the rows name; those already kept cost a lookup.
    pub texts: TextMap,
    pub updated_at: Time,
    /// Replaces the body of the session's summary.
    pub summary: String,
    /// Contents that files will be given once this is committed.
    pub projections: Vec<Projection>,
    /// Contents that were written to files since the last commit.
    pub confirmed: Vec<Projection>,
    /// Letters that were taken, each with its outcome.
    pub answered: Vec<(i64, String)>,
}

/// Is given the result of a commit.
pub type Done = Box<dyn FnOnce(Result<u64, StoreError>) + Send>;

/// The turn to write everything that waits to be committed; takes as long as the disk does.
pub struct Turn(Box<dyn FnOnce() + Send>);

impl Turn {
    pub(crate) fn new(take: impl FnOnce() + Send + 'static) -> Self {
        Self(Box::new(take))
    }

    pub fn take(self) {
        (self.0)();
    }
}

/// A log of events by session, with the texts, letters and intents that belong to it.
pub trait Store: Texts + Send {
    /// The summaries of all sessions, by name.
    fn sessions(&self) -> Result<Vec<Summary>, StoreError>;

    /// The whole log of a session, in order.
    fn read(&self, session: &str) -> Result<Vec<Row>, StoreError> {
        self.rows_after(session, 0)
    }

    /// The rows behind `seq`, in order.
    fn rows_after(&self, session: &str, seq: u64) -> Result<Vec<Row>, StoreError>;

    /// Makes all of a commit durable, or nothing of it, and says the last `seq`.
    ///
    /// Refused as [`StoreError::Fenced`] where the log doesn't end at `after_seq`. After an error of the disk it is
    /// unknown whether the commit will be found there: read the log again rather than repeat it.
    fn commit(&mut self, session: &str, commit: &Commit) -> Result<u64, StoreError>;

    /// Hands a commit over, whose result `done` is given. Commits that wait for the disk at the same time share one sync.
    ///
    /// Where a [`Turn`] comes back, nobody writes at the moment and the caller must take it, on any thread. A store that nobody
    /// shares commits at once.
    fn submit(&mut self, session: &str, commit: Commit, done: Done) -> Option<Turn> {
        done(self.commit(session, &commit));
        None
    }

    /// An id of the session that can't be guessed, made with its first commit; `None` where there is no such session.
    fn session_id(&self, session: &str) -> Result<Option<String>, StoreError>;

    /// Leaves a letter for the session's driver, bound to its id, and says the letter's id.
    fn post(&mut self, session: &str, at: Time, body: &str) -> Result<i64, StoreError>;

    /// The letters that wait, in the order they were posted; none where there is no such session.
    fn letters(&self, session: &str) -> Result<Vec<Letter>, StoreError>;

    /// A letter by id, with its outcome once it was taken.
    fn letter(&self, id: i64) -> Result<Option<Letter>, StoreError>;

    /// The contents that files of the session may have, by path; none where there is no such session.
    fn intended(&self, session: &str) -> Result<Vec<Intended>, StoreError>;

    /// The text of a hash, checked against it; `None` where it was never kept.
    fn text_checked(&self, hash: &TextHash) -> Result<Option<Arc<str>>, StoreError>;

    /// The first error that [`Texts::text`] had to answer with `None` since this was last asked.
    ///
    /// Ask before committing what was decided with texts from here: unreadable is not the same as missing.
    fn take_text_error(&self) -> Option<StoreError>;

    /// Fails where the file that holds the log was deleted or replaced since it was opened.
    fn is_in_place(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// How many commits this store has made since it was opened.
    fn commits(&self) -> u64;
}
