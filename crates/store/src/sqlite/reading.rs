//! Reading a log, held against the hashes of its events and the records of where it ends.

use std::collections::BTreeSet;
use std::path::Path;

use gapless_domain::text::TextHash;
use gapless_domain::time::Time;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::chain::{self, Link, row_of};
use super::hash::Key;
use super::head::Head;
use crate::error::StoreError;
use crate::store::{Row, Summary};

/// A log as far as it is as it was written, and where it ceases to be.
#[derive(Debug, Default)]
pub(super) struct Checked {
    pub rows: Vec<Row>,
    /// The last event of each commit among them, where that is known.
    pub closed: Vec<u64>,
    pub flaw: Option<Flaw>,
    /// Whether there is such a session.
    pub is_known: bool,
}

/// What is wrong with a log, from an event on.
#[derive(Debug)]
pub(super) struct Flaw {
    pub since: u64,
    pub what: String,
    /// What the database itself complained of.
    pub error: Option<rusqlite::Error>,
}

impl Checked {
    fn flawed(mut self, since: u64, what: impl Into<String>) -> Self {
        self.flaw.get_or_insert_with(|| Flaw {
            since,
            what: what.into(),
            error: None,
        });
        self
    }

    fn unreadable(mut self, since: u64, error: rusqlite::Error) -> Self {
        self.flaw.get_or_insert_with(|| Flaw {
            since,
            what: format!("it can't be read: {error}"),
            error: Some(error),
        });
        self
    }

    /// The rows, unless something is wrong.
    pub fn sound(self, session: &str, file: &Path) -> Result<Vec<Row>, StoreError> {
        match self.flaw {
            None if self.is_known => Ok(self.rows),
            None => Err(StoreError::no_session(session)),
            Some(Flaw {
                error: Some(error), ..
            }) => Err(StoreError::from_sqlite(file, error)),
            Some(Flaw { since, what, .. }) => Err(StoreError::LogDamaged {
                session: session.to_owned(),
                since,
                at: self.rows.last().map(|row| row.at),
                what,
            }),
        }
    }
}

/// What a database says of where a log ends.
struct Kept {
    events: u64,
    link: Option<Link>,
}

/// Reads the rows behind `after` in one view of the database, as far as they are sound.
pub(super) fn rows_after(
    db: &Connection,
    session: &str,
    after: u64,
    outside: Option<Head>,
) -> rusqlite::Result<Checked> {
    let view = Transaction::new_unchecked(db, TransactionBehavior::Deferred)?;
    let has_chain = chain::is_kept(&view)?;
    let seq = i64::try_from(after).unwrap_or(i64::MAX);
    let (columns, kept) = match has_chain {
        true => ("chain, closes", kept(&view, session)),
        false => ("NULL, 0", kept_before_chains(&view, session)),
    };
    let before = match after {
        0 => Some(chain::start(session)),
        _ if !has_chain => None,
        _ => link_of(&view, session, seq)?,
    };
    let sql = format!(
        "SELECT seq, at, type, version, body, {columns} FROM events WHERE session = ?1 AND seq > ?2 ORDER BY seq"
    );
    let mut statement = view.prepare_cached(&sql)?;
    let found = statement.query_map(params![session, seq], |row| {
        Ok((row_of(row)?, row.get(5)?, row.get(6)?))
    })?;
    let mut checked = Checked {
        is_known: !matches!(kept, Ok(None)),
        ..Checked::default()
    };
    let (mut link, mut last) = (before, after);
    for row in found {
        let expected = last + 1;
        let (row, chained, closes): (Row, Option<Link>, bool) = match row {
            Ok(row) => row,
            Err(error) => return Ok(checked.unreadable(expected, error)),
        };
        if row.seq != expected {
            return Ok(checked.flawed(expected, format!("event {expected} is missing")));
        }
        if has_chain {
            let next = link.map(|link| chain::after(&link, &row));
            if next.is_none() || next != chained {
                let what = format!("event {expected} is not what was written");
                return Ok(checked.flawed(expected, what));
            }
            link = next;
            if outside.is_some_and(|head| head.events == row.seq && Some(head.link) != link) {
                let what = "this is another log than the one that was written here";
                return Ok(checked.flawed(expected, what));
            }
        }
        last = row.seq;
        checked.rows.push(row);
        checked.closed.extend(closes.then_some(last));
    }
    let kept = match kept {
        Ok(kept) => kept,
        Err(error) => return Ok(checked.unreadable(last + 1, error)),
    };
    Ok(match ends_as(last, link, kept, outside, after) {
        None => checked,
        Some(what) => checked.flawed(last + 1, what),
    })
}

