//! The account of one issue over the rounds of a recorded session: where it was due, how it was answered, which flags
//! stand and which a later answer or review took back.

use std::collections::BTreeSet;

use serde::Serialize;

use super::answer::Answer;
use super::raised::{Raised, Wanted};
use super::verification::Decided;
use gapless_domain::flag::Flag;
use gapless_domain::ids::GapId;
use gapless_domain::issue::IssueState;
use gapless_domain::matter::Matter;

/// An answer, in its round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answered {
    pub round: u32,
    #[serde(flatten)]
    pub answer: Answer,
}

/// What took a flag back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SettledBy {
    Answer,
    Review,
}

/// A flag that no longer stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Settled {
    #[serde(flatten)]
    pub flag: Flag,
    pub settled_in: u32,
    pub by: SettledBy,
}

/// What became of an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IssueAccount {
    #[serde(flatten)]
    pub raised: Raised,
    pub state: IssueState,
    /// The issue that raised the same concern before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats: Option<String>,
    /// The rounds in which an answer was due.
    pub due: Vec<u32>,
    /// The rounds in which its gap was out of scope.
    pub deferred: Vec<u32>,
    pub answers: Vec<Answered>,
    pub flags: Vec<Flag>,
    pub settled_flags: Vec<Settled>,
}

/// An issue on its way through the session. Steps are the documents in the order in which they were written.
pub(super) struct Tracked {
    pub raised: Raised,
    pub wanted: Wanted,
    /// What its newest words are about.
    pub matter: Matter,
    pub raised_at: usize,
    /// The gaps of the proposal that it was raised on.
    pub proposal: Vec<GapId>,
    /// What that proposal was about, where it has ids of another shape.
    pub subjects: BTreeSet<String>,
    pub repeats: Option<String>,
    pub withdrawn: bool,
    pub moot: bool,
    pub decided: Option<Decided>,
    pub due: Vec<u32>,
    pub deferred: Vec<u32>,
    pub answers: Vec<(usize, Answered)>,
    pub flags: Vec<(usize, Flag)>,
    /// Where a review checked it off.
    pub verified: Option<(usize, u32)>,
    /// Whether a review came after the newest answer.
    pub reviewed_at: Option<usize>,
}

impl Tracked {
    /// Whether it still asks for an answer.
    pub fn stands(&self) -> bool {
        !self.withdrawn && !self.moot && self.decided != Some(Decided::Waived)
    }

    /// Whether its gap, or for one that names none the proposal it was raised on, is worked on. Where nothing tells what a
    /// proposal was about, the next output is to answer.
    pub fn is_due_in(&self, scope: &[GapId], subjects: &BTreeSet<String>) -> bool {
        let worked_on = |gap: &GapId| {
            scope
                .iter()
                .any(|other| other == gap || other.root() == gap.root())
        };
        match &self.raised.gap {
            Some(gap) => worked_on(gap),
            None if !self.proposal.is_empty() => self.proposal.iter().any(worked_on),
            None => self.subjects.is_empty() || !self.subjects.is_disjoint(subjects),
        }
    }

    /// A review says that it still stands: what was taken for an answer is none.
    pub fn void_answers(&mut self) -> Option<Answered> {
        self.verified = None;
        let last = self.answers.pop();
        self.answers.clear();
        last.map(|(_, answered)| answered)
    }

    fn state(&self) -> IssueState {
        match (self.decided, self.answers.last()) {
            _ if self.withdrawn => IssueState::Withdrawn,
            _ if self.moot => IssueState::Moot,
            (Some(Decided::Waived), _) => IssueState::Waived,
            (Some(Decided::Chosen), _) => IssueState::Decided,
            _ if self.verified.is_some() => IssueState::Closed,
            (None, Some((at, _))) if self.reviewed_at.is_some_and(|review| review > *at) => {
                IssueState::Closed
            }
            (None, Some(_)) => IssueState::Answered,
            (None, None) => IssueState::Open,
        }
    }

    /// Tells flags that stand from those that an answer or a review took back later.
    pub fn account(self) -> IssueAccount {
        let state = self.state();
        let (mut flags, mut settled_flags) = (Vec::new(), Vec::new());
        for (step, flag) in self.flags {
            let answer = self
                .answers
                .iter()
                .find(|(at, _)| *at > step)
                .map(|(at, answered)| (*at, answered.round, SettledBy::Answer));
            let review = self
                .verified
                .filter(|(at, _)| *at > step)
                .map(|(at, round)| (at, round, SettledBy::Review));
            let first = [answer, review]
                .into_iter()
                .flatten()
                .min_by_key(|(at, _, _)| *at);
            match first {
                Some((_, settled_in, by)) => settled_flags.push(Settled {
                    flag,
                    settled_in,
                    by,
                }),
                None => flags.push(flag),
            }
        }
        IssueAccount {
            raised: self.raised,
            state,
            repeats: self.repeats,
            due: self.due,
            deferred: self.deferred,
            answers: self
                .answers
                .into_iter()
                .map(|(_, answered)| answered)
                .collect(),
            flags,
            settled_flags,
        }
    }
}
