//! Owns the folding of events into state. It never parses, never decides and cannot fail: whether an event may happen
//! was judged before it was emitted.

use std::sync::Arc;

use crate::convergence::{Counted, Tally};
use crate::event::{
    DecisionEvent, Event, GapEvent, Happening, IssueEvent, QuestionEvent, RollbackEvent,
    RoundEvent, SessionEvent, TaskEvent,
};
use crate::gap::{Gap, GapMove, GapState, Origin, SETTLED_ISSUES_KEPT};
use crate::ids::GapId;
use crate::issue::Issue;
use crate::phase::Phase;
use crate::question::{About, Question};
use crate::slot::{Exhaustion, LastFailure, Slot, SlotState, ValidOutput};
use crate::state::{
    Attempt, AttemptEnd, AttemptOutcome, Checkpoint, Now, QuestionFate, RollbackRecord, Round,
    RoundRecord, SessionOrigin, State,
};
use crate::task::TaskId;
use crate::time::Time;

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
        } => {
            state.kept.origin = Some(SessionOrigin {
                name: name.clone(),
                source_path: source_path.clone(),
                source: *source,
                seed: *seed,
                at,
            });
        }
        SessionEvent::Configured { setup } => state.kept.setup = setup.clone(),
        SessionEvent::Entered { phase } => state.now.phase = *phase,
        SessionEvent::LimitsSet {
            limits,
            initial_gaps,
        } => {
            if state.kept.limits.is_none() {
                // Discovery is not judged: what happened in it counts in no round.
                state.now.round.tally = Tally::default();
            }
            state.kept.limits = Some(*limits);
            state.kept.initial_gaps = *initial_gaps;
        }
        SessionEvent::AgentChanged { role, agent } => {
            state.kept.setup.agents.insert(*role, agent.clone());
        }
        SessionEvent::Paused {} => state.kept.paused = true,
        SessionEvent::Resumed {} => state.kept.paused = false,
        SessionEvent::SourceChangeSeen { found } => state.kept.source_seen = Some(*found),
        SessionEvent::EditKept { .. } => {}
        SessionEvent::Ended { end, trigger } => {
            state.kept.ended = Some((*end, *trigger));
            state.now.phase = Phase::Ended;
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
            // Work follows: a final review before it says nothing about what comes after.
            state.now.round.final_reviewed = None;
        }
        RoundEvent::Entered { phase } => state.now.round.phase = *phase,
        RoundEvent::Joined { engineer, clashes } => {
            state.now.round.engineer = Some(*engineer);
            state.now.round.clashes.clone_from(clashes);
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
            now.history.push_back(RoundRecord {
                round: now.round.number,
                tally: tally.clone(),
                weighted_net: *weighted_net,
                unweighted_net: *unweighted_net,
                convergence: *convergence,
                open_quarters: *open_quarters,
                engineer: now.round.engineer,
                reviewer: now.round.reviewer,
                signal: *signal,
                at,
            });
        }
        RoundEvent::DivergenceCleared { convergence } => state.now.convergence = *convergence,
        RoundEvent::Narrowed { to } => state.now.narrowed_to.clone_from(to),
        RoundEvent::FinalReviewed { ready, text } => {
            state.now.round.final_reviewed = Some(*ready);
            state.now.round.final_review = Some(*text);
        }
    }
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

