//! Asks what becomes of a task whose role has nothing valid after its retries.

use super::Effect;
use super::given::{Given, bad_field};
use super::wording::{GAP_IDS, choice, field, pause_choice, recommended_if, suggesting};
use crate::plan::plan;
use crate::{ChangeFaults, Result, SlotContext, Turn};
use gapless_domain::question::escalation::{Fields, Options, Subject};
use gapless_domain::{
    About, Choice, GapId, GapMove, GapState, Question, Role, RollbackTrigger, SlotId, SlotState,
    TaskId, TextHash, Warning, comma_list,
};
use gapless_reading::read::{ReadDocument, Reading};
use gapless_reading::validate::salvage;
use gapless_session::{Noted, Taken, TaskEvent};

/// The attempt that bound most, and what of it can be taken.
struct Best {
    task: TaskId,
    gaps: Vec<GapId>,
    document: ReadDocument,
    reading: Reading,
    warnings: Vec<Warning>,
}

impl Turn<'_> {
    pub(crate) fn escalation_question(&self, slot: SlotId) -> Result<Question> {
        let role = slot.role;
        let about = About::Escalation(Subject { slot });
        let title = format!("{}: {}", self.place_of(role), self.outcome_of(slot));
        let others = self.could_be_reassigned(slot);
        Ok(Question {
            options: self.escalation_choices(slot, &others)?,
            fields: vec![
                field(
                    Fields::Context,
                    "what the agent may be missing",
                    &[Options::Context],
                ),
                suggesting(
                    field(Fields::Gaps, GAP_IDS, &[Options::Reassign]),
                    comma_list(&others),
                ),
            ],
            ..self.question(about, title, self.escalation_context(slot))
        })
    }

    fn escalation_context(&self, slot: SlotId) -> String {
        let context = self.attempts_context(slot);
        match self.fruitless_since(slot.role) {
            Some(before) => format!(
                "{context}\n\nThe {} had nothing valid in round {before} either. No option is recommended, and no policy \
                 goes on from here.",
                slot.role
            ),
            None => match self.why_stuck() {
                Some(stuck) => format!("{context}\n\n{stuck}"),
                None => context,
            },
        }
    }

    /// Where the session is, for a title.
    fn place_of(&self, role: Role) -> String {
        match role {
            Role::Analyst => "Discovery".to_owned(),
            Role::Editor | Role::FinalReviewer => "Final review".to_owned(),
            Role::Engineer | Role::Reviewer => format!("Round {}", self.state.now.round.number),
        }
    }

    /// How far a slot came that has nothing left to try.
    fn outcome_of(&self, id: SlotId) -> String {
        let attempts = self.slot(id).map_or(0, |slot| slot.attempts);
        let whose = match self.slot(id).map(|slot| slot.gaps.as_slice()) {
            Some(gaps) if self.slots_of(id.role).count() > 1 && !gaps.is_empty() => {
                format!(" for {}", comma_list(gaps))
            }
            _ => String::new(),
        };
        match attempts {
            1 => format!("the {} has nothing valid{whose} after its attempt", id.role),
            attempts => format!(
                "the {} has nothing valid{whose} after {attempts} attempts",
                id.role
            ),
        }
    }

    /// What can be done about a slot that has nothing left to try; each once per role and round.
    fn escalation_choices(&self, slot: SlotId, others: &[GapId]) -> Result<Vec<Choice>> {
        let role = slot.role;
        let several = self.slot(slot).is_some_and(|slot| slot.gaps.len() > 1);
        let goes_on = self.fruitless_since(role).is_none() && !self.is_stuck();
        let mut options = vec![recommended_if(goes_on, self.skip_choice(slot))];
        let mut offer = |option: Options, text: &str, effect: &str| {
            if !self.was_taken(role, Taken::Escalation(option)) {
                options.push(choice(option, text, effect));
            }
        };
        let (what, effect) = match role {
            Role::Reviewer => (
                "Review only some",
                "the proposals you name are reviewed in a task of their own; the others stay PROPOSED",
            ),
            _ => (
                "Reassign gaps",
                "the gaps you name are worked on in a task of their own; those of this task that you don't name go back",
            ),
        };
        if !others.is_empty() {
            offer(Options::Reassign, what, effect);
        }
        let effect = "what you write goes into the prompt, for one more try";
        offer(Options::Context, "Give context", effect);
        if let Some(simplest) = self.simplest_gap(slot).filter(|_| several) {
            let rest = match role {
                Role::Reviewer => "the others stay PROPOSED",
                _ => "the others go back",
            };
            let effect = format!("one more try with {simplest} alone; {rest}");
            offer(Options::Narrow, "Narrow to the simplest gap", &effect);
        }
        if let Some(best) = self.best_attempt(slot)? {
            let effect = format!(
                "attempt {} is taken for {}; what is wrong in it is left out",
                best.task.attempt,
                comma_list(&best.gaps)
            );
            offer(Options::Best, "Take the best attempt", &effect);
        }
        if !self.was_taken(role, Taken::Escalation(Options::RollBack)) {
            options.extend(self.roll_back_choice(Options::RollBack));
        }
        options.push(pause_choice(Options::Pause));
        Ok(options)
    }

    fn skip_choice(&self, slot: SlotId) -> Choice {
        let role = slot.role;
        let mut beside = self.slots_of(role).filter(|other| other.id != slot);
        if beside.any(|other| other.state == SlotState::Exhausted) {
            return choice(
                Options::Skip,
                "Skip this task",
                "its gaps go back; you are asked about the next task that has nothing valid",
            );
        }
        let effect = match role {
            Role::Analyst => "the inventory has only what the spec itself declares",
            Role::Engineer => {
                "the gaps go back; the round is recorded as `Engineer: SKIP` and not judged"
            }
            Role::Reviewer => "the proposals stay PROPOSED and are reviewed in the next round",
            Role::Editor => "the sections stay as they are assembled",
            Role::FinalReviewer => "the spec can't end as COMPLETE; you are asked whether to stop",
        };
        choice(Options::Skip, &format!("Skip the {role}"), effect)
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        let slot = self.slot;
        let gaps = || turn.slot(slot).map(|slot| slot.gaps.clone());
        match given.option {
            Options::Skip => turn.skip_slot(slot),
            Options::Reassign => turn.reassign(slot, given),
            Options::Context => {
                let context = given.field(Fields::Context).to_owned();
                let gaps = gaps().unwrap_or_default();
                turn.grant(slot, Some(context), gaps)
            }
            Options::Narrow => {
                let simplest = turn.simplest_gap(slot).into_iter().collect();
                turn.grant(slot, None, simplest)
            }
            Options::Best => turn.take_best(slot),
            Options::RollBack => turn.ask_rollback(RollbackTrigger::Exhausted),
            Options::Pause => turn.pause(),
        }
    }

    fn noted(&self, option: Options) -> Vec<Noted> {
        vec![Noted::Taken {
            role: self.slot.role,
            option: Taken::Escalation(option),
        }]
    }
}

