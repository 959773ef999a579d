//! `gapless archive …`: the archives of rolled-back rounds, in the session's folder and in cold storage.

mod contents;
mod list;
mod retention;
mod session_archives;

use clap::{Args, Subcommand};

use crate::{Context, Exit, Result};
use contents::{RestoreArgs, ShowArgs};
use retention::{KeepArgs, PruneArgs};

#[derive(Debug, Args)]
pub(crate) struct ArchiveArgs {
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
    Show(ShowArgs),
    /// Unpack an archive into a new folder
    Restore(RestoreArgs),
    /// Mark an archive so that neither `prune` nor the end of its session removes it
    Keep(KeepArgs),
    /// Remove what has been in cold storage for too long, of whichever session and workspace
    Prune(PruneArgs),
}

impl ArchiveArgs {
    /// Whether archives are changed, and not only looked at.
    pub(super) fn changes(&self) -> bool {
        match &self.command {
            Action::List { .. } | Action::Show(_) => false,
            Action::Restore(_) | Action::Keep(_) | Action::Prune(_) => true,
        }
    }
}

pub(crate) fn run(context: &Context, args: &ArchiveArgs) -> Result<Exit> {
    match &args.command {
        Action::List { cold: true, .. } => list::list_cold(context),
        Action::List { name, .. } => list::list(context, name.as_deref()),
        Action::Show(args) => contents::show(context, args),
        Action::Restore(args) => contents::restore(context, args),
        Action::Keep(args) => retention::keep(context, args),
        Action::Prune(args) => retention::prune(context, args),
    }
}
