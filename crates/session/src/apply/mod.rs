//! Owns the folding of events into state. It never parses, never decides and cannot fail: whether an event may happen
//! was judged before it was emitted.

mod gap;
mod task;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::event::{
    DecisionEvent, Event, Happening, Noted, QuestionEvent, RollbackEvent, RoundEvent, SessionEvent,
};
use crate::rollback_record::{RollbackRecord, UndoneDecision};
use crate::shared::Written;
use crate::state::{Checkpoint, Now, QuestionFate, Round, RoundRecord, SessionOrigin, State};
use gapless_domain::convergence::Tally;
use gapless_domain::delivery::Delivered;
use gapless_domain::ids::{DecisionId, GapId, IssueId};
use gapless_domain::phase::Phase;
use gapless_domain::question::About;
use gapless_domain::slot::SlotState;
use gapless_domain::task::SlotId;
use gapless_domain::time::Time;

use gap::{apply_gap, apply_issue};
use task::apply_task;

/// Folds one event into the state.
pub fn apply(state: &mut State, event: &Event) {
    let at = event.at;
    state.kept.clock = state.kept.clock.max(at);
    state.kept.events += 1;
    match &event.what {
        Happening::Session(event) => apply_session(state, event, at),
        Happening::Round(event) => apply_round(state, event, at),
        Happening::Task(event) => apply_task(state, event, at),
        Happening::Gap(event) => apply_gap(state, event),
        Happening::Issue(event) => apply_issue(state, event),
        Happening::Question(event) => apply_question(state, event),
        Happening::Decision(event) => apply_decision(state, event),
        Happening::Rollback(event) => apply_rollback(state, event, at),
    }
}

fn apply_session(state: &mut State, event: &SessionEvent, at: Time) {
    match event {
        SessionEvent::Started {
            name,
            source_path,
            source,
            seed,
            taken,
        } => {
            state.kept.used_gap_ids.extend(taken.iter().cloned());
            state.kept.origin = Some(SessionOrigin {
                name: name.clone(),
                source_path: source_path.clone(),
                source: *source,
                seed: *seed,
                at,
            });
        }
        SessionEvent::Configured { setup } => {
            state.kept.setup = (**setup).clone();
            state.kept.delivered = None;
        }
        SessionEvent::Entered { phase } => {
            state.now.phase = *phase;
            state.now.round.to_renew.clear();
        }
        SessionEvent::LimitsSet {
            limits,
            initial_gaps,
        } => {
            if state.kept.limits.is_none() {
                // Discovery is not judged: what happened in it counts in no round.
                state.now.round.tally = Tally::default();
                state.now.initial_open = state.now.open_by_severity();
            }
            state.kept.limits = Some(*limits);
            state.kept.first_max_rounds.get_or_insert(limits.max_rounds);
            state.kept.initial_gaps = *initial_gaps;
        }
        SessionEvent::AgentChanged { role, agent, .. } => {
            state.kept.setup.agents.insert(*role, agent.clone());
            // Whoever was to do it in the role's place could not.
            let slots = state.now.round.slots.values();
            let exhausted: Vec<SlotId> = slots
                .filter(|slot| slot.id.role == *role && slot.state == SlotState::Exhausted)
                .map(|slot| slot.id)
                .collect();
            for id in exhausted {
                if let Some(slot) = state.now.round.slots.get_mut(&id) {
                    slot.agent = None;
                }
            }
        }
        SessionEvent::Paused {} => state.kept.paused = true,
        SessionEvent::Resumed {} => state.kept.paused = false,
        SessionEvent::SourceChangeSeen { found } => state.kept.source_seen = Some(*found),
        SessionEvent::EditKept { .. }
        | SessionEvent::BudgetReached { .. }
        | SessionEvent::Imported { .. } => {}
        SessionEvent::Ended { end, trigger } => {
            state.kept.ended = Some((*end, *trigger));
            state.kept.ended_at = Some(at);
            state.now.phase = Phase::Ended;
        }
        SessionEvent::SpecWritten { path, backup } => {
            state.kept.delivered = Some(Delivered::Written {
                path: path.clone(),
                backup: backup.clone(),
            });
        }
        SessionEvent::ArchivesChosen { choice } => state.kept.archive_choice = Some(*choice),
        SessionEvent::ArchivesDisposed { disposed } => {
            state.kept.disposed = Some(disposed.clone());
        }
        SessionEvent::SpecNotWritten { path, why } => {
            state.kept.delivered = Some(Delivered::Failed {
                path: path.clone(),
                why: why.clone(),
            });
        }
    }
}

