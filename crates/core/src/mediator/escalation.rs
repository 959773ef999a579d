//! Owns what is asked when a slot has nothing left to try.

use super::Refusal;
use super::turn::Turn;
use crate::ids::GapId;
use crate::slot::{Exhaustion, SlotState};
use crate::task::{Role, SlotId};

impl Turn<'_> {
    /// Asks about the first exhausted slot of a role; false where there is none.
    pub(super) fn ask_about_exhausted(&mut self, role: Role) -> Result<bool, Refusal> {
        let exhausted = self
            .slots_of(role)
            .find(|slot| slot.state == SlotState::Exhausted)
            .map(|slot| (slot.id, slot.exhaustion.clone()));
        let Some((slot, exhaustion)) = exhausted else {
            return Ok(false);
        };
        let question = match exhaustion {
            Some(Exhaustion::CannotRun { error }) => self.agent_cannot_run_question(slot, &error),
            _ => self.escalation_question(slot),
        };
        self.ask(question);
        Ok(true)
    }

    /// The simplest of a slot's gaps: lowest severity, then shortest description, then fewest references.
    pub(super) fn simplest_gap(&self, slot: SlotId) -> Option<GapId> {
        let slot = self.slot(slot)?;
        slot.gaps
            .iter()
            .filter_map(|id| self.state.now.gaps.get(id))
            .min_by_key(|gap| {
                let references = crate::ids::gap_ids_in(&gap.description).len();
                (gap.severity, gap.description.len(), references)
            })
            .map(|gap| gap.id.clone())
    }
}