fn apply_task(state: &mut State, event: &TaskEvent, at: Time) {
    match event {
        TaskEvent::Opened { slot, gaps } => {
            let slots = &mut state.now.round.slots;
            slots.insert(*slot, Slot::new(*slot, gaps.clone()));
        }
        TaskEvent::Started { task } => {
            state.now.round.attempts.push(Attempt {
                task: task.id,
                agent: task.agent.clone(),
                gaps: task.gaps.clone(),
                started_at: at,
                prompt: task.prompt,
                finished: None,
            });
            if let Some(slot) = state.now.round.slots.get_mut(&task.id.slot) {
                slot.state = SlotState::Running;
                slot.attempts = task.id.attempt;
                slot.task = Some(task.clone());
            }
        }
        TaskEvent::Validated {
            task,
            output,
            reading,
            warnings,
            usage,
            ..
        } => {
            finish(
                state,
                task,
                AttemptEnd {
                    at,
                    outcome: AttemptOutcome::Valid,
                    output: Some(*output),
                    message: String::new(),
                    warnings: warnings.clone(),
                    usage: *usage,
                },
            );
            if let Some(slot) = state.now.round.slots.get_mut(&task.slot) {
                slot.state = SlotState::Valid;
                slot.execution_errors = 0;
                slot.output = Some(ValidOutput {
                    text: *output,
                    reading: reading.clone(),
                    warnings: warnings.clone(),
                });
            }
        }
        TaskEvent::Rejected {
            task,
            output,
            failure,
            message,
            warnings,
            usage,
        } => {
            finish(
                state,
                task,
                AttemptEnd {
                    at,
                    outcome: AttemptOutcome::Invalid(*failure),
                    output: *output,
                    message: message.clone(),
                    warnings: warnings.clone(),
                    usage: *usage,
                },
            );
            if let Some(slot) = state.now.round.slots.get_mut(&task.slot) {
                slot.state = SlotState::Ready;
                slot.rejections += 1;
                slot.execution_errors = 0;
                slot.last_failure = Some(LastFailure {
                    failure: *failure,
                    message: message.clone(),
                });
            }
        }
        TaskEvent::Failed {
            task,
            error,
            wake_at,
            usage,
        } => {
            finish(
                state,
                task,
                AttemptEnd {
                    at,
                    outcome: AttemptOutcome::CouldNotRun,
                    output: None,
                    message: error.message.clone(),
                    warnings: Vec::new(),
                    usage: *usage,
                },
            );
            if let Some(slot) = state.now.round.slots.get_mut(&task.slot) {
                slot.state = SlotState::Backoff;
                slot.execution_errors += 1;
                slot.wake_at = Some(*wake_at);
            }
        }
        TaskEvent::Woken { slot } => {
            if let Some(slot) = state.now.round.slots.get_mut(slot) {
                slot.state = SlotState::Ready;
                slot.wake_at = None;
            }
        }
        TaskEvent::Exhausted {
            task,
            output,
            message,
            exhaustion,
            usage,
        } => exhaust(state, at, task, output, message, exhaustion, usage),
        TaskEvent::Granted {
            slot,
            context,
            gaps,
        } => {
            if let Some(slot) = state.now.round.slots.get_mut(slot) {
                slot.state = SlotState::Ready;
                // A series of tries for an agent that could not run is no further try after an invalid output.
                if !matches!(slot.exhaustion, Some(Exhaustion::CannotRun { .. })) {
                    slot.granted += 1;
                }
                slot.execution_errors = 0;
                slot.exhaustion = None;
                slot.context.extend(context.iter().cloned());
                slot.gaps.clone_from(gaps);
            }
        }
        TaskEvent::Skipped { slot } => {
            if let Some(slot) = state.now.round.slots.get_mut(slot) {
                slot.state = SlotState::Skipped;
                slot.wake_at = None;
            }
        }
    }
}

fn exhaust(
    state: &mut State,
    at: Time,
    task: &TaskId,
    output: &Option<crate::text::TextHash>,
    message: &str,
    exhaustion: &Exhaustion,
    usage: &crate::task::Usage,
) {
    let outcome = match exhaustion {
        Exhaustion::InvalidOutput { failure } => AttemptOutcome::Invalid(*failure),
        Exhaustion::CannotRun { .. } => AttemptOutcome::CouldNotRun,
    };
    finish(
        state,
        task,
        AttemptEnd {
            at,
            outcome,
            output: *output,
            message: message.to_owned(),
            warnings: Vec::new(),
            usage: *usage,
        },
    );
    if let Some(slot) = state.now.round.slots.get_mut(&task.slot) {
        slot.state = SlotState::Exhausted;
        slot.exhaustion = Some(exhaustion.clone());
        match exhaustion {
            Exhaustion::InvalidOutput { failure } => {
                slot.rejections += 1;
                slot.last_failure = Some(LastFailure {
                    failure: *failure,
                    message: message.to_owned(),
                });
            }
            Exhaustion::CannotRun { .. } => slot.execution_errors += 1,
        }
    }
}

fn finish(state: &mut State, task: &TaskId, end: AttemptEnd) {
    state
        .kept
        .usage
        .entry(task.slot.role)
        .or_default()
        .add(&end.usage);
    let attempts = &mut state.now.round.attempts;
    if let Some(attempt) = attempts
        .iter_mut()
        .rev()
        .find(|attempt| attempt.task == *task)
    {
        attempt.finished = Some(end);
    }
}

