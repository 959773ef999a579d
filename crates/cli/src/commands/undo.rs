//! `gapless undo`: takes back the user's last answer or command, with what followed from it.

use clap::Args;
use gapless_mediator::UserInput;
use serde_json::json as value;

use crate::session::send_and_report;
use crate::session_choice::choose_session;
use crate::{ChosenSession, Context, Exit, Result, json, open_session, plain};

#[derive(Debug, Args)]
pub(crate) struct UndoArgs {
    /// The session (default: the only one, else the last one worked on)
    name: Option<String>,
    /// Say what could be taken back, the newest first, and take nothing back
    #[arg(long)]
    list: bool,
}

impl UndoArgs {
    /// Whether something is taken back.
    pub(crate) fn changes(&self) -> bool {
        !self.list
    }
}

pub(crate) fn run(context: &Context, args: &UndoArgs) -> Result<Exit> {
    if args.list {
        return list(context, args.name.as_deref());
    }
    let ChosenSession { workspace, name } = choose_session(context, args.name.as_deref())?;
    send_and_report(context, &workspace, &name, UserInput::Undo)
}

fn list(context: &Context, name: Option<&str>) -> Result<Exit> {
    let opened = open_session(context, name)?;
    let points = opened.state().undo.iter().rev();
    if context.screen.is_json() {
        let items = points.map(|point| {
            let round = point.now.round.number;
            value!({ "at": point.at.to_string(), "round": round, "said": point.words })
        });
        json::print_items(opened.name.as_str(), items);
        return Ok(Exit::Done);
    }
    let lines: Vec<String> = points
        .map(|point| {
            let words = plain::one_line(&point.words);
            format!("{}  round {}: {words}", point.at, point.now.round.number)
        })
        .collect();
    if lines.is_empty() {
        context
            .screen
            .line("There is no answer or command to take back.");
    }
    context.screen.lines(lines);
    Ok(Exit::Done)
}
