//! Which session a command means, and opening it for reading.

use gapless_runner::{Session, SessionSummary};
use gapless_session::State;
use gapless_store::{
    Driver, LockError, SessionLock, SessionName, SqliteStore, Store, StoreError, Summary,
};

use crate::output::wording::list;
use crate::spelling::did_you_mean;
use crate::{Context, Failure, Kind, Result, SessionView, Workspace};

/// A session that a command means.
pub(crate) struct ChosenSession {
    pub(crate) workspace: Workspace,
    pub(crate) name: SessionName,
}

/// Chooses the session to drive. A database of an older version is brought up to date.
pub(crate) fn choose_session(context: &Context, named: Option<&str>) -> Result<ChosenSession> {
    let workspace = Workspace::existing(context)?;
    let sessions = match reader(&workspace) {
        Ok(store) => listed(store.as_ref())?,
        Err(StoreError::Older { .. }) => workspace.write()?.sessions()?,
        Err(error) => return Err(error.into()),
    };
    let name = pick(context, &workspace, &sessions, named)?;
    Ok(ChosenSession { workspace, name })
}

/// The session that the user named, or the likely one, with a note if there are others.
fn pick(
    context: &Context,
    workspace: &Workspace,
    sessions: &[Summary],
    named: Option<&str>,
) -> Result<SessionName> {
    let names = || sessions.iter().map(|session| session.name.as_str());
    let name = match named {
        Some(name) if names().any(|known| known == name) => name,
        Some(name) => return Err(unknown_session(name, names().collect())),
        None => {
            let likely = likely_session(sessions).ok_or_else(|| {
                let message = format!("{} has no session yet", workspace.root().display());
                Failure::new(Kind::Session, message).hint("start one: gapless run SPEC")
            })?;
            if sessions.len() > 1 {
                let others = sessions.len() - 1;
                context.screen.note(&format!(
                    "session {likely} (the last one worked on; {others} more: {})",
                    list(names().filter(|name| *name != likely))
                ));
            }
            likely
        }
    };
    Ok(name.parse()?)
}

pub(crate) fn sessions(workspace: &Workspace) -> Result<Vec<Summary>> {
    listed(reader(workspace)?.as_ref())
}

/// The database opened for reading; `None` if it was created and never written to.
fn reader(workspace: &Workspace) -> Result<Option<SqliteStore>, StoreError> {
    match workspace.read() {
        Err(StoreError::Older { found: 0, .. }) => Ok(None),
        opened => opened.map(Some),
    }
}

fn listed(store: Option<&SqliteStore>) -> Result<Vec<Summary>> {
    match store {
        Some(store) => Ok(store.sessions()?),
        None => Ok(Vec::new()),
    }
}

/// The most recently updated session that has not ended, else the newest.
pub(crate) fn likely_session(sessions: &[Summary]) -> Option<&str> {
    let has_ended = |session: &Summary| {
        serde_json::from_str::<SessionSummary>(&session.body)
            .is_ok_and(|summary| summary.ended.is_some())
    };
    sessions
        .iter()
        .max_by_key(|session| (!has_ended(session), session.updated_at))
        .map(|session| session.name.as_str())
}

pub(crate) fn unknown_session(name: &str, known: Vec<&str>) -> Failure {
    let hint = match did_you_mean(name, known.iter().copied()) {
        Some(near) => near,
        None if known.is_empty() => "start one: gapless run SPEC".to_owned(),
        None => format!("there are: {}", known.join(", ")),
    };
    Failure::new(Kind::Session, format!("there is no session `{name}`")).hint(hint)
}

/// The process that drives a session now.
pub(crate) fn driver(workspace: &Workspace, name: &SessionName) -> Option<Driver> {
    match SessionLock::peek(&workspace.folder(name)) {
        Ok(driver) => driver,
        Err(LockError::Held { driver }) => driver,
        // Who drives it is beside the point where the lock can't be read.
        Err(LockError::Io { .. } | LockError::Misplaced(_)) => None,
    }
}

/// A session opened for reading.
pub(crate) struct OpenSession {
    pub(crate) workspace: Workspace,
    pub(crate) name: SessionName,
    pub(crate) session: Session<SqliteStore>,
}

impl OpenSession {
    pub(crate) fn state(&self) -> &State {
        self.session.state()
    }

    pub(crate) fn view<'s>(&'s self, context: &'s Context) -> SessionView<'s> {
        SessionView {
            context,
            workspace: &self.workspace,
            name: &self.name,
            state: self.state(),
        }
    }
}

pub(crate) fn open_session(context: &Context, named: Option<&str>) -> Result<OpenSession> {
    let workspace = Workspace::existing(context)?;
    let store = reader(&workspace)?;
    let sessions = listed(store.as_ref())?;
    let name = pick(context, &workspace, &sessions, named)?;
    let store = match store {
        Some(store) => store,
        None => workspace.read()?,
    };
    let session = Session::open(store, name.as_str())?;
    Ok(OpenSession {
        workspace,
        name,
        session,
    })
}
