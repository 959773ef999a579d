//! The store for cold archives, `gapless/archive/` among the user's data: one folder for each session, with a manifest,
//! and the log of what was cleaned up.
//!
//! Invariant: who changes anything there holds the lock. An archive is in the manifest before it leaves the session's folder.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use gapless_domain::{ArchiveName, TextHash, Time};

use super::error::{ArchiveError, stands};
use super::manifest::{Entry, Manifest};
use super::session::{Archives, take_away};
use crate::durable::{self, Steps};
use crate::fault::{self, Point};

const STEPS: Steps = Steps {
    write: Point::ColdWritten,
    sync: Some(Point::ColdSynced),
    rename: Point::ColdNamed,
    sync_folder: Some(Point::ColdFolderSynced),
};

pub(super) const MILLIS_OF_A_DAY: u64 = 24 * 60 * 60 * 1000;

/// Where the user's data go by the XDG rules: `XDG_DATA_HOME` where it is an absolute path, else below the home folder.
pub fn data_home(xdg_data_home: Option<OsString>, home: Option<PathBuf>) -> Option<PathBuf> {
    let set = xdg_data_home
        .map(PathBuf::from)
        .filter(|path| path.is_absolute());
    set.or_else(|| Some(home?.join(".local").join("share")))
}

/// The store for cold archives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColdStore {
    root: PathBuf,
}

/// The session that archives come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    pub session: String,
    pub workspace: PathBuf,
    pub started_at: Time,
}

/// What the store has of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColdFolder {
    pub folder: PathBuf,
    pub manifest: Manifest,
}

/// What has just been done in moving an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MoveStep {
    /// A synced copy stands in the cold store.
    Copied,
    /// It was read back, and is equal.
    Verified,
    /// The manifest there has it.
    Recorded,
    /// The session's own manifest says where it went.
    Noted,
    Removed,
}

impl MoveStep {
    pub const ALL: [MoveStep; 5] = [
        MoveStep::Copied,
        MoveStep::Verified,
        MoveStep::Recorded,
        MoveStep::Noted,
        MoveStep::Removed,
    ];
}

/// What a cleaning up took away, or would.
#[derive(Debug, Default)]
pub struct CleanedUp {
    /// By session's folder.
    pub removed: Vec<(String, Entry)>,
    /// Past their time, and marked.
    pub marked: Vec<(String, Entry)>,
    pub problems: Vec<ArchiveError>,
}

