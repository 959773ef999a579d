//! `gapless gaps`: the gaps of a session, gravest first.

use std::cmp::Reverse;

use gapless_domain::Gap;

use crate::output::wording::list;
use crate::views::{session_end, session_json};
use crate::{Context, Exit, Result, SessionArgs, json, open_session, tables};

pub(crate) fn run(context: &Context, args: &SessionArgs) -> Result<Exit> {
    let opened = open_session(context, args.name.as_deref())?;
    let mut gaps: Vec<&Gap> = opened.state().now.gaps.values().collect();
    gaps.sort_by_key(|gap| (Reverse(gap.severity), gap.age));
    let screen = &context.screen;
    if screen.is_json() {
        let items = gaps.into_iter().map(session_json::gap);
        json::print_items(opened.name.as_str(), items);
    } else if gaps.is_empty() {
        screen.line("No gaps.");
    } else {
        let header = ["Gap", "Severity", "State", "Description"];
        let rows = gaps.into_iter().map(|gap| {
            [
                tables::text(&gap.id.to_string()),
                tables::severity(gap.severity),
                tables::gap_state(gap.state),
                tables::text(&described(gap)),
            ]
        });
        tables::print(screen, header, &[0, 1, 2], rows);
    }
    session_end::remark_by_rules(screen, opened.state());
    Ok(Exit::Done)
}

fn described(gap: &Gap) -> String {
    let mut description = gap.description.clone();
    for also in gap.also_said() {
        description += &format!("\nalso: {also}");
    }
    if gap.state.is_closed() {
        return description;
    }
    if !gap.blocked_by.is_empty() {
        description += &format!(" (waits on {})", list(&gap.blocked_by));
    }
    if let Some(reason) = &gap.reason {
        description += &format!(" ({reason})");
    }
    description
}