fn apply_gap(state: &mut State, event: &GapEvent) {
    let round = state.now.round.number;
    match event {
        GapEvent::Created { gap: new } => {
            state.kept.used_gap_ids.insert(new.id.clone());
            state.kept.gaps_created += 1;
            let mut gap = Gap::new(new, round, state.kept.gaps_created);
            if let Origin::Split { parent } = &new.origin
                && let Some(parent) = state.now.gaps.get_mut(parent)
            {
                parent.children.push(new.id.clone());
                gap.decisions.clone_from(&parent.decisions);
                gap.obligations.clone_from(&parent.obligations);
                gap.severity_set_by_user = parent.severity_set_by_user;
                // The parts of a child are further parts of the same parent.
                if let Some(root) = parent.parent.clone() {
                    gap.parent = Some(root.clone());
                    with_gap(state, &root, |root| root.children.push(new.id.clone()));
                }
            } else if state.kept.limits.is_some() {
                state.now.round.tally.created.push(Counted {
                    gap: new.id.clone(),
                    severity: new.severity,
                });
            }
            state.now.gaps.insert(new.id.clone(), gap);
        }
        GapEvent::Moved {
            id,
            by,
            from,
            to,
            reason,
        } => move_gap(&mut state.now, id, *by, (*from, *to), reason.as_deref()),
        GapEvent::Proposed { id, proposal } => with_gap(state, id, |gap| {
            gap.proposal = Some(proposal.clone());
        }),
        GapEvent::Reviewed { id, .. } => with_gap(state, id, |gap| gap.reviewed_in = Some(round)),
        GapEvent::SeverityChanged {
            id, to, by_user, ..
        } => with_gap(state, id, |gap| {
            gap.severity = *to;
            gap.severity_set_by_user |= by_user;
        }),
        GapEvent::DependencyChanged { id, blocked_by } => with_gap(state, id, |gap| {
            gap.blocked_by = blocked_by.iter().cloned().collect();
        }),
        GapEvent::OriginAdded { id, origin } => with_gap(state, id, |gap| {
            gap.origins.push(origin.clone());
        }),
        GapEvent::ObligationsMet { id, decisions } => with_gap(state, id, |gap| {
            gap.obligations
                .retain(|decision| !decisions.contains(decision));
        }),
    }
}

fn with_gap(state: &mut State, id: &GapId, change: impl FnOnce(&mut Gap)) {
    if let Some(gap) = state.now.gaps.get_mut(id) {
        change(gap);
    }
}

fn move_gap(
    now: &mut Now,
    id: &GapId,
    by: GapMove,
    (from, to): (GapState, GapState),
    reason: Option<&str>,
) {
    let round = now.round.number;
    let Some(gap) = now.gaps.get_mut(id) else {
        return;
    };
    gap.state = to;
    if by == GapMove::Assign {
        gap.before = from;
    }
    match to {
        GapState::Accepted => gap.accepted_in = Some(round),
        GapState::UserDeferred | GapState::WontFix | GapState::BlockedExternal => {
            gap.reason = reason.map(str::to_owned);
        }
        GapState::Open | GapState::NeedsRevision => gap.reason = None,
        _ => {}
    }
    let closes = matches!(
        to,
        GapState::Accepted | GapState::Resolved | GapState::WontFix
    );
    let reopens = from.is_closed() && to.is_open();
    let parent = gap.parent.clone();
    // A parked child that closes may be the last of its parent.
    let was_to_do = from.is_open() || (parent.is_some() && from.is_parked());
    if closes && was_to_do && !gap.counted {
        gap.counted = true;
        let counted = Counted {
            gap: id.clone(),
            severity: gap.severity,
        };
        match parent {
            None => now.round.tally.resolved.push(counted),
            Some(parent) => count_child(now, &parent),
        }
    } else if reopens && gap.counted {
        gap.counted = false;
        let counted = Counted {
            gap: id.clone(),
            severity: gap.severity,
        };
        match parent {
            None => now.round.tally.reopened.push(counted),
            Some(parent) => uncount_parent(now, &parent),
        }
    }
}

/// A split gap counts as resolved once, when its last child closes.
fn count_child(now: &mut Now, parent: &GapId) {
    let all_closed = now.gaps.get(parent).is_some_and(|gap| {
        gap.children.iter().all(|child| {
            now.gaps
                .get(child)
                .is_none_or(|child| child.state.is_closed())
        })
    });
    match now.gaps.get_mut(parent) {
        Some(gap) if all_closed && !gap.counted => {
            gap.counted = true;
            now.round.tally.resolved.push(Counted {
                gap: parent.clone(),
                severity: gap.severity,
            });
        }
        _ => now.round.tally.part_of_split = true,
    }
}

