//! `gapless archive show` and `restore`: the files of an archive. They can't control the terminal, and overwrite nothing.

use std::path::PathBuf;

use clap::Args;
use gapless_domain::{ArchiveName, round_folder};
use gapless_store::archive::Opened;
use serde_json::{Value, json as value};

use super::session_archives::{SessionArchives, size};
use crate::spelling::did_you_mean;
use crate::{Context, Exit, Failure, Kind, Result, Tone, json, plain, tables};

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The session
    name: String,
    /// Like round_005_rolled_back_1
    archive: ArchiveName,
    /// Print this file
    file: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct RestoreArgs {
    /// The session
    name: String,
    /// Like round_005_rolled_back_1
    archive: ArchiveName,
    /// The folder to make (default: named after the archive, here)
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
}

pub(crate) fn show(context: &Context, args: &ShowArgs) -> Result<Exit> {
    let archives = SessionArchives::open(context, Some(&args.name))?;
    let archive = args.archive;
    let item = archives.find(archive)?;
    let opened = Opened::read(&item.file)?;
    if let Some(file) = &args.file {
        return print_file(context, &archives, archive, &opened, file);
    }
    let screen = &context.screen;
    if screen.is_json() {
        let mut document = item.json();
        let files = opened.contents.iter();
        let files: Vec<Value> = files
            .map(|(name, bytes)| value!({ "name": name, "bytes": bytes.len() }))
            .collect();
        document["session"] = archives.session().into();
        document["files"] = files.into();
        document["metadata"] = value!(opened.metadata());
        json::print(&document);
        return Ok(Exit::Done);
    }
    let title = format!("{archive} of {}", archives.session());
    screen.line(&screen.paint(Tone::Strong, title));
    if let Some(metadata) = opened.metadata() {
        let said = format!(
            "Round {} as it was when it was rolled back to round {} at {}: {}",
            metadata.original_round,
            metadata.to_round,
            metadata.rollback_timestamp,
            metadata.reason
        );
        screen.line(&plain::one_line(&said));
    }
    let files = opened.contents.iter();
    let rows =
        files.map(|(name, bytes)| [tables::text(name), tables::number(size(bytes.len() as u64))]);
    tables::print(screen, ["File", "Size"], &[], rows);
    Ok(Exit::Done)
}

fn print_file(
    context: &Context,
    archives: &SessionArchives,
    archive: ArchiveName,
    opened: &Opened,
    file: &str,
) -> Result<Exit> {
    let in_folder = format!("{}/{file}", round_folder(archive.round));
    let found = [file, &in_folder]
        .into_iter()
        .find_map(|name| opened.contents.get_key_value(name));
    let Some((file, bytes)) = found else {
        let message = format!("{archive} has no file `{file}`");
        let near = did_you_mean(file, opened.contents.keys().map(String::as_str));
        let hint = near.unwrap_or_else(|| "without a file, it lists what is in it".to_owned());
        return Err(Failure::new(Kind::Archive, message).hint(hint));
    };
    let Ok(text) = std::str::from_utf8(bytes) else {
        let message = format!("`{file}` is no text");
        return Err(
            Failure::new(Kind::Archive, message).hint("unpack it with `gapless archive restore`")
        );
    };
    match context.screen.is_json() {
        true => json::print(&value!({
            "session": archives.session(),
            "archive": archive,
            "file": file,
            "text": text,
        })),
        false => context.screen.line(plain::clean(text).trim_end()),
    }
    Ok(Exit::Done)
}

pub(crate) fn restore(context: &Context, args: &RestoreArgs) -> Result<Exit> {
    let archives = SessionArchives::open(context, Some(&args.name))?;
    let archive = args.archive;
    let opened = Opened::read(&archives.find(archive)?.file)?;
    let folder = args.to.clone().unwrap_or_else(|| archive.stem().into());
    let into = context.resolve(&folder);
    opened.unpack(&into)?;
    let screen = &context.screen;
    let files: Vec<&String> = opened.contents.keys().collect();
    screen.line(&format!(
        "{} files of {archive} are in {}",
        files.len(),
        into.display()
    ));
    if screen.is_json() {
        json::print(&value!({
            "session": archives.session(),
            "archive": archive,
            "folder": into,
            "files": files,
        }));
    }
    Ok(Exit::Done)
}
