//! The folding of events into state. It never parses, never decides and cannot fail: tables say which state follows,
//! and whether an event may happen was judged before it was emitted.

mod attempt;
mod gap;
mod issue;
mod round;
mod session;
mod task;

use std::collections::BTreeSet;

use crate::rollback_record::UndoneDecision;
use crate::state::QuestionFate;
use crate::{
    DecisionEvent, Event, Happening, Noted, Now, QuestionEvent, RollbackEvent, RollbackRecord,
    RoundEvent, State,
};
use gapless_domain::phase::step;
use gapless_domain::{
    About, DecidedBy, DecisionId, GapId, PhaseMove, RollbackTrigger, Signal, Time,
};

use gap::apply_gap;
use issue::apply_issue;
use round::apply_round;
use session::apply_session;
use task::apply_task;

/// Folds one event into the state.
pub fn apply(state: &mut State, event: &Event) {
    let at = event.at;
    state.kept.clock = state.kept.clock.max(at);
    state.kept.events += 1;
    if let Happening::Round(RoundEvent::Began { round }) = &event.what {
        round::keep_checkpoint(state, *round);
    }
    if let Some(by) = event.what.phase_move() {
        move_phase(&mut state.now, by);
    }
    match &event.what {
        Happening::Session(event) => apply_session(state, event, at),
        Happening::Round(event) => {
            count_gain(state, event);
            apply_round(&mut state.now, event, at);
        }
        Happening::Task(event) => apply_task(state, event, at),
        Happening::Gap(event) => apply_gap(state, event),
        Happening::Issue(event) => apply_issue(state, event),
        Happening::Question(event) => apply_question(state, event),
        Happening::Decision(event) => apply_decision(state, event),
        Happening::Rollback(event) => apply_rollback(state, event, at),
    }
}

fn count_gain(state: &mut State, event: &RoundEvent) {
    let RoundEvent::Accounted { signal, .. } = event else {
        return;
    };
    let without = &mut state.kept.rounds_without_gain;
    *without = match signal {
        Signal::Gain | Signal::PartOfSplit => 0,
        Signal::NewCritical
        | Signal::NetLoss
        | Signal::NoGain
        | Signal::NotJudged
        | Signal::Cleared => without.saturating_add(1),
    };
}

/// Moves on as the table of phases says. It was asked before the event was written; a log that breaks it is refused by the
/// audit.
fn move_phase(now: &mut Now, by: PhaseMove) {
    if let Ok(to) = step(now.place(), by) {
        (now.phase, now.round.phase) = (to.session, to.round);
    }
}

fn apply_question(state: &mut State, event: &QuestionEvent) {
    match event {
        QuestionEvent::Asked { question } => {
            state.kept.questions_asked = state.kept.questions_asked.max(question.id.0);
            if let About::BlockedGap(subject) = &question.about {
                state.now.round.blocked.push(subject.gap.clone());
            }
            let flagged = question.about.flagged().iter().copied();
            state.now.round.asked_about.extend(flagged);
            for before in &question.replaces {
                state.now.round.to_renew.remove(before);
            }
            state.now.questions.insert(question.id, question.clone());
        }
        QuestionEvent::Renewed { question } => {
            state.now.round.to_renew.remove(&question.id);
            state.kept.question_fates.remove(&question.id);
            state.now.questions.insert(question.id, question.clone());
        }
        QuestionEvent::Answered { id, answer, noted } => {
            if answer.by == DecidedBy::User {
                state.kept.rounds_without_gain = 0;
            }
            state.now.round.to_renew.remove(id);
            state.now.questions.remove(id);
            for noted in noted.iter().flatten() {
                apply_noted(state, noted);
            }
            state
                .kept
                .question_fates
                .insert(*id, QuestionFate::Answered);
        }
        QuestionEvent::Withdrawn { id, why, to_renew } => {
            let question = state.now.questions.remove(id);
            if let Some(question) = question.filter(|_| *to_renew) {
                state.now.round.to_renew.insert(*id, question);
            }
            let fate = QuestionFate::Withdrawn(why.clone());
            state.kept.question_fates.insert(*id, fate);
        }
    }
}