impl ColdStore {
    /// The store below the folder for the user's data.
    pub fn below(data_home: &Path) -> Self {
        Self {
            root: data_home.join("gapless").join("archive"),
        }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of a session. Sessions of the same name in two workspaces, or one after the other in one, have their own.
    pub fn folder_of(&self, owner: &Owner) -> PathBuf {
        let workspace = owner.workspace.to_string_lossy();
        let key = TextHash::of(&format!("{workspace}\0{}", owner.started_at.0)).to_string();
        self.root.join(format!("{}-{}", owner.session, &key[..12]))
    }

    /// What the store has of a session.
    pub fn of(&self, owner: &Owner) -> Result<Option<ColdFolder>, ArchiveError> {
        let folder = self.folder_of(owner);
        let manifest = Manifest::read(&folder)?;
        Ok(manifest.map(|manifest| ColdFolder { folder, manifest }))
    }

    /// What the store has of every session, by folder; a manifest that can't be read is a problem of its own.
    pub fn all(&self) -> Result<(Vec<ColdFolder>, Vec<ArchiveError>), ArchiveError> {
        let failed = |error| ArchiveError::io(&self.root, "looking into it", error);
        let (mut folders, mut problems) = (Vec::new(), Vec::new());
        let entries = durable::found(fs::read_dir(&self.root)).map_err(failed)?;
        for entry in entries.into_iter().flatten() {
            let entry = entry.map_err(failed)?;
            if !entry.file_type().map_err(failed)?.is_dir() {
                continue;
            }
            let folder = entry.path();
            match Manifest::read(&folder) {
                Ok(Some(manifest)) => folders.push(ColdFolder { folder, manifest }),
                Ok(None) => {}
                Err(error) => problems.push(error),
            }
        }
        folders.sort_by(|a, b| a.folder.cmp(&b.folder));
        Ok((folders, problems))
    }

    /// Moves an archive of a session here. `after` is told each step, and may stop it there; called again, it goes on.
    pub fn take_in(
        &self,
        owner: &Owner,
        archives: &Archives,
        entry: Entry,
        now: Time,
        after: &mut dyn FnMut(MoveStep) -> ControlFlow<()>,
    ) -> Result<PathBuf, ArchiveError> {
        let mut after = |step| match after(step) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ArchiveError::Stopped),
        };
        let folder = self.folder_of(owner);
        let making = |error| ArchiveError::io(&folder, "making it", error);
        fault::doing(Point::ColdFolderMade, || make_private(&folder)).map_err(making)?;
        durable::sync_folder(&self.root).map_err(making)?;
        let _lock = self.lock()?;
        let (from, to) = (
            archives.file(entry.archive),
            folder.join(entry.archive.to_string()),
        );
        let read = |file: &Path| {
            fs::read(file).map_err(|error| ArchiveError::io(file, "reading it", error))
        };
        let bytes = read(&from)?;
        match stands(&to)? {
            true if read(&to)? != bytes => return Err(ArchiveError::Clash { file: to }),
            true => {}
            false => durable::put(&to, &bytes, &STEPS)
                .map_err(|error| ArchiveError::io(&to, "writing it", error))?,
        }
        after(MoveStep::Copied)?;
        let copied = fault::doing(Point::ColdVerified, || fs::read(&to))
            .map_err(|error| ArchiveError::io(&to, "reading it", error))?;
        if copied != bytes {
            return Err(ArchiveError::Unlike { file: to });
        }
        after(MoveStep::Verified)?;
        let mut manifest =
            Manifest::read(&folder)?.unwrap_or_else(|| Manifest::new(&owner.session));
        manifest.workspace = Some(owner.workspace.to_string_lossy().into_owned());
        // One that was recorded before a process was killed has its time, and may have been marked since.
        let recorded = manifest.entry(entry.archive);
        let entry = Entry {
            bytes: bytes.len() as u64,
            blake3: TextHash::of_bytes(&bytes),
            moved_at: recorded.and_then(|known| known.moved_at).or(Some(now)),
            keep: entry.keep || recorded.is_some_and(|known| known.keep),
            ..entry
        };
        manifest.put(entry.clone());
        manifest.write(&folder)?;
        after(MoveStep::Recorded)?;
        archives.note(entry)?;
        after(MoveStep::Noted)?;
        take_away(&from)?;
        after(MoveStep::Removed)?;
        Ok(to)
    }

    /// Marks an archive so that cleaning up leaves it, or takes the mark away.
    pub fn mark(
        &self,
        folder: &Path,
        archive: ArchiveName,
        keep: bool,
    ) -> Result<Entry, ArchiveError> {
        let _lock = self.lock()?;
        let unlisted = || ArchiveError::Unlisted {
            name: archive,
            folder: folder.to_owned(),
        };
        let mut manifest = Manifest::read(folder)?.ok_or_else(unlisted)?;
        let known = manifest.entry(archive).ok_or_else(unlisted)?;
        let entry = Entry {
            keep,
            ..known.clone()
        };
        manifest.put(entry.clone());
        manifest.write(folder)?;
        Ok(entry)
    }

    /// Removes what has been here for more than so many days and is not marked. A `rehearsal` removes nothing.
    pub fn clean_up(
        &self,
        now: Time,
        days: u32,
        rehearsal: bool,
    ) -> Result<CleanedUp, ArchiveError> {
        let _lock = match fs::exists(&self.root) {
            Ok(true) if !rehearsal => Some(self.lock()?),
            _ => None,
        };
        let (folders, problems) = self.all()?;
        let mut result = CleanedUp {
            problems,
            ..CleanedUp::default()
        };
        for cold in folders {
            let key = cold.folder.file_name().unwrap_or_default();
            let key = key.to_string_lossy().into_owned();
            let is_past = |entry: &Entry| {
                let longest = u64::from(days) * MILLIS_OF_A_DAY;
                entry
                    .moved_at
                    .is_some_and(|moved| now.millis_since(moved) > longest)
            };
            let past = cold.manifest.archives.clone();
            let mut manifest = cold.manifest;
            for entry in past.into_iter().filter(is_past) {
                if entry.keep {
                    result.marked.push((key.clone(), entry));
                    continue;
                }
                if !rehearsal {
                    let file = cold.folder.join(entry.archive.to_string());
                    let noted = take_away(&file).and_then(|()| {
                        self.note_removed(&cold.folder, &mut manifest, &key, &entry, now)
                            .map_err(|problem| ArchiveError::Unnoted {
                                file,
                                problem: Box::new(problem),
                            })
                    });
                    if let Err(problem) = noted {
                        result.problems.push(problem);
                        continue;
                    }
                }
                result.removed.push((key.clone(), entry));
            }
        }
        Ok(result)
    }

    /// Notes what was removed, in the log and in the manifest.
    fn note_removed(
        &self,
        folder: &Path,
        manifest: &mut Manifest,
        key: &str,
        entry: &Entry,
        now: Time,
    ) -> Result<(), ArchiveError> {
        self.log(key, entry, now)?;
        manifest
            .archives
            .retain(|known| known.archive != entry.archive);
        if !manifest.archives.is_empty() {
            return manifest.write(folder);
        }
        Manifest::remove(folder)?;
        // One that holds something else stays.
        let _ = fs::remove_dir(folder);
        Ok(())
    }

    fn log(&self, key: &str, entry: &Entry, now: Time) -> Result<(), ArchiveError> {
        let file = self.root.join("cleanup.log");
        let since = entry.moved_at.map_or(String::new(), |at| at.to_string());
        let removed = format!(
            "removed {key}/{} ({} bytes, blake3 {}), here since {since}\n",
            entry.archive, entry.bytes, entry.blake3
        );
        let append = || {
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).truncate(false);
            let mut log = options.open(&file)?;
            let mut lines = Vec::new();
            log.read_to_end(&mut lines)?;
            // Half a line is what a killed process left; and it may have left a whole one, and not come to what follows.
            let whole = lines.iter().rposition(|byte| *byte == b'\n');
            lines.truncate(whole.map_or(0, |end| end + 1));
            let mut known = lines.split_inclusive(|byte| *byte == b'\n');
            if known.any(|line| line.ends_with(removed.as_bytes())) {
                return Ok(());
            }
            log.set_len(lines.len() as u64)?;
            log.seek(SeekFrom::End(0))?;
            fault::writing(
                Point::CleanupLogged,
                &mut log,
                format!("{now} {removed}").as_bytes(),
            )?;
            log.sync_all()
        };
        append().map_err(|error| ArchiveError::io(&file, "writing it", error))
    }

    /// Waits for whoever changes something here.
    fn lock(&self) -> Result<File, ArchiveError> {
        let file = self.root.join(".lock");
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let locked = options.open(&file).and_then(|lock| {
            fault::doing(Point::ColdLocked, || lock.lock())?;
            Ok(lock)
        });
        locked.map_err(|error| ArchiveError::io(&file, "locking it", error))
    }
}

/// Makes a folder that only the user can look into, as the XDG rules want it.
fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

impl ColdFolder {
    pub fn file(&self, archive: ArchiveName) -> PathBuf {
        self.folder.join(archive.to_string())
    }
}
