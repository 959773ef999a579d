//! Giving one file of the session folder its new content: by write-and-rename, unsynced, and never over something
//! that a person wrote.
//!
//! Invariant: an edit stands under a name of its own before the file is replaced, and no kept edit is ever overwritten.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use gapless_domain::TextHash;

use crate::archive::ArchiveError;
use crate::beneath::{Held, Misplaced};
use crate::durable::{self, Steps};
use crate::fault::{self, Point};
use crate::folder::SessionFolder;

/// Unsynced: the log has the content.
const STEPS: Steps = Steps {
    write: Point::DocumentWritten,
    sync: None,
    rename: Point::DocumentNamed,
    sync_folder: None,
};

const COPY_STEPS: Steps = Steps {
    write: Point::EditCopied,
    sync: None,
    rename: Point::EditNamed,
    sync_folder: None,
};

const EDITED: &str = ".edited";

/// A file had a content that gapless never gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    pub path: String,
    /// Where the edit is kept, relative to the session folder.
    pub kept_as: String,
}

impl Edited {
    /// Every edit that is kept in a session's folder, whoever kept it.
    pub fn all_in(folder: &SessionFolder) -> io::Result<Vec<Self>> {
        folder.check("")?;
        let mut all = Vec::new();
        let mut waiting = vec![(folder.root().to_owned(), String::new())];
        while let Some((folder, prefix)) = waiting.pop() {
            for entry in fs::read_dir(folder)? {
                let entry = entry?;
                let name = entry.file_name().to_string_lossy().into_owned();
                let kind = entry.file_type()?;
                // What is among the archives was said before the round was undone, or is said by them.
                if kind.is_dir() && name != "archives" {
                    waiting.push((entry.path(), format!("{prefix}{name}/")));
                } else if kind.is_file()
                    && let Some(original) = original_name(&name)
                {
                    all.push(Self {
                        path: format!("{prefix}{original}"),
                        kept_as: format!("{prefix}{name}"),
                    });
                }
            }
        }
        all.sort_by(|a, b| a.kept_as.cmp(&b.kept_as));
        Ok(all)
    }
}

/// The name of the file that an edit was kept of: `status.md` for `status.edited.md` and `status.edited-2.md`.
fn original_name(kept: &str) -> Option<String> {
    let (stem, extension) = match kept.rsplit_once('.') {
        Some((stem, extension)) if stem.contains(EDITED) => (stem, format!(".{extension}")),
        _ => (kept, String::new()),
    };
    let (stem, number) = stem.rsplit_once(EDITED)?;
    let digits = number.strip_prefix('-').unwrap_or(number);
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    // One that begins with a dot is still being written.
    (is_number && !stem.is_empty() && !stem.starts_with('.')).then(|| format!("{stem}{extension}"))
}

/// A file that didn't get its content; the log still has it.
#[derive(Debug, thiserror::Error)]
pub enum ProjectionError {
    #[error("`{path}` is no path inside the session folder")]
    OutsideFolder { path: String },
    #[error("`{path}` is not written: {source}")]
    Misplaced { path: String, source: io::Error },
    #[error("{} can't be replaced: a folder or a device stands there", file.display())]
    NotAFile { path: String, file: PathBuf },
    #[error("{} can't be written: the disk is full", file.display())]
    DiskFull { path: String, file: PathBuf },
    #[error("{} can't be written: no permission, or the disk is read-only", file.display())]
    Denied { path: String, file: PathBuf },
    #[error("{}: {doing} failed: {source}", file.display())]
    Io {
        path: String,
        file: PathBuf,
        doing: &'static str,
        source: io::Error,
    },
    #[error("an undone round is not archived: {source}")]
    Archive { path: String, source: ArchiveError },
    #[error("`{path}` is not written: the folder of the undone round stands there still")]
    InTheWay { path: String },
    #[error(
        "the thread that writes the session folder is gone, and what waited for it is not written"
    )]
    Stopped,
}

impl ProjectionError {
    /// The path that was asked for, relative to the session folder; `None` where it concerns all of them.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::OutsideFolder { path }
            | Self::Misplaced { path, .. }
            | Self::NotAFile { path, .. }
            | Self::DiskFull { path, .. }
            | Self::Denied { path, .. }
            | Self::Io { path, .. }
            | Self::Archive { path, .. }
            | Self::InTheWay { path } => Some(path),
            Self::Stopped => None,
        }
    }
}

/// What stands at a path before it is replaced.
pub(crate) enum Found {
    /// The new content itself.
    Same,
    /// Nothing, a link, or a content that gapless gave the file.
    Ours,
    Edit(Vec<u8>),
}

/// One file of the folder, about to be replaced.
pub(crate) struct Target<'a> {
    session: &'a SessionFolder,
    path: &'a str,
    /// For messages.
    file: PathBuf,
    /// The folder that the file is in, relative to the session's.
    folder: &'a str,
    name: &'a str,
}

