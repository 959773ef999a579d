//! Taking an ended session up again: its next chapter, in which ids, gaps and decisions go on.

use super::{Result, Turn};
use gapless_domain::{DecisionId, DecisionKind, Phase, TextHash};
use gapless_session::{DecisionEvent, Happening, SessionEvent};
use gapless_spec::assemble;

impl Turn<'_> {
    /// Begins the next chapter. It rests until the user resumes it, so that all that is to be changed can be changed first.
    pub(super) fn begin_chapter(&mut self) -> Result<()> {
        self.withdraw_questions(|_| true, "the session is taken up again");
        let into = match self.state.now.round.number {
            0 => Phase::Inventory,
            _ => Phase::Round,
        };
        let refined = assemble(&self.state, &self.layered())?;
        self.move_phase(Happening::Session(SessionEvent::Reopened {
            into,
            refined: Some(TextHash::of(&refined)),
        }))?;
        // What was accepted as left open is open again: the next end asks anew.
        let decisions = self.state.now.decisions.iter();
        let accepted: Vec<DecisionId> = decisions
            .filter(|decision| decision.kind == DecisionKind::Acceptance)
            .filter(|decision| decision.lifted.is_none())
            .map(|decision| decision.id)
            .collect();
        for id in accepted {
            self.emit(Happening::Decision(DecisionEvent::Lifted {
                id,
                why: "the session was taken up again".to_owned(),
            }));
        }
        Ok(())
    }
}
