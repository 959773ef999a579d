//! What a recorded session and its rounds come to.

use serde::Serialize;

use super::ledger::IssueAccount;
use super::thresholds::Weighed;
use gapless_domain::ids::GapId;

/// What a round comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundAccount {
    pub round: u32,
    /// The gaps that the Engineer worked on.
    pub scope: Vec<GapId>,
    pub due: Vec<String>,
    pub deferred: Vec<String>,
    pub answered: Vec<String>,
    #[serde(flatten)]
    pub weighed: Weighed,
}

/// What a session comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Account {
    pub issues: Vec<IssueAccount>,
    pub rounds: Vec<RoundAccount>,
}

impl Account {
    pub fn has_flags(&self) -> bool {
        self.issues.iter().any(|issue| !issue.flags.is_empty())
    }
}
