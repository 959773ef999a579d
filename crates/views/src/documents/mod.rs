//! The documents that gapless writes of a session. All figures in them come from the state, through functions of the
//! core that every other view uses too.

mod attempts;
mod backups;
mod closing;
mod decisions;
mod rollback;
mod status;
mod summary;
mod trace;
mod undone;
mod validation;

use std::sync::Arc;

use gapless_domain::{End, GapState, Role, Texts, comma_list};
use gapless_session::event::{Event, GapEvent, Happening, RoundEvent, SessionEvent, TaskEvent};
use gapless_session::state::{State, document_path};
use gapless_spec::{AssemblyError, refined};

pub use attempts::attempt_files;
pub use backups::{Backups, backed_up, backups};
pub use closing::Closing;
pub use decisions::decisions;
pub use status::status;
pub use summary::round_summary;
pub use trace::Change;
pub use undone::{ArchivedRound, archived_rounds};

/// A file of the session folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    pub path: String,
    pub text: Arc<str>,
}

impl Document {
    fn new(path: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        let (path, text) = (path.into(), text.into());
        Self { path, text }
    }
}

/// Items with commas between them, or a dash.
fn listed<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    match comma_list(items) {
        list if list.is_empty() => "-".to_owned(),
        list => list,
    }
}

/// A text under its heading, or nothing.
fn under(heading: &str, text: String) -> String {
    match text.is_empty() {
        true => text,
        false => format!("{heading}{text}"),
    }
}

/// The document that belongs to the moment of an event, the state being the one right after it. It never changes later.
pub fn of_moment(
    state: &State,
    event: &Event,
    texts: &dyn Texts,
) -> Result<Option<Document>, AssemblyError> {
    let round = state.now.round.number;
    let (path, hash) = match &event.what {
        Happening::Session(SessionEvent::Started { source, .. }) => {
            ("source.md".to_owned(), source)
        }
        Happening::Round(RoundEvent::Joined { engineer, .. }) => {
            (document_path(Role::Engineer, round), engineer)
        }
        Happening::Round(RoundEvent::Reviewed { reviewer }) => {
            (document_path(Role::Reviewer, round), reviewer)
        }
        Happening::Round(RoundEvent::Edited {
            editor: Some(editor),
            ..
        }) => (document_path(Role::Editor, round), editor),
        Happening::Round(RoundEvent::FinalReviewed { text, .. }) => {
            (document_path(Role::FinalReviewer, round), text)
        }
        Happening::Round(RoundEvent::Accounted { .. }) => {
            let path = format!("round_{round:03}/summary.md");
            return Ok(Some(Document::new(path, round_summary(state))));
        }
        Happening::Task(TaskEvent::Validated { task, output, .. })
            if task.slot.role == Role::Analyst =>
        {
            (document_path(Role::Analyst, 0), output)
        }
        _ => return Ok(None),
    };
    let text = texts.require(hash)?;
    Ok(Some(Document { path, text }))
}

/// The files that show the session as it stands, of those that these events changed.
pub fn standing(
    state: &State,
    events: &[Event],
    texts: &dyn Texts,
) -> Result<Vec<Document>, AssemblyError> {
    let mut documents = Vec::new();
    if events.is_empty() {
        return Ok(documents);
    }
    let started =
        |event: &Event| matches!(event.what, Happening::Session(SessionEvent::Started { .. }));
    let undone = |event: &Event| matches!(event.what, Happening::Rollback(_));
    let decided = |event: &Event| matches!(event.what, Happening::Decision(_));
    // Also where the session goes on from its end.
    let ended = |event: &Event| {
        let Happening::Session(event) = &event.what else {
            return false;
        };
        matches!(
            event,
            SessionEvent::Ended { .. } | SessionEvent::Reopened { .. }
        )
    };
    let spec_changed = |event: &Event| match &event.what {
        Happening::Gap(event) => changes_spec(event),
        Happening::Round(RoundEvent::Edited { taken, .. }) => !taken.is_empty(),
        _ => ended(event),
    };
    let anew = events.iter().any(|event| started(event) || undone(event));
    let mut put = |path: &str, text: String| documents.push(Document::new(path, text));
    // An ended session no longer offers what was undone.
    let any_decided = events.iter().any(decided);
    if anew || any_decided || events.iter().any(ended) {
        put("decisions.md", decisions(state));
    }
    let mut unwritten = None;
    // The trace names the decisions on a gap, also those that leave its text as it is.
    let spec_changed = anew || any_decided || events.iter().any(spec_changed);
    if absent(state).is_empty() && spec_changed {
        match refined(state, texts) {
            Ok(refined) => {
                put("trace.json", trace::trace(state, &refined.trace));
                put("spec.md", refined.text);
            }
            // The last spec that holds stays, and the record says that it is not this one.
            Err(error @ AssemblyError::Spec(_)) => unwritten = Some(error),
            Err(error) => return Err(error),
        }
    }
    let note = unwritten.map_or(String::new(), |error| {
        format!("\n## Refined spec\n\nspec.md is not up to date: {error}.\n")
    });
    put("status.md", status(state) + &note);
    Ok(documents)
}

/// The files that a session as it stands doesn't have: who gives up gets no refined spec.
pub fn absent(state: &State) -> &'static [&'static str] {
    match state.kept.ended {
        Some((End::Abandoned, _)) => &["spec.md", "trace.json"],
        _ => &[],
    }
}

fn changes_spec(event: &GapEvent) -> bool {
    match event {
        GapEvent::Moved { from, to, .. } => {
            let settled = |state: &GapState| state.is_closed() || state.is_parked();
            settled(from) || settled(to)
        }
        GapEvent::Recorded { .. } => true,
        _ => false,
    }
}
