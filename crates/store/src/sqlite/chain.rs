//! The hash that each event carries, over itself and all before it in its session.

use gapless_domain::time::Time;
use rusqlite::{Connection, Transaction, params};

use crate::store::Row;

/// The hash of an event, and of everything before it.
pub(super) type Link = [u8; 32];

/// What the first event of a session follows on.
pub(super) fn start(session: &str) -> Link {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"gapless log 1\0").update(session.as_bytes());
    hasher.finalize().into()
}

pub(super) fn next(
    before: &Link,
    seq: u64,
    at: Time,
    type_name: &str,
    version: u32,
    body: &str,
) -> Link {
    let mut hasher = blake3::Hasher::new();
    hasher
        .update(before)
        .update(&seq.to_le_bytes())
        .update(&at.0.to_le_bytes())
        .update(&version.to_le_bytes())
        .update(&(type_name.len() as u64).to_le_bytes())
        .update(type_name.as_bytes())
        .update(body.as_bytes());
    hasher.finalize().into()
}

pub(super) fn after(before: &Link, row: &Row) -> Link {
    next(
        before,
        row.seq,
        row.at,
        &row.type_name,
        row.version,
        &row.body,
    )
}

/// The hash over a session's row.
pub(super) fn seal(name: &str, updated_at: Time, body: &str, events: u64, link: &Link) -> Link {
    let mut hasher = blake3::Hasher::new();
    hasher
        .update(b"gapless session 1\0")
        .update(&events.to_le_bytes())
        .update(link)
        .update(&updated_at.0.to_le_bytes())
        .update(&(name.len() as u64).to_le_bytes())
        .update(name.as_bytes())
        .update(body.as_bytes());
    hasher.finalize().into()
}

/// Reads `seq, at, type, version, body`.
pub(super) fn row_of(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    Ok(Row {
        seq: row.get::<_, i64>(0)?.unsigned_abs(),
        at: Time(row.get(1)?),
        type_name: row.get(2)?,
        version: row.get(3)?,
        body: row.get(4)?,
    })
}

/// Whether the events of a database carry hashes; a reader meets older databases too.
pub(super) fn is_kept(db: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT count(*) FROM pragma_table_info('events') WHERE name = 'chain'";
    db.query_row(sql, [], |row| Ok(row.get::<_, u32>(0)? > 0))
}

/// Computes the hashes of events that were written without.
pub(super) fn of_earlier_events(db: &Transaction<'_>) -> rusqlite::Result<()> {
    let sessions: Vec<(String, i64, String)> = db
        .prepare("SELECT name, updated_at, body FROM sessions")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (session, updated_at, body) in sessions {
        let rows: Vec<Row> = db
            .prepare(
                "SELECT seq, at, type, version, body FROM events WHERE session = ?1 ORDER BY seq",
            )?
            .query_map([&session], row_of)?
            .collect::<rusqlite::Result<_>>()?;
        let mut link = start(&session);
        let mut last = 0_i64;
        let mut keep =
            db.prepare("UPDATE events SET chain = ?3 WHERE session = ?1 AND seq = ?2")?;
        for row in &rows {
            link = after(&link, row);
            last = row.seq.cast_signed();
            keep.execute(params![session, last, link.as_slice()])?;
        }
        let seal = seal(
            &session,
            Time(updated_at),
            &body,
            last.unsigned_abs(),
            &link,
        );
        db.execute(
            "UPDATE sessions SET events = ?2, head = ?3, seal = ?4 WHERE name = ?1",
            params![session, last, link.as_slice(), seal.as_slice()],
        )?;
    }
    Ok(())
}
