//! Owns discovery: the Analyst's gaps join the declared ones, and the user sees the inventory before round 1.

use super::Refusal;
use super::turn::Turn;
use crate::event::{RoundEvent, SessionEvent};
use crate::gap::Origin;
use crate::phase::{Phase, RoundPhase};
use crate::read::Reading;
use crate::slot::SlotState;
use crate::task::Role;
use crate::termination::is_otherwise_complete;

impl Turn<'_> {
    pub(super) fn discover(&mut self) -> Result<(), Refusal> {
        if self.ask_about_exhausted(Role::Analyst)? {
            return Ok(());
        }
        let readings: Vec<Reading> = self
            .slots_of(Role::Analyst)
            .filter(|slot| slot.state == SlotState::Valid)
            .filter_map(|slot| slot.output.as_ref())
            .map(|output| output.reading.clone())
            .collect();
        for reading in readings {
            let Reading::Analyst(reading) = reading else {
                continue;
            };
            for gap in &reading.gaps {
                self.create_declared(gap, Origin::Analyst, "round_000/analyst.md")?;
            }
        }
        self.session(SessionEvent::Entered {
            phase: Phase::Inventory,
        });
        let question = self.inventory_question()?;
        self.ask(question);
        Ok(())
    }

    /// The inventory is confirmed: limits follow from its size, and the first round begins.
    pub(super) fn begin_after_inventory(&mut self) -> Result<(), Refusal> {
        if !self.state.now.inventory_confirmed {
            let question = self.inventory_question()?;
            self.ask(question);
            return Ok(());
        }
        if self.state.kept.limits.is_none() {
            let initial_gaps = self.state.now.gaps_left();
            let limits = self.state.kept.setup.config.limits(initial_gaps);
            self.session(SessionEvent::LimitsSet {
                limits,
                initial_gaps,
            });
        }
        if is_otherwise_complete(&self.state.now)
            && self.state.now.round.final_reviewed != Some(false)
        {
            self.round(RoundEvent::Entered {
                phase: RoundPhase::Concluding,
            });
            self.begin_final_review();
        } else {
            self.begin_round();
        }
        Ok(())
    }
}
