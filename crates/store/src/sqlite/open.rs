//! Opening: the settings of a connection, and bringing the schema up to date by the numbered migrations.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags, TransactionBehavior};
use rusqlite_migration::{M, Migrations};

use super::chain;
use super::head::Heads;
use super::unwritable;
use crate::access::{Access, WhyReadOnly};
use crate::beneath::{Held, Misplaced};
use crate::error::StoreError;
use crate::fault::{self, Point};

/// The numbered migrations, in order.
fn steps() -> [M<'static>; KNOWN as usize] {
    [
        M::up(include_str!("../../migrations/0001_event_log.sql")),
        M::up_with_hook(include_str!("../../migrations/0002_log_chain.sql"), |db| {
            Ok(chain::of_earlier_events(db)?)
        }),
        M::up(include_str!("../../migrations/0003_session_ids.sql")),
    ]
}

pub(super) const KNOWN: u32 = 3;
/// SQLite's own limit on Unix, which leaves room for the ending of its journal.
const LONGEST_PATH: usize = 504;
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) fn for_writing(file: &Path) -> Result<(Connection, Access), StoreError> {
    let made = by_folder(file, Held::make);
    let folder = made.map_err(|error| match Misplaced::caused(&error) {
        true => StoreError::Misplaced(error),
        false => StoreError::CannotOpen {
            file: file.to_owned(),
            why: format!("its folder can't be made: {error}"),
        },
    })?;
    check_files(file, &folder)?;
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
    check_place(file)?;
    if matches!(file.try_exists(), Ok(false)) {
        let file = file.to_owned();
        return Err(StoreError::Missing { file });
    }
    let asked = Access::ReadOnly(WhyReadOnly::Asked);
    let read = |connection| readable(file, connection, asked);
    let opened = connect(file, OpenFlags::SQLITE_OPEN_READ_ONLY).and_then(read);
    match opened {
        Err(error) if unwritable::is_suspected(&error) => {
            unwritable::connect(file, &real(file)?).map_or(Err(error), read)
        }
        opened => opened,
    }
}

/// Opens what may be no usable database, to look into it.
pub(super) fn for_examining(file: &Path) -> Result<Connection, StoreError> {
    check_place(file)?;
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
            unwritable::connect(file, &real(file)?).map_or(Err(error), looked_at)
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

/// Reaches the database's folder, `.gapless`, which is no link itself; the folder it is in may be reached through some.
fn by_folder(
    file: &Path,
    reach: impl FnOnce(&Path, &Path) -> io::Result<Held>,
) -> io::Result<Held> {
    let folder = file.parent().unwrap_or(Path::new(""));
    match (folder.parent(), folder.file_name()) {
        (Some(base), Some(name)) => reach(base, Path::new(name)),
        _ => reach(folder, Path::new("")),
    }
}

/// Fails if the database, one of its files or its folder is a link, or no file at all.
fn check_place(file: &Path) -> Result<(), StoreError> {
    match by_folder(file, Held::open) {
        Ok(folder) => check_files(file, &folder),
        Err(error) if Misplaced::caused(&error) => Err(StoreError::Misplaced(error)),
        // What else is wrong with it, SQLite says.
        Err(_) => Ok(()),
    }
}

/// Fails if the database, or a file that SQLite keeps beside it, is anything but a regular file.
fn check_files(file: &Path, folder: &Held) -> Result<(), StoreError> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    for ending in ["", "-wal", "-shm", "-journal"] {
        let checked = folder.check_file(&format!("{name}{ending}"));
        match checked {
            Err(error) if Misplaced::caused(&error) => return Err(StoreError::Misplaced(error)),
            _ => {}
        }
    }
    Ok(())
}

/// The path that SQLite is given: it takes no link anywhere in it, and no path beyond a length.
pub(super) fn real(file: &Path) -> Result<PathBuf, StoreError> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let base = folder.parent().unwrap_or(folder);
    let base = match base.as_os_str().is_empty() {
        true => Path::new("."),
        false => base,
    };
    let real = match (base.canonicalize(), folder.file_name(), file.file_name()) {
        (Ok(base), Some(folder), Some(name)) => base.join(folder).join(name),
        _ => file.to_owned(),
    };
    let bytes = real.as_os_str().len();
    if cfg!(unix) && bytes > LONGEST_PATH {
        return Err(StoreError::PathTooLong {
            file: file.to_owned(),
            bytes,
            most: LONGEST_PATH,
        });
    }
    Ok(real)
}

fn connect(file: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let real = real(file)?;
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    // Without the URI flag: a path that begins with `file:` is a path.
    let set_up = || {
        let connection = Connection::open_with_flags(&real, flags)?;
        // The schema is gapless's: what a prepared database brings along besides is not run.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
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