fn link_of(db: &Connection, session: &str, seq: i64) -> rusqlite::Result<Option<Link>> {
    let sql = "SELECT chain FROM events WHERE session = ?1 AND seq = ?2";
    let link = db
        .prepare_cached(sql)?
        .query_row(params![session, seq], |row| row.get::<_, Option<Link>>(0))
        .optional()?;
    Ok(link.flatten())
}

/// What is wrong with where a log ends.
fn ends_as(
    last: u64,
    link: Option<Link>,
    kept: Option<Kept>,
    outside: Option<Head>,
    after: u64,
) -> Option<String> {
    // Somebody asked for what is behind the end.
    let asked_behind = after > 0 && last == after;
    let written = outside.map_or(0, |head| head.events);
    let counted = kept.as_ref().map_or(0, |kept| kept.events);
    let should = written.max(counted);
    match kept {
        _ if asked_behind && should <= last => None,
        _ if last < should => Some(format!("it ends there, and {should} events were written")),
        None if last > 0 => Some("the list of sessions doesn't have it".to_owned()),
        Some(kept) if kept.link.is_some_and(|kept| Some(kept) != link) => {
            Some("its end is not what was written".to_owned())
        }
        _ => None,
    }
}

fn kept(db: &Connection, session: &str) -> rusqlite::Result<Option<Kept>> {
    db.prepare_cached("SELECT events, head FROM sessions WHERE name = ?1")?
        .query_row([session], |row| {
            Ok(Kept {
                events: row.get::<_, i64>(0)?.unsigned_abs(),
                link: Some(row.get(1)?),
            })
        })
        .optional()
}

fn kept_before_chains(db: &Connection, session: &str) -> rusqlite::Result<Option<Kept>> {
    let known = Kept {
        events: 0,
        link: None,
    };
    db.prepare_cached("SELECT 1 FROM sessions WHERE name = ?1")?
        .query_row([session], |_| Ok(known))
        .optional()
}

/// The summaries of all sessions, each held against its seal.
pub(super) fn sessions(db: &Connection) -> rusqlite::Result<Vec<Result<Summary, StoreError>>> {
    let view = Transaction::new_unchecked(db, TransactionBehavior::Deferred)?;
    let columns = match chain::is_kept(&view)? {
        true => "events, head, seal",
        false => "0, NULL, NULL",
    };
    let sql = format!("SELECT name, updated_at, body, {columns} FROM sessions ORDER BY name");
    let mut statement = view.prepare_cached(&sql)?;
    let listed = statement.query_map([], |row| {
        let summary = Summary {
            name: row.get(0)?,
            updated_at: Time(row.get(1)?),
            body: row.get(2)?,
        };
        let events = row.get::<_, i64>(3)?.unsigned_abs();
        let (head, seal): (Option<Link>, Option<Link>) = (row.get(4)?, row.get(5)?);
        let Summary {
            name,
            updated_at,
            body,
        } = &summary;
        let is_sound = match (head, seal) {
            (Some(head), Some(seal)) => seal == chain::seal(name, *updated_at, body, events, &head),
            (head, seal) => head == seal && columns.starts_with('0'),
        };
        Ok(match is_sound {
            true => Ok(summary),
            false => Err(StoreError::LogDamaged {
                session: summary.name,
                since: events.max(1),
                at: None,
                what: "its row in the list of sessions is not what was written".to_owned(),
            }),
        })
    })?;
    listed.collect()
}

/// The hashes of all texts, each compared with its text, and every page looked at; else what is wrong.
pub(super) fn texts(db: &Connection) -> Result<BTreeSet<TextHash>, String> {
    let scan = || {
        let verdict: String = db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        let mut kept = BTreeSet::new();
        let mut statement = db.prepare("SELECT hash, body FROM texts NOT INDEXED")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let hash = row.get::<_, Key>(0)?.0;
            if TextHash::of(row.get_ref(1)?.as_str()?) != hash {
                return Ok(Err(format!("the text {hash} is not what was stored")));
            }
            kept.insert(hash);
        }
        Ok(match verdict.as_str() {
            "ok" => Ok(kept),
            _ => Err(verdict),
        })
    };
    let scanned: rusqlite::Result<Result<_, String>> = scan();
    scanned.unwrap_or_else(|error| Err(error.to_string()))
}
