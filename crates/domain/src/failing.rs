//! Tells an agent that is broken from one that had bad luck: it failed in every attempt of two rounds in a row, both times in
//! the same way. Asking such an agent again costs as much and brings as little, so the run stops and the user is asked.
//!
//! Rounds in which the role had nothing to do don't count. A round of the Analyst is discovery, of which there is one; a round
//! of the Editor or the final reviewer is a round that came to a final review.

use std::collections::BTreeSet;
use std::fmt;

use crate::{ExecutionErrorKind, FailureType};

/// In what way an attempt failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Failing {
    Invalid(FailureType),
    CouldNotRun(ExecutionErrorKind),
}

impl fmt::Display for Failing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failing::Invalid(failure) => f.pad(failure.name()),
            Failing::CouldNotRun(kind) => write!(f, "EXECUTION_ERROR ({})", kind.words()),
        }
    }
}

/// What became of the attempts of a role's agent in its last two rounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    agent: String,
    before: Option<RoundOfAttempts>,
    last: RoundOfAttempts,
}

/// The attempts that an agent finished in one round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundOfAttempts {
    pub round: u32,
    pub attempts: u32,
    pub kinds: BTreeSet<Failing>,
    any_valid: bool,
}

impl RoundOfAttempts {
    fn new(round: u32) -> Self {
        Self {
            round,
            attempts: 0,
            kinds: BTreeSet::new(),
            any_valid: false,
        }
    }

    fn fails_like(&self, other: &Self) -> bool {
        !self.any_valid && !other.any_valid && self.kinds == other.kinds
    }
}

impl Record {
    /// The record with one more attempt that came to its end; `failing` is `None` where the output was valid. Another agent
    /// begins a record of its own.
    pub fn with(known: Option<Self>, agent: &str, round: u32, failing: Option<Failing>) -> Self {
        let mut record = match known {
            Some(record) if record.agent == agent => record,
            _ => Self {
                agent: agent.to_owned(),
                before: None,
                last: RoundOfAttempts::new(round),
            },
        };
        if record.last.round != round {
            let last = std::mem::replace(&mut record.last, RoundOfAttempts::new(round));
            record.before = Some(last);
        }
        record.last.attempts += 1;
        match failing {
            Some(failing) => drop(record.last.kinds.insert(failing)),
            None => record.last.any_valid = true,
        }
        record
    }

    /// The record once the user took an attempt of this round: it can be used, so the agent is not broken.
    pub fn taken(mut self, round: u32) -> Self {
        self.last.any_valid |= self.last.round == round;
        self
    }

    /// The round before this one, where the agent had nothing valid in either, in whatever ways it failed.
    pub fn fruitless_since(&self, round: u32) -> Option<u32> {
        let before = self.before.as_ref()?;
        let fruitless = self.last.round == round && !self.last.any_valid && !before.any_valid;
        fruitless.then_some(before.round)
    }

    /// The two rounds in which the agent failed the same way in every attempt, where this round is the second.
    pub fn broken(&self, round: u32) -> Option<Broken<'_>> {
        let before = self.before.as_ref()?;
        let same = self.last.round == round && self.last.fails_like(before);
        same.then_some(Broken {
            agent: &self.agent,
            rounds: [before, &self.last],
        })
    }
}

/// An agent that failed the same way in every attempt of two rounds in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken<'r> {
    pub agent: &'r str,
    pub rounds: [&'r RoundOfAttempts; 2],
}

