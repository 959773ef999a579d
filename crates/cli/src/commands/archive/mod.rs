//! `gapless archive …`: the archives of rolled-back rounds, in the session's folder and in the store for cold ones.

mod listing;
mod opening;
mod tending;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use gapless_domain::archives::ArchiveName;
use gapless_domain::time::Time;
use gapless_store::archive::{Archives, ColdStore, Entry, Found};
use serde_json::{Value, json as value};

use crate::cold_storage;
use crate::context::Context;
use crate::failure::{Exit, Failure, Kind};
use crate::session_choice::{Opened, open};

#[derive(Debug, Args)]
pub struct ArchiveArgs {
    #[command(subcommand)]
    command: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the archives of a session's rolled-back rounds
    List {
        /// The session (default: the only one, else the last one worked on)
        name: Option<String>,
        /// Everything in cold storage, of whichever session and workspace
        #[arg(long, conflicts_with = "name")]
        cold: bool,
    },
    /// Show what is in an archive, or print a file of it
    Show {
        /// The session
        name: String,
        /// Like round_005_rolled_back_1
        archive: ArchiveName,
        /// Print this file
        file: Option<String>,
    },
    /// Unpack an archive into a new folder
    Restore {
        /// The session
        name: String,
        /// Like round_005_rolled_back_1
        archive: ArchiveName,
        /// The folder to make (default: named after the archive, here)
        #[arg(long, value_name = "DIR")]
        to: Option<PathBuf>,
    },
    /// Mark an archive so that neither `prune` nor the end of its session removes it
    Keep {
        /// The session
        name: String,
        /// Like round_005_rolled_back_1
        archive: ArchiveName,
        /// Take the mark away
        #[arg(long)]
        undo: bool,
    },
    /// Remove what has been in cold storage for too long, of whichever session and workspace
    Prune {
        /// Older than this (default: `archive_retention_days` of gapless.toml, else 30)
        #[arg(long, value_name = "N")]
        days: Option<u32>,
        /// Say what would go, and leave it
        #[arg(long)]
        dry_run: bool,
    },
}

pub fn run(context: &Context, args: ArchiveArgs) -> Result<Exit, Failure> {
    match args.command {
        Action::List { cold: true, .. } => listing::list_cold(context),
        Action::List { name, .. } => listing::list(context, name.as_deref()),
        Action::Show {
            name,
            archive,
            file,
        } => opening::show(context, &Shelf::open(context, Some(&name))?, archive, file),
        Action::Restore { name, archive, to } => {
            opening::restore(context, &Shelf::open(context, Some(&name))?, archive, to)
        }
        Action::Keep {
            name,
            archive,
            undo,
        } => tending::keep(context, &Shelf::open(context, Some(&name))?, archive, !undo),
        Action::Prune { days, dry_run } => tending::prune(context, days, dry_run),
    }
}

/// Where an archive is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Session,
    Cold,
}

impl Place {
    fn name(self) -> &'static str {
        match self {
            Place::Session => "session",
            Place::Cold => "cold",
        }
    }
}

/// An archive, wherever it is.
struct Item {
    place: Place,
    file: PathBuf,
    entry: Entry,
}

impl Item {
    fn json(&self) -> Value {
        let entry = &self.entry;
        let at = |time: Option<Time>| time.map(|time| time.to_string());
        value!({
            "archive": entry.archive,
            "round": entry.round,
            "attempt": entry.attempt,
            "place": self.place.name(),
            "path": self.file,
            "bytes": entry.bytes,
            "blake3": entry.blake3,
            "reason": entry.reason,
            "rolled_back_at": at(entry.rolled_back_at),
            "moved_at": at(entry.moved_at),
            "keep": entry.keep,
        })
    }
}

/// All archives of a session.
struct Shelf {
    opened: Opened,
    archives: Archives,
    cold: ColdStore,
    items: Vec<Item>,
}

impl Shelf {
    fn open(context: &Context, name: Option<&str>) -> Result<Self, Failure> {
        let opened = open(context, name)?;
        let archives = Archives::of(&opened.workspace.folder(&opened.name));
        let cold = cold_storage::store()?;
        let owner = cold_storage::owner(&opened.workspace, &opened.name, opened.state());
        let here = archives.list()?.into_iter();
        let mut items: Vec<Item> = here
            .map(|Found { file, entry }| Item {
                place: Place::Session,
                file,
                entry,
            })
            .collect();
        if let Some(folder) = cold.of(&owner)? {
            let listed = folder.manifest.archives.iter();
            items.extend(listed.map(|entry| Item {
                place: Place::Cold,
                file: folder.file(entry.archive),
                entry: entry.clone(),
            }));
        }
        // In both places where a process was killed while it moved one: the session's own counts until it is gone.
        items.sort_by_key(|item| (item.entry.archive, item.place == Place::Cold));
        items.dedup_by_key(|item| item.entry.archive);
        Ok(Self {
            opened,
            archives,
            cold,
            items,
        })
    }

    fn session(&self) -> &str {
        self.opened.name.as_str()
    }

    fn find(&self, archive: ArchiveName) -> Result<&Item, Failure> {
        let found = self.items.iter().find(|item| item.entry.archive == archive);
        found.ok_or_else(|| {
            let message = format!("session {} has no archive {archive}", self.opened.name);
            let there: Vec<String> = self
                .items
                .iter()
                .map(|item| item.entry.archive.to_string())
                .collect();
            Failure::new(Kind::Archive, message).hint(match there.is_empty() {
                true => {
                    "none of its rounds was rolled back, or its archives were deleted".to_owned()
                }
                false => format!("there are: {}", there.join(", ")),
            })
        })
    }
}

/// A size as people read it.
fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{} KiB", bytes.div_ceil(1024)),
        _ => format!("{} MiB", bytes.div_ceil(1_048_576)),
    }
}
