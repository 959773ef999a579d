//! Owns the folding of what happened to tasks: slots, attempts and usage.

use crate::event::TaskEvent;
use crate::state::{Attempt, AttemptEnd, AttemptOutcome, State};
use crate::state::{LastFailure, Slot, ValidOutput};
use gapless_domain::failing;
use gapless_domain::failing::Failing;
use gapless_domain::failure::{Cause, FailureFacts};
use gapless_domain::ids::GapId;
use gapless_domain::slot::{Exhaustion, SlotState};
use gapless_domain::task::{Role, ShorterPrompt, TaskId};
use gapless_domain::time::Time;
use gapless_reading::read::Reading;

pub(super) fn apply_task(state: &mut State, event: &TaskEvent, at: Time) {
    match event {
        TaskEvent::Opened {
            slot,
            gaps,
            agent,
            again,
            instead_of,
        } => {
            if let Some(given_up) = instead_of {
                let mut attempts = state.now.round.attempts.iter_mut().rev();
                if let Some(last) = attempts.find(|attempt| attempt.task.slot == *given_up) {
                    last.reassigned_to = Some(gaps.clone());
                }
            }
            if let Some(again) = again {
                let round = &mut state.now.round;
                round.asked_again.extend(again.issues.iter().copied());
                for issue in &again.issues {
                    round.to_ask_again.remove(issue);
                    // What comes of it is looked at anew.
                    round.asked_about.remove(issue);
                    round.doubted.remove(issue);
                }
            }
            let opened = Slot {
                again: again.clone(),
                ..Slot::new(*slot, gaps.clone(), agent.clone())
            };
            state.now.round.slots.insert(*slot, opened);
        }
        TaskEvent::Started { task } => {
            state.now.round.attempts.push(Attempt {
                task: task.id,
                agent: task.agent.clone(),
                gaps: task.gaps.clone(),
                started_at: at,
                prompt: task.prompt,
                example: task.example.clone(),
                finished: None,
                taken_as_best: false,
                reassigned_to: None,
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
            raw,
            reading,
            warnings,
            usage,
        } => {
            finish(
                state,
                task,
                AttemptEnd {
                    output: Some(*output),
                    raw: *raw,
                    cause: only_blocked(reading).then_some(Cause::ExplicitBlock),
                    warnings: warnings.clone(),
                    ..AttemptEnd::new(at, AttemptOutcome::Valid, *usage)
                },
                None,
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
        TaskEvent::Pressed {
            task,
            output,
            raw,
            gaps,
            warnings,
            usage,
        } => {
            finish(
                state,
                task,
                AttemptEnd {
                    output: Some(*output),
                    raw: *raw,
                    message: format!(
                        "valid, but it finds nothing on {} and does not say what it examined",
                        listed(gaps)
                    ),
                    warnings: warnings.clone(),
                    ..AttemptEnd::new(at, AttemptOutcome::Pressed, *usage)
                },
                None,
            );
            if let Some(slot) = state.now.round.slots.get_mut(&task.slot) {
                slot.state = SlotState::Ready;
                slot.execution_errors = 0;
                slot.last_failure = None;
                slot.pressed = Some(gaps.clone());
            }
        }
        TaskEvent::BestTaken {
            task,
            output,
            reading,
            warnings,
        } => {
            let mut attempts = state.now.round.attempts.iter_mut();
            if let Some(attempt) = attempts.find(|attempt| attempt.task == *task) {
                attempt.taken_as_best = true;
            }
            if let Some(record) = state.now.failing.remove(&task.slot.role) {
                state
                    .now
                    .failing
                    .insert(task.slot.role, record.taken(task.round));
            }
            if let Some(slot) = state.now.round.slots.get_mut(&task.slot) {
                slot.state = SlotState::Valid;
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
            facts,
            warnings,
            usage,
        } => {
            finish(
                state,
                task,
                AttemptEnd {
                    output: *output,
                    message: message.clone(),
                    cause: cause_of(task, facts),
                    warnings: warnings.clone(),
                    ..AttemptEnd::new(at, AttemptOutcome::Invalid(*failure), *usage)
                },
                Some(Failing::Invalid(*failure)),
            );
            if let Some(slot) = state.now.round.slots.get_mut(&task.slot) {
                slot.state = SlotState::Ready;
                slot.rejections += 1;
                slot.retried_causes
                    .extend(facts.cause.filter(|cause| cause.has_own_retry()));
                slot.execution_errors = 0;
                slot.last_failure = Some(LastFailure {
                    failure: *failure,
                    message: message.clone(),
                    facts: facts.clone(),
                });
            }
        }
        TaskEvent::Failed {
            task,
            error,
            wake_at,
            shorter,
            output,
            usage,
        } => {
            let next = shorter.map_or(String::new(), |shorter| {
                let ShorterPrompt { before, after, .. } = shorter;
                format!("; the next prompt has {after} bytes in place of {before}")
            });
            finish(
                state,
                task,
                AttemptEnd {
                    output: *output,
                    message: format!("{}{next}", error.message),
                    ..AttemptEnd::new(at, AttemptOutcome::CouldNotRun, *usage)
                },
                Some(Failing::CouldNotRun(error.kind)),
            );
            if let Some(slot) = state.now.round.slots.get_mut(&task.slot) {
                slot.state = SlotState::Backoff;
                match shorter {
                    Some(shorter) => slot.halvings = shorter.halvings,
                    None => slot.execution_errors += 1,
                }
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
            facts,
            warnings,
            exhaustion,
            usage,
        } => {
            let failed = AttemptEnd {
                output: *output,
                message: message.clone(),
                cause: match exhaustion {
                    Exhaustion::InvalidOutput { .. } => cause_of(task, facts),
                    Exhaustion::CannotRun { .. } => None,
                },
                warnings: warnings.clone(),
                ..AttemptEnd::new(
                    at,
                    match exhaustion {
                        Exhaustion::InvalidOutput { failure } => AttemptOutcome::Invalid(*failure),
                        Exhaustion::CannotRun { .. } => AttemptOutcome::CouldNotRun,
                    },
                    *usage,
                )
            };
            exhaust(state, task, failed, exhaustion, facts);
        }
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
    task: &TaskId,
    end: AttemptEnd,
    exhaustion: &Exhaustion,
    facts: &FailureFacts,
) {
    let message = end.message.clone();
    let failing = match exhaustion {
        Exhaustion::InvalidOutput { failure } => Failing::Invalid(*failure),
        Exhaustion::CannotRun { error } => Failing::CouldNotRun(error.kind),
    };
    finish(state, task, end, Some(failing));
    if let Some(slot) = state.now.round.slots.get_mut(&task.slot) {
        slot.state = SlotState::Exhausted;
        slot.exhaustion = Some(exhaustion.clone());
        match exhaustion {
            Exhaustion::InvalidOutput { failure } => {
                slot.rejections += 1;
                slot.last_failure = Some(LastFailure {
                    failure: *failure,
                    message,
                    facts: facts.clone(),
                });
            }
            Exhaustion::CannotRun { .. } => slot.execution_errors += 1,
        }
    }
}

fn finish(state: &mut State, task: &TaskId, end: AttemptEnd, failing: Option<Failing>) {
    count_as_active(state, task, end.at, end.usage.millis);
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
        if let Some(example) = attempt.example.as_ref().filter(|use_| use_.is_of_retry()) {
            let record = state.kept.examples.entry(example.tier).or_default();
            record.count(end.outcome);
        }
        attempt.finished = Some(end);
        let known = state.now.failing.remove(&task.slot.role);
        let record = failing::Record::with(known, &attempt.agent, task.round, failing);
        state.now.failing.insert(task.slot.role, record);
    }
}

/// Adds the stretch in which an agent worked, without what was counted for others at the same time. Stretches are
/// remembered while an agent that began before them is still at work, and no longer.
fn count_as_active(state: &mut State, task: &TaskId, until: Time, millis: u64) {
    let others_run = state.running().any(|running| running.id != *task);
    let active = &mut state.kept.active;
    let from = Time(
        until
            .0
            .saturating_sub(i64::try_from(millis).unwrap_or(i64::MAX)),
    )
    .max(active.counted_until);
    let covered: u64 = active
        .stretches
        .iter()
        .map(|(begun, ended)| (*ended).min(until).millis_since((*begun).max(from)))
        .sum();
    let added = until.millis_since(from).saturating_sub(covered);
    active.millis = active.millis.saturating_add(added);
    if !others_run {
        active.stretches.clear();
        active.counted_until = active.counted_until.max(until);
        return;
    }
    let (mut begun, mut ended) = (from, until);
    active.stretches.retain(|stretch| {
        let apart = stretch.1 < from || stretch.0 > until;
        if !apart {
            begun = begun.min(stretch.0);
            ended = ended.max(stretch.1);
        }
        apart
    });
    active.stretches.push((begun, ended));
}

fn listed(gaps: &[GapId]) -> String {
    let ids: Vec<String> = gaps.iter().map(ToString::to_string).collect();
    ids.join(", ")
}

/// True where an Engineer did nothing but say that its gaps are blocked.
fn only_blocked(reading: &Reading) -> bool {
    match reading {
        Reading::Engineer(reading) => {
            reading.gaps.is_empty()
                && reading.disagreements.is_empty()
                && !reading.blocked.is_empty()
        }
        _ => false,
    }
}

/// The cause of an Engineer's failed attempt, as its event has it; what has none of its own is a failed output.
fn cause_of(task: &TaskId, facts: &FailureFacts) -> Option<Cause> {
    (task.slot.role == Role::Engineer).then(|| facts.cause.unwrap_or(Cause::OutputFailure))
}
