//! Doing with the archives of an ended session what was chosen. What came of it is an event, so that a process that was
//! killed before is made up for by the next one.

use std::path::PathBuf;

use gapless_domain::{ArchiveName, Disposed, Time};
use gapless_mediator::Incoming;
use gapless_session::State;
use gapless_store::Store;
use gapless_store::archive::{Archives, Owner, dispose};

use crate::error::RunError;
use crate::session::{ArchivePlaces, Session};

/// A session as the cold store knows it.
pub fn owner_of(workspace: PathBuf, name: &str, state: &State) -> Owner {
    let origin = state.kept.origin.as_ref();
    Owner {
        session: name.to_owned(),
        workspace,
        started_at: origin.map_or(Time::default(), |origin| origin.at),
    }
}

impl<S: Store> Session<S> {
    /// Lets the archives of an ended session be disposed of.
    pub fn dispose_from(&mut self, places: ArchivePlaces) {
        self.archives = Some(places);
    }

    /// Does with the archives what was chosen, if that is still to be done. They must all have been written.
    pub fn dispose(&mut self, at: Time) -> Result<(), RunError> {
        // A choice that is not on disk may yet not have been.
        if self.has_uncommitted() {
            return Ok(());
        }
        let (Some(places), Some(choice)) = (&self.archives, self.state().archives_due()) else {
            return Ok(());
        };
        let archives = Archives::of(&places.folder);
        // Known only since the session has begun, which it may have done in this process.
        let owner = owner_of(places.workspace.clone(), self.name(), self.state());
        let done = match dispose(&archives, choice, at, &places.cold, &owner) {
            Ok(done) => Disposed {
                kept: names(&done.kept),
                deleted: names(&done.deleted),
                moved: names(done.moved.iter().map(|(archive, _)| archive)),
                to: (!done.moved.is_empty())
                    .then(|| places.cold.folder_of(&owner).to_string_lossy().into_owned()),
                problems: done
                    .problems
                    .iter()
                    .map(|(archive, error)| format!("{archive}: {error}"))
                    .collect(),
            },
            Err(error) => Disposed {
                problems: vec![error.to_string()],
                ..Disposed::default()
            },
        };
        self.feed(at, Incoming::Disposed(done))?;
        Ok(())
    }
}

fn names<'a>(archives: impl IntoIterator<Item = &'a ArchiveName>) -> Vec<String> {
    archives.into_iter().map(ToString::to_string).collect()
}
