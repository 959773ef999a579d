//! Lines about the attempts of agents.

use gapless_domain::Exhaustion;
use gapless_session::TaskEvent;

use super::reading::in_words;
use super::style::LineStyle;
use crate::Tone;
use crate::output::wording::list_or_nothing as list;

pub(crate) fn line(style: &LineStyle, event: &TaskEvent) -> Option<String> {
    let (tone, mark, text) = match event {
        TaskEvent::Validated { task, reading, .. } => {
            let text = format!("{} {}", task.slot.role, in_words(reading));
            (Tone::Info, "·", text)
        }
        TaskEvent::Rejected {
            task,
            failure,
            message,
            ..
        } => {
            let text = format!(
                "{} attempt {} rejected, trying again: {}: {message}",
                task.slot.role,
                task.attempt,
                failure.name()
            );
            (Tone::Bad, "✗", text)
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
        TaskEvent::Failed { task, error, .. } => {
            let text = format!(
                "{} attempt {} could not run, trying again soon: {}",
                task.slot.role, task.attempt, error.message
            );
            (Tone::Bad, "✗", text)
        }
        TaskEvent::Exhausted {
            task,
            exhaustion,
            message,
            ..
        } => {
            let why = match exhaustion {
                Exhaustion::InvalidOutput { failure } => format!("{}: {message}", failure.name()),
                Exhaustion::CannotRun { error } => error.message.clone(),
            };
            let text = format!("{} has nothing left to try: {why}", task.slot.role);
            (Tone::Bad, "✗", text)
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
        | TaskEvent::Woken { .. }
        | TaskEvent::Granted { .. }
        | TaskEvent::UsageNoted { .. } => return None,
    };
    Some(style.detail(tone, mark, text))
}
