//! The slot: one role's task in a round, from its first attempt to a valid output or to giving up.
//! The table is [`step`].

use serde::{Deserialize, Serialize};

use crate::{ExecutionError, FailureType, listed, named};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::Display, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum SlotState {
    Ready,
    Running,
    Backoff,
    Valid,
    Exhausted,
    Skipped,
}

named!(SlotState);

/// What may happen to a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::VariantArray)]
pub enum SlotMove {
    /// An attempt begins.
    Start,
    /// The output is valid.
    Validate,
    /// The output is invalid, and there is a retry left.
    Reject,
    /// The output is invalid, or the agent could not run, and nothing is left to try.
    Exhaust,
    /// The agent could not run; it waits.
    BackOff,
    /// The wait is over.
    Wake,
    /// The output is valid, and says too little on something grave: it is asked for once more.
    Press,
    /// The user grants one more try, or another agent takes over.
    Grant,
    /// The user takes the best of the attempts that were not valid, or what an undone round had.
    TakeBest,
    /// The role is skipped, or its gaps are gone.
    Skip,
}

listed!(SlotMove);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a slot that is {from:?} has no move {attempted:?}")]
pub struct IllegalSlotMove {
    pub from: SlotState,
    pub attempted: SlotMove,
}

/// The slot's table.
pub fn step(from: SlotState, attempted: SlotMove) -> Result<SlotState, IllegalSlotMove> {
    use SlotMove as M;
    use SlotState as S;
    let to = match (attempted, from) {
        (M::Start, S::Ready) => S::Running,
        (M::Validate, S::Running) => S::Valid,
        (M::Reject, S::Running) => S::Ready,
        (M::Exhaust, S::Running) => S::Exhausted,
        (M::BackOff, S::Running) => S::Backoff,
        (M::Wake, S::Backoff) => S::Ready,
        (M::Press, S::Running) => S::Ready,
        (M::Grant, S::Exhausted) => S::Ready,
        (M::TakeBest, S::Ready | S::Exhausted) => S::Valid,
        (M::Skip, S::Ready | S::Running | S::Backoff | S::Exhausted) => S::Skipped,
        _ => return Err(IllegalSlotMove { from, attempted }),
    };
    Ok(to)
}

impl SlotState {
    /// True where nothing more happens unless the user says so.
    pub fn is_settled(self) -> bool {
        matches!(
            self,
            SlotState::Valid | SlotState::Exhausted | SlotState::Skipped
        )
    }
}

/// Why a slot has nothing left to try.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum Exhaustion {
    InvalidOutput { failure: FailureType },
    CannotRun { error: ExecutionError },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_state_and_move() {
        let mut matrix = String::new();
        for from in SlotState::ALL {
            for attempted in SlotMove::ALL {
                let verdict = match step(from, attempted) {
                    Ok(to) => to.to_string(),
                    Err(illegal) => {
                        assert_eq!(illegal, IllegalSlotMove { from, attempted });
                        "-".to_owned()
                    }
                };
                matrix += &format!("{from:<10} {:<9} {verdict}\n", format!("{attempted:?}"));
            }
        }
        insta::assert_snapshot!(matrix);
    }
}
