//! The rule that one process drives a session at a time: an operating-system lock on `driver.lock`, gone when its
//! holder dies, and `driver.json` beside it, which says who that is.
//!
//! Invariant: `driver.json` is locked while anyone tries `driver.lock`, or writes or reads who holds it. Who finds
//! the lock held reads what its present holder wrote, never what a dead one left, and looking keeps no driver out.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::path::PathBuf;

use gapless_domain::Time;
use serde::{Deserialize, Serialize};

use crate::beneath::Misplaced;
use crate::durable;
use crate::fault::{self, Point};
use crate::folder::SessionFolder;

const LOCK: &str = "driver.lock";
const WHO: &str = "driver.json";

/// The process that drives a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Driver {
    pub pid: u32,
    pub since: Time,
    pub command: String,
}

#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("another process drives this session{}", describe(driver))]
    Held {
        /// `None` where `driver.json` was tampered with.
        driver: Option<Driver>,
    },
    #[error(transparent)]
    Misplaced(io::Error),
    #[error("{} can't be locked: {source}", file.display())]
    Io { file: PathBuf, source: io::Error },
}

fn describe(driver: &Option<Driver>) -> String {
    driver.as_ref().map_or_else(String::new, |driver| {
        format!(
            ": process {} since {} (`{}`)",
            driver.pid, driver.since, driver.command
        )
    })
}

/// The right to drive a session, until it is dropped or the process ends.
#[derive(Debug)]
pub struct SessionLock {
    held: File,
}

impl SessionLock {
    /// Takes the lock, or says who has it. Makes the session's folder where there is none.
    pub fn acquire(folder: &SessionFolder, driver: &Driver) -> Result<Self, LockError> {
        let failed = |name| move |source| io_error(folder, name, source);
        let held_folder = folder.make("").map_err(failed(LOCK))?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let who = held_folder.own_file(WHO, &mut options);
        let mut who = who.map_err(failed(WHO))?;
        who.lock().map_err(failed(WHO))?;
        let held = held_folder.file(LOCK, &mut options).map_err(failed(LOCK))?;
        fault::doing(Point::LockTaken, || Ok(())).map_err(failed(LOCK))?;
        match held.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(LockError::Held {
                    driver: read(&mut who),
                });
            }
            Err(TryLockError::Error(source)) => return Err(io_error(folder, LOCK, source)),
        }
        let lock = Self { held };
        write(&mut who, driver).map_err(failed(WHO))?;
        Ok(lock)
    }

    /// Who drives the session now, `None` where nobody does.
    pub fn peek(folder: &SessionFolder) -> Result<Option<Driver>, LockError> {
        let failed = |name| move |source| io_error(folder, name, source);
        let Some(held_folder) = durable::found(folder.open("")).map_err(failed(WHO))? else {
            return Ok(None);
        };
        let open = |name| {
            let file = held_folder.file(name, OpenOptions::new().read(true));
            durable::found(file).map_err(failed(name))
        };
        let Some(mut who) = open(WHO)? else {
            return Ok(None);
        };
        who.lock().map_err(failed(WHO))?;
        let Some(lock) = open(LOCK)? else {
            return Ok(None);
        };
        match lock.try_lock_shared() {
            Ok(()) => {
                // As in `drop`: what only looked must not linger in a child that is just being started.
                let _ = lock.unlock();
                Ok(None)
            }
            Err(TryLockError::WouldBlock) => match read(&mut who) {
                Some(driver) => Ok(Some(driver)),
                None => Err(LockError::Held { driver: None }),
            },
            Err(TryLockError::Error(source)) => Err(io_error(folder, LOCK, source)),
        }
    }
}

impl Drop for SessionLock {
    fn drop(&mut self) {
        // Closing alone would leave it held by a child process that is just being started and still has the file.
        let _ = self.held.unlock();
    }
}

fn io_error(folder: &SessionFolder, name: &str, source: io::Error) -> LockError {
    if Misplaced::caused(&source) {
        return LockError::Misplaced(source);
    }
    LockError::Io {
        file: folder.root().join(name),
        source,
    }
}

fn read(who: &mut File) -> Option<Driver> {
    let mut text = String::new();
    who.read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

// In place, since replacing the file would replace what others lock.
fn write(who: &mut File, driver: &Driver) -> io::Result<()> {
    let text = serde_json::to_string(driver)?;
    who.set_len(0)?;
    fault::writing(Point::DriverWritten, who, text.as_bytes())
}
