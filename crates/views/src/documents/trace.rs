//! `trace.json`: which gap changed which lines of the refined spec, when, and by which decisions.

use gapless_domain::{DecisionId, GapId};
use gapless_session::{BY_RULES, State};
use gapless_spec::Traced;
use serde::Serialize;
use serde_json::json;

const VERSION: u32 = 1;

/// A change of the refined spec as JSON has it.
#[derive(Debug, Serialize)]
pub struct Change<'t> {
    gap: &'t GapId,
    change: &'static str,
    round: u32,
    lines: (u32, u32),
    decisions: &'t [DecisionId],
}

impl<'t> From<&'t Traced> for Change<'t> {
    fn from(traced: &'t Traced) -> Self {
        Self {
            gap: &traced.gap,
            change: traced.change,
            round: traced.round,
            lines: traced.lines,
            decisions: &traced.decisions,
        }
    }
}

/// The trace of a refined spec, one change on a line.
pub(super) fn trace(state: &State, changes: &[Traced]) -> String {
    let origin = state.kept.origin.as_ref();
    let session = json!(origin.map_or("", |origin| origin.name.as_str()));
    let changes: Vec<String> = changes
        .iter()
        .filter_map(|change| serde_json::to_string(&Change::from(change)).ok())
        .map(|change| format!("\n    {change}"))
        .collect();
    let changes = match changes.is_empty() {
        true => String::new(),
        false => changes.join(",") + "\n  ",
    };
    let by_rules = match state.is_ended_by_rules() {
        true => format!("  \"reviewed\": {},\n", json!(BY_RULES)),
        false => String::new(),
    };
    format!(
        "{{\n  \"version\": {VERSION},\n  \"session\": {session},\n{by_rules}  \"changes\": [{changes}]\n}}\n"
    )
}
