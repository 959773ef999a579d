//! Looking back: the state before and after a round, folded anew from the log.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Event, Happening, RollbackEvent, RoundEvent, SessionEvent, State, apply};

/// What a round started from, and what it left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Around {
    /// For round 0: as the session was started, before anything was found.
    pub before: State,
    pub after: State,
    /// A later round has begun, so that `after` is final.
    pub is_over: bool,
}

/// Why there is nothing to look at.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSuchRound {
    #[error("there is no round {round} yet")]
    Unknown {
        round: u32,
        /// Those that stand.
        there: Vec<u32>,
    },
    #[error("round {round} was rolled back and has not been run again: {reason}")]
    Undone {
        round: u32,
        reason: String,
        there: Vec<u32>,
    },
}

impl NoSuchRound {
    /// The rounds that can be looked at.
    pub fn there(&self) -> &[u32] {
        match self {
            NoSuchRound::Unknown { there, .. } | NoSuchRound::Undone { there, .. } => there,
        }
    }
}

/// The states around a round. One that was rolled back and run again counts as it was last run.
pub fn around_round<'e>(
    events: impl IntoIterator<Item = &'e Event>,
    round: u32,
) -> Result<Around, NoSuchRound> {
    let mut state = State::default();
    let (mut before, mut after) = (None, None);
    let mut standing = BTreeSet::from([0]);
    let mut undone: BTreeMap<u32, &str> = BTreeMap::new();
    // What was known at each point that can be taken back to, by the number of its event.
    let mut said = BTreeMap::new();
    for event in events {
        match &event.what {
            Happening::Session(SessionEvent::Said { .. }) => {
                let known = (
                    before.clone(),
                    after.clone(),
                    standing.clone(),
                    undone.clone(),
                );
                said.insert(state.kept.events + 1, known);
            }
            Happening::Rollback(RollbackEvent::TakenBack { said: number, .. }) => {
                if let Some(known) = said.remove(number) {
                    let now = std::mem::take(&mut standing);
                    let words = "what led to it was taken back";
                    (before, after, standing, undone) = known;
                    for lost in now.difference(&standing) {
                        undone.insert(*lost, words);
                    }
                }
            }
            Happening::Round(RoundEvent::Began { round: began }) => {
                standing.insert(*began);
                undone.remove(began);
                if *began == round {
                    before = Some(state.clone());
                    after = None;
                } else if round.checked_add(1) == Some(*began) {
                    after = Some(state.clone());
                }
            }
            Happening::Rollback(RollbackEvent::RolledBack {
                to_round, reason, ..
            }) => {
                for lost in standing.split_off(&to_round.saturating_add(1)) {
                    undone.insert(lost, reason);
                }
                if *to_round <= round {
                    after = None;
                }
            }
            _ => {}
        }
        apply(&mut state, event);
        if round == 0 && matches!(event.what, Happening::Session(SessionEvent::Started { .. })) {
            before = Some(state.clone());
        }
    }
    match before {
        Some(before) if standing.contains(&round) => Ok(Around {
            before,
            is_over: after.is_some(),
            after: after.unwrap_or(state),
        }),
        _ => {
            let there = standing.into_iter().collect();
            Err(match undone.get(&round) {
                Some(reason) => NoSuchRound::Undone {
                    round,
                    reason: (*reason).to_owned(),
                    there,
                },
                None => NoSuchRound::Unknown { round, there },
            })
        }
    }
}

/// For each event the index of the rollback that undid it; none where it stands.
pub fn undone<'e>(events: impl IntoIterator<Item = &'e Event>) -> Vec<Option<usize>> {
    let mut by: Vec<Option<usize>> = Vec::new();
    let mut began: BTreeMap<u32, usize> = BTreeMap::new();
    let mut said = BTreeMap::new();
    for (index, event) in events.into_iter().enumerate() {
        by.push(None);
        match &event.what {
            Happening::Round(RoundEvent::Began { round }) => {
                began.insert(*round, index);
            }
            Happening::Session(SessionEvent::Said { .. }) => {
                said.insert(index as u64 + 1, began.clone());
            }
            Happening::Rollback(RollbackEvent::TakenBack { said: number, .. }) => {
                if let Some(then) = said.get(number) {
                    began.clone_from(then);
                    let from = usize::try_from(number - 1).unwrap_or(index);
                    // What a rollback undid that is itself taken back stands again.
                    for by in &mut by[..from] {
                        *by = by.filter(|rollback| *rollback < from);
                    }
                    for by in &mut by[from..index] {
                        *by = Some(index);
                    }
                }
            }
            Happening::Rollback(RollbackEvent::RolledBack { to_round, .. }) => {
                let first = to_round.saturating_add(1);
                if let Some(from) = began.get(&first).copied() {
                    for undone in by[from..index].iter_mut().filter(|undone| undone.is_none()) {
                        *undone = Some(index);
                    }
                }
                began.split_off(&first);
            }
            _ => {}
        }
    }
    by
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_log::{back, began, started};

    fn seen(log: &[Event], round: u32) -> Result<(u64, u64, bool), NoSuchRound> {
        around_round(log, round).map(|around| {
            (
                around.before.kept.events,
                around.after.kept.events,
                around.is_over,
            )
        })
    }

    #[test]
    fn a_round_reaches_from_its_beginning_to_the_next_or_to_now() {
        let mut log = vec![started()];
        assert_eq!(seen(&log, 0), Ok((1, 1, false)));
        log.extend([began(0, 1), began(0, 2)]);
        assert_eq!(seen(&log, 0), Ok((1, 1, true)));
        assert_eq!(seen(&log, 1), Ok((1, 2, true)));
        assert_eq!(seen(&log, 2), Ok((2, 3, false)));
        let there = vec![0, 1, 2];
        assert_eq!(seen(&log, 3), Err(NoSuchRound::Unknown { round: 3, there }));
    }

    #[test]
    fn what_a_rollback_undid_points_to_it() {
        let mut log = vec![started()];
        log.extend([
            began(0, 1),
            began(0, 2),
            began(0, 3),
            back(0, 3, 1),
            began(0, 2),
            back(0, 2, 0),
        ]);
        let first = Some(4);
        let second = Some(6);
        assert_eq!(
            undone(&log),
            [None, second, first, first, second, second, None],
            "the first rollback is itself undone by the second"
        );
    }

    #[test]
    fn an_undone_round_is_refused_until_it_is_run_again() {
        let mut log = vec![started()];
        log.extend([began(0, 1), began(0, 2), began(0, 3), back(0, 3, 1)]);
        let undone = seen(&log, 2).unwrap_err();
        assert_eq!(
            undone.to_string(),
            "round 2 was rolled back and has not been run again: it went astray"
        );
        assert_eq!(undone.there(), [0, 1]);
        assert_eq!(
            seen(&log, 1),
            Ok((1, 5, false)),
            "nothing follows on it now"
        );
        log.push(began(0, 2));
        assert_eq!(seen(&log, 1), Ok((1, 5, true)));
        assert_eq!(seen(&log, 2), Ok((5, 6, false)));
        assert!(matches!(seen(&log, 3), Err(NoSuchRound::Undone { .. })));
        assert!(matches!(seen(&log, 4), Err(NoSuchRound::Unknown { .. })));
    }
}