impl Turn<'_> {
    /// The simplest of a slot's gaps: lowest severity, then shortest description, then fewest references.
    fn simplest_gap(&self, slot: SlotId) -> Option<GapId> {
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
    fn could_be_reassigned(&self, slot: SlotId) -> Vec<GapId> {
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
    fn best_attempt(&self, id: SlotId) -> Result<Option<Best>> {
        let Some(slot) = self.slot(id) else {
            return Ok(None);
        };
        let layered = self.layered();
        let ground = SlotContext {
            state: &self.state,
            slot,
            texts: &layered,
            example: self.state.kept.setup.examples.get(&id.role).copied(),
            sections: Vec::new(),
            change_faults: ChangeFaults::Warn,
        };
        let attempts = self.state.now.round.attempts.iter();
        let outputs: Vec<(TaskId, TextHash)> = attempts
            .filter(|attempt| attempt.task.slot == id)
            .filter_map(|attempt| {
                let end = attempt.finished.as_ref().filter(|end| !end.was_cut())?;
                let output = end.read()?;
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

    /// Other gaps, in a slot of their own: the old one's failures are none of theirs.
    fn reassign(&mut self, slot: SlotId, given: &Given<'_, Subject>) -> Result<()> {
        let wanted = given.gaps(self, Fields::Gaps)?;
        let before = self
            .slot(slot)
            .map(|slot| slot.gaps.clone())
            .unwrap_or_default();
        let refused = |gap: &GapId, why: &str| bad_field(Fields::Gaps, &format!("{gap} {why}"));
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

    fn take_best(&mut self, slot: SlotId) -> Result<()> {
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
}
