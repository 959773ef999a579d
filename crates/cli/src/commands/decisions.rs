//! `gapless decisions`: what the user settled, oldest first.

use serde_json::{Value, json as value};

use crate::args::SessionArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::session_choice::open;
use crate::show::{json, tables};

pub fn run(context: &Context, args: &SessionArgs) -> Result<Exit, Failure> {
    let opened = open(context, args.name.as_deref())?;
    let now = &opened.state().now;
    let screen = &context.screen;
    if screen.is_json() {
        let items = now.decisions.iter();
        let items: Vec<Value> = items
            .map(|decision| json::decision(now, decision))
            .collect();
        json::print(&value!({ "session": opened.name.as_str(), "items": items }));
        return Ok(Exit::Done);
    }
    if now.decisions.is_empty() {
        screen.line("No decisions.");
        return Ok(Exit::Done);
    }
    let mut table = tables::table(
        screen,
        &["Decision", "Kind", "Subject", "State", "What was decided"],
    );
    for decision in &now.decisions {
        let mut said = decision.decision.clone();
        if !decision.rationale.is_empty() {
            said += &format!(" ({})", decision.rationale);
        }
        table.add_row([
            tables::text(&decision.id.to_string()),
            tables::text(decision.kind.name()),
            tables::text(&decision.subject()),
            tables::decision_state(now.decision_state(decision)),
            tables::text(&said),
        ]);
    }
    tables::keep_whole(&mut table, &[0, 1, 3]);
    tables::print(screen, &table);
    Ok(Exit::Done)
}
