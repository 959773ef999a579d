//! The folding of attempts: how each ended, what it used, and how long agents were at work.

use crate::state::AttemptEnd;
use crate::{Attempt, AttemptOutcome, State, TaskEvent};
use gapless_domain::failing::{Failing, Record};
use gapless_domain::{
    Cause, Exhaustion, FailureFacts, GapId, Role, ShorterPrompt, SlotId, Task, TaskId, Time, Usage,
    comma_list,
};
use gapless_reading::read::Reading;

pub(super) fn begin(state: &mut State, task: &Task, at: Time) {
    state.now.round.attempts.push(Attempt {
        task: task.id,
        agent: task.agent.clone(),
        gaps: task.gaps.clone(),
        started_at: at,
        prompt: task.prompt,
        example: task.example.clone(),
        interrupted: None,
        finished: None,
        taken_as_best: false,
        reassigned_to: None,
    });
}

/// Notes on the last attempt of a slot which gaps the slot has that was opened in its place.
pub(super) fn reassign(state: &mut State, given_up: SlotId, gaps: &[GapId]) {
    let mut attempts = state.now.round.attempts.iter_mut().rev();
    if let Some(last) = attempts.find(|attempt| attempt.task.slot == given_up) {
        last.reassigned_to = Some(gaps.to_vec());
    }
}

pub(super) fn take_as_best(state: &mut State, task: &TaskId) {
    let mut attempts = state.now.round.attempts.iter_mut();
    if let Some(attempt) = attempts.find(|attempt| attempt.task == *task) {
        attempt.taken_as_best = true;
        if matches!(task.slot.role, Role::Reviewer | Role::FinalReviewer) {
            state.now.reviewers.insert(attempt.agent.clone());
        }
    }
    let role = task.slot.role;
    if let Some(record) = state.now.failing.remove(&role) {
        state.now.failing.insert(role, record.taken(task.round));
    }
}

/// Records the end of an attempt, where an event has one.
pub(super) fn finish(state: &mut State, event: &TaskEvent, at: Time) {
    let (task, end, failing) = match (valid_end(event, at), failed_end(event, at)) {
        (Some((task, end)), _) => (task, end, None),
        (None, Some((task, end, failing))) => (task, end, Some(failing)),
        (None, None) => return,
    };
    let others_run = state.running().any(|running| running.id != task);
    count_as_active(state, others_run, end.at, end.usage.millis);
    let role = task.slot.role;
    state.kept.usage.entry(role).or_default().add(&end.usage);
    let mut attempts = state.now.round.attempts.iter_mut().rev();
    if let Some(attempt) = attempts.find(|attempt| attempt.task == task) {
        if let Some(example) = attempt.example.as_ref().filter(|use_| use_.is_of_retry()) {
            let record = state.kept.examples.entry(example.tier).or_default();
            record.count(end.outcome);
        }
        if end.outcome.is_valid() && matches!(role, Role::Reviewer | Role::FinalReviewer) {
            state.now.reviewers.insert(attempt.agent.clone());
        }
        attempt.finished = Some(end);
        let known = state.now.failing.remove(&role);
        let record = Record::with(known, &attempt.agent, task.round, failing);
        state.now.failing.insert(role, record);
    }
}

/// Counts what a call used whose result is not taken.
pub(super) fn note_usage(state: &mut State, task: &TaskId, usage: &Usage, at: Time) {
    // Whoever was ended with it worked at the same time, and is still to be counted.
    count_as_active(state, true, at, usage.millis);
    let role = task.slot.role;
    state.kept.usage.entry(role).or_default().add(usage);
    let mut attempts = state.now.round.attempts.iter_mut().rev();
    if let Some(attempt) = attempts.find(|attempt| attempt.task == *task) {
        attempt.note_interrupted(usage);
    }
}

fn valid_end(event: &TaskEvent, at: Time) -> Option<(TaskId, AttemptEnd)> {
    match event {
        TaskEvent::Validated {
            task,
            output,
            raw,
            reading,
            warnings,
            usage,
        } => {
            let end = AttemptEnd {
                output: Some(*output),
                raw: *raw,
                cause: only_blocked(reading).then_some(Cause::ExplicitBlock),
                warnings: warnings.clone(),
                ..AttemptEnd::new(at, AttemptOutcome::Valid, *usage)
            };
            Some((*task, end))
        }
        TaskEvent::Pressed {
            task,
            output,
            raw,
            gaps,
            warnings,
            usage,
        } => {
            let end = AttemptEnd {
                output: Some(*output),
                raw: *raw,
                message: format!(
                    "valid, but it finds nothing on {} and does not say what it examined",
                    comma_list(gaps)
                ),
                warnings: warnings.clone(),
                ..AttemptEnd::new(at, AttemptOutcome::Pressed, *usage)
            };
            Some((*task, end))
        }
        _ => None,
    }
}

fn failed_end(event: &TaskEvent, at: Time) -> Option<(TaskId, AttemptEnd, Failing)> {
    match event {
        TaskEvent::Rejected {
            task,
            output,
            failure,
            message,
            facts,
            warnings,
            usage,
        } => {
            let end = AttemptEnd {
                output: *output,
                message: message.clone(),
                cause: cause_of(task, facts),
                warnings: warnings.clone(),
                ..AttemptEnd::new(at, AttemptOutcome::Invalid(*failure), *usage)
            };
            Some((*task, end, Failing::Invalid(*failure)))
        }
        TaskEvent::Failed {
            task,
            error,
            shorter,
            output,
            usage,
            ..
        } => {
            let next = shorter.map_or(String::new(), |shorter| {
                let ShorterPrompt { before, after, .. } = shorter;
                format!("; the next prompt has {after} bytes in place of {before}")
            });
            let end = AttemptEnd {
                output: *output,
                message: format!("{}{next}", error.message),
                ..AttemptEnd::new(at, AttemptOutcome::CouldNotRun, *usage)
            };
            Some((*task, end, Failing::CouldNotRun(error.kind)))
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
            let (outcome, cause, failing) = match exhaustion {
                Exhaustion::InvalidOutput { failure } => (
                    AttemptOutcome::Invalid(*failure),
                    cause_of(task, facts),
                    Failing::Invalid(*failure),
                ),
                Exhaustion::CannotRun { error } => {
                    let failing = Failing::CouldNotRun(error.kind);
                    (AttemptOutcome::CouldNotRun, None, failing)
                }
            };
            let end = AttemptEnd {
                output: *output,
                message: message.clone(),
                cause,
                warnings: warnings.clone(),
                ..AttemptEnd::new(at, outcome, *usage)
            };
            Some((*task, end, failing))
        }
        _ => None,
    }
}

/// Adds the stretch in which an agent worked, without what was counted for others at the same time. Stretches are
/// remembered while an agent that began before them is still at work, and no longer.
fn count_as_active(state: &mut State, others_run: bool, until: Time, millis: u64) {
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
