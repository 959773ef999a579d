//! What commits write, and the transaction that they are written in.

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::chain;
use super::hash::Key;
use super::head::Head;
use crate::error::StoreError;
use crate::fault::{self, Point};
use crate::store::Commit;

pub(super) enum Failure {
    Refused(StoreError),
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

#[cfg(feature = "faults")]
impl fault::Failing for Failure {
    fn full() -> Self {
        rusqlite::Error::full().into()
    }

    fn failed() -> Self {
        rusqlite::Error::failed().into()
    }
}

/// What came of a commit: where the log ends now, or why nothing of it was written.
type Written = Result<Head, Failure>;

/// Writes commits in one transaction with one sync. One that is refused leaves nothing, and the others stand.
pub(super) fn write_together(db: &mut Connection, commits: &[(&str, &Commit)]) -> Vec<Written> {
    if let [(session, commit)] = commits {
        return vec![write_alone(db, session, commit)];
    }
    match try_together(db, commits) {
        Ok(written) => written,
        Err(Interrupted::ByAll(error)) => {
            let each = commits.iter();
            each.map(|_| Err(Failure::Sqlite(copy(&error)))).collect()
        }
        // Whose failure it was shows when each is written by itself.
        Err(Interrupted::ByOne) => {
            let each = commits.iter();
            each.map(|(session, commit)| write_alone(db, session, commit))
                .collect()
        }
    }
}

fn write_alone(db: &mut Connection, session: &str, commit: &Commit) -> Written {
    let transaction = begin(db)?;
    let last = write(&transaction, session, commit)?;
    fault::doing(Point::Commit, || transaction.commit())?;
    Ok(last)
}

/// Why nothing of several commits is written.
enum Interrupted {
    /// The transaction could not begin or end.
    ByAll(rusqlite::Error),
    /// One of them failed inside of it.
    ByOne,
}

fn try_together(
    db: &mut Connection,
    commits: &[(&str, &Commit)],
) -> Result<Vec<Written>, Interrupted> {
    let mut transaction = begin(db).map_err(Interrupted::ByAll)?;
    let mut written = Vec::with_capacity(commits.len());
    for (session, commit) in commits {
        let savepoint = transaction.savepoint().map_err(|_| Interrupted::ByOne)?;
        match write(&savepoint, session, commit) {
            Ok(last) => {
                savepoint.commit().map_err(|_| Interrupted::ByOne)?;
                written.push(Ok(last));
            }
            Err(Failure::Refused(error)) => {
                savepoint.finish().map_err(|_| Interrupted::ByOne)?;
                written.push(Err(Failure::Refused(error)));
            }
            Err(Failure::Sqlite(_)) => return Err(Interrupted::ByOne),
        }
    }
    let end = fault::doing(Point::Commit, || transaction.commit());
    end.map(|()| written).map_err(Interrupted::ByAll)
}

fn begin(db: &mut Connection) -> rusqlite::Result<Transaction<'_>> {
    fault::doing(Point::CommitBegin, || {
        db.transaction_with_behavior(TransactionBehavior::Immediate)
    })
}

/// The same error once more, for another commit of the same transaction.
fn copy(error: &rusqlite::Error) -> rusqlite::Error {
    match error {
        rusqlite::Error::SqliteFailure(code, message) => {
            rusqlite::Error::SqliteFailure(*code, message.clone())
        }
        other => {
            let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_ERROR);
            rusqlite::Error::SqliteFailure(code, Some(other.to_string()))
        }
    }
}

/// Writes everything of a commit and says where the log ends then; the transaction must hold the write lock already.
fn write(db: &Connection, session: &str, commit: &Commit) -> Result<Head, Failure> {
    let head = fault::doing(Point::CommitEvents, || append(db, session, commit))?;
    fault::doing(Point::CommitTexts, || keep_texts(db, commit))?;
    fault::doing(Point::CommitSummary, || {
        summarise(db, session, commit, &head)
    })?;
    fault::doing(Point::CommitDocuments, || project(db, session, commit))?;
    fault::doing(Point::CommitLetters, || answer(db, session, commit))?;
    Ok(head)
}

fn append(db: &Connection, session: &str, commit: &Commit) -> Result<Head, Failure> {
    let (mut last, mut link) = end_of_log(db, session)?;
    if u64::try_from(last) != Ok(commit.after_seq) {
        return Err(Failure::Refused(StoreError::Fenced {
            session: session.to_owned(),
            expected: commit.after_seq,
            found: last.unsigned_abs(),
        }));
    }
    let mut insert = db.prepare_cached(
        "INSERT INTO events (session, seq, at, type, version, body, chain, closes) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    for (nth, row) in commit.rows.iter().enumerate() {
        last += 1;
        link = chain::next(
            &link,
            last.unsigned_abs(),
            row.at,
            &row.type_name,
            row.version,
            &row.body,
        );
        insert.execute(params![
            session,
            last,
            row.at.0,
            row.type_name,
            row.version,
            row.body,
            link.as_slice(),
            nth + 1 == commit.rows.len()
        ])?;
    }
    Ok(Head {
        events: last.unsigned_abs(),
        link,
    })
}

