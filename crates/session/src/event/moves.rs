//! Which move of which table an event is: what is asked before it is written, what the fold applies, and what an audit checks.

use gapless_domain::slot::SlotMove;
use gapless_domain::{PhaseMove, SlotId};

use super::{Happening, RoundEvent, SessionEvent, TaskEvent};

impl TaskEvent {
    /// The slot that the event moves; none where it opens one, or leaves them as they are.
    pub fn slot_move(&self) -> Option<(SlotId, SlotMove)> {
        Some(match self {
            TaskEvent::Opened { .. } | TaskEvent::UsageNoted { .. } => return None,
            TaskEvent::Started { task } => (task.id.slot, SlotMove::Start),
            TaskEvent::Validated { task, .. } => (task.slot, SlotMove::Validate),
            TaskEvent::Pressed { task, .. } => (task.slot, SlotMove::Press),
            TaskEvent::Rejected { task, .. } => (task.slot, SlotMove::Reject),
            TaskEvent::Failed { task, .. } => (task.slot, SlotMove::BackOff),
            TaskEvent::Exhausted { task, .. } => (task.slot, SlotMove::Exhaust),
            TaskEvent::BestTaken { task, .. } => (task.slot, SlotMove::TakeBest),
            TaskEvent::Woken { slot } => (*slot, SlotMove::Wake),
            TaskEvent::Granted { slot, .. } => (*slot, SlotMove::Grant),
            TaskEvent::Skipped { slot } => (*slot, SlotMove::Skip),
        })
    }
}

impl Happening {
    /// How the event moves the session from phase to phase, if it does.
    pub fn phase_move(&self) -> Option<PhaseMove> {
        match self {
            Happening::Session(SessionEvent::Entered { phase }) => Some(PhaseMove::Enter(*phase)),
            Happening::Session(SessionEvent::Ended { .. }) => Some(PhaseMove::End),
            Happening::Session(SessionEvent::Reopened { into, .. }) => {
                Some(PhaseMove::Reopen(*into))
            }
            Happening::Round(RoundEvent::Entered { phase }) => {
                Some(PhaseMove::EnterInRound(*phase))
            }
            Happening::Round(RoundEvent::Began { .. }) => Some(PhaseMove::BeginRound),
            _ => None,
        }
    }
}
