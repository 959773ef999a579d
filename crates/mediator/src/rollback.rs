//! Rolling back: who may, what is found in the undone rounds, what is asked before and after, and what the answers do.

use std::sync::Arc;

use super::outcome::given_reason;
use super::{ChangeFaults, Refusal, Result, SlotContext, Turn};
use gapless_detection::analysis::{Analysis, Material, Tried, analyze, read_for, root_cause};
use gapless_domain::question::undone_decisions;
use gapless_domain::{
    About, DecisionId, Exhaustion, GapId, Question, Role, RollbackMode, RollbackTrigger, SlotId,
    TextHash, comma_list, one_line, shortened,
};
use gapless_reading::read::Reading;
use gapless_reading::validate::salvage;
use gapless_session::rollback_record::UndoneRound;
use gapless_session::state::{Attempt, Round, Slot};
use gapless_session::{Happening, RollbackEvent, TaskEvent};

/// A rollback that is to happen.
pub(super) struct Order {
    pub reason: String,
    pub told: Told,
    /// What the retry is told besides.
    pub adjustments: Vec<String>,
    pub trigger: RollbackTrigger,
    pub unasked: bool,
}

/// What the Engineers of the retried round are told about the attempt that was undone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// Other gaps are taken, so it is none of their business.
    Nothing,
    /// Why the user undid it.
    Reason,
    /// What the analysis found in it.
    Findings,
    ReasonAndFindings,
}

impl Told {
    fn has_reason(self) -> bool {
        matches!(self, Told::Reason | Told::ReasonAndFindings)
    }

    fn has_findings(self) -> bool {
        matches!(self, Told::Findings | Told::ReasonAndFindings)
    }
}

/// How much of a failure's message goes into an adjustment.
const LONGEST_MESSAGE: usize = 500;

