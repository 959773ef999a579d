//! `gapless gaps`: the gaps of a session, gravest first.

use std::cmp::Reverse;

use gapless_domain::Gap;

use crate::output::wording::list;
use crate::views::session_json;
use crate::{Context, Exit, Result, SessionArgs, json, open_session, tables};

pub(crate) fn run(context: &Context, args: &SessionArgs) -> Result<Exit> {
    let opened = open_session(context, args.name.as_deref())?;
    let mut gaps: Vec<&Gap> = opened.state().now.gaps.values().collect();
    gaps.sort_by_key(|gap| (Reverse(gap.severity), gap.age));
    let screen = &context.screen;
    if screen.is_json() {
        json::print_items(
            opened.name.as_str(),
            gaps.into_iter().map(session_json::gap),
        );
        return Ok(Exit::Done);
    }
    if gaps.is_empty() {
        screen.line("No gaps.");
        return Ok(Exit::Done);
    }
    let mut table = tables::table(screen, &["Gap", "Severity", "State", "Description"]);
    for gap in gaps {
        let mut description = gap.description.clone();
        for also in gap.also_said() {
            description += &format!("\nalso: {also}");
        }
        if !gap.blocked_by.is_empty() && !gap.state.is_closed() {
            description += &format!(" (waits on {})", list(&gap.blocked_by));
        }
        if let Some(reason) = &gap.reason
            && !gap.state.is_closed()
        {
            description += &format!(" ({reason})");
        }
        table.add_row([
            tables::text(&gap.id.to_string()),
            tables::severity(gap.severity),
            tables::gap_state(gap.state),
            tables::text(&description),
        ]);
    }
    tables::keep_whole(&mut table, &[0, 1, 2]);
    tables::print(screen, &table);
    Ok(Exit::Done)
}
