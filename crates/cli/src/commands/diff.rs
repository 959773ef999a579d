//! `gapless diff`: what a round changed in the refined spec, or what all rounds changed.

use clap::Args;
use gapless_domain::Texts;
use gapless_domain::line_diff::Mark;
use gapless_runner::{RunError, decode_rows};
use gapless_session::replay::around_round;
use gapless_session::{Event, State};
use gapless_spec::assemble;
use gapless_store::Store;
use serde_json::json as value;

use crate::output::pager::{self, PagerArgs};
use crate::output::spec_diff::{DiffFormArgs, SpecDiff};
use crate::output::wording::list;
use crate::views::session_end;
use crate::{Context, Exit, Failure, Kind, OpenSession, Result, json, open_session};

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The round, 0 being discovery (default: everything since the source)
    round: Option<u32>,
    /// The session (default: the only one, else the last one worked on)
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    #[command(flatten)]
    form: DiffFormArgs,
    #[command(flatten)]
    pager: PagerArgs,
}

/// A refined spec and the moment it is of.
struct Version {
    of: String,
    text: String,
}

pub(crate) fn run(context: &Context, args: &DiffArgs) -> Result<Exit> {
    let opened = open_session(context, args.session.as_deref())?;
    let (from, to) = match args.round {
        Some(round) => versions_around(&opened, round)?,
        None => (
            Version {
                of: "source".to_owned(),
                text: source(&opened)?,
            },
            version("now", opened.state(), &opened)?,
        ),
    };
    let names = [&from, &to].map(|version| format!("spec.md ({})", version.of));
    let diff = SpecDiff::new(names, &from.text, &to.text, args.form);
    let screen = &context.screen;
    if screen.is_json() {
        json::print(&value!({
            "session": opened.name.as_str(),
            "round": args.round,
            "from": from.of,
            "to": to.of,
            "added": diff.count(Mark::Added),
            "removed": diff.count(Mark::Removed),
            "diff": diff.unified(),
        }));
        return Ok(Exit::Done);
    }
    if diff.is_empty() {
        screen.line(&match args.round {
            Some(round) => format!("Round {round} changed nothing in the refined spec."),
            None => "The refined spec is still the source.".to_owned(),
        });
    }
    pager::show(context, args.pager, &diff.lines(screen, args.form));
    session_end::remark_by_rules(screen, opened.state());
    Ok(Exit::Done)
}

fn versions_around(opened: &OpenSession, round: u32) -> Result<(Version, Version)> {
    let rows = opened.session.store().read(opened.name.as_str())?;
    let logged = decode_rows(&rows)?;
    let events: Vec<&Event> = logged.iter().map(|logged| &logged.event).collect();
    let around = around_round(events, round).map_err(|none| {
        Failure::new(Kind::Usage, &none).hint(format!("there are: {}", list(none.there())))
    })?;
    let before = match round {
        0 => "source".to_owned(),
        round => format!("before round {round}"),
    };
    let after = match around.is_over {
        true => format!("before round {}", round.saturating_add(1)),
        false => "now".to_owned(),
    };
    Ok((
        version(&before, &around.before, opened)?,
        version(&after, &around.after, opened)?,
    ))
}

fn version(of: &str, state: &State, opened: &OpenSession) -> Result<Version> {
    Ok(Version {
        of: of.to_owned(),
        text: assemble(state, opened.session.store()).map_err(RunError::from)?,
    })
}

fn source(opened: &OpenSession) -> Result<String> {
    let Some(origin) = &opened.state().kept.origin else {
        return Ok(String::new());
    };
    let text = opened.session.store().text(&origin.source);
    let text = text.ok_or(RunError::MissingText(origin.source))?;
    Ok(text.to_string())
}
