//! Owns which session a command means, and opening it for reading.

use gapless_core::State;
use gapless_runner::{Session, SessionSummary};
use gapless_store::{SessionName, SqliteStore, Store, Summary};

use crate::context::Context;
use crate::failure::{Failure, Kind, nearest};
use crate::workspace::Workspace;

/// A session that a command means.
pub struct Chosen {
    pub workspace: Workspace,
    pub name: SessionName,
}

/// The session that the user named, or the one that they most likely mean; that is said where it isn't obvious.
pub fn choose(context: &Context, named: Option<&str>) -> Result<Chosen, Failure> {
    let workspace = Workspace::existing(context)?;
    let sessions = workspace.read()?.sessions()?;
    let names = || sessions.iter().map(|session| session.name.as_str());
    let name = match named {
        Some(name) if names().any(|known| known == name) => name,
        Some(name) => return Err(unknown(name, names().collect())),
        None => {
            let Some(likely) = likely(&sessions) else {
                let message = format!("{} has no session yet", workspace.root().display());
                return Err(
                    Failure::new(Kind::Session, message).hint("start one: gapless run SPEC")
                );
            };
            if sessions.len() > 1 {
                let others = sessions.len() - 1;
                context.screen.note(&format!(
                    "session {likely} (the last one worked on; {others} more: {})",
                    names()
                        .filter(|name| *name != likely)
                        .collect::<Vec<_>>()
                        .join(", ")
                ));
            }
            likely
        }
    };
    let name = name.parse()?;
    Ok(Chosen { workspace, name })
}

/// The most recently updated session that has not ended, else the newest.
fn likely(sessions: &[Summary]) -> Option<&str> {
    let has_ended = |session: &Summary| {
        serde_json::from_str::<SessionSummary>(&session.body)
            .is_ok_and(|summary| summary.ended.is_some())
    };
    sessions
        .iter()
        .max_by_key(|session| (!has_ended(session), session.updated_at))
        .map(|session| session.name.as_str())
}

fn unknown(name: &str, known: Vec<&str>) -> Failure {
    let hint = match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "start one: gapless run SPEC".to_owned(),
        None => format!("there are: {}", known.join(", ")),
    };
    Failure::new(Kind::Session, format!("there is no session `{name}`")).hint(hint)
}

/// A session opened for reading.
pub struct Opened {
    pub workspace: Workspace,
    pub name: SessionName,
    pub session: Session<SqliteStore>,
}

impl Opened {
    pub fn state(&self) -> &State {
        self.session.state()
    }
}

pub fn open(context: &Context, named: Option<&str>) -> Result<Opened, Failure> {
    let Chosen { workspace, name } = choose(context, named)?;
    let session = Session::open(workspace.read()?, name.as_str())?;
    Ok(Opened {
        workspace,
        name,
        session,
    })
}
