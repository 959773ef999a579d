//! `gapless stats`: the figures of all sessions of a workspace.

use clap::Args;

use crate::session_choice::unknown_session;
use crate::views::stats::{Selection, document, print_csv, sheets, show};
use crate::workspace_stats::{UnreadableSession, WorkspaceStats};
use crate::{Context, Exit, Result, SessionStats, Workspace, json, plain};
use gapless_views::stats::Stats;

#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// The sessions to look at (default: all of the workspace)
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Print one CSV document on stdout: a line for each figure, with table, key, detail, metric and value
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

pub(crate) fn run(context: &Context, args: &StatsArgs) -> Result<Exit> {
    // A folder without sessions is a fine place to ask this.
    let workspace = Workspace::to_make(context)?;
    let stats = WorkspaceStats::read(&workspace)?;
    check_names(&args.names, &stats)?;
    let is_meant = |name: &str| args.names.is_empty() || args.names.iter().any(|it| it == name);
    let unread = stats.unreadable.iter();
    let unread: Vec<&UnreadableSession> = unread.filter(|unread| is_meant(&unread.name)).collect();
    let screen = &context.screen;
    for unread in &unread {
        let (name, why) = (&unread.name, &unread.failure.message);
        screen.note(&plain::clean(&format!("{name} is left out: {why}")));
    }
    let sessions = stats.sessions.iter();
    let sessions: Vec<&SessionStats> = sessions.filter(|session| is_meant(&session.name)).collect();
    let chosen = Selection {
        sum: Stats::sum(sessions.iter().map(|session| &session.stats)),
        advisory: stats.sum().advisory(),
        sessions,
    };
    if args.csv {
        print_csv(&sheets(&chosen));
    } else if screen.is_json() {
        json::print(&document(&chosen, &unread));
    } else if !chosen.sessions.is_empty() {
        show(context, &chosen);
    } else if unread.is_empty() {
        screen.line("No sessions yet; `gapless run SPEC` starts one.");
    }
    Ok(Exit::Done)
}

fn check_names(names: &[String], stats: &WorkspaceStats) -> Result<()> {
    let read = stats.sessions.iter().map(|session| session.name.as_str());
    let unread = stats.unreadable.iter().map(|unread| unread.name.as_str());
    let known: Vec<&str> = read.chain(unread).collect();
    match names.iter().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(unknown_session(name, known)),
        None => Ok(()),
    }
}
