//! What a database holds that is as it was written, read in spite of what isn't.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use gapless_domain::text::TextHash;
use gapless_domain::time::Time;
use rusqlite::types::ValueRef;

use super::hash::Key;
use super::{SqliteStore, open, reading};
use crate::access::{Access, WhyReadOnly};
use crate::error::StoreError;
use crate::store::{Row, Store};

/// A log as far as it is as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SoundLog {
    pub session: String,
    pub rows: Vec<Row>,
    /// The last event of each commit among them; empty where that is not known.
    pub closed: Vec<u64>,
    pub flaw: Option<LogFlaw>,
}

/// What is wrong with a log from an event on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFlaw {
    /// The first event that is missing or not what was written.
    pub since: u64,
    /// When the last event before it happened.
    pub at: Option<Time>,
    pub what: String,
    /// How many events were written, where that is known.
    pub written: Option<u64>,
}

/// How many complaints of SQLite are listed.
const COMPLAINTS: u32 = 20;

/// A way to read each table and index from its beginning.
const TABLES: [(&str, &str); 9] = [
    ("events", "SELECT * FROM events"),
    ("texts", "SELECT rowid FROM texts NOT INDEXED"),
    ("texts", "SELECT hash FROM texts ORDER BY hash"),
    ("sessions", "SELECT * FROM sessions"),
    ("inbox", "SELECT * FROM inbox NOT INDEXED"),
    (
        "inbox",
        "SELECT id FROM inbox WHERE session > '' AND outcome IS NULL ORDER BY session, id",
    ),
    ("inbox", "SELECT * FROM sqlite_sequence"),
    ("projections", "SELECT * FROM projections"),
    (SESSION_IDS, "SELECT * FROM session_ids"),
];

/// A table that databases of older versions don't have.
const SESSION_IDS: &str = "session_ids";

impl SqliteStore {
    /// Opens a database for examining it: also one that can't be used.
    pub fn open_damaged(file: &Path) -> Result<Self, StoreError> {
        let connection = open::for_examining(file)?;
        let access = Access::ReadOnly(WhyReadOnly::Asked);
        Ok(Self::over(file, connection, access))
    }

    /// What SQLite says of its pages and indexes; nothing where they are sound.
    pub fn complaints(&self) -> Vec<String> {
        let sql = format!("PRAGMA integrity_check({COMPLAINTS})");
        match self.rows(&sql, [], |row| row.get::<_, String>(0)) {
            Ok(said) if said == ["ok"] => self.unreadable_tables(),
            // A complaint may have several lines, the first of which only names the database.
            Ok(said) => said
                .iter()
                .flat_map(|said| said.lines())
                .filter(|line| !line.starts_with("***"))
                .map(str::to_owned)
                .collect(),
            Err(error) => vec![error.to_string()],
        }
    }

    /// What can't be read of tables whose pages are sound, and are those of another.
    fn unreadable_tables(&self) -> Vec<String> {
        let complaint = |(table, sql): &(&str, &str)| {
            let error = self.rows(sql, [], read_columns).err()?;
            Some(format!("{table}: {error}"))
        };
        let tables = TABLES.iter();
        let tables = tables.filter(|(table, _)| *table != SESSION_IDS || self.has_session_ids());
        let mut complaints: Vec<String> = tables.filter_map(complaint).collect();
        // An index of some rows only, of which SQLite doesn't count the entries.
        if complaints.is_empty()
            && self.letters("INDEXED BY inbox_waiting") != self.letters("NOT INDEXED")
        {
            complaints.push("inbox: its index doesn't have the letters that wait".to_owned());
        }
        complaints
    }

    /// How many letters wait, where they can be counted.
    fn letters(&self, how: &str) -> Option<u32> {
        let sql = format!("SELECT count(*) FROM inbox {how} WHERE outcome IS NULL");
        self.row(&sql, [], |row| row.get(0)).ok().flatten()
    }

    fn has_session_ids(&self) -> bool {
        let sql = "SELECT count(*) FROM sqlite_master WHERE name = ?1";
        let found = self.row(sql, [SESSION_IDS], |row| row.get::<_, u32>(0));
        found.is_ok_and(|count| count.is_some_and(|count| count > 0))
    }

    /// How many texts there are, or what is wrong with them.
    pub fn count_texts(&self) -> Result<usize, String> {
        self.log
            .database
            .texts()
            .as_ref()
            .map(BTreeSet::len)
            .map_err(Clone::clone)
    }

