//! The gap: its lifecycle as one exhaustive table, and what is known of it.
//! A state changes only through [`step`]; every pair that the table doesn't name is refused.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::matter::{Link, Matter};
use crate::{DecisionId, GapId, IssueId, Severity, SpecChange, TextHash, listed, named};

/// Where a gap is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[derive(strum::Display, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum GapState {
    Open,
    InProgress,
    Proposed,
    NeedsRevision,
    Accepted,
    Resolved,
    UserDeferred,
    BlockedExternal,
    WontFix,
    Superseded,
}

named!(GapState);

/// What may happen to a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::VariantArray)]
pub enum GapMove {
    /// Mediator: assigned in a round's plan.
    Assign,
    /// Engineer: a valid section is bound to it.
    Propose,
    /// Mediator: not addressed, or the role was skipped; back to the state it had.
    Return,
    /// Engineer: it needs input that only the user has.
    NeedInput,
    /// Reviewer: reviewed, and nothing CRITICAL or HIGH on it is open.
    Accept,
    /// Reviewer: reviewed, and something CRITICAL or HIGH on it is open.
    Revise,
    /// User: the last CRITICAL or HIGH issue on it was waived, decided for the Engineer, or lowered.
    Settle,
    /// User: a conflict on it was decided against the proposal.
    Overrule,
    /// User, or Mediator a round later: its text is in the refined spec.
    Incorporate,
    /// User, Reviewer or final review: a closed gap is open again.
    Reopen,
    /// User: gave the input it was blocked on.
    GiveInput,
    /// User: put off, with a reason.
    Defer,
    /// User: taken up again.
    Resume,
    /// User: closed, with a reason.
    Close,
    /// User: replaced by children.
    Split,
}

listed!(GapMove);

/// A move that the lifecycle doesn't have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a gap that is {from} cannot {attempted}")]
pub struct IllegalGapMove {
    pub from: GapState,
    pub attempted: GapMove,
}

/// The lifecycle. `before` is the state that an IN_PROGRESS gap was assigned from.
pub fn step(
    from: GapState,
    attempted: GapMove,
    before: GapState,
) -> Result<GapState, IllegalGapMove> {
    use GapMove as M;
    use GapState as S;
    let to = match (attempted, from) {
        (M::Assign, S::Open | S::NeedsRevision) => S::InProgress,
        (M::Propose, S::InProgress) => S::Proposed,
        (M::Return, S::InProgress) => before,
        (M::NeedInput, S::InProgress) => S::BlockedExternal,
        (M::Accept, S::Proposed) => S::Accepted,
        (M::Revise, S::Proposed) => S::NeedsRevision,
        (M::Settle, S::Proposed | S::NeedsRevision) => S::Accepted,
        (M::Overrule, S::Proposed | S::Accepted) => S::NeedsRevision,
        (M::Incorporate, S::Accepted) => S::Resolved,
        (M::Reopen, S::Accepted | S::Resolved) => S::NeedsRevision,
        (M::Reopen, S::WontFix) => S::Open,
        (M::GiveInput, S::BlockedExternal) => S::Open,
        (
            M::Defer,
            S::Open | S::InProgress | S::Proposed | S::NeedsRevision | S::BlockedExternal,
        ) => S::UserDeferred,
        (M::Resume, S::UserDeferred) => S::Open,
        (
            M::Close,
            S::Open
            | S::InProgress
            | S::Proposed
            | S::NeedsRevision
            | S::BlockedExternal
            | S::UserDeferred
            | S::Accepted,
        ) => S::WontFix,
        (M::Split, S::Open | S::InProgress | S::Proposed | S::NeedsRevision) => S::Superseded,
        _ => return Err(IllegalGapMove { from, attempted }),
    };
    Ok(to)
}

impl GapState {
    /// How much of an open gap this counts as, in quarters.
    pub fn open_quarters(self) -> u64 {
        match self {
            GapState::Open
            | GapState::InProgress
            | GapState::Proposed
            | GapState::NeedsRevision => 4,
            GapState::UserDeferred => 2,
            GapState::BlockedExternal => 1,
            GapState::Accepted | GapState::Resolved | GapState::WontFix | GapState::Superseded => 0,
        }
    }

    /// True for the four states in which somebody still has to do something about the gap.
    pub fn is_open(self) -> bool {
        self.open_quarters() == 4
    }