fn apply_noted(state: &mut State, noted: &Noted) {
    let round = &mut state.now.round;
    match noted {
        Noted::InventoryConfirmed {} => state.now.inventory_confirmed = true,
        Noted::Taken { role, option } => {
            round.taken.insert((*role, *option));
        }
        Noted::EmptinessSettled {} => round.emptiness_settled = true,
        Noted::RateSettled {} => round.rate_settled = true,
        Noted::ToAskAgain {
            issues,
            may_disagree,
        } => {
            round.to_ask_again.extend(issues.iter().copied());
            round.wants_disagreement |= may_disagree;
        }
        Noted::Upheld { issue, severity } => {
            state.now.upheld.insert(*issue, *severity);
        }
    }
}

fn apply_decision(state: &mut State, event: &DecisionEvent) {
    let decision = match event {
        DecisionEvent::Recorded { decision } => decision,
        DecisionEvent::Lifted { id, why } => {
            state.now.decisions.lift(id, why);
            let gaps = state.now.gaps.values();
            let owing = gaps.filter(|gap| gap.obligations.contains(id));
            let owing: Vec<GapId> = owing.map(|gap| gap.id.clone()).collect();
            for gap in owing {
                if let Some(gap) = state.now.gaps.get_mut(&gap) {
                    gap.obligations.remove(id);
                }
            }
            return;
        }
    };
    if let Some(from) = &decision.reapplied_from {
        let mut undone = state.kept.undone_decisions.iter_mut().rev();
        if let Some(undone) = undone.find(|undone| undone.decision.id == *from) {
            undone.reapplied_as = Some(decision.id);
        }
    }
    let numbers = &mut state.kept.decision_numbers;
    numbers.insert(decision.id.round, decision.id.number);
    for id in &decision.gaps {
        if let Some(gap) = state.now.gaps.get_mut(id) {
            gap.decisions.push(decision.id);
            if decision.obliges {
                gap.obligations.insert(decision.id);
            }
        }
    }
    state.now.decisions.push_back((**decision).clone());
}

fn apply_rollback(state: &mut State, event: &RollbackEvent, at: Time) {
    match event {
        RollbackEvent::RolledBack {
            from_round,
            to_round,
            reason,
            mode,
            trigger,
            unasked,
            adjustments,
            rounds,
            root_cause,
        } => {
            restore(state, *to_round);
            state.kept.epoch += 1;
            state.kept.rollbacks.push_back(RollbackRecord {
                from_round: *from_round,
                to_round: *to_round,
                reason: reason.clone(),
                at,
                mode: *mode,
                trigger: *trigger,
                unasked: *unasked,
                adjustments: adjustments.clone(),
                rounds: rounds.clone(),
                root_cause: root_cause.clone(),
                choice: None,
                split: None,
                taken_back: false,
            });
        }
        RollbackEvent::TakenBack {
            said,
            words,
            from_round,
            to_round,
            rounds,
        } => {
            state.take_back(*said);
            if from_round > to_round {
                state.kept.rollbacks.push_back(RollbackRecord {
                    from_round: *from_round,
                    to_round: *to_round,
                    reason: words.clone(),
                    at,
                    mode: state.rollback_mode(),
                    trigger: RollbackTrigger::Undo,
                    rounds: rounds.clone(),
                    ..RollbackRecord::default()
                });
            }
        }
        RollbackEvent::Chosen { choice, split } => {
            if let Some(record) = state.last_rollback_mut() {
                record.choice = Some(choice.clone());
                record.split.clone_from(split);
            }
        }
        RollbackEvent::Adjusted { adjustments } => {
            if let Some(record) = state.last_rollback_mut() {
                record.adjustments.extend(adjustments.iter().cloned());
            }
        }
        RollbackEvent::ModeSet { mode } => state.kept.rollback_mode = Some(*mode),
    }
}

/// Puts the state after a round in the place of what followed on it; what was decided since is kept aside.
fn restore(state: &mut State, to_round: u32) {
    let mut points = state.checkpoints.iter();
    let Some(index) = points.position(|point| point.after_round == to_round) else {
        return;
    };
    let restored = (*state.checkpoints[index].now).clone();
    let rollback = u32::try_from(state.kept.rollbacks.len() + 1).unwrap_or(u32::MAX);
    let stays: BTreeSet<DecisionId> = restored.decisions.iter().map(|kept| kept.id).collect();
    for decision in state.now.decisions.iter() {
        if !stays.contains(&decision.id) {
            state.kept.undone_decisions.push_back(UndoneDecision {
                decision: decision.clone(),
                rollback,
                reapplied_as: None,
            });
        }
    }
    state.now = restored;
    state.checkpoints.truncate(index);
    for question in state.now.questions.keys() {
        state.kept.question_fates.remove(question);
    }
}
