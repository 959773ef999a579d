//! The command line of gapless. It parses, shows, asks, and turns errors into exit codes; the core has every rule.
//! Besides [`main`], the readers of files that people write are public, for fuzzing.

#![warn(unreachable_pub)]

mod agents;
mod args;
mod askers;
mod cold_storage;
mod commands;
mod context;
mod delivery_grant;
mod delivery_target;
mod failure;
mod files;
mod output;
mod overrides;
mod reference;
mod runtime;
mod session;
mod session_choice;
mod session_view;
mod settings;
mod spelling;
mod state_folder;
mod trust;
mod views;
mod workspace;
mod workspace_stats;

use std::process::ExitCode;

use clap::Parser;

use commands::{Cli, Command};
pub(crate) use context::Context;
pub(crate) use failure::{Exit, Kind, Result};

use args::Colour;
pub use args::ConfigArgs;
pub(crate) use args::{AgentArgs, AskingArgs, OutputArgs, SessionArgs};
pub(crate) use askers::AnswerSources;
pub use askers::AnswersFile;
pub use failure::Failure;
pub(crate) use output::{Screen, Tone, json, plain, tables};
use output::{Stdout, stdout};
pub(crate) use session_choice::{ChosenSession, OpenSession, open_session};
pub(crate) use session_view::SessionView;
pub use settings::Settings;
pub(crate) use workspace::Workspace;
pub(crate) use workspace_stats::SessionStats;

pub fn main() -> ExitCode {
    // Before anything else: it is started for every call of an agent.
    #[cfg(target_os = "linux")]
    if std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == gapless_agents::SUPERVISE)
    {
        return gapless_agents::supervise(std::env::args_os().skip(2));
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let exit = usage_error(&error);
            let screen = Screen::new(Stdout::Lines, Colour::Auto);
            return unless_output_lost(exit, &screen).into();
        }
    };
    let mut globals = cli.globals;
    globals.json |= cli.command.as_ref().is_some_and(Command::prints_json);
    let context = Context::new(globals);
    let exit = commands::run(cli.command, &context).unwrap_or_else(|failure| {
        context.screen.failure(&failure);
        failure.exit
    });
    unless_output_lost(exit, &context.screen).into()
}

/// The exit of the program; an error where its output could not be written, which is said on stderr.
fn unless_output_lost(exit: Exit, screen: &Screen) -> Exit {
    match stdout::failure() {
        Some(lost) => {
            screen.failure(&lost);
            lost.exit
        }
        None => exit,
    }
}

/// Prints help, the version or a usage error; the error as JSON too if that is asked for.
fn usage_error(error: &clap::Error) -> Exit {
    let printed = error.print();
    if !error.use_stderr() {
        stdout::note(printed);
        return Exit::Done;
    }
    if std::env::args().any(|word| word == "--json") {
        let text = error.to_string();
        let said: Vec<&str> = text
            .lines()
            .map(str::trim)
            .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
            .filter(|line| !line.is_empty())
            .collect();
        let said = said.join(" ");
        let message = said.strip_prefix("error: ").unwrap_or(&said);
        let failure = Failure::new(Kind::Usage, message).hint("see `gapless --help`");
        json::print(&json::failure(&failure));
    }
    Exit::Error
}
