//! The folding of what happened to tasks: slots, with the states that their table gives, and the counters on them.

use super::attempt;
use crate::state::{LastFailure, Slot, ValidOutput};
use crate::{State, TaskEvent};
use gapless_domain::slot::step;
use gapless_domain::{AskAgain, Exhaustion, FailureFacts, FailureType, TextHash, Time};

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
                attempt::reassign(state, *given_up, gaps);
            }
            let opened = Slot::new(*slot, gaps.clone(), agent.clone());
            open(state, opened, again.as_ref());
        }
        TaskEvent::Started { task } => attempt::begin(state, task, at),
        TaskEvent::BestTaken { task, .. } => attempt::take_as_best(state, task),
        TaskEvent::UsageNoted { task, usage } => attempt::note_usage(state, task, usage, at),
        _ => attempt::finish(state, event, at),
    }
    if let Some((id, by)) = event.slot_move()
        && let Some(slot) = state.now.round.slots.get_mut(&id)
    {
        // The table was asked before the event was written; a log that breaks it is refused by the audit.
        slot.state = step(slot.state, by).unwrap_or(slot.state);
        note_on_slot(slot, event);
    }
}

fn open(state: &mut State, opened: Slot, again: Option<&AskAgain>) {
    let round = &mut state.now.round;
    if let Some(again) = again {
        round.asked_again.extend(again.issues.iter().copied());
        for issue in &again.issues {
            round.to_ask_again.remove(issue);
            // What comes of it is looked at anew.
            round.asked_about.remove(issue);
            round.doubted.remove(issue);
        }
    }
    let again = again.cloned();
    round.slots.insert(opened.id, Slot { again, ..opened });
}

/// Records everything about a slot that is not its state.
fn note_on_slot(slot: &mut Slot, event: &TaskEvent) {
    match event {
        TaskEvent::Opened { .. } | TaskEvent::UsageNoted { .. } => {}
        TaskEvent::Started { task } => {
            slot.attempts = task.id.attempt;
            slot.task = Some(task.clone());
        }
        TaskEvent::Validated {
            output,
            reading,
            warnings,
            ..
        } => {
            slot.execution_errors = 0;
            slot.output = Some(ValidOutput::new(*output, reading, warnings));
        }
        TaskEvent::BestTaken {
            output,
            reading,
            warnings,
            ..
        } => slot.output = Some(ValidOutput::new(*output, reading, warnings)),
        TaskEvent::Pressed { gaps, .. } => {
            slot.execution_errors = 0;
            slot.last_failure = None;
            slot.pressed = Some(gaps.clone());
        }
        TaskEvent::Rejected {
            failure,
            message,
            facts,
            output,
            ..
        } => {
            slot.execution_errors = 0;
            let own_retry = facts.cause.filter(|cause| cause.has_own_retry());
            slot.retried_causes.extend(own_retry);
            note_invalid(slot, *failure, message, facts, *output);
        }
        TaskEvent::Failed {
            wake_at, shorter, ..
        } => {
            match shorter {
                Some(shorter) => slot.halvings = shorter.halvings,
                None => slot.execution_errors += 1,
            }
            slot.wake_at = Some(*wake_at);
        }
        TaskEvent::Exhausted {
            message,
            facts,
            exhaustion,
            output,
            ..
        } => {
            slot.exhaustion = Some(exhaustion.clone());
            match exhaustion {
                Exhaustion::InvalidOutput { failure } => {
                    note_invalid(slot, *failure, message, facts, *output);
                }
                Exhaustion::CannotRun { .. } => slot.execution_errors += 1,
            }
        }
        TaskEvent::Granted { context, gaps, .. } => {
            // A series of tries for an agent that could not run is no further try after an invalid output.
            if !matches!(slot.exhaustion, Some(Exhaustion::CannotRun { .. })) {
                slot.granted += 1;
            }
            slot.execution_errors = 0;
            slot.exhaustion = None;
            slot.context.extend(context.iter().cloned());
            slot.gaps.clone_from(gaps);
        }
        TaskEvent::Woken { .. } | TaskEvent::Skipped { .. } => slot.wake_at = None,
    }
}

fn note_invalid(
    slot: &mut Slot,
    failure: FailureType,
    message: &str,
    facts: &FailureFacts,
    output: Option<TextHash>,
) {
    slot.rejections += 1;
    slot.last_failure = Some(LastFailure {
        failure,
        message: message.to_owned(),
        facts: facts.clone(),
        output,
    });
}
