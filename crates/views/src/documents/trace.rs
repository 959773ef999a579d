//! `trace.json`: which gap changed which lines of the refined spec, when, and by which decisions.

use gapless_session::State;
use gapless_spec::Traced;
use serde_json::{Value, json};

const VERSION: u32 = 1;

/// The trace of a refined spec, one change on a line.
pub(super) fn trace(state: &State, changes: &[Traced]) -> String {
    let origin = state.kept.origin.as_ref();
    let session = json!(origin.map_or("", |origin| origin.name.as_str()));
    let changes: Vec<String> = changes
        .iter()
        .map(|change| format!("\n    {}", change_json(change)))
        .collect();
    let changes = match changes.is_empty() {
        true => String::new(),
        false => changes.join(",") + "\n  ",
    };
    format!(
        "{{\n  \"version\": {VERSION},\n  \"session\": {session},\n  \"changes\": [{changes}]\n}}\n"
    )
}

/// A change of the refined spec as JSON.
pub fn change_json(change: &Traced) -> Value {
    json!({
        "gap": change.gap,
        "change": change.change,
        "round": change.round,
        "lines": change.lines,
        "decisions": change.decisions,
    })
}
