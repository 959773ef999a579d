//! The phases of a session and of the round in it. [`step`] is the table of which phase may follow on which; a rollback,
//! which restores an earlier state, is no move of it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{listed, named};

/// Where a session is. Paused is orthogonal to this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::Display, strum::IntoStaticStr, strum::VariantArray)]
pub enum Phase {
    #[default]
    Discovering,
    Inventory,
    Round,
    FinalReview,
    Closing,
    Ended,
}

named!(Phase);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::Display, strum::IntoStaticStr, strum::VariantArray)]
pub enum RoundPhase {
    #[default]
    Planning,
    Engineering,
    Responding,
    Reviewing,
    Settling,
    Accounting,
    Concluding,
}

named!(RoundPhase);

/// The phase of a session, and that of its round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub session: Phase,
    pub round: RoundPhase,
}

/// What moves a session on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PhaseMove {
    /// The session enters a phase; its round stays where it is.
    Enter(Phase),
    /// The round enters a phase.
    EnterInRound(RoundPhase),
    /// The next round begins.
    BeginRound,
    End,
    /// The ended session goes on in this phase.
    Reopen(Phase),
}

/// A move that the phases don't have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a session in {from} cannot {attempted}")]
pub struct IllegalPhaseMove {
    pub from: Place,
    pub attempted: PhaseMove,
}

pub fn step(from: Place, attempted: PhaseMove) -> Result<Place, IllegalPhaseMove> {
    use Phase as P;
    use PhaseMove as M;
    use RoundPhase as R;
    let (session, round) = match (attempted, from.session, from.round) {
        (M::Enter(P::Inventory), P::Discovering, R::Planning) => (P::Inventory, R::Planning),
        (M::BeginRound, P::Inventory, R::Planning) => (P::Round, R::Planning),
        (M::BeginRound, P::Round, R::Concluding) => (P::Round, R::Planning),
        (M::EnterInRound(to @ R::Engineering), P::Round, R::Planning) => (P::Round, to),
        // The Engineers are asked again, about issues that they passed over or after a round without any output.
        (M::EnterInRound(to @ R::Engineering), P::Round, R::Responding | R::Settling) => {
            (P::Round, to)
        }
        (M::EnterInRound(to @ R::Responding), P::Round, R::Engineering) => (P::Round, to),
        // A round that only reviews earlier proposals has no Engineering.
        (M::EnterInRound(to @ R::Reviewing), P::Round, R::Planning | R::Responding) => {
            (P::Round, to)
        }
        (M::EnterInRound(to @ R::Settling), P::Round, R::Reviewing) => (P::Round, to),
        (M::EnterInRound(to @ R::Accounting), P::Round, R::Settling) => (P::Round, to),
        (M::EnterInRound(to @ R::Concluding), P::Round, R::Accounting) => (P::Round, to),
        // An inventory with nothing to work on goes to the final review without a round.
        (M::EnterInRound(to @ R::Concluding), P::Inventory, R::Planning) => (P::Inventory, to),
        (M::Enter(P::FinalReview), P::Inventory, round @ R::Concluding) => (P::FinalReview, round),
        (M::Enter(P::FinalReview), P::Round, round @ (R::Planning | R::Concluding)) => {
            (P::FinalReview, round)
        }
        (M::Enter(P::Round), P::FinalReview, round @ (R::Planning | R::Concluding)) => {
            (P::Round, round)
        }
        (
            M::Enter(P::Closing),
            P::Discovering | P::Inventory | P::Round | P::FinalReview,
            round,
        ) => (P::Closing, round),
        (M::End, P::Closing, round) => (P::Ended, round),
        // What was under way at the end is over: the next round, or the first, is planned anew.
        (M::Reopen(to @ P::Inventory), P::Ended, R::Planning | R::Concluding) => (to, R::Planning),
        (M::Reopen(to @ P::Round), P::Ended, _) => (to, R::Concluding),
        _ => return Err(IllegalPhaseMove { from, attempted }),
    };
    Ok(Place { session, round })
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.session, self.round)
    }
}

impl fmt::Display for PhaseMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PhaseMove::Enter(phase) => write!(f, "enter {phase}"),
            PhaseMove::EnterInRound(phase) => write!(f, "enter {phase}"),
            PhaseMove::BeginRound => f.write_str("begin a round"),
            PhaseMove::End => f.write_str("end"),
            PhaseMove::Reopen(phase) => write!(f, "go on in {phase}"),
        }
    }
}

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[derive(strum::Display, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum End {
    Complete,
    GoodEnough,
    UserApproved,
    MaxRounds,
    StallExit,
    Abandoned,
}

named!(End);

/// What made the session end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::VariantArray)]
pub enum Trigger {
    FinalReviewReady,
    UserStop,
    RoundLimit,
    Divergence,
    NothingToPlan,
    NoFinalReview,
    /// No rollback was left.
    RollbackLimit,
    Abandoned,
}

listed!(Trigger);

impl Trigger {
    pub fn sentence(self) -> &'static str {
        match self {
            Trigger::FinalReviewReady => "no gap is open and the final review says ready",
            Trigger::UserStop => "the user asked to stop",
            Trigger::RoundLimit => "the round limit was reached",
            Trigger::Divergence => "the user forced completion out of a divergence warning",
            Trigger::NothingToPlan => {
                "nothing more could be planned, and what was left was accepted"
            }
            Trigger::NoFinalReview => "there was no valid final review and the user stopped",
            Trigger::RollbackLimit => {
                "no rollback was left and the user accepted the present state"
            }
            Trigger::Abandoned => "the user gave up",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_place_and_move() {
        let moves = [PhaseMove::BeginRound, PhaseMove::End].into_iter();
        let moves = moves.chain(Phase::ALL.map(PhaseMove::Reopen));
        let moves = moves.chain(Phase::ALL.map(PhaseMove::Enter));
        let moves: Vec<PhaseMove> = moves
            .chain(RoundPhase::ALL.map(PhaseMove::EnterInRound))
            .collect();
        let mut matrix = String::new();
        for session in Phase::ALL {
            for round in RoundPhase::ALL {
                let from = Place { session, round };
                matrix += &format!("{from}\n");
                for attempted in &moves {
                    let attempted = *attempted;
                    match step(from, attempted) {
                        Ok(to) => {
                            matrix += &format!("    {:<18} {to}\n", attempted.to_string());
                        }
                        Err(illegal) => assert_eq!(illegal, IllegalPhaseMove { from, attempted }),
                    }
                }
            }
        }
        insta::assert_snapshot!(matrix);
    }
}
