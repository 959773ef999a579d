//! Putting a new database in place of a damaged one, which is kept as it is in a folder of its own.
//!
//! Invariant: the new one is whole before anything is moved, and the damaged one is moved before the new one gets its name. A
//! process that is killed in between leaves no database, and the next repair goes on from there.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::SqliteStore;
use crate::durable;
use crate::error::StoreError;
use crate::fault::{self, Point};

/// A database that is made to replace a damaged one.
#[derive(Debug)]
pub struct Repair {
    damaged: PathBuf,
    made: PathBuf,
}

impl Repair {
    pub fn of(database: &Path) -> Self {
        let mut made = database.as_os_str().to_owned();
        made.push(".repaired");
        Self {
            damaged: database.to_owned(),
            made: made.into(),
        }
    }

    /// True where an earlier repair was cut off after the damaged database was moved away.
    pub fn is_under_way(&self) -> bool {
        !self.damaged.exists() && self.made.exists()
    }

    /// Makes the new database, to be filled and dropped before [`Self::finish`].
    pub fn begin(&self) -> Result<SqliteStore, StoreError> {
        let failed = |error: io::Error| StoreError::CannotOpen {
            file: self.made.clone(),
            why: error.to_string(),
        };
        // What an earlier one left that was cut off.
        for file in beside(&self.made).map_err(failed)? {
            durable::remove(&file).map_err(failed)?;
        }
        SqliteStore::open(&self.made)
    }

    /// Moves the damaged database into a folder of its own, says which, and puts the new one in its place.
    pub fn finish(&self) -> io::Result<PathBuf> {
        let folder = self.damaged.parent().unwrap_or(Path::new("."));
        let kept = match self.damaged.exists() {
            true => made_anew(folder)?,
            false => nth(folder, count(folder).max(1)),
        };
        // The database first: without it nobody takes the others for those of another.
        for file in beside(&self.damaged)? {
            let to = kept.join(file.file_name().unwrap_or_default());
            // One that is there is the damaged one's, and this is the new one's.
            if !to.exists() {
                fault::doing(Point::DamagedKept, || fs::rename(&file, &to))?;
            }
        }
        let mut made = beside(&self.made)?;
        made.reverse();
        for file in made {
            let to = self.place_of(&file);
            fault::doing(Point::RepairedNamed, || fs::rename(&file, &to))?;
        }
        if let Ok(folder) = File::open(folder) {
            let _ = folder.sync_all();
        }
        Ok(kept)
    }

    /// Where a file of the new database goes.
    fn place_of(&self, file: &Path) -> PathBuf {
        let name = |file: &Path| {
            file.file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        };
        let name_of_made = name(&self.made);
        let ending = name(file);
        let ending = ending.strip_prefix(&name_of_made).unwrap_or_default();
        let mut place = self.damaged.as_os_str().to_owned();
        place.push(ending);
        place.into()
    }
}

/// A database and the files that belong to it, itself first.
fn beside(database: &Path) -> io::Result<Vec<PathBuf>> {
    let name: OsString = database.file_name().unwrap_or_default().to_owned();
    let folder = database.parent().unwrap_or(Path::new("."));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let entry_name = entry.file_name();
        let ending = entry_name
            .as_encoded_bytes()
            .strip_prefix(name.as_encoded_bytes());
        if ending.is_some_and(|ending| ending.is_empty() || ending[0] == b'-') {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

fn nth(folder: &Path, nth: u32) -> PathBuf {
    folder.join(format!("damaged-{nth}"))
}

/// How many databases were set aside before.
fn count(folder: &Path) -> u32 {
    let mut count = 0;
    while fs::symlink_metadata(nth(folder, count + 1)).is_ok() {
        count += 1;
    }
    count
}

fn made_anew(folder: &Path) -> io::Result<PathBuf> {
    let last = nth(folder, count(folder));
    // What a repair left that failed before anything was moved.
    if fs::read_dir(&last).is_ok_and(|mut entries| entries.next().is_none()) {
        return Ok(last);
    }
    let kept = nth(folder, count(folder) + 1);
    fs::create_dir(&kept)?;
    Ok(kept)
}