fn uncount_parent(now: &mut Now, parent: &GapId) {
    if let Some(gap) = now.gaps.get_mut(parent)
        && gap.counted
    {
        gap.counted = false;
        now.round.tally.reopened.push(Counted {
            gap: parent.clone(),
            severity: gap.severity,
        });
    }
}

fn apply_issue(state: &mut State, event: &IssueEvent) {
    match event {
        IssueEvent::Raised {
            id,
            gap,
            concern,
            alias,
        } => {
            state.kept.used_issue_ids.insert(*id);
            let round = state.now.round.number;
            let issue = Issue::new(*id, gap.clone(), concern.clone(), alias.clone(), round);
            state.now.issues.insert(*id, issue);
            with_gap(state, gap, |gap| {
                gap.standing_issues.insert(*id);
            });
        }
        IssueEvent::Moved { id, to, reason, .. } => {
            let Some(issue) = state.now.issues.get_mut(id) else {
                return;
            };
            issue.state = *to;
            if reason.is_some() {
                issue.reason.clone_from(reason);
            }
            if !to.stands() {
                // A split gap's issues stand on its parts as well, however often those were split again.
                let gaps = state.now.gaps.values();
                let holders: Vec<GapId> = gaps
                    .filter(|gap| gap.standing_issues.contains(id))
                    .map(|gap| gap.id.clone())
                    .collect();
                for gap in holders {
                    with_gap(state, &gap, |gap| {
                        if gap.standing_issues.remove(id) {
                            gap.settled_issues.push(*id);
                            let surplus =
                                gap.settled_issues.len().saturating_sub(SETTLED_ISSUES_KEPT);
                            gap.settled_issues.drain(..surplus);
                        }
                    });
                }
            }
        }
        IssueEvent::Answered { id, answer } => {
            if let Some(issue) = state.now.issues.get_mut(id) {
                issue.answer = Some(answer.clone());
            }
        }
        IssueEvent::Restated { id, concern } => {
            if let Some(issue) = state.now.issues.get_mut(id) {
                issue.concern = concern.clone();
            }
        }
        IssueEvent::Copied { id, to } => with_gap(state, to, |gap| {
            gap.standing_issues.insert(*id);
        }),
    }
}

fn apply_question(state: &mut State, event: &QuestionEvent) {
    match event {
        QuestionEvent::Asked { question } => {
            state.kept.questions_asked = state.kept.questions_asked.max(question.id.0);
            if let About::BlockedGap { gap } = &question.about {
                state.now.round.blocked.push(gap.clone());
            }
            state.now.questions.insert(question.id, question.clone());
        }
        QuestionEvent::Answered { id, answer } => {
            if let Some(question) = state.now.questions.remove(id) {
                remember_choice(state, &question, &answer.option);
            }
            state
                .kept
                .question_fates
                .insert(*id, QuestionFate::Answered);
        }
        QuestionEvent::Withdrawn { id, why } => {
            state.now.questions.remove(id);
            let fate = QuestionFate::Withdrawn(why.clone());
            state.kept.question_fates.insert(*id, fate);
        }
    }
}

fn remember_choice(state: &mut State, question: &Question, option: &str) {
    match &question.about {
        About::Escalation { slot } => {
            state
                .now
                .round
                .escalated
                .insert((slot.role, option.to_owned()));
        }
        About::Inventory => state.now.inventory_confirmed |= option == "begin",
        _ => {}
    }
}

fn apply_decision(state: &mut State, event: &DecisionEvent) {
    let decision = match event {
        DecisionEvent::Recorded { decision } => decision,
        DecisionEvent::Lifted { id, why } => {
            if let Some(decision) = state.now.decisions.iter_mut().find(|known| known.id == *id) {
                decision.lifted = Some(why.clone());
            }
            return;
        }
    };
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
    state.now.decisions.push_back(decision.clone());
}

fn apply_rollback(state: &mut State, event: &RollbackEvent, at: Time) {
    let RollbackEvent::RolledBack {
        from_round,
        to_round,
        reason,
    } = event;
    let target = state
        .checkpoints
        .iter()
        .position(|point| point.after_round == *to_round);
    if let Some(index) = target {
        state.now = (*state.checkpoints[index].now).clone();
        state.checkpoints.truncate(index);
        for question in state.now.questions.keys() {
            state.kept.question_fates.remove(question);
        }
    }
    state.kept.epoch += 1;
    state.kept.rollbacks.push_back(RollbackRecord {
        from_round: *from_round,
        to_round: *to_round,
        reason: reason.clone(),
        at,
    });
}
