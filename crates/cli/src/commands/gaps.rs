//! `gapless gaps`: the gaps of a session, gravest first.

use std::cmp::Reverse;

use gapless_domain::{Gap, Person};

use crate::output::wording::list;
use crate::views::{session_end, session_json};
use crate::{Context, Exit, Result, SessionArgs, json, open_session, tables};

pub(crate) fn run(context: &Context, args: &SessionArgs) -> Result<Exit> {
    let opened = open_session(context, args.name.as_deref())?;
    let (state, now) = (opened.state(), context.clock.now());
    let mut gaps: Vec<&Gap> = state.now.gaps.values().collect();
    gaps.sort_by_key(|gap| (Reverse(gap.severity), gap.age));
    let screen = &context.screen;
    if screen.is_json() {
        let items = gaps.into_iter();
        let items = items.map(|gap| session_json::gap(gap, state.ownership(&gap.id), now));
        json::print_items(opened.name.as_str(), items);
    } else if gaps.is_empty() {
        screen.line("No gaps.");
    } else if gaps.iter().any(|gap| !state.ownership(&gap.id).is_empty()) {
        let header = ["Gap", "Severity", "State", "Owner", "Due", "Description"];
        let rows = gaps.into_iter().map(|gap| {
            let ownership = state.ownership(&gap.id);
            let owner = ownership.owner.as_ref().map_or("", Person::as_str);
            let is_overdue = !gap.state.is_closed() && ownership.is_overdue(now);
            [
                tables::text(&gap.id.to_string()),
                tables::severity(gap.severity),
                tables::gap_state(gap.state),
                tables::text(owner),
                tables::due(ownership.due, is_overdue),
                tables::text(&described(gap)),
            ]
        });
        tables::print(screen, header, &[0, 1, 2, 4], rows);
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
