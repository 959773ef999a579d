//! The database file: how it is opened and brought up to date, and what is read from it.
//!
//! Invariant: commits that come together are one transaction in the write-ahead log with one sync, and no statement of one
//! scans what earlier commits wrote. Readers never block the writer, nor it them.

mod chain;
mod commit;
mod database;
mod examine;
mod hash;
mod head;
mod identity;
mod open;
mod queue;
mod reading;
mod repair;
mod unwritable;

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gapless_domain::{TextHash, Texts, Time};
use rusqlite::{Connection, OptionalExtension, params};

use crate::access::Access;
use crate::error::StoreError;
use crate::fault::{self, Point};
use crate::store::{Commit, Done, Intended, Letter, Row, Store, Summary, Turn};
use database::Database;
pub use examine::{LogFlaw, SoundLog};
use hash::Key;
use queue::{Log, Waiting};
pub use repair::Repair;

/// The store of `.gapless/gapless.db`. A clone shares the open file and its page cache, so that a process with many sessions
/// opens it once; what a session has counted and failed to read is its own.
#[derive(Debug)]
pub struct SqliteStore {
    log: Arc<Log>,
    commits: Arc<AtomicU64>,
    text_error: RefCell<Option<StoreError>>,
}

impl SqliteStore {
    /// Opens the database for writing, and makes it and its folder where they don't exist.
    ///
    /// A database that a newer program made, or that can't be written, is opened all the same: see [`Self::access`].
    pub fn open(file: &Path) -> Result<Self, StoreError> {
        let (connection, access) = open::for_writing(file)?;
        Ok(Self::over(file, connection, access))
    }

    /// Opens an existing database for reading, beside whoever writes to it.
    pub fn open_read_only(file: &Path) -> Result<Self, StoreError> {
        let (connection, access) = open::for_reading(file)?;
        Ok(Self::over(file, connection, access))
    }

    /// Fails if a database can't be at this path, since it is too long for SQLite; touches nothing.
    pub fn check_path(file: &Path) -> Result<(), StoreError> {
        open::real(file).map(drop)
    }

    fn over(file: &Path, connection: Connection, access: Access) -> Self {
        Self::of(Arc::new(Log::new(Database::new(file, connection, access))))
    }

    fn of(log: Arc<Log>) -> Self {
        Self {
            log,
            commits: Arc::default(),
            text_error: RefCell::new(None),
        }
    }

    pub fn access(&self) -> Access {
        self.log.database.access
    }

    pub fn file(&self) -> &Path {
        &self.log.database.file
    }

    /// Reads every page and compares every text with its hash; takes as long as the database is large.
    pub fn check(&self) -> Result<(), StoreError> {
        let kept = reading::texts(&self.log.database.reader());
        kept.map(drop).map_err(|what| self.corrupt(what))
    }

    fn corrupt(&self, what: String) -> StoreError {
        let file = self.log.database.file.clone();
        StoreError::Corrupt { file, what }
    }

    fn rows<T>(
        &self,
        sql: &str,
        params: impl rusqlite::Params,
        read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let all = || {
            self.log
                .database
                .reader()
                .prepare_cached(sql)?
                .query_map(params, read)?
                .collect()
        };
        let all: rusqlite::Result<Vec<T>> = all();
        all.map_err(|error| self.log.database.wrong(error))
    }

    fn row<T>(
        &self,
        sql: &str,
        params: impl rusqlite::Params,
        read: impl FnOnce(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        let one = || {
            self.log
                .database
                .reader()
                .prepare_cached(sql)?
                .query_row(params, read)
                .optional()
        };
        let one: rusqlite::Result<Option<T>> = one();
        one.map_err(|error| self.log.database.wrong(error))
    }
}

impl Clone for SqliteStore {
    fn clone(&self) -> Self {
        Self::of(Arc::clone(&self.log))
    }
}

impl Texts for SqliteStore {
    fn text(&self, hash: &TextHash) -> Option<Arc<str>> {
        self.text_checked(hash).unwrap_or_else(|error| {
            self.text_error.borrow_mut().get_or_insert(error);
            None
        })
    }
}

impl Store for SqliteStore {
    fn sessions(&self) -> Result<Vec<Summary>, StoreError> {
        let database = &self.log.database;
        let written = database.heads.sessions();
        let listed =
            reading::sessions(&database.reader()).map_err(|error| database.wrong(error))?;
        let listed: Vec<Summary> = listed.into_iter().collect::<Result<_, _>>()?;
        let lost = |name: &&String| !listed.iter().any(|summary| summary.name == **name);
        match written.iter().find(lost) {
            None => Ok(listed),
            // Says how much is gone.
            Some(lost) => self.read(lost).map(|_| listed),
        }
    }

