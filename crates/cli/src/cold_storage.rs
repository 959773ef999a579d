//! Owns where this user's cold archives go, and how sessions are told apart there.

use gapless_core::State;
use gapless_core::time::Time;
use gapless_store::SessionName;
use gapless_store::archive::{ColdStore, Owner, data_home};

use crate::failure::{Failure, Kind};
use crate::workspace::Workspace;

pub fn store() -> Result<ColdStore, Failure> {
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
pub fn owner(workspace: &Workspace, name: &SessionName, state: &State) -> Owner {
    let root = workspace.root();
    let origin = state.kept.origin.as_ref();
    Owner {
        session: name.as_str().to_owned(),
        workspace: root.canonicalize().unwrap_or_else(|_| root.to_owned()),
        started_at: origin.map_or(Time::default(), |origin| origin.at),
    }
}