impl Turn<'_> {
    pub(super) fn take_rollback_command(
        &mut self,
        to: Option<u32>,
        reason: String,
        adjust: Vec<String>,
    ) -> Result<()> {
        let Some(to) = to else {
            return self.ask_rollback(RollbackTrigger::User);
        };
        if self.state.rollbacks_left() == 0 {
            return self.ask_rollback(RollbackTrigger::User);
        }
        let words = adjust.iter().map(|text| text.trim());
        self.roll_back(
            to,
            Order {
                reason,
                told: Told::ReasonAndFindings,
                adjustments: words
                    .filter(|text| !text.is_empty())
                    .map(str::to_owned)
                    .collect(),
                trigger: RollbackTrigger::User,
                unasked: false,
            },
        )
    }

    pub(super) fn set_rollback_mode(&mut self, mode: RollbackMode) {
        if self.state.rollback_mode() != mode {
            self.emit(Happening::Rollback(RollbackEvent::ModeSet { mode }));
        }
    }

    /// Asks where to go back to; at the session's limit, what to do instead.
    pub(super) fn ask_rollback(&mut self, trigger: RollbackTrigger) -> Result<()> {
        if self.state.checkpoints.is_empty() {
            return Err(self.nothing_to_undo());
        }
        self.withdraw_questions(asks_for_rollback, "it is asked anew");
        let question = match self.state.rollbacks_left() {
            0 => self.rollback_limit_question(),
            _ => self.rollback_question(trigger)?,
        };
        self.ask(question);
        Ok(())
    }

    /// Undoes the rounds after one. What they had is looked at first, so that the retry is better informed.
    pub(super) fn roll_back(&mut self, to: u32, order: Order) -> Result<()> {
        let reason = given_reason(&order.reason)?;
        if self.state.rollbacks_left() == 0 {
            let most = self.state.kept.setup.config.max_rollbacks_session;
            return Err(Refusal::RollbackLimit(most));
        }
        let mut points = self.state.checkpoints.iter();
        let Some(target) = points.find(|point| point.after_round == to) else {
            return Err(self.no_checkpoint(to));
        };
        let stays = target.now.questions.clone();
        let from_round = self.state.now.round.number;
        let rounds = self.undone_rounds(to)?;
        let again = self.state.times_rolled_back(to + 1) + 1;
        let cause = (again >= self.state.analysis_threshold())
            .then(|| root_cause(&self.tried(&rounds, to + 1, reason)));
        let mut adjustments = Vec::new();
        if order.told.has_reason() {
            adjustments.push(undone_because(&rounds, reason));
        }
        adjustments.extend(order.adjustments);
        // Where the user is asked about the cause, they say whether the findings are told.
        if order.told.has_findings() && (cause.is_none() || order.unasked) {
            adjustments.extend(
                rounds
                    .first()
                    .into_iter()
                    .flat_map(UndoneRound::recommended),
            );
        }
        self.withdraw_questions(
            |question| !stays.contains_key(&question.id),
            &format!("round {from_round} was rolled back"),
        );
        self.emit(Happening::Rollback(RollbackEvent::RolledBack {
            from_round,
            to_round: to,
            reason: reason.to_owned(),
            mode: self.state.rollback_mode(),
            trigger: order.trigger,
            unasked: order.unasked,
            adjustments,
            rounds,
            root_cause: cause.clone(),
        }));
        self.ask_about_undone_decisions(order.unasked);
        if cause.is_some() {
            self.ask(self.root_cause_question()?);
        }
        Ok(())
    }

    /// Why a session without checkpoints can't be rolled back. A rollback to the oldest one leaves none until the next round
    /// begins.
    fn nothing_to_undo(&self) -> Refusal {
        let round = self.state.now.round.number;
        match (round, self.state.kept.rollbacks.is_empty()) {
            (0, true) => Refusal::NothingToUndo,
            (0, false) => Refusal::AllUndone,
            (round, _) => Refusal::NothingEarlier {
                round,
                next: round.saturating_add(1),
                retention: self.state.kept.setup.config.backup_retention_rounds,
            },
        }
    }

    fn no_checkpoint(&self, to: u32) -> Refusal {
        let rounds = self.state.checkpoints.iter();
        let available: Vec<u32> = rounds.map(|point| point.after_round).collect();
        let (Some(oldest), Some(newest)) = (available.first(), available.last()) else {
            return self.nothing_to_undo();
        };
        let round = self.state.now.round.number;
        let why = match to {
            to if to < *oldest => format!(
                "the last {} rounds are kept (`backup_retention_rounds`)",
                self.state.kept.setup.config.backup_retention_rounds
            ),
            to if to > *newest => format!("the session is in round {round}"),
            _ => "its state is not kept".to_owned(),
        };
        Refusal::NoCheckpoint {
            to,
            why,
            available: comma_list(available),
        }
    }

    /// What the rounds after one had, oldest first, with what is found in it.
    pub(super) fn undone_rounds(&self, to: u32) -> Result<Vec<UndoneRound>> {
        let later = self.state.checkpoints.iter();
        let mut rounds: Vec<&Round> = later
            .filter(|point| point.after_round > to)
            .map(|point| &point.now.round)
            .collect();
        rounds.push(&self.state.now.round);
        rounds
            .into_iter()
            .map(|round| self.looked_at(round))
            .collect()
    }

    fn looked_at(&self, round: &Round) -> Result<UndoneRound> {
        let engineer = round.engineer.or_else(|| last_written(&round.attempts));
        let source = match &self.state.kept.origin {
            Some(origin) => self.text(&origin.source)?,
            None => "".into(),
        };
        let mut gaps = round.assigned.clone();
        let taken_on = round
            .slots
            .values()
            .filter(|slot| slot.id.role == Role::Engineer);
        for gap in taken_on.flat_map(|slot| &slot.gaps) {
            if !gaps.contains(gap) {
                gaps.push(gap.clone());
            }
        }
        let has_ended = |attempt: &Attempt| {
            attempt.task.slot.role == Role::Engineer && attempt.finished.is_some()
        };
        let undone = |gaps, analysis| UndoneRound {
            round: round.number,
            gaps,
            engineer,
            analysis,
        };
        // What nobody had written yet has no faults.
        if engineer.is_none() && !round.attempts.iter().any(has_ended) {
            return Ok(undone(gaps, Analysis::default()));
        }
        let document = match &engineer {
            Some(hash) => Some(match self.document_read(hash) {
                Some(document) => document,
                None => Arc::new(read_for(&self.text(hash)?, &gaps)),
            }),
            None => None,
        };
        let known = self.state.now.gaps.keys().cloned().collect();
        let config = &self.state.kept.setup.config;
        let analysis = analyze(&Material {
            document: document.as_deref(),
            assigned: &gaps,
            known: Some(&known),
            source: Some(&source),
            vague_words: &config.vague_words(),
            vague_per_thousand: config.vague_per_thousand,
        });
        Ok(undone(gaps, analysis))
    }

    /// Every undone attempt at a round, the one that is undone now last.
    fn tried(&self, now: &[UndoneRound], round: u32, reason: &str) -> Vec<Tried> {
        let earlier = self.state.kept.rollbacks.iter();
        let earlier = earlier.filter(|rollback| rollback.counts());
        let earlier =
            earlier.map(|rollback| (rollback.rounds.as_slice(), rollback.reason.as_str()));
        let all = earlier.chain([(now, reason)]).flat_map(|(rounds, reason)| {
            let of_round = rounds.iter().filter(|undone| undone.round == round);
            of_round.map(|undone| Tried {
                reason: reason.to_owned(),
                analysis: undone.analysis.clone(),
            })
        });
        all.collect()
    }

    /// In its mode, undoes a round whose Engineer has nothing valid, once and unasked; true where it did.
    pub(super) fn retry_round_unasked(&mut self, slot: SlotId) -> Result<bool> {
        let round = self.state.now.round.number;
        let exhausted = self.slot(slot);
        let Some(Exhaustion::InvalidOutput { failure }) =
            exhausted.and_then(|slot| slot.exhaustion.as_ref())
        else {
            return Ok(false);
        };
        let failure = failure.name();
        let last = exhausted.and_then(|slot| slot.last_failure.as_ref());
        let message = last.map_or(String::new(), |last| last.message.clone());
        let may = slot.role == Role::Engineer
            && self.state.rollback_mode() == RollbackMode::AutoRetry
            && self.state.times_rolled_back(round) == 0
            && self.state.rollbacks_left() > 0
            && !self.was_asked_about_engineer()
            && self.state.checkpoints.last().map(|point| point.after_round) == round.checked_sub(1);
        if !may {
            return Ok(false);
        }
        let message = shortened(&one_line(&message), LONGEST_MESSAGE);
        let refused = format!(
            "An earlier attempt at this round was refused as {failure} ({message}). Avoid that above all."
        );
        self.roll_back(
            round - 1,
            Order {
                reason: format!("the Engineer had nothing valid: {failure}: {message}"),
                told: Told::Findings,
                adjustments: vec![refused],
                trigger: RollbackTrigger::Exhausted,
                unasked: true,
            },
        )?;
        Ok(true)
    }

    /// True where the user has answered in this round what becomes of its Engineer, or said that it is not rolled back:
    /// nothing is undone behind their back then.
    fn was_asked_about_engineer(&self) -> bool {
        let mut taken = self.state.now.round.taken.iter();
        taken.any(|(role, _)| *role == Role::Engineer)
    }

    /// Offers the decisions that the last rollback undid, together with those that are offered still.
    fn ask_about_undone_decisions(&mut self, unasked: bool) {
        let rollback = u32::try_from(self.state.kept.rollbacks.len()).unwrap_or(u32::MAX);
        let undone = self.state.kept.undone_decisions.iter();
        let fresh: Vec<DecisionId> = undone
            .filter(|undone| undone.rollback == rollback && undone.can_be_reapplied())
            .map(|undone| undone.decision.id)
            .collect();
        if fresh.is_empty() {
            return;
        }
        let pending = self.state.now.questions.values();
        let offered = pending
            .filter_map(|question| undone_decisions::Subject::of(&question.about))
            .flat_map(|subject| &subject.decisions);
        let offered: Vec<DecisionId> = offered.copied().collect();
        let mut decisions = self.still_undone(&offered);
        decisions.extend(fresh);
        let about_them =
            |question: &Question| matches!(question.about, About::UndoneDecisions { .. });
        self.withdraw_questions(about_them, "it is asked anew");
        self.ask(self.undone_decisions_question(decisions, unasked));
    }

    /// Takes what an undone round had, as one task of the Engineer for all gaps of the round that it has something for, and says
    /// which those are. One task however many Engineers there are, since each would have the whole document again.
    pub(super) fn take_forced(
        &mut self,
        engineer: &TextHash,
        assigned: &[GapId],
    ) -> Result<Vec<GapId>> {
        let text = self.text(engineer)?;
        let id = SlotId::new(Role::Engineer, 0);
        let layered = self.layered();
        let ground = SlotContext {
            state: &self.state,
            slot: &Slot::new(id, assigned.to_vec(), None),
            texts: &layered,
            example: self.state.kept.setup.examples.get(&id.role).copied(),
            sections: Vec::new(),
            change_faults: ChangeFaults::Warn,
        };
        let Some(checked) = salvage(id.role, &text, &ground) else {
            return Ok(Vec::new());
        };
        let Some(Reading::Engineer(reading)) = checked.reading else {
            return Ok(Vec::new());
        };
        let bound = |gap: &&GapId| reading.gaps.iter().any(|bound| bound.gap == **gap);
        let blocked = |gap: &&GapId| reading.blocked.iter().any(|marker| marker.gap == **gap);
        if !assigned.iter().any(|gap| bound(&gap)) {
            return Ok(Vec::new());
        }
        let taken = assigned.iter().filter(|gap| bound(gap) || blocked(gap));
        let taken: Vec<GapId> = taken.cloned().collect();
        self.open_slot(id.role, taken.clone());
        let blocked = reading.blocked.clone();
        let output = self.keep_document(checked.document);
        self.move_slot(TaskEvent::BestTaken {
            task: self.task_id(id, 0),
            output,
            reading: Reading::Engineer(reading),
            warnings: checked.result.warnings,
        })?;
        self.take_blocked_markers(&blocked)?;
        Ok(taken)
    }
}

fn asks_for_rollback(question: &Question) -> bool {
    matches!(
        question.about,
        About::Rollback { .. } | About::RollbackLimit { .. }
    )
}

/// The user's reason, as the retry is told it: with the rounds that it is about, and the gaps of a single one.
fn undone_because(undone: &[UndoneRound], reason: &str) -> String {
    let what = match undone {
        [one] if !one.gaps.is_empty() => format!("an earlier attempt at {}", comma_list(&one.gaps)),
        [] | [_] => "an earlier attempt at this round".to_owned(),
        [first, .., last] => format!("rounds {} to {}", first.round, last.round),
    };
    format!("The user undid {what}. Their reason: {reason}")
}

/// The newest document that an Engineer of a round wrote, also one that was refused.
fn last_written(attempts: &[Attempt]) -> Option<TextHash> {
    let engineers = attempts
        .iter()
        .rev()
        .filter(|attempt| attempt.task.slot.role == Role::Engineer);
    engineers
        .filter_map(|attempt| attempt.finished.as_ref())
        .find_map(|end| end.read())
}
