//! `gapless archive keep` and `prune`: what stays for good, and what goes when its time is over.

use gapless_core::archives::ArchiveName;
use gapless_core::config::Config;
use gapless_store::SessionLock;
use gapless_store::archive::Entry;
use serde_json::{Value, json as value};

use super::{Place, Shelf, size};
use crate::args::ConfigArgs;
use crate::cold_storage;
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::output::{Tone, json, plain};
use crate::session::this_process;
use crate::settings::Settings;
use crate::workspace::{SETTINGS, Workspace};

pub fn keep(
    context: &Context,
    shelf: &Shelf,
    archive: ArchiveName,
    keep: bool,
) -> Result<Exit, Failure> {
    let item = shelf.find(archive)?;
    match item.place {
        Place::Session => {
            // Whoever drives the session may be about to move or delete it.
            let folder = shelf.opened.workspace.folder(&shelf.opened.name);
            let _lock = SessionLock::acquire(&folder, &this_process(context))?;
            shelf.archives.mark(archive, keep)?;
        }
        Place::Cold => {
            let folder = item.file.parent().unwrap_or(&item.file);
            shelf.cold.mark(folder, archive, keep)?;
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
            "session": shelf.session(),
            "archive": archive,
            "place": item.place.name(),
            "keep": keep,
        }));
    }
    Ok(Exit::Done)
}

pub fn prune(context: &Context, days: Option<u32>, rehearsal: bool) -> Result<Exit, Failure> {
    let days = match days {
        Some(days) => days,
        None => configured_days(context)?,
    };
    let cold = cold_storage::store()?;
    let done = cold.clean_up(context.clock.now(), days, rehearsal)?;
    let screen = &context.screen;
    let verb = match rehearsal {
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
        let listed = |entries: &[(String, Entry)]| -> Vec<Value> {
            let entries = entries.iter();
            entries
                .map(|(folder, entry)| {
                    value!({
                        "folder": folder,
                        "archive": entry.archive,
                        "bytes": entry.bytes,
                        "moved_at": entry.moved_at.map(|at| at.to_string()),
                    })
                })
                .collect()
        };
        let problems: Vec<String> = done.problems.iter().map(ToString::to_string).collect();
        json::print(&value!({
            "folder": cold.root(),
            "days": days,
            "dry_run": rehearsal,
            "removed": listed(&done.removed),
            "kept": listed(&done.marked),
            "problems": problems,
        }));
    }
    Ok(match done.problems.is_empty() {
        true => Exit::Done,
        false => Exit::Unmet,
    })
}

/// What the gapless.toml here or above says, else the default.
fn configured_days(context: &Context) -> Result<u32, Failure> {
    let workspace = Workspace::to_make(context)?;
    let settings = workspace.settings_of(&context.here.join(SETTINGS));
    let config =
        Settings::read(settings.as_deref())?.config(Config::default(), &ConfigArgs::default())?;
    Ok(config.archive_retention_days)
}
