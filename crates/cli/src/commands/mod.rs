//! One file per command.

pub mod agents;
pub mod analyze;
pub mod answer;
pub mod archive;
pub mod completions;
pub mod decisions;
pub mod demo;
pub mod diff;
pub mod disagreement;
pub mod export;
pub mod gap;
mod gaps;
pub mod import;
pub mod init;
pub mod issue;
mod issues;
mod log;
pub mod man;
mod pause;
mod questions;
pub mod reapply;
pub mod report;
pub mod resume;
pub mod rollback;
pub mod run;
pub mod scan;
pub mod show;
pub mod stats;
mod status;
pub mod stop;
pub mod validate;
mod what_next;

use crate::args::Command;
use crate::context::Context;
use crate::failure::{Exit, Failure};

/// Runs a command; where none is given, says what could be.
pub fn run(command: Option<Command>, context: &Context) -> Result<Exit, Failure> {
    let Some(command) = command else {
        return what_next::run(context);
    };
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
        Command::Report(args) => report::run(context, &args),
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
        Command::Stats(args) => stats::run(context, &args),
        Command::Agents(args) => agents::run(context, &args),
        Command::Export(args) => export::run(context, &args),
        Command::Import(args) => import::run(context, &args),
        Command::Init(args) => init::run(context, &args),
        Command::Demo(args) => demo::run(context, &args),
        Command::Completions(args) => completions::run(context, &args),
        Command::Man(args) => man::run(context, &args),
    }
}
