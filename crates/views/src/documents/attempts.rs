//! The record of attempts: how each is called, what is said of it, and the files it leaves in
//! `round_NNN/attempts/`. Only a slot that needed more than one attempt leaves any; then each of its attempts does.

use super::Document;
use gapless_domain::text::Texts;
use gapless_session::attempt_record::attempt_records;
use gapless_session::{Event, Happening, State, TaskEvent};
use gapless_spec::AssemblyError;

/// The files of the attempt that ended with an event, the state being the one right after it: its prompt, what the agent
/// wrote, and what came of it. They never change later.
pub fn attempt_files(
    state: &State,
    event: &Event,
    texts: &dyn Texts,
) -> Result<Vec<Document>, AssemblyError> {
    let Happening::Task(event) = &event.what else {
        return Ok(Vec::new());
    };
    let task = match event {
        TaskEvent::Validated { task, .. } if task.attempt > 1 => task,
        TaskEvent::Rejected { task, .. }
        | TaskEvent::Pressed { task, .. }
        | TaskEvent::Failed { task, .. }
        | TaskEvent::Exhausted { task, .. } => task,
        _ => return Ok(Vec::new()),
    };
    let attempts = &state.now.round.attempts;
    let Some(index) = attempts.iter().position(|attempt| attempt.task == *task) else {
        return Ok(Vec::new());
    };
    let (attempt, record) = (&attempts[index], &attempt_records(attempts)[index]);
    let path = |ending: &str| format!("round_{:03}/attempts/{}{ending}", task.round, record.name);
    let prompt = texts.require(&attempt.prompt)?;
    let mut files = vec![Document::new(path(".prompt.md"), prompt)];
    if let Some(written) = attempt.finished.as_ref().and_then(|end| end.written()) {
        files.push(Document::new(path(".md"), texts.require(written)?));
    }
    let result = serde_json::to_string_pretty(record).unwrap_or_default();
    files.push(Document::new(path(".result.json"), format!("{result}\n")));
    Ok(files)
}