fn apply_round(state: &mut State, event: &RoundEvent, at: Time) {
    match event {
        RoundEvent::Began { round } => begin_round(state, *round),
        RoundEvent::Planned {
            assigned,
            to_review,
        } => {
            state.now.round.assigned.clone_from(assigned);
            state.now.round.to_review.clone_from(to_review);
            state.now.narrowed_to.clear();
            state.now.left_out.clear();
            state.now.forced = None;
            // Work follows: a final review before it says nothing about what comes after.
            state.now.round.final_reviewed = None;
        }
        RoundEvent::Entered { phase } => {
            state.now.round.phase = *phase;
            // The phase that asked them went on without an answer.
            state.now.round.to_renew.clear();
        }
        RoundEvent::Joined { engineer, clashes } => {
            state.now.round.engineer = Some(*engineer);
            state.now.round.clashes.clone_from(clashes);
        }
        RoundEvent::Responded { due, disagreed } => {
            state.now.round.due.clone_from(due);
            state.now.round.disagreed.clone_from(disagreed);
        }
        RoundEvent::Reviewed { reviewer } => state.now.round.reviewer = Some(*reviewer),
        RoundEvent::Settled {} => state.now.round.settled = true,
        RoundEvent::Accounted {
            tally,
            weighted_net,
            unweighted_net,
            convergence,
            signal,
            open_quarters,
        } => {
            let now = &mut state.now;
            now.round.accounted = true;
            now.round.tally = Tally::default();
            now.convergence = *convergence;
            now.history.push_back(Arc::new(RoundRecord {
                round: now.round.number,
                tally: tally.clone(),
                weighted_net: *weighted_net,
                unweighted_net: *unweighted_net,
                convergence: *convergence,
                open_quarters: *open_quarters,
                open_by_severity: now.open_by_severity(),
                engineer: now.round.engineer,
                reviewer: now.round.reviewer,
                due: count(&now.round.due, |id| is_grave(now, id)),
                disagreed: count(&now.round.disagreed, |id| is_grave(now, id)),
                signal: *signal,
                at,
                line: Written::default(),
            }));
        }
        RoundEvent::DivergenceCleared { convergence } => state.now.convergence = *convergence,
        RoundEvent::Narrowed { to } => state.now.narrowed_to.clone_from(to),
        RoundEvent::LeftOut { gaps } => state.now.left_out.clone_from(gaps),
        RoundEvent::Forced { engineer } => state.now.forced = Some(*engineer),
        RoundEvent::Edited {
            slot,
            editor,
            taken,
            not_taken,
        } => {
            let now = &mut state.now;
            now.round.edited = Some(slot.index);
            now.round.editor = editor.or(now.round.editor);
            now.round.not_edited.clone_from(not_taken);
            for edit in taken {
                now.unedited.remove(&edit.section);
                now.edits.insert(edit.section, edit.clone());
            }
            for section in not_taken {
                if let Some(made_from) = &section.made_from {
                    now.unedited.insert(section.section, made_from.clone());
                }
            }
        }
        RoundEvent::FinalReviewed {
            ready,
            text,
            set_aside,
        } => {
            state.now.round.set_aside.clone_from(set_aside);
            state.now.round.final_reviewed = Some(*ready);
            state.now.round.final_review = Some(*text);
        }
    }
}

fn is_grave(now: &Now, id: &IssueId) -> bool {
    let issue = now.issues.get(id);
    issue.is_some_and(|issue| issue.concern.severity.holds())
}

fn count(ids: &[IssueId], which: impl Fn(&IssueId) -> bool) -> u32 {
    u32::try_from(ids.iter().filter(|id| which(id)).count()).unwrap_or(u32::MAX)
}

fn begin_round(state: &mut State, round: u32) {
    let retention = state.kept.setup.config.backup_retention_rounds as usize;
    state.checkpoints.push(Checkpoint {
        after_round: round.saturating_sub(1),
        now: Arc::new(state.now.clone()),
    });
    let surplus = state.checkpoints.len().saturating_sub(retention);
    state.checkpoints.drain(..surplus);
    state.now.phase = Phase::Round;
    // What was decided after the last accounting counts in this round.
    let carried = Tally {
        role_skipped: false,
        ..std::mem::take(&mut state.now.round.tally)
    };
    state.now.round = Round {
        number: round,
        tally: carried,
        ..Round::default()
    };
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
        QuestionEvent::Answered { id, noted, .. } => {
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
            });
        }
        RollbackEvent::Chosen { choice, split } => {
            if let Some(record) = state.kept.rollbacks.back_mut() {
                record.choice = Some(choice.clone());
                record.split.clone_from(split);
            }
        }
        RollbackEvent::Adjusted { adjustments } => {
            if let Some(record) = state.kept.rollbacks.back_mut() {
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