/// The number of the last event and its hash, which the session's row must have too.
fn end_of_log(db: &Connection, session: &str) -> Result<(i64, chain::Link), Failure> {
    let last = db
        .prepare_cached(
            "SELECT seq, chain FROM events WHERE session = ?1 ORDER BY seq DESC LIMIT 1",
        )?
        .query_row([session], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?
        .unwrap_or((0, chain::start(session)));
    let kept: Option<(i64, chain::Link)> = db
        .prepare_cached("SELECT events, head FROM sessions WHERE name = ?1")?
        .query_row([session], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    match kept {
        Some(kept) if kept != last => Err(Failure::Refused(StoreError::LogDamaged {
            session: session.to_owned(),
            since: kept.0.min(last.0).unsigned_abs().max(1),
            at: None,
            what: "its end is not what was written".to_owned(),
        })),
        _ => Ok(last),
    }
}

fn keep_texts(db: &Connection, commit: &Commit) -> rusqlite::Result<()> {
    let mut insert = db.prepare_cached(
        "INSERT INTO texts (hash, body) VALUES (?1, ?2) ON CONFLICT (hash) DO NOTHING",
    )?;
    for (hash, text) in commit.texts.iter() {
        insert.execute(params![Key(*hash), text])?;
    }
    Ok(())
}

fn summarise(db: &Connection, session: &str, commit: &Commit, head: &Head) -> rusqlite::Result<()> {
    let (at, body) = (commit.updated_at, &commit.summary);
    let seal = chain::seal(session, at, body, head.events, &head.link);
    db.prepare_cached(
        "INSERT INTO sessions (name, updated_at, body, events, head, seal) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (name) DO UPDATE SET updated_at = excluded.updated_at, body = excluded.body,
         events = excluded.events, head = excluded.head, seal = excluded.seal",
    )?
    .execute(params![
        session,
        at.0,
        body,
        head.events.cast_signed(),
        head.link.as_slice(),
        seal.as_slice()
    ])?;
    match commit.after_seq {
        0 => give_id(db, session),
        _ => Ok(()),
    }
}

/// Gives a session that begins its id. One that a prepared database brought along for the name goes.
fn give_id(db: &Connection, session: &str) -> rusqlite::Result<()> {
    db.execute("DELETE FROM session_ids WHERE session = ?1", [session])?;
    let sql = "INSERT INTO session_ids (session, id) VALUES (?1, lower(hex(randomblob(16))))";
    db.execute(sql, [session]).map(drop)
}

fn project(db: &Connection, session: &str, commit: &Commit) -> rusqlite::Result<()> {
    let mut newest = db.prepare_cached(
        "SELECT coalesce(max(last), 0) FROM projections WHERE session = ?1 AND path = ?2",
    )?;
    let mut intend = db.prepare_cached(
        "INSERT INTO projections (session, path, hash, first, last) VALUES (?1, ?2, ?3, ?4, ?4)
         ON CONFLICT (session, path, hash) DO UPDATE SET last = excluded.last",
    )?;
    for projection in &commit.projections {
        let last: i64 = newest.query_row([session, &projection.path], |row| row.get(0))?;
        intend.execute(params![
            session,
            projection.path,
            Key(projection.hash),
            last + 1
        ])?;
    }
    // Files are written in the order of intents: what was last intended before the confirmed content first was is gone.
    let mut confirm = db.prepare_cached(
        "DELETE FROM projections WHERE session = ?1 AND path = ?2
         AND last < (SELECT first FROM projections WHERE session = ?1 AND path = ?2 AND hash = ?3)",
    )?;
    for projection in &commit.confirmed {
        confirm.execute(params![session, projection.path, Key(projection.hash)])?;
    }
    Ok(())
}

fn answer(db: &Connection, session: &str, commit: &Commit) -> Result<(), Failure> {
    let mut take = db.prepare_cached(
        "UPDATE inbox SET outcome = ?3 WHERE id = ?2 AND session = ?1 AND outcome IS NULL",
    )?;
    for (id, outcome) in &commit.answered {
        if take.execute(params![session, id, outcome])? != 1 {
            return Err(Failure::Refused(StoreError::NotWaiting {
                session: session.to_owned(),
                id: *id,
            }));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use gapless_domain::time::Time;

    use crate::{Commit, NewRow, SqliteStore, Store, StoreError};

    #[test]
    fn a_full_disk_is_said_and_changes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = SqliteStore::open(&dir.path().join("gapless.db")).unwrap();
        let row = NewRow {
            at: Time(1),
            type_name: "t".to_owned(),
            version: 1,
            body: "y".repeat(2000),
        };
        let commit = |after_seq, count| Commit {
            after_seq,
            rows: vec![row.clone(); count],
            ..Commit::default()
        };
        store.commit("a", &commit(0, 1)).unwrap();
        let limit_pages = |store: &SqliteStore, pages: u32| {
            let sql = format!("PRAGMA max_page_count = {pages}");
            let db = store.log.database.connection();
            db.query_row(&sql, [], |_| Ok(())).unwrap();
        };

        limit_pages(&store, 20);
        let error = store.commit("a", &commit(1, 200)).unwrap_err();
        assert!(matches!(error, StoreError::DiskFull { .. }), "{error:?}");
        assert_eq!(store.read("a").unwrap().len(), 1);
        assert_eq!(store.commits(), 1);

        limit_pages(&store, 100_000);
        assert_eq!(store.commit("a", &commit(1, 200)).unwrap(), 201);
    }
}
