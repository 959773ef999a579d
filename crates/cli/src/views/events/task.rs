//! Lines about the attempts of agents.

use gapless_domain::config::EXECUTION_TRIES;
use gapless_domain::{ExecutionError, Exhaustion, TaskId, Time, human_millis};
use gapless_session::{State, TaskEvent};

use super::reading::in_words;
use super::style::LineStyle;
use crate::Tone;
use crate::output::sign_in::with_sign_in_hint;
use crate::output::wording::list_or_nothing as list;

pub(crate) fn line(
    style: &LineStyle,
    state: &State,
    event: &TaskEvent,
    at: Time,
) -> Option<String> {
    if let Some(text) = error_text(state, event, at) {
        return Some(style.error(&text));
    }
    let (tone, mark, text) = match event {
        TaskEvent::Validated { task, reading, .. } => {
            let text = format!("{} {}", task.slot.role, in_words(reading));
            (Tone::Info, "·", text)
        }
        TaskEvent::Pressed { task, gaps, .. } => {
            let text = format!(
                "{} finds nothing on {} and doesn't say what it examined: asked once more",
                task.slot.role,
                list(gaps)
            );
            (Tone::Warn, "·", text)
        }
        TaskEvent::BestTaken { task, reading, .. } => {
            let (role, read) = (task.slot.role, in_words(reading));
            let text = format!("{role} attempt {} is taken: {read}", task.attempt);
            (Tone::Info, "·", text)
        }
        TaskEvent::Skipped { slot } => (Tone::Warn, "·", format!("{} skipped", slot.role)),
        TaskEvent::Opened {
            slot,
            gaps,
            instead_of: Some(_),
            ..
        } => {
            let gaps = match gaps.is_empty() {
                true => String::new(),
                false => format!(": {}", list(gaps)),
            };
            let text = format!("{} begins another task{gaps}", slot.role);
            (Tone::Faint, "·", text)
        }
        TaskEvent::Opened { .. }
        | TaskEvent::Started { .. }
        | TaskEvent::Rejected { .. }
        | TaskEvent::Failed { .. }
        | TaskEvent::Exhausted { .. }
        | TaskEvent::Woken { .. }
        | TaskEvent::Granted { .. }
        | TaskEvent::UsageNoted { .. } => return None,
    };
    Some(style.detail(tone, mark, text))
}

/// What an event says that tells of something gone wrong.
fn error_text(state: &State, event: &TaskEvent, at: Time) -> Option<String> {
    Some(match event {
        TaskEvent::Rejected {
            task,
            failure,
            message,
            ..
        } => {
            format!(
                "{} attempt {} rejected, trying again: {}: {message}",
                task.slot.role,
                task.attempt,
                failure.name()
            )
        }
        TaskEvent::Failed {
            task,
            error,
            wake_at,
            shorter,
            ..
        } => {
            let next = match shorter {
                Some(_) => "trying again at once with a shorter prompt".to_owned(),
                None => next_try(state, task, error, *wake_at, at),
            };
            format!(
                "{} attempt {} could not run, {next}: {}",
                task.slot.role,
                task.attempt,
                with_sign_in_hint(&error.message)
            )
        }
        TaskEvent::Exhausted {
            task,
            exhaustion,
            message,
            ..
        } => {
            let why = match exhaustion {
                Exhaustion::InvalidOutput { failure } => format!("{}: {message}", failure.name()),
                Exhaustion::CannotRun { error } => with_sign_in_hint(&error.message),
            };
            format!("{} has nothing left to try: {why}", task.slot.role)
        }
        _ => return None,
    })
}

/// When an agent that could not run is tried again, and which try of how many that is.
fn next_try(
    state: &State,
    task: &TaskId,
    error: &ExecutionError,
    wake_at: Time,
    at: Time,
) -> String {
    let wait = wake_at.millis_since(at);
    // Of an older event, the slot may have gone on.
    let slot = state.now.round.slots.get(&task.slot);
    let slot = slot.filter(|slot| slot.task.as_ref().is_some_and(|last| last.id == *task));
    let tries = slot.map_or(String::new(), |slot| {
        format!(", try {} of {EXECUTION_TRIES}", slot.execution_errors + 1)
    });
    let asked = error.retry_after_millis.filter(|asked| *asked > wait);
    let asked = asked.map_or(String::new(), |asked| {
        format!(", though it asks to wait {}", human_millis(asked))
    });
    format!(
        "trying again at {} UTC (in {}{asked}){tries}",
        wake_at.time_of_day(),
        human_millis(wait)
    )
}
