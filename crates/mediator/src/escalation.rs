//! Decides which question is asked when a slot has nothing left to try or neither role produced anything.

use super::{Result, Turn};
use gapless_domain::config::STALLS_BY_POLICY;
use gapless_domain::question::broken_agent;
use gapless_domain::{Exhaustion, GapId, GapMove, Role, SlotId, SlotState};
use gapless_session::{SessionEvent, Taken};

impl Turn<'_> {
    /// Asks about the first exhausted slot of a role; false where there is none.
    pub(super) fn ask_about_exhausted(&mut self, role: Role) -> Result<bool> {
        let exhausted = self
            .slots_of(role)
            .find(|slot| slot.state == SlotState::Exhausted)
            .map(|slot| (slot.id, slot.exhaustion.clone()));
        let Some((slot, exhaustion)) = exhausted else {
            return Ok(false);
        };
        if self.ask_about_broken(slot) {
            return Ok(true);
        }
        if self.retry_round_unasked(slot)? {
            return Ok(true);
        }
        let question = match exhaustion {
            Some(Exhaustion::CannotRun { error }) => self.agent_cannot_run_question(slot, &error),
            _ => self.escalation_question(slot)?,
        };
        self.ask(question);
        Ok(true)
    }

    /// Asks about an agent that fails the same way in every attempt of two rounds in a row; false where it doesn't, or where the
    /// user said to go on with this round.
    pub(super) fn ask_about_broken(&mut self, slot: SlotId) -> bool {
        let round = self.state.now.round.number;
        let record = self.state.now.failing.get(&slot.role);
        let Some(broken) = record.and_then(|record| record.broken(round)) else {
            return false;
        };
        if self.was_taken(slot.role, Taken::BrokenAgent(broken_agent::Options::GoOn)) {
            return false;
        }
        self.ask(self.broken_agent_question(slot, &broken));
        true
    }

    /// Gives a slot whose agent cannot run to the next agent that it has not had in this round: the one that its role has by
    /// now, else the next of the user's list. Each has its tries once for a slot, so that it comes to an end.
    pub(super) fn hand_on(&mut self, id: SlotId) -> Result<()> {
        // Whoever was asked for by the user for this one task is not replaced.
        let Some(slot) = self.slot(id).filter(|slot| slot.agent.is_none()) else {
            return Ok(());
        };
        let gaps = slot.gaps.clone();
        let attempts = self.state.now.round.attempts.iter();
        let had: Vec<&String> = attempts
            .filter(|attempt| attempt.task.slot == id)
            .map(|attempt| &attempt.agent)
            .collect();
        let current = self.agent_for(id.role);
        let fallback = &self.state.kept.setup.fallback;
        let mut line = std::iter::once(&current).chain(fallback);
        let Some(agent) = line.find(|agent| !had.contains(agent)).cloned() else {
            return Ok(());
        };
        if agent != current {
            self.session(SessionEvent::AgentChanged {
                role: id.role,
                agent,
                instead_of: Some(current),
            });
        }
        self.grant(id, None, gaps)
    }

    /// The gaps that the Engineer had in this round and that are as open as before, where neither role has anything.
    pub(super) fn left_by_both(&self) -> Vec<GapId> {
        let valid = |role: Role| {
            let mut slots = self.slots_of(role);
            slots.any(|slot| slot.state == SlotState::Valid)
        };
        if valid(Role::Engineer) || valid(Role::Reviewer) {
            return Vec::new();
        }
        let mut left: Vec<GapId> = self
            .slots_of(Role::Engineer)
            .flat_map(|slot| slot.gaps.iter())
            .filter(|id| self.gap_is(id, |gap| gap.can(GapMove::Assign).is_ok()))
            .cloned()
            .collect();
        left.sort();
        left.dedup();
        left
    }

    /// Asks what becomes of a round in which neither role produced anything; false where that is not so.
    pub(super) fn ask_about_emptiness(&mut self) -> Result<bool> {
        let left = self.left_by_both();
        if self.state.now.round.emptiness_settled || left.is_empty() {
            return Ok(false);
        }
        self.ask(self.both_empty_question(&left));
        Ok(true)
    }

    /// The round before this one, where the agent of a role had nothing valid in either.
    pub(super) fn fruitless_since(&self, role: Role) -> Option<u32> {
        let record = self.state.now.failing.get(&role)?;
        record.fruitless_since(self.state.now.round.number)
    }

    /// True where so many rounds brought no gain that nothing is recommended any more: a policy would only go on spending.
    pub(super) fn is_stuck(&self) -> bool {
        let most = self
            .state
            .limits()
            .stall_threshold
            .saturating_mul(STALLS_BY_POLICY);
        self.state.kept.rounds_without_gain >= most
    }

    /// What a question says that recommends nothing for this reason.
    pub(super) fn why_stuck(&self) -> Option<String> {
        let rounds = self.state.kept.rounds_without_gain;
        self.is_stuck().then(|| {
            format!(
                "**No option is recommended:** {rounds} rounds in a row brought no gain, and no policy goes on from here."
            )
        })
    }

    /// True where the user chose an option in this round before.
    pub(super) fn was_taken(&self, role: Role, option: Taken) -> bool {
        self.state.now.round.taken.contains(&(role, option))
    }
}
