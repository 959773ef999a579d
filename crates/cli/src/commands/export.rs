//! `gapless export`: a session as one file, or as a folder of texts for a repository.

use std::path::PathBuf;

use clap::Args;
use gapless_domain::{ArchiveName, TextHash};
use gapless_runner::{Export, export, names};
use gapless_store::port::{pack, write_file, write_folder};
use serde_json::json as value;

use crate::views::session_end;
use crate::{Context, Exit, OpenSession, Result, cold_storage, json, open_session};

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The session (default: the only one, else the last one worked on)
    name: Option<String>,
    /// Write it to FILE (default: NAME.gapless.tar.gz, here)
    #[arg(long, value_name = "FILE", conflicts_with = "folder")]
    output: Option<PathBuf>,
    /// Write it as text files into DIR, which is new or has an earlier export of the session
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub(crate) fn run(context: &Context, args: &ExportArgs) -> Result<Exit> {
    let opened = open_session(context, args.name.as_deref())?;
    let (name, folder) = (&opened.name, opened.workspace.folder(&opened.name));
    let Export { portable, left } = export(
        opened.session.store(),
        name,
        &folder,
        in_cold_storage(&opened)?,
    )?;
    let (events, texts) = (portable.rows.len(), portable.texts.len());
    let archives = portable.archives.len();
    for archive in &left {
        context.screen.note(&format!(
            "! {archive} can't be opened and is left out; `gapless archive list {name}` shows it"
        ));
    }
    let mut document = value!({
        "session": name.as_str(),
        "events": events,
        "texts": texts,
        "archives": archives,
        "left_out": left,
    });
    let place = match &args.folder {
        Some(folder) => {
            let place = context.resolve(folder);
            let files = write_folder(&place, &portable, &names(&portable)?)?;
            document["files"] = files.len().into();
            place
        }
        None => {
            let named = args.output.clone();
            let named = named.unwrap_or_else(|| format!("{name}.gapless.tar.gz").into());
            let place = context.resolve(&named);
            let bytes = pack(&portable)?;
            write_file(&place, &bytes)?;
            document["bytes"] = bytes.len().into();
            document["blake3"] = value!(TextHash::of_bytes(&bytes));
            place
        }
    };
    let state = opened.state();
    document["end"] = value!(state.kept.ended.map(|(end, _)| end.name()));
    document["by_rules"] = state.is_ended_by_rules().into();
    document["path"] = value!(place);
    document["kind"] = match args.folder {
        Some(_) => "folder".into(),
        None => "file".into(),
    };
    context.screen.line(&format!(
        "{name}: {events} events, {texts} texts and {archives} archives in {}",
        place.display()
    ));
    session_end::remark_by_rules(&context.screen, state);
    if context.screen.is_json() {
        json::print(&document);
    }
    Ok(Exit::Done)
}

/// The archives of the session that were moved to cold storage.
fn in_cold_storage(opened: &OpenSession) -> Result<Vec<(ArchiveName, PathBuf)>> {
    // Without a home folder nothing was ever moved anywhere.
    let Ok(store) = cold_storage::store() else {
        return Ok(Vec::new());
    };
    let owner = cold_storage::owner(&opened.workspace, &opened.name, opened.state());
    let Some(folder) = store.of(&owner)? else {
        return Ok(Vec::new());
    };
    let archives = folder.manifest.archives.iter().map(|entry| entry.archive);
    Ok(archives
        .map(|archive| (archive, folder.file(archive)))
        .collect())
}