impl<'a> Target<'a> {
    pub fn new(session: &'a SessionFolder, path: &'a str) -> Result<Self, ProjectionError> {
        let outside = || ProjectionError::OutsideFolder {
            path: path.to_owned(),
        };
        let file = session.file(path).ok_or_else(outside)?;
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        Ok(Self {
            session,
            path,
            file,
            folder,
            name,
        })
    }

    /// The folder that the file is in; `None` where it is missing.
    fn held(&self) -> Result<Option<Held>, ProjectionError> {
        durable::found(self.session.open(self.folder))
            .map_err(|error| self.failed("opening its folder", error))
    }

    pub fn inspect(
        &self,
        content: &str,
        legitimate: &[TextHash],
    ) -> Result<Found, ProjectionError> {
        let Some(held) = self.held()? else {
            return Ok(Found::Ours);
        };
        let at = held.at(Path::new(self.name));
        let metadata = durable::found(fs::symlink_metadata(&at))
            .map_err(|error| self.failed("looking at what stands there", error))?;
        let Some(kind) = metadata.map(|metadata| metadata.file_type()) else {
            return Ok(Found::Ours);
        };
        // What a link points to isn't ours to read or replace; the link itself gives way.
        if kind.is_symlink() {
            return Ok(Found::Ours);
        }
        // Reading a device or a pipe may never end.
        if !kind.is_file() {
            return Err(ProjectionError::NotAFile {
                path: self.path.to_owned(),
                file: self.file.clone(),
            });
        }
        let found =
            fs::read(&at).map_err(|error| self.failed("reading what stands there", error))?;
        Ok(if found == content.as_bytes() {
            Found::Same
        } else if legitimate.contains(&TextHash::of_bytes(&found)) {
            Found::Ours
        } else {
            Found::Edit(found)
        })
    }

    /// Keeps an edit beside the file, under the first name that is free or already keeps the same.
    pub fn keep_aside(&self, edit: &[u8]) -> Result<Edited, ProjectionError> {
        let making = |error| self.failed("opening its folder", error);
        let held = self.session.open(self.folder).map_err(making)?;
        let path = Path::new(self.name);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let extension = path
            .extension()
            .map(|e| format!(".{}", e.to_string_lossy()))
            .unwrap_or_default();
        let mut nth = 1_u32;
        loop {
            let number = match nth {
                1 => String::new(),
                nth => format!("-{nth}"),
            };
            let name = format!("{stem}{EDITED}{number}{extension}");
            let kept = held.at(Path::new(&name));
            match keep_as(&held.at(path), &kept, edit) {
                Ok(()) => {
                    let kept_as = match self.path.rsplit_once('/') {
                        Some((folder, _)) => format!("{folder}/{name}"),
                        None => name,
                    };
                    return Ok(Edited {
                        path: self.path.to_owned(),
                        kept_as,
                    });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => {
                    return Err(self.failed("keeping the edit that was found there", error));
                }
            }
            nth += 1;
        }
    }

    pub fn put(&self, content: &str) -> Result<(), ProjectionError> {
        // One name beside it is enough, since one process drives a session: what a crash left there is written over.
        let held = match self.held()? {
            Some(held) => held,
            None => fault::doing(Point::DocumentFolder, || self.session.make(self.folder))
                .map_err(|error| self.failed("making its folder", error))?,
        };
        let at = held.at(Path::new(self.name));
        durable::put(&at, content.as_bytes(), &STEPS)
            .map_err(|error| self.failed("writing it", error))
    }

    pub fn remove(&self) -> Result<(), ProjectionError> {
        let Some(held) = self.held()? else {
            return Ok(());
        };
        let at = held.at(Path::new(self.name));
        fault::doing(Point::DocumentRemoved, || durable::remove(&at))
            .map_err(|error| self.failed("removing it", error))
    }

    fn failed(&self, doing: &'static str, source: io::Error) -> ProjectionError {
        let path = self.path.to_owned();
        let file = self.file.clone();
        if Misplaced::caused(&source) {
            return ProjectionError::Misplaced { path, source };
        }
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                ProjectionError::DiskFull { path, file }
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                ProjectionError::Denied { path, file }
            }
            _ => ProjectionError::Io {
                path,
                file,
                doing,
                source,
            },
        }
    }
}

fn keep_as(file: &Path, kept: &Path, edit: &[u8]) -> io::Result<()> {
    durable::keep_as(Point::EditLinked, file, kept, edit, || {
        durable::put(kept, edit, &COPY_STEPS)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_known_by_their_names() {
        let of = |name| original_name(name);
        assert_eq!(of("status.edited.md").as_deref(), Some("status.md"));
        assert_eq!(of("status.edited-12.md").as_deref(), Some("status.md"));
        assert_eq!(of("notes.edited").as_deref(), Some("notes"));
        for other in [
            "status.md",
            "edited.md",
            ".edited.md",
            ".status.edited.md.new",
            "a.edited-b.md",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
