//! `gapless issues`: the issues of a session, open ones first.

use std::cmp::Reverse;

use gapless_domain::Issue;

use crate::views::session_json;
use crate::{Context, Exit, Result, SessionArgs, json, open_session, tables};

pub(crate) fn run(context: &Context, args: &SessionArgs) -> Result<Exit> {
    let opened = open_session(context, args.name.as_deref())?;
    let mut issues: Vec<&Issue> = opened.state().now.issues.values().collect();
    issues.sort_by_key(|issue| {
        let stands = issue.state.stands();
        (!stands, Reverse(issue.concern.severity), issue.id)
    });
    let screen = &context.screen;
    if screen.is_json() {
        let items = issues.into_iter().map(session_json::issue);
        json::print_items(opened.name.as_str(), items);
    } else if issues.is_empty() {
        screen.line("No issues.");
    } else {
        let header = ["Issue", "Severity", "State", "Gap", "Summary"];
        let rows = issues.into_iter().map(|issue| {
            [
                tables::text(&issue.id.to_string()),
                tables::severity(issue.concern.severity),
                tables::issue_state(issue.state),
                tables::text(&issue.gap.to_string()),
                tables::text(&issue.concern.summary),
            ]
        });
        tables::print(screen, header, &[0, 1, 2, 3], rows);
    }
    Ok(Exit::Done)
}
