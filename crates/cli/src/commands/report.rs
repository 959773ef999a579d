//! `gapless report`: what a session did, what it left and what it cost, as one file.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use gapless_report::{Format, Report};
use gapless_runner::decode_rows;
use gapless_session::Event;
use gapless_store::{Expected, MISPLACED_HINT, Misplaced, Store, WrittenOut, write_out};
use serde_json::{Value, json as value};

use crate::views::session_json;
use crate::{
    Context, Exit, Failure, Kind, OpenSession, Result, delivery_target, json, open_session, plain,
};

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The session (default: the only one, else the last one worked on)
    name: Option<String>,
    /// What it is written as
    #[arg(long, value_name = "FORMAT", default_value = "html")]
    pub(crate) format: Written,
    /// Write it to FILE (default: report.html or report.md in the session's folder); what stands there and is no report is
    /// kept as FILE.bak
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Written {
    /// One page that needs nothing besides itself
    Html,
    /// Markdown
    Md,
}

impl Written {
    fn format(self) -> Format {
        match self {
            Written::Html => Format::Html,
            Written::Md => Format::Markdown,
        }
    }
}

pub(crate) fn run(context: &Context, args: &ReportArgs) -> Result<Exit> {
    let opened = open_session(context, args.name.as_deref())?;
    let format = args.format.format();
    let file = place(context, &opened, args, format)?;
    let rows = opened.session.store().read(opened.name.as_str())?;
    let logged = decode_rows(&rows)?;
    let events = logged.iter().map(|logged| &logged.event);
    let report = Report::of(events.collect::<Vec<&Event>>(), opened.session.store());
    let text = format.write(&report);
    let written = write_out(&file, &text, Expected::Marked(format.mark()))
        .map_err(|error| cannot_write(&file, &error.to_string()))?;
    if context.screen.is_json() {
        json::print(&document(&opened, &report, format, &written, text.len()));
        return Ok(Exit::Done);
    }
    let shown = |path: &Path| plain::clean(&path.to_string_lossy());
    let screen = &context.screen;
    screen.line(&format!("Report: {}", shown(&written.file)));
    if let Some(backup) = &written.backup {
        screen.line(&format!("What stood there: {}", shown(backup)));
    }
    Ok(Exit::Done)
}

fn place(
    context: &Context,
    opened: &OpenSession,
    args: &ReportArgs,
    format: Format,
) -> Result<PathBuf> {
    let origin = opened.state().kept.origin.as_ref();
    if let Some(named) = &args.output {
        let root = opened.workspace.root();
        let spec = origin.map_or(root.to_owned(), |origin| root.join(&origin.source_path));
        let instead = "name another file for the report";
        let path = delivery_target::check_file(context, &opened.workspace, &spec, named, instead)?;
        return Ok(PathBuf::from(path));
    }
    let folder = opened.workspace.folder(&opened.name);
    let file = folder.root().join(format!("report.{}", format.name()));
    let unwritable = |error: io::Error| match Misplaced::caused(&error) {
        true => Failure::new(Kind::Folder, error).hint(MISPLACED_HINT),
        false => cannot_write(&file, &error.to_string()),
    };
    // A folder is made only once something is written to it, and a log can be all there is.
    let held = folder.make("").map_err(unwritable)?;
    let name = format!("report.{}", format.name());
    held.check_file(&name).map_err(unwritable)?;
    Ok(file)
}

fn cannot_write(file: &Path, why: &str) -> Failure {
    let message = format!("the report can't be written to {}: {why}", file.display());
    Failure::new(Kind::Folder, message).hint("name a file elsewhere with --output")
}

fn document(
    opened: &OpenSession,
    report: &Report,
    format: Format,
    written: &WrittenOut,
    bytes: usize,
) -> Value {
    let (figures, counts) = (&report.figures, &report.counts);
    let state = opened.state();
    value!({
        "session": opened.name.as_str(),
        "path": written.file,
        "backup": written.backup,
        "format": format.name(),
        "bytes": bytes,
        "figures": {
            "outcome": report.outcome.word,
            "rounds": figures.round,
            "max_rounds": figures.max_rounds.now,
            "max_rounds_at_start": figures.max_rounds.at_start,
            "convergence": figures.progress.name(),
            "gaps": figures.gaps,
            "gaps_resolved": counts.resolved,
            "gaps_left": counts.left,
            "open_count": session_json::open_count(figures.open_quarters),
            "known_limitations": report.limitations.len(),
            "issues": counts.issues,
            "issues_standing": counts.issues_standing,
            "decisions": counts.decisions,
            "decisions_undone": counts.decisions_undone,
            "rollbacks": counts.rollbacks,
            "trouble": report.trouble,
            "waiting_for": state.now.questions.len(),
            "lines_added": report.change.added,
            "lines_removed": report.change.removed,
            "time_millis": figures.time,
            "usage": figures.usage_by_role,
            "usage_in_all": figures.usage,
        },
    })
}
