//! Owns decisions: what the user settled and later rounds are held to.

use serde::{Deserialize, Serialize};

use crate::ids::{DecisionId, GapId, IssueId};
use crate::question::DecidedBy;
use crate::time::Time;

/// What kind of thing was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionKind {
    Conflict,
    Waiver,
    Severity,
    Deferral,
    Closing,
    Input,
    Acceptance,
    Scope,
}

impl DecisionKind {
    pub fn name(self) -> &'static str {
        match self {
            DecisionKind::Conflict => "conflict",
            DecisionKind::Waiver => "waiver",
            DecisionKind::Severity => "severity",
            DecisionKind::Deferral => "deferral",
            DecisionKind::Closing => "closing",
            DecisionKind::Input => "input",
            DecisionKind::Acceptance => "acceptance",
            DecisionKind::Scope => "scope",
        }
    }
}

/// The two sides of a conflict that was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Positions {
    pub reviewer: String,
    pub engineer: String,
    pub chosen: String,
    /// True where the Engineer never said that it disagrees.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub implicit: bool,
}

/// A decision in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    pub id: DecisionId,
    pub kind: DecisionKind,
    pub title: String,
    /// The gaps that it binds; none means the session.
    pub gaps: Vec<GapId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<IssueId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<Positions>,
    pub decision: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rationale: String,
    /// Conditions on how it is carried out.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub constraints: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub action: String,
    /// What it means for the gap.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub for_gap: String,
    pub by: DecidedBy,
    pub at: Time,
    /// True where a proposal must still carry it out.
    #[serde(default)]
    pub obliges: bool,
    /// Why it is no longer in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifted: Option<String>,
}

impl Decision {
    /// What it is about: its issue, its gaps, or the session.
    pub fn subject(&self) -> String {
        let gaps: Vec<String> = self.gaps.iter().map(ToString::to_string).collect();
        match (&self.issue, gaps.is_empty()) {
            (Some(issue), false) => format!("{issue} on {}", gaps.join(", ")),
            (Some(issue), true) => issue.to_string(),
            (None, false) => gaps.join(", "),
            (None, true) => "session".to_owned(),
        }
    }
}
