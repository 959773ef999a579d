//! The issue ledger: the life of an issue as one exhaustive table, and what is known of it.
//! ANSWERED still counts against its gap until it is CLOSED.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Alias, Flag, GapId, Heuristic, IssueId, Severity, TextHash, listed, named};

/// Where an issue is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[derive(strum::Display, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum IssueState {
    Open,
    Answered,
    Closed,
    Withdrawn,
    Decided,
    Waived,
    Moot,
}

named!(IssueState);

/// What may happen to an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::VariantArray)]
pub enum IssueMove {
    /// The Engineer answers it.
    Answer,
    /// The same round's Reviewer, shown the answer, doesn't raise it again.
    Close,
    /// Raised again, or the user confirmed a flag on the answer.
    RaiseAgain,
    /// The Reviewer takes it back.
    Withdraw,
    /// The user chose an option.
    Decide,
    /// Waived by the user, with a reason.
    Waive,
    /// The user closed its gap.
    Moot,
    /// The user takes back what settled it.
    Reopen,
}

listed!(IssueMove);

/// A move that the ledger doesn't have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an issue that is {from} cannot {attempted}")]
pub struct IllegalIssueMove {
    pub from: IssueState,
    pub attempted: IssueMove,
}

/// The ledger's table.
pub fn step(from: IssueState, attempted: IssueMove) -> Result<IssueState, IllegalIssueMove> {
    use IssueMove as M;
    use IssueState as S;
    let to = match (attempted, from) {
        (M::Answer, S::Open) => S::Answered,
        (M::Close, S::Answered) => S::Closed,
        (M::RaiseAgain, S::Answered) => S::Open,
        (M::Withdraw, S::Open | S::Answered) => S::Withdrawn,
        (M::Decide, S::Open | S::Answered) => S::Decided,
        (M::Waive, S::Open | S::Answered) => S::Waived,
        (M::Moot, S::Open | S::Answered) => S::Moot,
        (M::Reopen, S::Closed | S::Decided | S::Waived) => S::Open,
        _ => return Err(IllegalIssueMove { from, attempted }),
    };
    Ok(to)
}

impl IssueState {
    /// True while the issue counts against its gap.
    pub fn stands(self) -> bool {
        matches!(self, IssueState::Open | IssueState::Answered)
    }
}

impl fmt::Display for IssueMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            IssueMove::Answer => "be answered",
            IssueMove::Close => "be closed",
            IssueMove::RaiseAgain => "be raised again",
            IssueMove::Withdraw => "be withdrawn",
            IssueMove::Decide => "be decided",
            IssueMove::Waive => "be waived",
            IssueMove::Moot => "become moot",
            IssueMove::Reopen => "be opened again",
        })
    }
}

/// How many earlier wordings an issue remembers.
pub const EARLIER_WORDS_KEPT: usize = 8;

/// What the Reviewer said, as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Concern {
    pub severity: Severity,
    pub summary: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impact: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// No proposal answers it: only the user's word settles it, and until then it holds its gap whatever its severity.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub settled_by_user: bool,
}

/// How the Engineer answered an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssueAnswer {
    pub round: u32,
    pub how: AnswerKind,
    /// The Engineer's words.
    pub text: TextHash,
    /// The parts of a DISAGREE block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disagreement: Option<Box<DisagreementParts>>,
}

/// What a DISAGREE block says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisagreementParts {
    pub position: String,
    pub rationale: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternative: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerKind {
    /// A section of its own: `## Response to ISSUE-…`.
    Response,
    /// Something is said to it where its id stands.
    Mention,
    /// What it asks for is done, without its id.
    Substance,
    /// `## DISAGREE: ISSUE-…`.
    Disagree,
}

/// An issue and everything that later rules ask of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    pub id: IssueId,
    pub gap: GapId,
    /// Shared by the states that a rollback restores.
    pub concern: Arc<Concern>,
    /// The words that it was raised with before, oldest first.
    pub earlier: Vec<Arc<Concern>>,
    /// What the user set stands: the Reviewer can't call it graver again.
    pub severity_set_by_user: bool,
    pub state: IssueState,
    pub aliases: Vec<Alias>,
    pub raised_in: u32,
    /// The review that raised it, in its present words.
    pub review: Option<TextHash>,
    pub answer: Option<IssueAnswer>,
    /// What heuristics said of it, over the rounds.
    pub flags: Vec<Arc<Flag>>,
    /// The user's word on them, by round and heuristic: whether they were right.
    pub judged: BTreeMap<(u32, Heuristic), bool>,
    /// Why the user waived or decided it.
    pub reason: Option<String>,
}

impl Issue {
    pub fn new(
        id: IssueId,
        gap: GapId,
        concern: Arc<Concern>,
        alias: Option<Alias>,
        round: u32,
    ) -> Self {
        Self {
            id,
            gap,
            concern,
            earlier: Vec::new(),
            severity_set_by_user: false,
            state: IssueState::Open,
            aliases: alias.into_iter().collect(),
            raised_in: round,
            review: None,
            flags: Vec::new(),
            judged: BTreeMap::new(),
            answer: None,
            reason: None,
        }
    }

    /// True while it stops its gap from being accepted.
    pub fn holds_gap(&self) -> bool {
        self.state.stands() && (self.concern.severity.holds() || self.concern.settled_by_user)
    }

    /// True where the Engineer's newest answer is a DISAGREE.
    pub fn is_disagreed_with(&self) -> bool {
        let answer = self.answer.as_ref();
        answer.is_some_and(|answer| answer.how == AnswerKind::Disagree)
    }

    pub fn can(&self, attempted: IssueMove) -> Result<IssueState, IllegalIssueMove> {
        step(self.state, attempted)
    }

    /// The user's word on a flag, where it was given.
    pub fn judgement(&self, flag: &Flag) -> Option<bool> {
        self.judged.get(&(flag.round, flag.heuristic)).copied()
    }

    /// The flags that the user did not call a false alarm.
    pub fn flags_that_count(&self) -> impl Iterator<Item = &Flag> {
        self.flags
            .iter()
            .map(Arc::as_ref)
            .filter(|flag| self.judgement(flag) != Some(false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_state_and_move() {
        let mut matrix = String::new();
        for from in IssueState::ALL {
            for attempted in IssueMove::ALL {
                let verdict = match step(from, attempted) {
                    Ok(to) => to.to_string(),
                    Err(illegal) => {
                        assert_eq!(illegal, IllegalIssueMove { from, attempted });
                        "-".to_owned()
                    }
                };
                matrix += &format!("{from:<10} {:<11} {verdict}\n", format!("{attempted:?}"));
            }
        }
        insta::assert_snapshot!(matrix);
    }
}
