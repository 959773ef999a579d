//! Owns what is asked when a slot has nothing left to try or neither role produced anything, and what the answers do.

use super::Refusal;
use super::ground::SlotGround;
use super::turn::Turn;
use crate::plan::plan;
use crate::termination::Left;
use gapless_domain::failure::Warning;
use gapless_domain::gap::{GapMove, GapState};
use gapless_domain::ids::GapId;
use gapless_domain::phase::{RoundPhase, Trigger};
use gapless_domain::question::{Answer, AnswerError, BROKEN_GO_ON};
use gapless_domain::rollback::RollbackTrigger;
use gapless_domain::slot::{Exhaustion, SlotState};
use gapless_domain::task::{Role, SlotId, TaskId};
use gapless_domain::text::TextHash;
use gapless_reading::read::{ReadDocument, Reading};
use gapless_reading::validate::salvage;
use gapless_session::event::{SessionEvent, TaskEvent};

/// The agent that is a person.
const HUMAN: &str = "human";

/// The attempt that bound most, and what of it can be taken.
pub(super) struct Best {
    pub task: TaskId,
    pub gaps: Vec<GapId>,
    document: ReadDocument,
    reading: Reading,
    warnings: Vec<Warning>,
}

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
        if self.was_taken(slot.role, BROKEN_GO_ON) {
            return false;
        }
        let question = self.broken_agent_question(slot, &broken);
        self.ask(question);
        true
    }

    pub(super) fn answer_broken_agent(
        &mut self,
        role: Role,
        answer: &Answer,
    ) -> Result<(), Refusal> {
        let agent = match answer.option.as_str() {
            "again" => None,
            "another" => Some(answer.field("agent").to_owned()),
            "stop" => return self.ask_stop(Left::of(&self.state.now).end(), Trigger::UserStop),
            // `go_on`: the phase asks what it usually does.
            _ => return Ok(()),
        };
        let exhausted: Vec<(SlotId, Vec<GapId>, Option<String>)> = self
            .slots_of(role)
            .filter(|slot| slot.state == SlotState::Exhausted)
            .map(|slot| (slot.id, slot.gaps.clone(), slot.agent.clone()))
            .collect();
        let is_another = agent.is_some();
        if let Some(agent) = agent {
            self.session(SessionEvent::AgentChanged {
                role,
                agent,
                instead_of: None,
            });
        }
        for (slot, gaps, own) in exhausted {
            self.open_slot_instead(slot, gaps, own.filter(|_| !is_another))?;
        }
        Ok(())
    }

    /// Gives a slot whose agent cannot run to the next agent that it has not had in this round: the one that its role has by
    /// now, else the next of the user's list. Each has its tries once for a slot, so that it comes to an end.
    pub(super) fn hand_on(&mut self, id: SlotId) -> Result<(), Refusal> {
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

    /// The simplest of a slot's gaps: lowest severity, then shortest description, then fewest references.
    pub(super) fn simplest_gap(&self, slot: SlotId) -> Option<GapId> {
        let slot = self.slot(slot)?;
        slot.gaps
            .iter()
            .filter_map(|id| self.state.now.gaps.get(id))
            .min_by_key(|gap| {
                let references = gapless_domain::ids::gap_ids_in(&gap.description).len();
                (gap.severity, gap.description.len(), references)
            })
            .map(|gap| gap.id.clone())
    }

    /// The gaps that a slot could work on instead: for the Engineer the next in line, for the Reviewer its own proposals.
    pub(super) fn could_be_reassigned(&self, slot: SlotId) -> Vec<GapId> {
        match slot.role {
            Role::Engineer => plan(&self.state).assigned(),
            Role::Reviewer => {
                let gaps = self.slot(slot).map(|slot| slot.gaps.clone());
                gaps.filter(|gaps| gaps.len() > 1).unwrap_or_default()
            }
            Role::Analyst | Role::Editor | Role::FinalReviewer => Vec::new(),
        }
    }

    /// The attempt of a slot that bound most of its gaps, the newest of equals; none where no attempt bound any.
    pub(super) fn best_attempt(&self, id: SlotId) -> Result<Option<Best>, Refusal> {
        let Some(slot) = self.slot(id) else {
            return Ok(None);
        };
        let layered = self.layered();
        let ground = SlotGround {
            now: &self.state.now,
            slot,
            texts: &layered,
            sections: Vec::new(),
        };
        let outputs: Vec<(TaskId, TextHash)> = self
            .state
            .now
            .round
            .attempts
            .iter()
            .filter(|attempt| attempt.task.slot == id)
            .filter_map(|attempt| {
                let output = attempt.finished.as_ref()?.read()?;
                Some((attempt.task, output))
            })
            .collect();
        let mut best: Option<Best> = None;
        for (task, output) in outputs {
            let text = self.text(&output)?;
            let Some(checked) = salvage(id.role, &text, &ground) else {
                continue;
            };
            let (result, Some(reading)) = (checked.result, checked.reading) else {
                continue;
            };
            // Gaps that were taken on beside those of the task make no attempt better than another.
            let own = |gaps: &[GapId]| gaps.iter().filter(|gap| slot.gaps.contains(gap)).count();
            let more = |best: &Best| own(&result.gaps_addressed) >= own(&best.gaps);
            if best.as_ref().is_none_or(more) {
                best = Some(Best {
                    task,
                    gaps: result.gaps_addressed,
                    document: checked.document,
                    reading,
                    warnings: result.warnings,
                });
            }
        }
        Ok(best)
    }

    pub(super) fn answer_escalation(
        &mut self,
        slot: SlotId,
        answer: &Answer,
    ) -> Result<(), Refusal> {
        let gaps = self
            .slot(slot)
            .map(|slot| slot.gaps.clone())
            .unwrap_or_default();
        match answer.option.as_str() {
            "skip" => self.skip_slot(slot),
            "context" => self.grant(slot, Some(answer.field("context").to_owned()), gaps),
            "narrow" => {
                let simplest = self.simplest_gap(slot).into_iter().collect();
                self.grant(slot, None, simplest)
            }
            "reassign" => self.reassign(slot, answer),
            "best" => self.take_best(slot),
            "roll_back" => self.ask_rollback(RollbackTrigger::Exhausted),
            _ => Ok(()),
        }
    }

    /// Other gaps, in a slot of their own: the old one's failures are none of theirs.
    fn reassign(&mut self, slot: SlotId, answer: &Answer) -> Result<(), Refusal> {
        let wanted = self.gaps_of(answer, "gaps")?;
        let before = self
            .slot(slot)
            .map(|slot| slot.gaps.clone())
            .unwrap_or_default();
        let refused = |gap: &GapId, why: &str| {
            Refusal::Answer(AnswerError::BadField {
                field: "gaps".to_owned(),
                why: format!("{gap} {why}"),
            })
        };
        if slot.role == Role::Reviewer {
            let strange = wanted.iter().find(|gap| !before.contains(gap));
            if let Some(gap) = strange {
                return Err(refused(gap, "has no proposal that waits for a review"));
            }
            return self.open_slot_instead(slot, wanted, None);
        }
        for gap in before.iter().filter(|gap| !wanted.contains(gap)) {
            if self.gap(gap)?.state == GapState::InProgress {
                self.move_gap(gap, GapMove::Return, None)?;
            }
        }
        for id in wanted.iter().filter(|gap| !before.contains(gap)) {
            let gap = self.gap(id)?;
            if self.state.now.gap_is_in_question(id) {
                return Err(refused(id, "waits for a conflict on it to be decided"));
            }
            if crate::plan::blockers(&self.state.now, gap).next().is_some() {
                return Err(refused(id, "waits on another gap"));
            }
            if gap.can(GapMove::Assign).is_err() {
                return Err(refused(id, &format!("is {}", gap.state)));
            }
            self.move_gap(id, GapMove::Assign, None)?;
        }
        self.open_slot_instead(slot, wanted, None)
    }

    fn take_best(&mut self, slot: SlotId) -> Result<(), Refusal> {
        let Some(best) = self.best_attempt(slot)? else {
            return Ok(());
        };
        let output = self.keep_document(best.document);
        let blocked = match &best.reading {
            Reading::Engineer(reading) => reading.blocked.clone(),
            _ => Vec::new(),
        };
        self.move_slot(TaskEvent::BestTaken {
            task: best.task,
            output,
            reading: best.reading,
            warnings: best.warnings,
        })?;
        self.take_blocked_markers(&blocked)
    }

    /// The gaps that the Engineer had in this round and that are as open as before, where neither role has anything.
    fn left_by_both(&self) -> Vec<GapId> {
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
            .filter(|id| {
                let gap = self.state.now.gaps.get(*id);
                gap.is_some_and(|gap| gap.can(GapMove::Assign).is_ok())
            })
            .cloned()
            .collect();
        left.sort();
        left.dedup();
        left
    }

    /// Asks what becomes of a round in which neither role produced anything; false where that is not so.
    pub(super) fn ask_about_emptiness(&mut self) -> Result<bool, Refusal> {
        let left = self.left_by_both();
        if self.state.now.round.emptiness_settled || left.is_empty() {
            return Ok(false);
        }
        let question = self.both_empty_question(&left);
        self.ask(question);
        Ok(true)
    }

    pub(super) fn answer_both_empty(&mut self, answer: &Answer) -> Result<(), Refusal> {
        let reason = answer.field("reason");
        match answer.option.as_str() {
            "retry" => self.engineer_again(None),
            "human" => self.engineer_again(Some(HUMAN.to_owned())),
            "close" => {
                for gap in self.gaps_of(answer, "gaps")? {
                    self.close(&gap, reason, None, answer.by)?;
                }
                Ok(())
            }
            "defer" => {
                for gap in self.gaps_of(answer, "gaps")? {
                    self.defer(&gap, reason, answer.by)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The same gaps once more in this round, in a slot that knows nothing of the attempts before.
    fn engineer_again(&mut self, agent: Option<String>) -> Result<(), Refusal> {
        let gaps = self.left_by_both();
        self.enter_in_round(RoundPhase::Engineering)?;
        for gap in &gaps {
            self.move_gap(gap, GapMove::Assign, None)?;
        }
        self.open_slot_for(Role::Engineer, gaps, agent, None);
        Ok(())
    }

    /// True where an option of an escalation was taken before for this role in this round.
    pub(super) fn was_taken(&self, role: Role, option: &str) -> bool {
        let escalated = &self.state.now.round.escalated;
        escalated.contains(&(role, option.to_owned()))
    }
}
