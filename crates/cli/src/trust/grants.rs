//! What the user allowed a workspace to do: one file for each workspace in the user's own state folder.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use gapless_domain::TextHash;
use serde::{Deserialize, Serialize};

use super::claim::Claim;
use crate::files::brought;
use crate::state_folder::state_folder;
use crate::{Failure, Kind, Result, Workspace};

const VERSION: u32 = 1;

/// The grants of one workspace.
pub(crate) struct Grants {
    file: PathBuf,
    stored: Stored,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Stored {
    version: u32,
    workspace: PathBuf,
    granted: Vec<Granted>,
}

/// A claim that was allowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Granted {
    hash: TextHash,
    what: String,
    place: String,
}

impl Grants {
    pub(crate) fn of(workspace: &Workspace) -> Result<Self> {
        let root = workspace.root();
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let folder = folder_of_grants()?;
        let key = TextHash::of(&root.to_string_lossy()).to_string();
        let file = folder.join(format!("{key}.json"));
        let stored = match file.symlink_metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => Stored::default(),
            _ => {
                let text = brought::read(&file, &folder, Kind::Trust)?;
                let stored: Stored = serde_json::from_str(&text).map_err(|error| {
                    let message = format!("{} can't be read: {error}", file.display());
                    Failure::new(Kind::Trust, message)
                        .hint("delete it: the workspace asks for trust again")
                })?;
                stored
            }
        };
        // Two paths with one hash are not expected; a file that was copied here is.
        let stored = match stored.workspace == root {
            true => stored,
            false => Stored {
                version: VERSION,
                workspace: root,
                granted: Vec::new(),
            },
        };
        Ok(Self { file, stored })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.stored.granted.is_empty()
    }

    pub(crate) fn has(&self, claim: &Claim) -> bool {
        let mut granted = self.stored.granted.iter();
        granted.any(|granted| granted.hash == claim.hash())
    }

    /// What was allowed at the place of a claim before, if that was something else.
    pub(crate) fn before(&self, claim: &Claim) -> Option<&str> {
        let granted = self.stored.granted.iter().rev();
        let mut there = granted.filter(|granted| granted.place == claim.place());
        there.next().map(|granted| granted.what.as_str())
    }

    /// Allows claims, and writes that down.
    pub(crate) fn add(&mut self, claims: &[Claim]) -> Result<()> {
        let mut changed = false;
        for claim in claims {
            if !self.has(claim) {
                changed = true;
                self.stored.granted.push(Granted {
                    hash: claim.hash(),
                    what: claim.what().to_owned(),
                    place: claim.place().to_owned(),
                });
            }
        }
        match changed {
            true => self.save().map_err(|error| self.unwritable(&error)),
            false => Ok(()),
        }
    }

    /// Takes everything back.
    pub(crate) fn revoke(&mut self) -> Result<()> {
        self.stored.granted.clear();
        match fs::remove_file(&self.file) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(self.unwritable(&error)),
            _ => Ok(()),
        }
    }

    fn unwritable(&self, error: &std::io::Error) -> Failure {
        let message = format!("{} can't be written: {error}", self.file.display());
        Failure::new(Kind::Trust, message)
            .hint("check who owns the folder, or set XDG_STATE_HOME to another one")
    }

    fn save(&self) -> std::io::Result<()> {
        let folder = self.file.parent().unwrap_or(Path::new("/"));
        make_private(folder)?;
        // Made with rights for nobody else.
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer_pretty(&mut file, &self.stored)?;
        file.flush()?;
        file.as_file().sync_all()?;
        file.persist(&self.file)?;
        Ok(())
    }
}

/// The folder of the grants, in the user's own state folder.
fn folder_of_grants() -> Result<PathBuf> {
    let state = state_folder().ok_or_else(|| {
        let message = "there is no home folder to remember trust in";
        Failure::new(Kind::Trust, message).hint("set XDG_STATE_HOME to a folder, by its whole path")
    })?;
    Ok(state.join("trust"))
}

#[cfg(unix)]
fn make_private(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make_private(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)
}
