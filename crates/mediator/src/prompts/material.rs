//! The lines around what others wrote. A prompt quotes specifications, proposals and reviews; each stands between two lines
//! with a mark that no quoted text has, so that nothing inside can end its block or pass for the prompt's own words.

use gapless_domain::{TaskId, TextHash};
use minijinja::{Error, ErrorKind, State};
use serde_json::Value;

/// How many characters a mark has.
const MARK_LENGTH: usize = 8;

/// What takes the place of a mark in a quoted text.
const REMOVED: &str = "(removed)";

/// The mark of a task's prompt: another one in each attempt, so that no agent knows that of the next.
pub(super) fn mark_of(seed: u64, task: &TaskId) -> String {
    let mut mark = TextHash::of(&format!("material {seed} {task}")).to_string();
    mark.truncate(MARK_LENGTH);
    mark
}

/// Takes the mark out of everything that a template is given.
pub(super) fn without_mark(value: &mut Value, mark: &str) {
    match value {
        Value::String(text) if text.contains(mark) => *text = text.replace(mark, REMOVED),
        Value::Array(items) => {
            for item in items {
                without_mark(item, mark);
            }
        }
        Value::Object(fields) => {
            for (_, field) in fields {
                without_mark(field, mark);
            }
        }
        _ => {}
    }
}

/// The filter `material`: a text between the lines of its block.
pub(super) fn material(state: &State, text: String, label: String) -> Result<String, Error> {
    let mark = state.lookup("mark");
    let mark = mark.as_ref().and_then(|mark| mark.as_str());
    let mark = mark.ok_or_else(|| Error::new(ErrorKind::UndefinedError, "there is no mark"))?;
    let text = text.trim_matches('\n');
    Ok(format!("-----{mark} {label}\n{text}\n-----{mark} end"))
}
