//! One file per command.

pub mod agents;
pub mod analyze;
pub mod answer;
pub mod archive;
pub mod decisions;
pub mod demo;
pub mod diff;
pub mod disagreement;
pub mod export;
pub mod gap;
mod gaps;
pub mod import;
mod init;
pub mod issue;
mod issues;
mod log;
mod pause;
mod questions;
pub mod reapply;
pub mod resume;
pub mod rollback;
pub mod run;
pub mod scan;
pub mod show;
mod status;
pub mod stop;
pub mod validate;

use crate::args::Command;
use crate::context::Context;
use crate::failure::{Exit, Failure};

/// Runs a command.
pub fn run(command: Command, context: &Context) -> Result<Exit, Failure> {
    match command {
        Command::Run(args) => run::run(context, &args),
        Command::Resume(args) => resume::run(context, &args),
        Command::Status(args) => status::run(context, &args),
        Command::Gaps(args) => gaps::run(context, &args),
        Command::Issues(args) => issues::run(context, &args),
        Command::Decisions(args) => decisions::run(context, &args),
        Command::Questions(args) => questions::run(context, &args),
        Command::Answer(args) => answer::run(context, &args),
        Command::Log(args) => log::run(context, &args),
        Command::Show(args) => show::run(context, &args),
        Command::Diff(args) => diff::run(context, &args),
        Command::Pause(args) => pause::run(context, &args),
        Command::Stop(args) => stop::run(context, &args),
        Command::Rollback(args) => rollback::run(context, &args),
        Command::Reapply(args) => reapply::run(context, &args),
        Command::Gap(args) => gap::run(context, args),
        Command::Issue(args) => issue::run(context, args),
        Command::Archive(args) => archive::run(context, args),
        Command::Validate(args) => validate::run(context, &args),
        Command::Scan(args) => scan::run(context, &args),
        Command::Disagreement(args) => disagreement::run(context, &args),
        Command::Analyze(args) => analyze::run(context, &args),
        Command::Agents(args) => agents::run(context, &args),
        Command::Export(args) => export::run(context, &args),
        Command::Import(args) => import::run(context, &args),
        Command::Init => init::run(context),
        Command::Demo(args) => demo::run(context, &args),
    }
}
