//! Owns the assignment: what a task is about, as data for agents that are programs. It says what the prompt says and no
//! more; it is made when an agent that wants it starts, and never stored.

use serde::{Deserialize, Serialize};

use crate::decision::{Decision, DecisionKind};
use crate::gap::{Gap, GapState, Origin};
use crate::ids::{DecisionId, GapId, IssueId};
use crate::prompts::{PromptError, Prompts};
use crate::severity::Severity;
use crate::state::State;
use crate::task::{Role, Task};
use crate::text::Texts;

/// The name of the file that an agent finds it in.
pub const ASSIGNMENT_FILE: &str = "assignment.json";

/// The version of its form.
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

/// A gap of a task.
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

/// The assignment of a task that is under way.
pub fn assignment(
    state: &State,
    task: &Task,
    texts: &dyn Texts,
) -> Result<Assignment, PromptError> {
    let prompts = Prompts {
        state,
        texts,
        halvings: 0,
    };
    let role = task.id.slot.role;
    let gaps: Vec<&Gap> = match role {
        Role::FinalReviewer => state.now.gaps.values().collect(),
        _ => task
            .gaps
            .iter()
            .filter_map(|id| state.now.gaps.get(id))
            .collect(),
    };
    let assigned = |gap: &&Gap| assigned_gap(state, gap, texts);
    let in_force =
        state.now.decisions.iter().filter(|decision| {
            decision.lifted.is_none() && decision.kind != DecisionKind::Rollback
        });
    Ok(Assignment {
        version: ASSIGNMENT_VERSION,
        role,
        round: task.id.round,
        gaps: gaps.iter().map(assigned).collect::<Result<_, _>>()?,
        decisions: in_force
            .map(|decision| assigned_decision(state, decision))
            .collect(),
        next_issue: match role {
            Role::Reviewer | Role::FinalReviewer => state.next_issue(),
            Role::Analyst | Role::Engineer | Role::Editor => None,
        },
        spec: prompts.refined()?,
    })
}

fn assigned_gap(state: &State, gap: &Gap, texts: &dyn Texts) -> Result<AssignedGap, PromptError> {
    let found = gap.origins.iter().find_map(|origin| match origin {
        Origin::Scan { rule, topics, .. } => Some((rule.clone(), topics.clone())),
        _ => None,
    });
    let (rule, topics) = found.unzip();
    let proposal = match &gap.proposal {
        None => None,
        Some(proposal) => Some(AssignedProposal {
            round: proposal.round,
            text: texts.require(&proposal.section)?.to_string(),
            default: proposal.default.clone(),
        }),
    };
    let issues = state.now.standing_issues(gap).map(|issue| AssignedIssue {
        id: issue.id,
        severity: issue.concern.severity,
        summary: issue.concern.summary.clone(),
        suggestion: issue.concern.suggestion.clone(),
        settled_by_user: issue.concern.settled_by_user,
    });
    Ok(AssignedGap {
        id: gap.id.clone(),
        severity: gap.severity,
        state: gap.state,
        description: gap.description.clone(),
        section: gap.section.clone(),
        rule,
        topics: topics.unwrap_or_default(),
        issues: issues.collect(),
        proposal,
    })
}

fn assigned_decision(state: &State, decision: &Decision) -> AssignedDecision {
    let is_owed = |id: &GapId| {
        let gap = state.now.gaps.get(id);
        gap.is_some_and(|gap| gap.obligations.contains(&decision.id))
    };
    AssignedDecision {
        id: decision.id,
        kind: decision.kind,
        gaps: decision.gaps.clone(),
        decision: decision.decision.clone(),
        constraints: decision.constraints.clone(),
        to_carry_out: decision.gaps.iter().any(is_owed),
    }
}
