//! The archives in a session's folder: which there are, which are marked, and looking into one.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use gapless_domain::{ArchiveName, Time};

use super::contents::Contents;
use super::error::{ArchiveError, stands};
use super::manifest::{Entry, Manifest};
use super::read::Opened;
use crate::beneath::is_regular_or_absent;
use crate::durable;
use crate::fault::{self, Point};
use crate::folder::SessionFolder;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archives {
    owner: SessionFolder,
    folder: PathBuf,
    session: String,
}

/// An archive that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub file: PathBuf,
    pub entry: Entry,
}

/// Archives that were put somewhere, to be taken back where what follows fails.
#[derive(Debug, Default)]
pub struct Placed {
    files: Vec<PathBuf>,
    manifest: Option<PathBuf>,
    folder: Option<PathBuf>,
}

impl Placed {
    /// What can't be taken away again is in nobody's way: the same archives may be put there once more.
    pub fn take_back(&self) {
        for file in &self.files {
            let _ = fs::remove_file(file);
        }
        if let Some(folder) = &self.manifest {
            let _ = Manifest::remove(folder);
        }
        if let Some(folder) = &self.folder {
            let _ = fs::remove_dir(folder);
        }
    }
}

impl Archives {
    pub fn of(folder: &SessionFolder) -> Self {
        let session = folder.root().file_name().unwrap_or_default();
        Self {
            owner: folder.clone(),
            folder: folder.root().join("archives"),
            session: session.to_string_lossy().into_owned(),
        }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn file(&self, archive: ArchiveName) -> PathBuf {
        self.folder.join(archive.to_string())
    }

    /// Fails if the folder of the archives is reached through a link.
    pub(super) fn check(&self) -> Result<(), ArchiveError> {
        self.owner
            .check("archives")
            .map_err(|error| ArchiveError::io(&self.folder, "opening it", error))
    }

    pub(super) fn manifest(&self) -> Result<Manifest, ArchiveError> {
        self.check()?;
        let manifest = Manifest::read(&self.folder)?;
        Ok(manifest.unwrap_or_else(|| Manifest::new(&self.session)))
    }

    /// The archives that are there, by round and attempt.
    pub fn list(&self) -> Result<Vec<Found>, ArchiveError> {
        let manifest = self.manifest()?;
        let mut found = Vec::new();
        for archive in names_in(&self.folder)? {
            let file = self.file(archive);
            let known = manifest.entry(archive);
            let entry = Entry {
                keep: known.is_some_and(|entry| entry.keep),
                ..Entry::of(archive, &file)?
            };
            found.push(Found { file, entry });
        }
        Ok(found)
    }

    /// Marks an archive so that nothing but the user's own hand removes it, or takes the mark away.
    pub fn mark(&self, archive: ArchiveName, keep: bool) -> Result<Entry, ArchiveError> {
        self.check()?;
        let entry = Entry {
            keep,
            ..Entry::of(archive, &self.file(archive))?
        };
        self.note(entry.clone())?;
        Ok(entry)
    }

    /// Removes an archive for good; that it was meant is on disk before.
    pub(super) fn delete(&self, entry: Entry, now: Time) -> Result<(), ArchiveError> {
        let file = self.file(entry.archive);
        self.note(Entry {
            deleted_at: Some(now),
            ..entry
        })?;
        take_away(&file)
    }

    /// What was done with archives on purpose.
    pub fn marks(&self) -> Result<Vec<Entry>, ArchiveError> {
        Ok(self.manifest()?.archives)
    }

    /// Puts archives from elsewhere into a folder that has none, or the same.
    pub fn place(
        &self,
        archives: &BTreeMap<ArchiveName, Vec<u8>>,
        marks: &[Entry],
    ) -> Result<Placed, ArchiveError> {
        let mut placed = Placed::default();
        if archives.is_empty() && marks.is_empty() {
            return Ok(placed);
        }
        self.check()?;
        let fresh = !stands(&self.folder)?;
        let mut put = || {
            fs::create_dir_all(&self.folder)
                .map_err(|error| ArchiveError::io(&self.folder, "making it", error))?;
            for (archive, bytes) in archives {
                let file = self.file(*archive);
                let there = is_regular_or_absent(&file)
                    .and_then(|()| durable::found(fs::read(&file)))
                    .map_err(|error| ArchiveError::io(&file, "reading it", error))?;
                match there {
                    Some(there) if there == *bytes => continue,
                    Some(_) => return Err(ArchiveError::Clash { file }),
                    None => {}
                }
                durable::put(&file, bytes, &durable::PLACED)
                    .map_err(|error| ArchiveError::io(&file, "writing it", error))?;
                placed.files.push(file);
            }
            if marks.is_empty() {
                return Ok(());
            }
            let mut manifest = self.manifest()?;
            for entry in marks {
                manifest.put(entry.clone());
            }
            manifest.write(&self.folder)?;
            placed.manifest = fresh.then(|| self.folder.clone());
            Ok(())
        };
        let result = put();
        if fresh {
            placed.folder = Some(self.folder.clone());
        }
        match result {
            Ok(()) => Ok(placed),
            Err(error) => {
                placed.take_back();
                Err(error)
            }
        }
    }

    /// Puts down what becomes of an archive.
    pub(super) fn note(&self, entry: Entry) -> Result<(), ArchiveError> {
        let mut manifest = self.manifest()?;
        manifest.put(entry);
        manifest.write(&self.folder)
    }
}

/// Removes an archive's file.
pub(super) fn take_away(file: &Path) -> Result<(), ArchiveError> {
    fault::doing(Point::ArchiveRemoved, || durable::remove(file))
        .and_then(|()| fault::doing(Point::ArchiveRemovalSynced, || durable::sync_parent(file)))
        .map_err(|error| ArchiveError::io(file, "removing it", error))
}

/// The names of the archives in a folder, in order; none where there is no such folder.
pub(super) fn names_in(folder: &Path) -> Result<Vec<ArchiveName>, ArchiveError> {
    let failed = |error| ArchiveError::io(folder, "looking into it", error);
    let entries = durable::found(fs::read_dir(folder)).map_err(failed)?;
    let mut names = Vec::new();
    for entry in entries.into_iter().flatten() {
        let entry = entry.map_err(failed)?;
        let is_file = entry.file_type().map_err(failed)?.is_file();
        let name = entry.file_name().to_string_lossy().parse::<ArchiveName>();
        // A name without its ending is the folder that an archive is made of.
        if let Ok(name) = name
            && is_file
            && entry.file_name() == *name.to_string()
        {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

impl Opened {
    /// Unpacks into a folder that is made for it; where that fails there is none.
    pub fn unpack(&self, into: &Path) -> Result<(), ArchiveError> {
        if stands(into)? {
            return Err(ArchiveError::InTheWay {
                folder: into.to_owned(),
            });
        }
        // A folder under its own name is whole.
        let partial = durable::temporary(into);
        let making = |error| ArchiveError::io(into, "making it", error);
        match fs::remove_dir_all(&partial) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(making(error)),
            _ => fs::create_dir(&partial).map_err(making)?,
        }
        unpack_into(&self.contents, &partial)
            .and_then(|()| {
                fault::doing(Point::RestoredNamed, || fs::rename(&partial, into)).map_err(making)
            })
            .inspect_err(|_| drop(fs::remove_dir_all(&partial)))
    }
}

fn unpack_into(contents: &Contents, into: &Path) -> Result<(), ArchiveError> {
    for (name, bytes) in contents {
        // The names were checked when they were read; this is what they mean on this system.
        let inside = Path::new(name)
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_)));
        let file = into.join(name);
        let write = || {
            if !inside {
                return Err(io::ErrorKind::InvalidFilename.into());
            }
            fs::create_dir_all(file.parent().unwrap_or(into))?;
            fault::writing(
                Point::RestoredWritten,
                &mut fs::File::create_new(&file)?,
                bytes,
            )
        };
        write().map_err(|error| ArchiveError::io(&file, "writing it", error))?;
    }
    Ok(())
}
