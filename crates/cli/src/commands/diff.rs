//! `gapless diff`: what a round changed in the refined spec, or what all rounds changed.

use clap::Args;
use gapless_domain::Texts;
use gapless_domain::line_diff::{LineHunk, Mark, line_hunks};
use gapless_runner::{RunError, decode_rows};
use gapless_session::replay::around_round;
use gapless_session::{Event, State};
use gapless_spec::assemble;
use gapless_store::Store;
use serde_json::json as value;

use crate::output::wording::list;
use crate::{
    Context, Exit, Failure, Kind, OpenSession, Result, Screen, Tone, json, open_session, plain,
};

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The round, 0 being discovery (default: everything since the source)
    round: Option<u32>,
    /// The session (default: the only one, else the last one worked on)
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    /// How many unchanged lines are shown around a change
    #[arg(long, value_name = "N", default_value_t = 3)]
    context: usize,
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
    let hunks = line_hunks(&from.text, &to.text, args.context);
    let count = |wanted: Mark| {
        let lines = hunks.iter().flat_map(|hunk| &hunk.lines);
        lines.filter(|(mark, _)| *mark == wanted).count()
    };
    let unified = unified(&hunks, &from.of, &to.of);
    let screen = &context.screen;
    if screen.is_json() {
        json::print(&value!({
            "session": opened.name.as_str(),
            "round": args.round,
            "from": from.of,
            "to": to.of,
            "added": count(Mark::Added),
            "removed": count(Mark::Removed),
            "diff": unified,
        }));
        return Ok(Exit::Done);
    }
    if unified.is_empty() {
        screen.line(&match args.round {
            Some(round) => format!("Round {round} changed nothing in the refined spec."),
            None => "The refined spec is still the source.".to_owned(),
        });
    }
    // Not `lines`, which would take the carriage returns of a spec away.
    let lines = unified.strip_suffix('\n').map(|text| text.split('\n'));
    for (index, line) in lines.into_iter().flatten().enumerate() {
        screen.line(&shown(screen, index, line));
    }
    Ok(Exit::Done)
}

/// The hunks as `patch` reads them; nothing where there are none.
fn unified(hunks: &[LineHunk], from: &str, to: &str) -> String {
    if hunks.is_empty() {
        return String::new();
    }
    let mut text = format!("--- spec.md ({from})\n+++ spec.md ({to})\n");
    for hunk in hunks {
        text += &format!("{}\n", hunk.header);
        for (mark, line) in &hunk.lines {
            text.push(mark.sign());
            text += line;
            if !line.ends_with(['\n', '\r']) {
                text += "\n\\ No newline at end of file\n";
            }
        }
    }
    text
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

/// A line as it is printed: cleaned for a person, byte for byte for `patch`.
fn shown(screen: &Screen, index: usize, line: &str) -> String {
    if !screen.is_terminal() && !screen.is_coloured() {
        return line.to_owned();
    }
    let line = plain::clean(line);
    let tone = match line.chars().next() {
        // What the versions are called.
        _ if index < 2 => Tone::Strong,
        Some('+') => Tone::Good,
        Some('-') => Tone::Bad,
        Some('@') => Tone::Info,
        _ => return line,
    };
    screen.paint(tone, line)
}