impl Broken<'_> {
    /// In what ways it failed, as people read it.
    pub fn ways(&self) -> String {
        let [_, last] = self.rounds;
        crate::comma_list(&last.kinds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ExecutionErrorKind::{IdleTimeout, Provider};
    use Failing::{CouldNotRun, Invalid};
    use FailureType::{EmptyOutput, WrongFormat};

    type Attempt = (u32, &'static str, Option<Failing>);

    const FORMAT: Option<Failing> = Some(Invalid(WrongFormat));
    const EMPTY: Option<Failing> = Some(Invalid(EmptyOutput));
    const IDLE: Option<Failing> = Some(CouldNotRun(IdleTimeout));
    const DOWN: Option<Failing> = Some(CouldNotRun(Provider));
    const VALID: Option<Failing> = None;

    fn record(attempts: &[Attempt]) -> Record {
        let mut record = None;
        for (round, agent, failing) in attempts {
            record = Some(Record::with(record, agent, *round, *failing));
        }
        record.unwrap()
    }

    #[test]
    fn what_makes_an_agent_broken() {
        let broken: [&[Attempt]; 5] = [
            &[(1, "a", FORMAT), (2, "a", FORMAT)],
            &[(1, "a", FORMAT), (1, "a", FORMAT), (2, "a", FORMAT)],
            &[(1, "a", IDLE), (2, "a", IDLE), (2, "a", IDLE)],
            // The role had nothing to do in round 2.
            &[(1, "a", FORMAT), (3, "a", FORMAT)],
            // The same ways in both rounds.
            &[
                (1, "a", FORMAT),
                (1, "a", EMPTY),
                (2, "a", EMPTY),
                (2, "a", FORMAT),
            ],
        ];
        for attempts in broken {
            let record = record(attempts);
            let (last, _, _) = attempts[attempts.len() - 1];
            assert!(record.broken(last).is_some(), "{attempts:?}");
            assert!(record.broken(last + 1).is_none(), "{attempts:?}");
        }
        let not: [&[Attempt]; 9] = [
            &[(1, "a", FORMAT)],
            &[(1, "a", FORMAT), (1, "a", FORMAT), (1, "a", FORMAT)],
            &[(1, "a", FORMAT), (2, "a", EMPTY)],
            &[(1, "a", IDLE), (2, "a", DOWN)],
            &[(1, "a", FORMAT), (2, "a", FORMAT), (2, "a", IDLE)],
            &[(1, "a", FORMAT), (1, "a", VALID), (2, "a", FORMAT)],
            &[(1, "a", FORMAT), (2, "a", VALID), (2, "a", FORMAT)],
            &[(1, "a", FORMAT), (2, "b", FORMAT)],
            &[(1, "a", FORMAT), (2, "b", FORMAT), (2, "a", FORMAT)],
        ];
        for attempts in not {
            let (last, _, _) = attempts[attempts.len() - 1];
            assert_eq!(record(attempts).broken(last), None, "{attempts:?}");
        }
    }

    #[test]
    fn two_rounds_without_anything_valid_are_fruitless_whatever_failed() {
        let fruitless = [
            vec![(1, "a", FORMAT), (2, "a", EMPTY)],
            vec![(1, "a", IDLE), (3, "a", DOWN)],
        ];
        for attempts in fruitless {
            let last = attempts[1].0;
            assert_eq!(record(&attempts).fruitless_since(last), Some(1));
            assert_eq!(record(&attempts).fruitless_since(last + 1), None);
        }
        for attempts in [
            vec![(1, "a", FORMAT)],
            vec![(1, "a", VALID), (2, "a", FORMAT)],
            vec![(1, "a", FORMAT), (2, "a", FORMAT), (2, "a", VALID)],
            vec![(1, "a", FORMAT), (2, "b", FORMAT)],
        ] {
            let last = attempts[attempts.len() - 1].0;
            assert_eq!(record(&attempts).fruitless_since(last), None);
        }
    }

    #[test]
    fn only_the_last_two_rounds_count() {
        let attempts = [
            (1, "a", FORMAT),
            (2, "a", EMPTY),
            (3, "a", FORMAT),
            (4, "a", FORMAT),
            (4, "a", FORMAT),
        ];
        let record = record(&attempts);
        let broken = record.broken(4).unwrap();
        assert_eq!(broken.rounds.map(|round| round.round), [3, 4]);
        assert_eq!(broken.rounds.map(|round| round.attempts), [1, 2]);
        assert_eq!(
            (broken.agent, broken.ways().as_str()),
            ("a", "WRONG_FORMAT")
        );
    }

    #[test]
    fn an_attempt_that_the_user_takes_is_no_failure() {
        let taken = record(&[(1, "a", FORMAT)]).taken(1);
        let next = Record::with(Some(taken), "a", 2, FORMAT);
        assert_eq!(next.broken(2), None);
        let next = Record::with(Some(next), "a", 3, FORMAT);
        assert!(next.broken(3).is_some());
        // What an undone round had, taken in a round in which nobody was asked, says nothing of the rounds before.
        let other = record(&[(1, "a", FORMAT)]).taken(2);
        assert!(
            Record::with(Some(other), "a", 3, FORMAT)
                .broken(3)
                .is_some()
        );
    }
}
