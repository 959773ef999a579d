//! Owns the documents that gapless writes of a session. All figures in them come from the state, through functions of the
//! core that every other view uses too.

mod decisions;
mod status;
mod summary;

use std::sync::Arc;

use crate::event::{Event, Happening, RoundEvent, SessionEvent, TaskEvent};
use crate::prompts::PromptError;
use crate::spec::assemble;
use crate::state::{State, document_path};
use crate::task::{Role, TaskId};
use crate::text::{TextHash, Texts};

pub use decisions::decisions;
pub use status::status;
pub use summary::round_summary;

/// A file of the session folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    pub path: String,
    pub text: Arc<str>,
}

/// The files that these events changed, as they should be after them.
pub fn changed(
    state: &State,
    events: &[Event],
    texts: &dyn Texts,
) -> Result<Vec<Document>, PromptError> {
    let mut documents = Vec::new();
    if events.is_empty() {
        return Ok(documents);
    }
    let mut put = |path: String, text: Arc<str>| documents.push(Document { path, text });
    let find = |hash: &TextHash| texts.text(hash).ok_or(PromptError::MissingText(*hash));
    let mut round = round_before(state, events);
    let mut decided = false;
    let mut spec_changed = false;
    for event in events {
        match &event.what {
            Happening::Session(SessionEvent::Started { source, .. }) => {
                put("source.md".to_owned(), find(source)?);
                (decided, spec_changed) = (true, true);
            }
            Happening::Session(SessionEvent::Ended { .. }) => spec_changed = true,
            Happening::Round(RoundEvent::Began { round: number }) => round = *number,
            Happening::Round(RoundEvent::Joined { engineer, .. }) => {
                put(document_path(Role::Engineer, round), find(engineer)?);
            }
            Happening::Round(RoundEvent::Reviewed { reviewer }) => {
                put(document_path(Role::Reviewer, round), find(reviewer)?);
            }
            Happening::Round(RoundEvent::FinalReviewed { text, .. }) => {
                put(document_path(Role::FinalReviewer, round), find(text)?);
            }
            Happening::Round(RoundEvent::Accounted { summary, .. }) => {
                put(format!("round_{round:03}/summary.md"), find(summary)?);
            }
            Happening::Task(TaskEvent::Validated { task, output, .. })
                if task.slot.role == Role::Analyst =>
            {
                put(document_path(Role::Analyst, 0), find(output)?);
            }
            Happening::Task(TaskEvent::Rejected {
                task,
                output: Some(output),
                ..
            })
            | Happening::Task(TaskEvent::Exhausted {
                task,
                output: Some(output),
                ..
            }) => {
                put(attempt_path(task), find(output)?);
            }
            Happening::Gap(event) => spec_changed |= changes_spec(event),
            Happening::Decision(_) => decided = true,
            Happening::Rollback(_) => (decided, spec_changed) = (true, true),
            _ => {}
        }
    }
    if decided {
        put("decisions.md".to_owned(), decisions(state).into());
    }
    if spec_changed {
        put("spec.md".to_owned(), assemble(state, texts)?.into());
    }
    put("status.md".to_owned(), status(state).into());
    Ok(documents)
}

/// The number of the round that was under way before these events.
fn round_before(state: &State, events: &[Event]) -> u32 {
    let first_begun = events.iter().find_map(|event| match event.what {
        Happening::Round(RoundEvent::Began { round }) => Some(round - 1),
        _ => None,
    });
    first_begun.unwrap_or(state.now.round.number)
}

fn changes_spec(event: &crate::event::GapEvent) -> bool {
    use crate::event::GapEvent;
    use crate::gap::GapState;
    match event {
        GapEvent::Moved { from, to, .. } => {
            let settled = |state: &GapState| state.is_closed() || state.is_parked();
            settled(from) || settled(to)
        }
        _ => false,
    }
}

/// Where an attempt that was not the last is kept: `round_003/attempts/engineer-1.md`.
fn attempt_path(task: &TaskId) -> String {
    let stem = task.slot.role.stem();
    let slot = match task.slot.index {
        0 => String::new(),
        index => format!("-{index}"),
    };
    format!(
        "round_{:03}/attempts/{stem}{slot}-{}.md",
        task.round, task.attempt
    )
}
