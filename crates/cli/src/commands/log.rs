//! `gapless log`: what happened, event by event; what a rollback undid is marked `~`.

use gapless_runner::{Logged, decode_rows};
use gapless_session::replay::undone;
use gapless_store::Store;
use serde_json::{Value, json as value};

use crate::views::events::log_entry;
use crate::views::{session_end, session_json};
use crate::{Context, Exit, Result, SessionArgs, Tone, json, open_session, plain};

pub(crate) fn run(context: &Context, args: &SessionArgs) -> Result<Exit> {
    let opened = open_session(context, args.name.as_deref())?;
    let rows = opened.session.store().read(opened.name.as_str())?;
    let logged = decode_rows(&rows)?;
    let undone = undone(logged.iter().map(|logged| &logged.event));
    let screen = &context.screen;
    if screen.is_json() {
        let events = rows.iter().zip(&undone).map(|(row, undone)| {
            let mut event = session_json::event(row);
            if let Some(index) = undone {
                event["undone_by"] = rows[*index].seq.into();
            }
            event
        });
        let events: Vec<Value> = events.collect();
        json::print(&value!({ "session": opened.name.as_str(), "events": events }));
        return Ok(Exit::Done);
    }
    for ((row, Logged { seq, event }), undone) in rows.iter().zip(&logged).zip(&undone) {
        // What was undone stays in the log, and is seen to be.
        let mark = if undone.is_some() { "~" } else { " " };
        let head = format!("{seq:>5}{mark} {}  {:<22}", event.at, row.type_name);
        let room = screen.width().saturating_sub(head.len() + 1);
        let shortened = match row.type_name.as_str() {
            "task.failed" | "task.exhausted" => plain::shortened_inside,
            _ => plain::shortened,
        };
        let text = shortened(&log_entry::summary(&event.what), room.max(20));
        screen.line(format!("{} {text}", screen.paint(Tone::Faint, head)).trim_end());
        for remark in log_entry::remarks(&event.what) {
            let text = plain::shortened(&remark, screen.width().saturating_sub(8).max(20));
            screen.line(&format!("        {text}"));
        }
    }
    session_end::remark_by_rules(screen, opened.state());
    Ok(Exit::Done)
}
