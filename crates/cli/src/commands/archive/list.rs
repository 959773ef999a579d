//! `gapless archive list`: which archives there are, and where.

use gapless_domain::Time;
use gapless_store::archive::Entry;
use serde_json::json as value;

use super::session_archives::{Item, Place, SessionArchives, size};
use crate::{Context, Exit, Result, Tone, cold_storage, json, plain, tables};

pub(crate) fn list(context: &Context, name: Option<&str>) -> Result<Exit> {
    let archives = SessionArchives::open(context, name)?;
    let screen = &context.screen;
    if screen.is_json() {
        json::print_items(archives.session(), archives.items.iter().map(Item::json));
        return Ok(Exit::Done);
    }
    if archives.items.is_empty() {
        screen.line("No archives.");
        return Ok(Exit::Done);
    }
    let header = ["Archive", "Rolled back", "Size", "Place", "Kept", "Reason"];
    let mut table = tables::table(screen, &header);
    for Item { place, entry, .. } in &archives.items {
        table.add_row([
            tables::text(&entry.archive.to_string()),
            tables::text(&at(entry.rolled_back_at)),
            tables::number(size(entry.bytes)),
            tables::text(place.name()),
            tables::text(mark(entry)),
            tables::text(&entry.reason),
        ]);
    }
    tables::keep_whole(&mut table, &[0, 1, 2, 3, 4]);
    tables::print(screen, &table);
    if let Some(first) = archives.items.first() {
        let (session, archive) = (archives.session(), first.entry.archive.stem());
        let command = format!("archive show {session} {archive}");
        let command = archives.opened.workspace.command(context, &command);
        let text = format!("What is in one: {command}");
        screen.line(&screen.paint(Tone::Faint, text));
    }
    Ok(Exit::Done)
}

/// Everything in cold storage.
pub(crate) fn list_cold(context: &Context) -> Result<Exit> {
    let cold = cold_storage::store()?;
    let (folders, problems) = cold.all()?;
    let screen = &context.screen;
    for problem in &problems {
        screen.note(&plain::clean(&format!("{problem}; {}", problem.hint())));
    }
    if screen.is_json() {
        let mut items = Vec::new();
        for folder in &folders {
            for entry in &folder.manifest.archives {
                let mut item = Item {
                    place: Place::Cold,
                    file: folder.file(entry.archive),
                    entry: entry.clone(),
                }
                .json();
                item["session"] = folder.manifest.session.as_str().into();
                item["workspace"] = folder.manifest.workspace.as_deref().into();
                items.push(item);
            }
        }
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        json::print(&value!({ "folder": cold.root(), "items": items, "problems": problems }));
        return Ok(Exit::Done);
    }
    if folders.is_empty() {
        screen.line(&format!("No archives in {}.", cold.root().display()));
        return Ok(Exit::Done);
    }
    let header = [
        "Session",
        "Archive",
        "Here since",
        "Size",
        "Kept",
        "Workspace",
    ];
    let mut table = tables::table(screen, &header);
    for folder in &folders {
        for entry in &folder.manifest.archives {
            table.add_row([
                tables::text(&folder.manifest.session),
                tables::text(&entry.archive.to_string()),
                tables::text(&at(entry.moved_at)),
                tables::number(size(entry.bytes)),
                tables::text(mark(entry)),
                tables::text(folder.manifest.workspace.as_deref().unwrap_or_default()),
            ]);
        }
    }
    tables::keep_whole(&mut table, &[1, 2, 3, 4]);
    tables::print(screen, &table);
    Ok(Exit::Done)
}

fn at(time: Option<Time>) -> String {
    time.map_or("?".to_owned(), |time| time.to_string())
}

fn mark(entry: &Entry) -> &'static str {
    if entry.keep { "yes" } else { "" }
}
