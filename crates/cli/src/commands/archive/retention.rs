//! `gapless archive keep` and `prune`: which archives are kept for good, and which are removed in time.

use clap::Args;
use gapless_domain::{ArchiveName, Config};
use gapless_store::SessionLock;
use gapless_store::archive::Entry;
use serde_json::{Value, json as value};

use super::session_archives::{Place, SessionArchives, size};
use crate::session::this_process;
use crate::workspace::SETTINGS;
use crate::{ConfigArgs, Context, Exit, Result, Tone, Workspace, cold_storage, json, plain};

#[derive(Debug, Args)]
pub(crate) struct KeepArgs {
    /// The session
    name: String,
    /// Like round_005_rolled_back_1
    archive: ArchiveName,
    /// Take the mark away
    #[arg(long)]
    undo: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PruneArgs {
    /// Older than this (default: `archive_retention_days` of gapless.toml, else 30)
    #[arg(long, value_name = "N")]
    days: Option<u32>,
    /// Say what would go, and leave it
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn keep(context: &Context, args: &KeepArgs) -> Result<Exit> {
    let archives = SessionArchives::open(context, Some(&args.name))?;
    let (archive, keep) = (args.archive, !args.undo);
    let item = archives.find(archive)?;
    match item.place {
        Place::Session => {
            // Whoever drives the session may be about to move or delete it.
            let folder = archives.opened.workspace.folder(&archives.opened.name);
            let _lock = SessionLock::acquire(&folder, &this_process(context))?;
            archives.hot.mark(archive, keep)?;
        }
        Place::Cold => {
            let folder = item.file.parent().unwrap_or(&item.file);
            archives.cold.mark(folder, archive, keep)?;
        }
    }
    let screen = &context.screen;
    screen.line(&match (keep, item.place) {
        (true, _) => format!("{archive} is kept until you delete it yourself"),
        (false, Place::Session) => {
            format!(
                "{archive} is no longer marked: it goes the way of the others when the session ends"
            )
        }
        (false, Place::Cold) => {
            format!("{archive} is no longer marked: `gapless archive prune` takes it in its time")
        }
    });
    if screen.is_json() {
        json::print(&value!({
            "session": archives.session(),
            "archive": archive,
            "place": item.place.name(),
            "keep": keep,
        }));
    }
    Ok(Exit::Done)
}

pub(crate) fn prune(context: &Context, args: &PruneArgs) -> Result<Exit> {
    let days = match args.days {
        Some(days) => days,
        None => configured_days(context)?,
    };
    let cold = cold_storage::store()?;
    let done = cold.clean_up(context.clock.now(), days, args.dry_run)?;
    let screen = &context.screen;
    let verb = match args.dry_run {
        true => "would remove",
        false => "removed",
    };
    for (folder, entry) in &done.removed {
        let line = format!("{verb} {folder}/{} ({})", entry.archive, size(entry.bytes));
        screen.line(&plain::one_line(&line));
    }
    for (folder, entry) in &done.marked {
        let line = format!("kept {folder}/{}: it is marked", entry.archive);
        screen.line(&screen.paint(Tone::Faint, plain::one_line(&line)));
    }
    if done.removed.is_empty() && done.problems.is_empty() {
        screen.line(&format!(
            "Nothing in {} is older than {days} days and not marked.",
            cold.root().display()
        ));
    }
    for problem in &done.problems {
        screen.note(&plain::clean(&format!("{problem}; {}", problem.hint())));
    }
    if screen.is_json() {
        let problems: Vec<String> = done.problems.iter().map(ToString::to_string).collect();
        json::print(&value!({
            "folder": cold.root(),
            "days": days,
            "dry_run": args.dry_run,
            "removed": entries(&done.removed),
            "kept": entries(&done.marked),
            "problems": problems,
        }));
    }
    Ok(Exit::of_check(done.problems.is_empty()))
}

/// Archives as JSON, each with the folder that it is in.
fn entries(entries: &[(String, Entry)]) -> Vec<Value> {
    let entries = entries.iter().map(|(folder, entry)| {
        value!({
            "folder": folder,
            "archive": entry.archive,
            "bytes": entry.bytes,
            "moved_at": entry.moved_at.map(|at| at.to_string()),
        })
    });
    entries.collect()
}

/// The retention in gapless.toml, else the default.
fn configured_days(context: &Context) -> Result<u32> {
    let workspace = Workspace::to_make(context)?;
    let settings = workspace.settings_for(&context.here.join(SETTINGS))?;
    let config = settings.config(Config::default(), &ConfigArgs::default())?;
    Ok(config.archive_retention_days)
}
