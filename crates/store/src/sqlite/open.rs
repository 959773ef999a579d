//! Opening: the settings of a connection, and bringing the schema up to date by the numbered migrations.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags, TransactionBehavior};
use rusqlite_migration::{M, Migrations};

use super::chain;
use super::head::Heads;
use super::unwritable;
use crate::access::{Access, WhyReadOnly};
use crate::error::StoreError;
use crate::fault::{self, Point};

/// The numbered migrations, in order.
fn steps() -> [M<'static>; KNOWN as usize] {
    [
        M::up(include_str!("../../migrations/0001_event_log.sql")),
        M::up_with_hook(include_str!("../../migrations/0003_log_chain.sql"), |db| {
            Ok(chain::of_earlier_events(db)?)
        }),
    ]
}

pub(super) const KNOWN: u32 = 2;
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) fn for_writing(file: &Path) -> Result<(Connection, Access), StoreError> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(|error| StoreError::CannotOpen {
            file: file.to_owned(),
            why: format!("its folder can't be made: {error}"),
        })?;
    }
    let heads = Heads::beside(file);
    if matches!(file.try_exists(), Ok(false)) {
        // A database that somebody removed is not missed: this is another.
        heads.forget();
    }
    let wrong = |error| StoreError::from_sqlite(file, error);
    let mut connection = connect(
        file,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
    )?;
    // A newer schema is left to readers before anything is written, even the journal mode.
    let found = version(&connection).map_err(wrong)?;
    if found == 0 {
        nothing_lost(&heads)?;
    }
    if found > KNOWN {
        return for_reading(file);
    }
    if connection.is_readonly(MAIN_DB).map_err(wrong)? {
        let access = Access::ReadOnly(WhyReadOnly::NotWritable);
        return readable(file, connection, access);
    }
    use_write_ahead_log(&connection).map_err(wrong)?;
    connection
        .pragma_update(None, "synchronous", "FULL")
        .map_err(wrong)?;
    if found < KNOWN {
        migrate(file, &mut connection)?;
    }
    Ok((connection, Access::ReadWrite))
}

pub(super) fn for_reading(file: &Path) -> Result<(Connection, Access), StoreError> {
    if matches!(file.try_exists(), Ok(false)) {
        let file = file.to_owned();
        return Err(StoreError::Missing { file });
    }
    let asked = Access::ReadOnly(WhyReadOnly::Asked);
    let read = |connection| readable(file, connection, asked);
    let opened = connect(file, OpenFlags::SQLITE_OPEN_READ_ONLY).and_then(read);
    match opened {
        Err(error) if unwritable::is_suspected(&error) => {
            unwritable::connect(file).map_or(Err(error), read)
        }
        opened => opened,
    }
}

/// Opens what may be no usable database, to look into it.
pub(super) fn for_examining(file: &Path) -> Result<Connection, StoreError> {
    if matches!(file.try_exists(), Ok(false)) {
        let file = file.to_owned();
        return Err(StoreError::Missing { file });
    }
    let looked_at = |connection: Connection| match version(&connection) {
        Ok(_) => Ok(connection),
        Err(error) => Err(StoreError::from_sqlite(file, error)),
    };
    match connect(file, OpenFlags::SQLITE_OPEN_READ_ONLY).and_then(looked_at) {
        Err(error) if unwritable::is_suspected(&error) => {
            unwritable::connect(file).map_or(Err(error), looked_at)
        }
        opened => opened,
    }
}

fn readable(
    file: &Path,
    connection: Connection,
    access: Access,
) -> Result<(Connection, Access), StoreError> {
    let found = version(&connection).map_err(|error| StoreError::from_sqlite(file, error))?;
    if found == 0 {
        nothing_lost(&Heads::beside(file))?;
    }
    match found {
        // What later versions added is not needed for reading.
        1..=KNOWN => Ok((connection, access)),
        0 => Err(StoreError::Older {
            file: file.to_owned(),
            found,
            known: KNOWN,
        }),
        _ => {
            let why = WhyReadOnly::Newer {
                found,
                known: KNOWN,
            };
            Ok((connection, Access::ReadOnly(why)))
        }
    }
}

/// Fails where an empty database once had sessions.
fn nothing_lost(heads: &Heads) -> Result<(), StoreError> {
    let Some(session) = heads.sessions().into_iter().next() else {
        return Ok(());
    };
    let written = heads.read(&session).map_or(0, |head| head.events);
    Err(StoreError::LogDamaged {
        session,
        since: 1,
        at: None,
        what: format!("the database is empty, and {written} events were written"),
    })
}

fn connect(file: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    // Without the URI flag: a path that begins with `file:` is a path.
    let set_up = || {
        let connection =
            Connection::open_with_flags(file, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.pragma_update(None, "foreign_keys", false)?;
        connection.set_prepared_statement_cache_capacity(32);
        Ok(connection)
    };
    set_up().map_err(|error| StoreError::from_sqlite(file, error))
}

fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Switches the file to the write-ahead log, once in its life.
fn use_write_ahead_log(connection: &Connection) -> rusqlite::Result<()> {
    let deadline = Instant::now() + BUSY_TIMEOUT;
    loop {
        let mode = connection
            .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0));
        match mode {
            // SQLite doesn't wait here as elsewhere when another process switches or makes the same file.
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && Instant::now() < deadline =>
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            mode => return mode.map(drop),
        }
    }
}

fn migrate(file: &Path, connection: &mut Connection) -> Result<(), StoreError> {
    connection.set_transaction_behavior(TransactionBehavior::Immediate);
    let made = fault::doing(Point::SchemaMade, || {
        Migrations::new(steps().into()).to_latest(connection)
    });
    let Err(error) = made else {
        return Ok(());
    };
    // The version is read before the lock is taken, so another process may have migrated in between.
    if version(connection) == Ok(KNOWN) {
        return Ok(());
    }
    Err(match error {
        rusqlite_migration::Error::RusqliteError { err, .. } => StoreError::from_sqlite(file, err),
        other => StoreError::Corrupt {
            file: file.to_owned(),
            what: other.to_string(),
        },
    })
}
