//! Turning the folder of an undone round into its archive, and making up for a process that was killed while it did.
//!
//! The folder is moved aside first, so that from then on the round can be run anew; the archive is built of what was moved,
//! read back from the disk, and only then does the folder go. [`settle`] can be called again at any time and goes on from
//! what it finds.

use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use gapless_domain::{ArchiveName, Time, round_folder};

use super::contents::{Contents, read_folder, sweep, walk};
use super::error::{ArchiveError, stands};
use super::limits::LIMITS;
use super::pack::pack;
use super::read::Opened;
use super::session::Archives;
use crate::document::Document;
use crate::durable;
use crate::fault::{self, Point};
use crate::folder::SessionFolder;

/// A round that was rolled back, and all that its archive is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undone {
    pub archive: ArchiveName,
    pub at: Time,
    /// What the log has of the round, by the paths in the session's folder: for what is not in the folder.
    pub documents: Vec<Document>,
    /// What the log has of the same round as it was run again: a folder that holds any of this is not the undone round's.
    pub later: Vec<Document>,
    /// Files that go into the archive beside the folder.
    pub beside: Vec<(String, Arc<str>)>,
}

impl Undone {
    /// True for a file of the round's folder.
    pub fn owns(&self, path: &str) -> bool {
        let folder = round_folder(self.archive.round);
        path.strip_prefix(&folder)
            .is_some_and(|rest| rest.starts_with('/'))
    }
}

/// What has just been done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// The round's folder stands among the archives.
    MovedAside,
    /// The archive stands under another name.
    Written,
    Synced,
    /// It was read back, and holds what it should.
    Verified,
    Named,
    FolderSynced,
    /// What is in the archive is gone from the folder, and so is the folder.
    Swept,
}

impl Step {
    pub const ALL: [Step; 7] = [
        Step::MovedAside,
        Step::Written,
        Step::Synced,
        Step::Verified,
        Step::Named,
        Step::FolderSynced,
        Step::Swept,
    ];
}

/// Makes the archive of an undone round, if that is still to be done. `after` is told each step, and may stop it there.
pub fn settle(
    folder: &SessionFolder,
    undone: &Undone,
    after: &mut dyn FnMut(Step) -> ControlFlow<()>,
) -> Result<(), ArchiveError> {
    Place::of(folder, undone).settle(&mut |step| match after(step) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(ArchiveError::Stopped),
    })
}

/// True where the folder of an undone round stands where the round will be run again, and nothing of it is archived.
pub(crate) fn is_in_the_way(folder: &SessionFolder, undone: &Undone) -> bool {
    let place = Place::of(folder, undone);
    let is_there = |path: &PathBuf| stands(path).unwrap_or(true);
    is_there(&place.round)
        && !place.is_later()
        && fs::symlink_metadata(&place.aside).is_err()
        && fs::symlink_metadata(&place.file).is_err()
}

type After<'a> = &'a mut dyn FnMut(Step) -> Result<(), ArchiveError>;

struct Place<'a> {
    undone: &'a Undone,
    archives: Archives,
    /// The folder of the round, which may be that of a later run.
    round: PathBuf,
    /// Where the folder of the undone round stands until its archive is made.
    aside: PathBuf,
    file: PathBuf,
}

impl<'a> Place<'a> {
    fn of(folder: &SessionFolder, undone: &'a Undone) -> Self {
        let archives = Archives::of(folder);
        Self {
            round: folder.root().join(round_folder(undone.archive.round)),
            aside: archives.folder().join(undone.archive.stem()),
            file: archives.file(undone.archive),
            archives,
            undone,
        }
    }

    fn settle(&self, after: After<'_>) -> Result<(), ArchiveError> {
        self.archives.check()?;
        let temporary = durable::temporary(&self.file);
        durable::remove(&temporary)
            .map_err(|error| ArchiveError::io(&temporary, "removing it", error))?;
        let mut is_aside = stands(&self.aside)?;
        if stands(&self.file)? {
            if !is_aside {
                return Ok(());
            }
            match Opened::read(&self.file) {
                Ok(opened) => return self.sweep(&opened.contents, after),
                Err(ArchiveError::Unreadable { .. }) => self.set_damaged_aside()?,
                Err(error) => return Err(error),
            }
        } else if self.was_taken_away()? {
            // Before anything is looked at: what stands there may be the same to the byte when the round was run again.
            return match is_aside {
                true => self.sweep(&Contents::new(), after),
                false => Ok(()),
            };
        } else if !is_aside {
            is_aside = self.move_aside()?;
            if is_aside {
                after(Step::MovedAside)?;
            }
        }
        self.remove_half_written()?;
        let contents = self.contents()?;
        self.build(&contents, after).inspect_err(|error| {
            // One that was killed leaves it; it is removed when the archive is made again.
            if !matches!(error, ArchiveError::Stopped) {
                let _ = fs::remove_file(&temporary);
            }
        })?;
        match is_aside {
            true => self.sweep(&contents, after),
            false => Ok(()),
        }
    }

