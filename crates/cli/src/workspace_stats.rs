//! The figures of all sessions of a workspace, read from their logs. A session that can't be read is named with the reason.

use gapless_domain::Heuristic;
use gapless_runner::{RunError, SessionSummary, decode_rows};
use gapless_store::{SqliteStore, Store, Summary};
use gapless_views::stats::Stats;

use crate::session_choice::sessions;
use crate::{Failure, Result, Workspace};

/// The sessions of a workspace, by name.
#[derive(Default)]
pub(crate) struct WorkspaceStats {
    pub(crate) sessions: Vec<SessionStats>,
    pub(crate) unreadable: Vec<UnreadableSession>,
}

pub(crate) struct SessionStats {
    pub(crate) name: String,
    /// Its summary; `None` if another version wrote it.
    pub(crate) summary: Option<SessionSummary>,
    pub(crate) stats: Stats,
}

/// A session whose log can't be read.
pub(crate) struct UnreadableSession {
    pub(crate) name: String,
    pub(crate) failure: Failure,
}

impl WorkspaceStats {
    pub(crate) fn read(workspace: &Workspace) -> Result<Self> {
        let mut stats = Self::default();
        if !workspace.has_database() {
            return Ok(stats);
        }
        let known = sessions(workspace)?;
        if known.is_empty() {
            return Ok(stats);
        }
        let store = workspace.read()?;
        for Summary { name, body, .. } in known {
            match count(&store, &name) {
                Ok(counted) => stats.sessions.push(SessionStats {
                    name,
                    summary: serde_json::from_str(&body).ok(),
                    stats: counted,
                }),
                Err(error) => stats.unreadable.push(UnreadableSession {
                    name,
                    failure: error.into(),
                }),
            }
        }
        Ok(stats)
    }

    /// Adds the figures of all sessions up.
    pub(crate) fn sum(&self) -> Stats {
        Stats::sum(self.sessions.iter().map(|session| &session.stats))
    }
}

/// The heuristics that only advise in this workspace, since the user judged them wrong too often. None if the sessions can't
/// be read.
pub(crate) fn advisory_heuristics(workspace: &Workspace) -> Vec<Heuristic> {
    let stats = WorkspaceStats::read(workspace).unwrap_or_default();
    stats.sum().advisory()
}

fn count(store: &SqliteStore, name: &str) -> Result<Stats, RunError> {
    let log = decode_rows(&store.read(name)?)?;
    Ok(Stats::of(log.iter().map(|logged| &logged.event)))
}
