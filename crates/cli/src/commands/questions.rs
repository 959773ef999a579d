//! `gapless questions`: what waits for the user, with the command for each option.

use crate::views::{questions, session_json};
use crate::{Context, Exit, Result, SessionArgs, json, open_session};

pub(crate) fn run(context: &Context, args: &SessionArgs) -> Result<Exit> {
    let opened = open_session(context, args.name.as_deref())?;
    let view = opened.view(context);
    let pending = opened.state().now.queue();
    let screen = &context.screen;
    if screen.is_json() {
        let items = pending.into_iter();
        let items = items.map(|question| session_json::question(view, question));
        json::print_items(view.name.as_str(), items);
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
