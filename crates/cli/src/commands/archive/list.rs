//! `gapless archive list`: which archives there are, and where.

use gapless_domain::Time;
use gapless_store::archive::Entry;
use serde_json::{Value, json as value};

use super::session_archives::{Item, SessionArchives, size};
use crate::{Context, Exit, Result, Tone, cold_storage, json, plain, tables};

pub(crate) fn list(context: &Context, name: Option<&str>) -> Result<Exit> {
    let archives = SessionArchives::open(context, name)?;
    let screen = &context.screen;
    if screen.is_json() {
        json::print_items(archives.session(), archives.items.iter().map(Item::json));
        return Ok(Exit::Done);
    }
    let Some(first) = archives.items.first() else {
        screen.line("No archives.");
        return Ok(Exit::Done);
    };
    let header = ["Archive", "Rolled back", "Size", "Place", "Kept", "Reason"];
    let rows = archives.items.iter().map(|Item { place, entry, .. }| {
        [
            tables::text(&entry.archive.to_string()),
            tables::text(&at(entry.rolled_back_at)),
            tables::number(size(entry.bytes)),
            tables::text(place.name()),
            tables::text(mark(entry)),
            tables::text(&entry.reason),
        ]
    });
    tables::print(screen, header, &[0, 1, 2, 3, 4], rows);
    let (session, archive) = (archives.session(), first.entry.archive.stem());
    let command = format!("archive show {session} {archive}");
    let command = archives.opened.workspace.command(context, &command);
    let text = format!("What is in one: {command}");
    screen.line(&screen.paint(Tone::Faint, text));
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
    let archives = folders.iter().flat_map(|folder| {
        let entries = folder.manifest.archives.iter();
        entries.map(move |entry| (folder, entry))
    });
    if screen.is_json() {
        let items: Vec<Value> = archives
            .map(|(folder, entry)| {
                let mut item = Item::cold(folder, entry).json();
                item["session"] = folder.manifest.session.as_str().into();
                item["workspace"] = folder.manifest.workspace.as_deref().into();
                item
            })
            .collect();
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
    let rows = archives.map(|(folder, entry)| {
        [
            tables::text(&folder.manifest.session),
            tables::text(&entry.archive.to_string()),
            tables::text(&at(entry.moved_at)),
            tables::number(size(entry.bytes)),
            tables::text(mark(entry)),
            tables::text(folder.manifest.workspace.as_deref().unwrap_or_default()),
        ]
    });
    tables::print(screen, header, &[1, 2, 3, 4], rows);
    Ok(Exit::Done)
}

fn at(time: Option<Time>) -> String {
    time.map_or("?".to_owned(), |time| time.to_string())
}

fn mark(entry: &Entry) -> &'static str {
    if entry.keep { "yes" } else { "" }
}