    /// A text that is as it was stored, also where an index fails to find it.
    pub fn sound_text(&self, hash: &TextHash) -> Option<Arc<str>> {
        let by = |how: &str| {
            let sql = format!("SELECT body FROM texts {how} WHERE hash = ?1");
            let text = self.row(&sql, [Key(*hash)], |row| {
                Ok(Arc::<str>::from(row.get_ref(0)?.as_str()?))
            });
            text.ok()
                .flatten()
                .filter(|text| TextHash::of(text) == *hash)
        };
        by("").or_else(|| by("NOT INDEXED"))
    }

    /// How many letters wait to be taken.
    pub fn waiting_letters(&self) -> u32 {
        let sql = "SELECT count(*) FROM inbox WHERE outcome IS NULL";
        self.row(sql, [], |row| row.get(0))
            .ok()
            .flatten()
            .unwrap_or(0)
    }

    /// The logs of all sessions that anything is known of.
    pub fn sound_logs(&self) -> Vec<SoundLog> {
        let database = &self.log.database;
        let mut names: BTreeSet<String> = database.heads.sessions().into_iter().collect();
        for sql in [
            "SELECT name FROM sessions",
            "SELECT DISTINCT session FROM events",
        ] {
            names.extend(self.readable_names(sql));
        }
        // What became of a name that was hit is the session of nobody.
        names.retain(|name| name.parse::<crate::folder::SessionName>().is_ok());
        names.into_iter().map(|name| self.sound_log(name)).collect()
    }

    fn readable_names(&self, sql: &str) -> Vec<String> {
        let reader = self.log.database.reader();
        let Ok(mut statement) = reader.prepare(sql) else {
            return Vec::new();
        };
        match statement.query_map([], |row| row.get(0)) {
            Ok(names) => names.map_while(Result::ok).collect(),
            Err(_) => Vec::new(),
        }
    }

    fn sound_log(&self, session: String) -> SoundLog {
        let database = &self.log.database;
        let outside = database.heads.read(&session);
        let written = outside.map(|head| head.events);
        let unreadable = |error: rusqlite::Error| reading::Checked {
            flaw: Some(reading::Flaw {
                since: 1,
                what: format!("it can't be read: {error}"),
                error: None,
            }),
            ..reading::Checked::default()
        };
        let read = reading::rows_after(&database.reader(), &session, 0, outside)
            .unwrap_or_else(unreadable);
        let at = read.rows.last().map(|row| row.at);
        let flaw = read.flaw.map(|flaw| LogFlaw {
            since: flaw.since,
            at,
            what: flaw.what,
            written,
        });
        SoundLog {
            // A list that can't be read is no damage of the log.
            flaw: flaw.or_else(|| self.flaw_of_listing(&session, at, written)),
            session,
            rows: read.rows,
            closed: read.closed,
        }
    }

    /// What is wrong with the session's row in the list of sessions.
    fn flaw_of_listing(
        &self,
        session: &str,
        at: Option<Time>,
        written: Option<u64>,
    ) -> Option<LogFlaw> {
        let error = self.listing_error(session)?;
        let (since, what) = match error {
            StoreError::LogDamaged { since, what, .. } => (since + 1, what),
            error => (1, error.to_string()),
        };
        Some(LogFlaw {
            since,
            at,
            what,
            written,
        })
    }

    fn listing_error(&self, session: &str) -> Option<StoreError> {
        let listed = reading::sessions(&self.log.database.reader()).ok()?;
        listed.into_iter().filter_map(Result::err).find(
            |error| matches!(error, StoreError::LogDamaged { session: of, .. } if of == session),
        )
    }

    /// Whether any command can use it.
    pub fn is_usable(&self) -> Result<(), StoreError> {
        Self::open_read_only(self.file())?.sessions().map(drop)
    }
}

/// Reads every column of a row: a text that is no UTF-8 is no complaint of SQLite's.
fn read_columns(row: &rusqlite::Row) -> rusqlite::Result<()> {
    for at in 0..row.as_ref().column_count() {
        if let ValueRef::Text(bytes) = row.get_ref(at)?
            && let Err(error) = std::str::from_utf8(bytes)
        {
            return Err(rusqlite::Error::Utf8Error(at, error));
        }
    }
    Ok(())
}