    /// True where the gap waits for the user.
    pub fn is_parked(self) -> bool {
        matches!(self, GapState::UserDeferred | GapState::BlockedExternal)
    }

    /// True where an accepted text of the gap stands in the refined spec.
    pub fn is_settled_by_text(self) -> bool {
        matches!(self, GapState::Accepted | GapState::Resolved)
    }

    pub fn is_closed(self) -> bool {
        self.open_quarters() == 0
    }
}

impl GapMove {
    pub fn phrase(self) -> &'static str {
        match self {
            GapMove::Assign => "be assigned",
            GapMove::Propose => "take a proposal",
            GapMove::Return => "go back to the state it had",
            GapMove::NeedInput => "be blocked on the user's input",
            GapMove::Accept => "be accepted by a review",
            GapMove::Revise => "be sent back by a review",
            GapMove::Settle => "be accepted by the user",
            GapMove::Overrule => "be sent back by a decision",
            GapMove::Incorporate => "be marked as in the refined spec",
            GapMove::Reopen => "be reopened",
            GapMove::GiveInput => "take the user's input",
            GapMove::Defer => "be deferred",
            GapMove::Resume => "be resumed",
            GapMove::Close => "be closed",
            GapMove::Split => "be split",
        }
    }
}

impl fmt::Display for GapMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.phrase())
    }
}

/// Where a gap came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum Origin {
    /// Declared in the source, on this line.
    Source {
        line: u32,
    },
    /// Found by a rule of the scan, on this line.
    Scan {
        rule: String,
        line: u32,
        /// What an answer would be about, the surest first.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        topics: Vec<String>,
    },
    Analyst,
    Engineer {
        round: u32,
        /// The gap whose proposal opened it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        gap: Option<GapId>,
    },
    Reviewer {
        round: u32,
    },
    /// Made for an issue that binds to no known gap.
    Issue {
        issue: IssueId,
    },
    User,
    Split {
        parent: GapId,
    },
    /// It stands in a document of the record that the session was taken over from.
    Recorded {
        document: String,
        line: u32,
    },
}

/// Another name of a gap or an issue, valid in one document only.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Alias {
    pub document: String,
    pub name: String,
}

/// How sure the Engineer says it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[derive(strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum Confidence {
    High,
    Medium,
    Low,
}

named!(Confidence);

/// The newest valid proposal for a gap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    pub round: u32,
    pub confidence: Option<Confidence>,
    /// The gap's whole section, as the Engineer wrote it.
    pub section: TextHash,
    /// What it proposes: solution, examples and the texts of its changes. It goes into the refined spec where there are no changes.
    pub solution: TextHash,
    /// What it changes in the spec.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<SpecChange>,
    /// The gap whose changes settle this one too, where it brings none of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled_with: Option<GapId>,
    /// The group of defaults that it is from, where it says that it is one: then only the user's confirmation accepts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

/// What creates a gap: everything about it that doesn't change by moving.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewGap {
    pub id: GapId,
    pub severity: Severity,
    pub description: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub blocked_by: BTreeSet<GapId>,
    pub origin: Origin,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alias: Option<Alias>,
}

impl NewGap {
    pub fn new(id: GapId, severity: Severity, description: String, origin: Origin) -> Self {
        Self {
            id,
            severity,
            description,
            section: None,
            blocked_by: BTreeSet::new(),
            origin,
            alias: None,
        }
    }
}

/// The words of a second finding of the same gap, and the section that it names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wording {
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
}

/// How many wordings a gap remembers beside its own.
pub const WORDINGS_KEPT: usize = 8;

/// How many settled issues a gap remembers.
pub const SETTLED_ISSUES_KEPT: usize = 8;

