//! What an answer settles for the rest of its round or of the session. It is decided when the answer is taken; the fold
//! only records it.

use serde::{Deserialize, Serialize};

use gapless_domain::question::{both_empty, broken_agent, escalation, rate_limit, rollback};
use gapless_domain::{IssueId, Role, Severity};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Noted {
    InventoryConfirmed {},
    /// The user chose what becomes of a role in this round.
    Taken {
        role: Role,
        option: Taken,
    },
    /// The user said what becomes of a round in which neither role produced anything.
    EmptinessSettled {},
    /// The user said how to go on with so many disagreements.
    RateSettled {},
    /// The Engineers are to be asked about these issues again.
    ToAskAgain {
        issues: Vec<IssueId>,
        /// They may answer with an open DISAGREE.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        may_disagree: bool,
    },
    /// The user kept a decision that the Reviewer raised again at this severity.
    Upheld {
        issue: IssueId,
        severity: Severity,
    },
}

/// An option that a round remembers: it is offered once, or tells that the user was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Taken {
    Escalation(escalation::Options),
    BrokenAgent(broken_agent::Options),
    BothEmpty(both_empty::Options),
    Rollback(rollback::Options),
    RateLimit(rate_limit::Options),
}
