//! `gapless log`: what happened, event by event.

use gapless_runner::{Logged, decode_rows};
use gapless_store::Store;
use serde_json::{Value, json as value};

use crate::args::SessionArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::session_choice::open;
use crate::show::{Tone, json, log_words, plain};

pub fn run(context: &Context, args: &SessionArgs) -> Result<Exit, Failure> {
    let opened = open(context, args.name.as_deref())?;
    let rows = opened.session.store().read(opened.name.as_str())?;
    let screen = &context.screen;
    if screen.is_json() {
        let events: Vec<Value> = rows.iter().map(json::event).collect();
        json::print(&value!({ "session": opened.name.as_str(), "events": events }));
        return Ok(Exit::Done);
    }
    for (row, Logged { seq, event }) in rows.iter().zip(decode_rows(&rows)?) {
        let head = format!("{seq:>5}  {}  {:<22}", event.at, row.type_name);
        let room = screen.width().saturating_sub(head.len() + 1);
        let text = plain::shortened(&log_words::short(&event.what), room.max(20));
        screen.line(format!("{} {text}", screen.paint(Tone::Faint, head)).trim_end());
    }
    Ok(Exit::Done)
}
