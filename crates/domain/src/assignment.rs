//! The assignment: what a task is about, as data for agents that are programs. It says what the prompt says and no
//! more; it is made when an agent that wants it starts, and never stored.

use serde::{Deserialize, Serialize};

use crate::{DecisionId, DecisionKind, GapId, GapState, IssueId, Role, Severity};

/// The name of the file that an agent finds it in.
pub const ASSIGNMENT_FILE: &str = "assignment.json";

pub const ASSIGNMENT_VERSION: u32 = 1;

/// What a task is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    pub version: u32,
    pub role: Role,
    pub round: u32,
    /// The gaps of the task; for a final review all of the session.
    pub gaps: Vec<AssignedGap>,
    /// Decisions in force, in their order.
    pub decisions: Vec<AssignedDecision>,
    /// The id that the Reviewer's next new issue has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_issue: Option<IssueId>,
    /// The refined spec as it stands.
    pub spec: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssignedGap {
    pub id: GapId,
    pub severity: Severity,
    pub state: GapState,
    pub description: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The rule of the scan that found it, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// What an answer would be about, as the scan names it, the surest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub topics: Vec<String>,
    /// The line of `spec` that opened it, where that is still there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The passage of `spec` that opened it, letter for letter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<String>,
    /// The author lists it as open.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub declared: bool,
    /// Issues on it that stand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<AssignedIssue>,
    /// Its newest valid proposal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<AssignedProposal>,
}

/// An issue that stands on a gap of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssignedIssue {
    pub id: IssueId,
    pub severity: Severity,
    pub summary: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// Only the user settles it: no proposal has to answer it.
    #[serde(default)]
    pub settled_by_user: bool,
}

/// The newest valid proposal for a gap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssignedProposal {
    pub round: u32,
    /// The gap's whole section, as it was written.
    pub text: String,
    /// The group of defaults that it is from, where it says that it is a default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

/// A decision in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssignedDecision {
    pub id: DecisionId,
    pub kind: DecisionKind,
    /// The gaps that it binds; none means the session.
    pub gaps: Vec<GapId>,
    pub decision: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub constraints: String,
    /// A proposal must still carry it out.
    pub to_carry_out: bool,
}