/// A gap and everything that later rules ask of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    pub id: GapId,
    pub severity: Severity,
    /// What the user set stands: a Reviewer's raise against it becomes a question.
    pub severity_set_by_user: bool,
    /// The highest severity it had in the session, whoever gave it: lowering a gap doesn't take it past the CRITICAL gate.
    pub gravest: Severity,
    pub description: String,
    pub section: Option<String>,
    /// What merged findings say of it beside that.
    pub also: Vec<Wording>,
    pub blocked_by: BTreeSet<GapId>,
    pub origins: Vec<Origin>,
    pub aliases: Vec<Alias>,
    pub state: GapState,
    /// The state it was assigned from.
    pub before: GapState,
    pub created_in: u32,
    /// Counts up over the session: the older gap is planned first.
    pub age: u32,
    pub parent: Option<GapId>,
    pub children: Vec<GapId>,
    /// Issues on it that are OPEN or ANSWERED.
    pub standing_issues: BTreeSet<IssueId>,
    /// The newest issues on it that are settled, so that a Reviewer knows its own earlier verdicts.
    pub settled_issues: Vec<IssueId>,
    /// Decisions on it that no reviewed proposal has carried out yet.
    pub obligations: BTreeSet<DecisionId>,
    pub decisions: Vec<DecisionId>,
    /// How many of its decisions had been made when it was last assigned: what is written then can carry them out.
    pub decisions_known: usize,
    pub proposal: Option<Proposal>,
    /// The round whose review last named it.
    pub reviewed_in: Option<u32>,
    pub accepted_in: Option<u32>,
    /// Counts up over the session each time that a gap is accepted: changes are made in this order.
    pub accepted_as: u32,
    /// True once it was counted as resolved; cleared when it is reopened.
    pub counted: bool,
    /// Why the user parked or closed it.
    pub reason: Option<String>,
    /// Decisions that its proposal seems to contradict and, by the user's word, does not: each for one solution.
    pub reconciled: Vec<(DecisionId, TextHash)>,
}

impl Gap {
    pub fn new(new: &NewGap, round: u32, age: u32) -> Self {
        let parent = match &new.origin {
            Origin::Split { parent } => Some(parent.clone()),
            _ => None,
        };
        Self {
            id: new.id.clone(),
            severity: new.severity,
            severity_set_by_user: false,
            gravest: new.severity,
            description: new.description.clone(),
            section: new.section.clone(),
            also: Vec::new(),
            blocked_by: new.blocked_by.clone(),
            origins: vec![new.origin.clone()],
            aliases: new.alias.iter().cloned().collect(),
            state: GapState::Open,
            before: GapState::Open,
            created_in: round,
            age,
            parent,
            children: Vec::new(),
            standing_issues: BTreeSet::new(),
            settled_issues: Vec::new(),
            obligations: BTreeSet::new(),
            decisions: Vec::new(),
            decisions_known: 0,
            proposal: None,
            reviewed_in: None,
            accepted_in: None,
            accepted_as: 0,
            counted: false,
            reason: None,
            reconciled: Vec::new(),
        }
    }

    /// What merged findings say of it, a line each with the section that they name.
    pub fn also_said(&self) -> impl Iterator<Item = String> {
        self.also.iter().map(|also| match &also.section {
            Some(section) => format!("{} (section: {section})", also.text),
            None => also.text.clone(),
        })
    }

    /// True where a text raises the matter of the gap, in its own words or in those of a merged finding.
    pub fn is_about(&self, text: &str, link: Link) -> bool {
        let matter = Matter::of(text);
        let own = std::iter::once(&self.description).chain(self.also.iter().map(|also| &also.text));
        own.map(|words| Matter::of(words))
            .any(|words| words.is(&matter, link))
    }

    /// True where its proposal changes the spec in place.
    pub fn has_changes(&self) -> bool {
        let proposal = self.proposal.as_ref();
        proposal.is_some_and(|proposal| !proposal.changes.is_empty())
    }

    /// True where its proposal or that for another gap changes the spec in place for it.
    pub fn is_settled_in_place(&self) -> bool {
        let proposal = self.proposal.as_ref();
        self.has_changes() || proposal.is_some_and(|proposal| proposal.settled_with.is_some())
    }

    /// Checks a move of this gap against the lifecycle.
    pub fn can(&self, attempted: GapMove) -> Result<GapState, IllegalGapMove> {
        step(self.state, attempted, self.before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_state_and_move() {
        let mut matrix = String::new();
        for from in GapState::ALL {
            for attempted in GapMove::ALL {
                let verdict = match step(from, attempted, GapState::NeedsRevision) {
                    Ok(to) => to.to_string(),
                    Err(illegal) => {
                        assert_eq!(illegal, IllegalGapMove { from, attempted });
                        "-".to_owned()
                    }
                };
                matrix += &format!("{from:<16} {:<12} {verdict}\n", format!("{attempted:?}"));
            }
        }
        insta::assert_snapshot!(matrix);
    }

    #[test]
    fn returning_restores_the_state_before() {
        for before in [GapState::Open, GapState::NeedsRevision] {
            assert_eq!(
                step(GapState::InProgress, GapMove::Return, before),
                Ok(before)
            );
        }
    }
}
