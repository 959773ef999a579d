//! Reading a database where nothing can be written: on a disk that is full or mounted for reading only, or in the folder of
//! somebody else. SQLite wants a file of its own there to read a write-ahead log.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::access::WhyReadOnly;
use crate::error::StoreError;

/// How long the file that connections share is at least, once one could make it.
const SHARED: u64 = 32 * 1024;

/// Whether that nothing can be written may be why opening failed.
pub(super) fn is_suspected(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::CannotOpen { .. }
            | StoreError::DiskFull { .. }
            | StoreError::Io { .. }
            | StoreError::ReadOnly {
                why: WhyReadOnly::NotWritable,
                ..
            }
    )
}

/// Opens a database without making a file beside it, and without locks. `None` where others may be writing to it.
///
/// `real` is the way to it without links. A writer that comes later could be seen halfway: the hashes of the log tell that.
pub(super) fn connect(file: &Path, real: &Path) -> Option<Connection> {
    let length = |ending| fs::metadata(beside(file, ending)).map_or(0, |found| found.len());
    if !file.is_file() || length("-shm") >= SHARED {
        return None;
    }
    let has_log = length("-wal") > 0;
    let how = match has_log {
        // The index of the log is kept in memory where one process has the database for itself.
        true if cfg!(unix) => "vfs=unix-none",
        true => return None,
        false => "immutable=1",
    };
    let name = format!("file:{}?mode=ro&{how}", escaped(real)?);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = Connection::open_with_flags(name, flags).ok()?;
    let set_up = || -> rusqlite::Result<()> {
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        if has_log {
            connection.pragma_update_and_check(None, "locking_mode", "EXCLUSIVE", |_| Ok(()))?;
        }
        Ok(())
    };
    set_up().ok()?;
    Some(connection)
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// A path as a part of a URI.
fn escaped(path: &Path) -> Option<String> {
    let mut escaped = String::new();
    for byte in path.to_str()?.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                escaped.push(char::from(byte));
            }
            _ => escaped.push_str(&format!("%{byte:02x}")),
        }
    }
    Some(escaped)
}
