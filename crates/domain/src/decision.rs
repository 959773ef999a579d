//! Decisions: what the user settled and later rounds are held to.

use serde::{Deserialize, Serialize};

use crate::question::conflict;
use crate::{DecidedBy, DecisionId, GapId, IssueId, Person, Severity, Time, comma_list, named};

/// What kind of thing was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum DecisionKind {
    Conflict,
    Waiver,
    Severity,
    Deferral,
    Closing,
    Input,
    Acceptance,
    /// A default holds as it was proposed.
    Confirmation,
    Scope,
    /// How a session goes on after a round was undone.
    Rollback,
}

named!(DecisionKind);

/// How far a decision is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[derive(strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum DecisionState {
    /// It binds, and a proposal must still carry it out.
    ToCarryOut,
    InForce,
    Lifted,
}

named!(DecisionState);

/// The two sides of a conflict that was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Positions {
    pub reviewer: String,
    pub engineer: String,
    pub chosen: conflict::Options,
    /// How grave the issue was when it was decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// True where the Engineer never said that it disagrees.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub implicit: bool,
}

impl Positions {
    /// The chosen option with whose it is.
    pub fn chosen_words(&self) -> &'static str {
        match self.chosen {
            conflict::Options::A => "A (the Reviewer's)",
            conflict::Options::B => "B (the Engineer's)",
            conflict::Options::C => "C (synthesis)",
            conflict::Options::D => "D (the user's own)",
        }
    }
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
    /// Who filled in the form that it came with, where somebody says so. It is for people: no prompt names them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filled_in_by: Option<Person>,
    pub at: Time,
    /// True where a proposal must still carry it out.
    #[serde(default)]
    pub obliges: bool,
    /// The severity that it sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// The decision of an undone round that it puts in force again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reapplied_from: Option<DecisionId>,
    /// The decision that it was put in the place of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<DecisionId>,
    /// Why it is no longer in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifted: Option<String>,
}

impl Decision {
    /// The rationale as people read it, with who filled in the form.
    pub fn rationale_and_name(&self) -> String {
        match (&self.filled_in_by, self.rationale.trim_end()) {
            (None, rationale) => rationale.to_owned(),
            (Some(person), "") => format!("filled in by {person}"),
            (Some(person), rationale) => format!("{rationale} (filled in by {person})"),
        }
    }

    /// What it is about: its issue, its gaps, or the session.
    pub fn subject(&self) -> String {
        let gaps = comma_list(&self.gaps);
        match (&self.issue, gaps.is_empty()) {
            (Some(issue), false) => format!("{issue} on {gaps}"),
            (Some(issue), true) => issue.to_string(),
            (None, false) => gaps,
            (None, true) => "session".to_owned(),
        }
    }

    /// What it means for the Engineer, also where nobody put it into words.
    pub fn for_engineer(&self) -> &str {
        match self.kind {
            _ if !self.action.is_empty() => &self.action,
            DecisionKind::Conflict => "carry it out",
            DecisionKind::Waiver => "none: the issue need not be answered",
            DecisionKind::Severity => "none",
            DecisionKind::Deferral | DecisionKind::Closing => {
                "none: nothing is to be proposed for it"
            }
            DecisionKind::Input => "build the next proposal on it",
            DecisionKind::Acceptance => "none: the session ends",
            DecisionKind::Confirmation => "none: keep to what was proposed",
            DecisionKind::Scope => "keep to it",
            DecisionKind::Rollback => "none: what it means is in the task",
        }
    }

    /// What it means for its gaps, also where nobody put it into words.
    pub fn for_gaps(&self) -> &str {
        match self.kind {
            _ if !self.for_gap.is_empty() => &self.for_gap,
            _ if self.gaps.is_empty() => "none: it binds the session",
            DecisionKind::Conflict if self.obliges => "it needs revision until this is carried out",
            DecisionKind::Conflict | DecisionKind::Waiver | DecisionKind::Confirmation => {
                "accepted if nothing else CRITICAL or HIGH is open on it"
            }
            DecisionKind::Severity if self.issue.is_some() => {
                "held by the issue only while that is CRITICAL or HIGH"
            }
            DecisionKind::Severity => "planned and counted with this severity",
            DecisionKind::Deferral => "USER_DEFERRED until it is resumed",
            DecisionKind::Closing => "WONT_FIX until it is reopened",
            DecisionKind::Input if self.obliges => "it needs revision until this is carried out",
            DecisionKind::Input => "open again",
            DecisionKind::Acceptance => "a known limitation of the refined spec",
            DecisionKind::Scope | DecisionKind::Rollback => "none",
        }
    }
}
