//! The user's cold storage for archives, and which session an archive in it belongs to.

use std::path::PathBuf;

use gapless_runner::owner_of;
use gapless_session::State;
use gapless_store::SessionName;
use gapless_store::archive::{ColdStore, Owner, data_home};

use crate::{Failure, Kind, Result, Workspace};

pub(crate) fn store() -> Result<ColdStore> {
    match data_home(std::env::var_os("XDG_DATA_HOME"), std::env::home_dir()) {
        Some(home) => Ok(ColdStore::below(&home)),
        None => {
            let message = "there is no home folder to keep cold archives in";
            Err(Failure::new(Kind::Archive, message)
                .hint("set XDG_DATA_HOME to a folder, by its whole path"))
        }
    }
}

/// The session as the cold store knows it.
pub(crate) fn owner(workspace: &Workspace, name: &SessionName, state: &State) -> Owner {
    owner_of(place(workspace), name.as_str(), state)
}

/// The workspace, by its whole path.
pub(crate) fn place(workspace: &Workspace) -> PathBuf {
    let root = workspace.root();
    root.canonicalize().unwrap_or_else(|_| root.to_owned())
}
