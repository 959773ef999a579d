//! `gapless questions`: what waits for the user, with the command for each option.

use serde_json::{Value, json as value};

use crate::args::SessionArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::output::json;
use crate::session_choice::open_session;
use crate::views::{questions, session_json};

pub(crate) fn run(context: &Context, args: &SessionArgs) -> Result<Exit, Failure> {
    let opened = open_session(context, args.name.as_deref())?;
    let view = opened.view(context);
    let pending = opened.state().now.queue();
    let screen = &context.screen;
    if screen.is_json() {
        let items: Vec<Value> = pending
            .iter()
            .map(|question| session_json::question(view, question))
            .collect();
        json::print(&value!({ "session": view.name.as_str(), "items": items }));
        return Ok(Exit::Done);
    }
    if pending.is_empty() {
        screen.line("No question waits.");
    }
    for question in pending {
        screen.lines(questions::with_commands(view, question));
    }
    Ok(Exit::Done)
}