    /// Moves the round's folder among the archives; false where there is none that is the undone round's.
    fn move_aside(&self) -> Result<bool, ArchiveError> {
        if !stands(&self.round)? || self.is_later() {
            return Ok(false);
        }
        let moved = fs::create_dir_all(self.archives.folder())
            .and_then(|()| fault::doing(Point::RoundMoved, || fs::rename(&self.round, &self.aside)))
            .and_then(|()| {
                fault::doing(Point::RoundMoveSynced, || {
                    durable::sync_parent(&self.round)?;
                    durable::sync_parent(&self.aside)
                })
            });
        moved.map_err(|error| ArchiveError::io(&self.round, "moving it to the archives", error))?;
        Ok(true)
    }

    /// True where the round's folder holds something that only a later run of the round can have written.
    fn is_later(&self) -> bool {
        let root = self.round.parent().unwrap_or(&self.round);
        let mut later = self.undone.later.iter();
        let is_same = |document: &Document| {
            let mut ours = self.undone.documents.iter();
            ours.any(|our| our.path() == document.path() && our.content() == document.content())
        };
        let stands = |document: &Document| {
            let file = root.join(document.path());
            // Reading a device or a pipe may never end.
            let is_file = fs::symlink_metadata(&file).is_ok_and(|found| found.is_file());
            is_file && fs::read(&file).is_ok_and(|found| found == document.content().as_bytes())
        };
        later.any(|document| !is_same(document) && stands(document))
    }

    fn was_taken_away(&self) -> Result<bool, ArchiveError> {
        let manifest = self.archives.manifest()?;
        let entry = manifest.entry(self.undone.archive);
        Ok(entry.is_some_and(|entry| entry.is_gone()))
    }

    /// A damaged archive may be all that is left of something: it keeps its bytes under another name.
    fn set_damaged_aside(&self) -> Result<(), ArchiveError> {
        let named = |nth: u32| {
            let ending = match nth {
                1 => "damaged".to_owned(),
                nth => format!("damaged-{nth}"),
            };
            self.file
                .with_file_name(format!("{}.{ending}", self.undone.archive))
        };
        let mut nth = 1;
        while stands(&named(nth))? {
            nth += 1;
        }
        fault::doing(Point::DamagedSetAside, || {
            fs::rename(&self.file, named(nth))
        })
        .map_err(|error| ArchiveError::io(&self.file, "setting it aside", error))
    }

    /// Removes what a killed process wrote under another name and never gave its own: the log has it.
    fn remove_half_written(&self) -> Result<(), ArchiveError> {
        let root = round_folder(self.undone.archive.round) + "/";
        let mut documents = self.undone.documents.iter().chain(&self.undone.later);
        documents.try_for_each(|document| {
            let Some(path) = document.path().strip_prefix(&root) else {
                return Ok(());
            };
            let file = durable::temporary(&self.aside.join(path));
            durable::remove(&file).map_err(|error| ArchiveError::io(&file, "removing it", error))
        })
    }

    /// What the archive is to hold: what the folder held, what the log has beside that, and what is said of it.
    fn contents(&self) -> Result<Contents, ArchiveError> {
        let folder = round_folder(self.undone.archive.round);
        let mut contents = read_folder(&self.aside, &folder, &LIMITS)?;
        let of_log = self
            .undone
            .documents
            .iter()
            .map(|document| (document.path(), document.content()));
        let beside = self.undone.beside.iter();
        for (name, text) in of_log.chain(beside.map(|(name, text)| (name.as_str(), text))) {
            contents
                .entry(name.to_owned())
                .or_insert_with(|| text.as_bytes().to_vec());
        }
        Ok(contents)
    }

    fn build(&self, contents: &Contents, after: After<'_>) -> Result<(), ArchiveError> {
        let writing = |error| ArchiveError::io(&self.file, "writing it", error);
        let temporary = durable::temporary(&self.file);
        fs::create_dir_all(self.archives.folder()).map_err(writing)?;
        let bytes = pack(contents, self.undone.at).map_err(writing)?;
        let mut new = File::create_new(&temporary).map_err(writing)?;
        fault::writing(Point::ArchiveWritten, &mut new, &bytes).map_err(writing)?;
        after(Step::Written)?;
        fault::doing(Point::ArchiveSynced, || new.sync_all()).map_err(writing)?;
        after(Step::Synced)?;
        fault::doing(Point::ArchiveVerified, || Ok(())).map_err(writing)?;
        if Opened::read(&temporary)?.contents != *contents {
            return Err(ArchiveError::Unlike { file: temporary });
        }
        after(Step::Verified)?;
        fault::doing(Point::ArchiveNamed, || fs::rename(&temporary, &self.file))
            .map_err(writing)?;
        after(Step::Named)?;
        fault::doing(Point::ArchiveFolderSynced, || {
            durable::sync_parent(&self.file)
        })
        .map_err(writing)?;
        after(Step::FolderSynced)
    }

    fn sweep(&self, archived: &Contents, after: After<'_>) -> Result<(), ArchiveError> {
        let folder = round_folder(self.undone.archive.round);
        sweep(&self.aside, &folder, archived)?;
        after(Step::Swept)?;
        let (left, folders) = walk(&self.aside)?;
        match left.is_empty() && folders.is_empty() {
            true => Ok(()),
            false => Err(ArchiveError::LeftOver {
                folder: self.aside.clone(),
            }),
        }
    }
}