    fn rows_after(&self, session: &str, seq: u64) -> Result<Vec<Row>, StoreError> {
        let database = &self.log.database;
        // Before the log: the record may be behind what is read, never ahead.
        let outside = database.heads.read(session);
        let read = reading::rows_after(&database.reader(), session, seq, outside)
            .map_err(|error| database.wrong(error))?;
        if read.flaw.is_some() {
            database.leave_as_found();
        }
        read.sound(session, &database.file)
    }

    fn commit(&mut self, session: &str, commit: &Commit) -> Result<u64, StoreError> {
        let last = self.log.database.write(&[(session, commit)]).remove(0)?;
        self.commits.fetch_add(1, Ordering::Relaxed);
        Ok(last)
    }

    fn submit(&mut self, session: &str, commit: Commit, done: Done) -> Option<Turn> {
        // Nobody else could use the time that the disk takes.
        if Arc::strong_count(&self.log) == 1 {
            done(self.commit(session, &commit));
            return None;
        }
        let waiting = Waiting {
            session: session.to_owned(),
            commit,
            counter: Arc::clone(&self.commits),
            done,
        };
        self.log.join(waiting)
    }

    fn session_id(&self, session: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT id FROM session_ids WHERE session = ?1";
        self.row(sql, [session], |row| row.get(0))
    }

    fn post(&mut self, session: &str, at: Time, body: &str) -> Result<i64, StoreError> {
        let sql = "INSERT INTO inbox (session, posted_at, body, session_id)
                   SELECT ?1, ?2, ?3, (SELECT id FROM session_ids WHERE session = ?1)
                   WHERE EXISTS (SELECT 1 FROM sessions WHERE name = ?1)";
        // Not RETURNING: the error of a failing commit would be lost when the statement is reset.
        let connection = self.log.database.connection();
        let insert = || {
            connection
                .prepare_cached(sql)?
                .execute(params![session, at.0, body])
        };
        match fault::doing(Point::LetterPosted, insert)
            .map_err(|error| self.log.database.wrong(error))?
        {
            0 => Err(StoreError::no_session(session)),
            _ => Ok(connection.last_insert_rowid()),
        }
    }

    fn letters(&self, session: &str) -> Result<Vec<Letter>, StoreError> {
        let sql = "SELECT id, posted_at, body, session_id, outcome FROM inbox WHERE session = ?1 AND outcome IS NULL ORDER BY id";
        self.rows(sql, [session], letter)
    }

    fn letter(&self, id: i64) -> Result<Option<Letter>, StoreError> {
        let sql = "SELECT id, posted_at, body, session_id, outcome FROM inbox WHERE id = ?1";
        self.row(sql, [id], letter)
    }

    fn intended(&self, session: &str) -> Result<Vec<Intended>, StoreError> {
        let sql = "SELECT path, hash FROM projections WHERE session = ?1 ORDER BY path, last";
        let intents = self.rows(sql, [session], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, Key>(1)?.0))
        })?;
        let mut all: Vec<Intended> = Vec::new();
        for (path, hash) in intents {
            match all.last_mut() {
                Some(intended) if intended.path == path => intended.hashes.push(hash),
                _ => all.push(Intended {
                    path,
                    hashes: vec![hash],
                }),
            }
        }
        Ok(all)
    }

    fn text_checked(&self, hash: &TextHash) -> Result<Option<Arc<str>>, StoreError> {
        let sql = "SELECT body FROM texts WHERE hash = ?1";
        let text = self.row(sql, [Key(*hash)], |row| {
            Ok(Arc::<str>::from(row.get_ref(0)?.as_str()?))
        })?;
        match text {
            Some(text) if TextHash::of(&text) != *hash => {
                Err(self.corrupt(format!("the text {hash} is not what was stored")))
            }
            // Where texts are damaged, one that isn't found may have been kept.
            None => match self.log.database.texts() {
                Ok(kept) if kept.contains(hash) => {
                    Err(self.corrupt(format!("the text {hash} is not found by its hash")))
                }
                Ok(_) => Ok(None),
                Err(what) => Err(self.corrupt(what.clone())),
            },
            text => Ok(text),
        }
    }

    fn take_text_error(&self) -> Option<StoreError> {
        self.text_error.take()
    }

    fn is_in_place(&self) -> Result<(), StoreError> {
        self.log.database.is_in_place()
    }

    fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }
}

fn letter(row: &rusqlite::Row<'_>) -> rusqlite::Result<Letter> {
    Ok(Letter {
        id: row.get(0)?,
        posted_at: Time(row.get(1)?),
        body: row.get(2)?,
        bound_to: row.get(3)?,
        outcome: row.get(4)?,
    })
}
