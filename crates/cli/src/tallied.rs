//! Owns what the sessions of a workspace come to: every log is read and counted. One that can't be read is left out, and
//! is named with the reason.

use gapless_runner::{RunError, SessionSummary, decode_rows};
use gapless_store::{SqliteStore, Store, Summary};
use gapless_views::stats::Stats;

use crate::failure::Failure;
use crate::session_choice::sessions;
use crate::workspace::Workspace;

/// The sessions of a workspace, by name.
#[derive(Default)]
pub struct Tallied {
    pub sessions: Vec<Session>,
    pub unread: Vec<Unread>,
}

pub struct Session {
    pub name: String,
    /// What lists show of it; none where it was written by another version.
    pub summary: Option<SessionSummary>,
    pub stats: Stats,
}

/// A session whose log can't be read.
pub struct Unread {
    pub name: String,
    pub failure: Failure,
}

impl Tallied {
    pub fn of(workspace: &Workspace) -> Result<Self, Failure> {
        let mut tallied = Self::default();
        if !workspace.has_database() {
            return Ok(tallied);
        }
        let known = sessions(workspace)?;
        if known.is_empty() {
            return Ok(tallied);
        }
        let store = workspace.read()?;
        for Summary { name, body, .. } in known {
            match count(&store, &name) {
                Ok(stats) => tallied.sessions.push(Session {
                    name,
                    summary: serde_json::from_str(&body).ok(),
                    stats,
                }),
                Err(error) => tallied.unread.push(Unread {
                    name,
                    failure: error.into(),
                }),
            }
        }
        Ok(tallied)
    }

    /// What all of them come to together.
    pub fn sum(&self) -> Stats {
        Stats::sum(self.sessions.iter().map(|session| &session.stats))
    }
}

fn count(store: &SqliteStore, name: &str) -> Result<Stats, RunError> {
    let log = decode_rows(&store.read(name)?)?;
    Ok(Stats::of(log.iter().map(|logged| &logged.event)))
}
