//! `gapless completions`: prints shell completions.

use clap::{Args, Command};
use clap_complete::{Shell, generate};
use serde_json::json as value;

use crate::output::stdout;
use crate::{Context, Exit, Result, json};

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Prints the script for `program`, the definition of the whole command line.
pub(crate) fn run(context: &Context, args: &CompletionsArgs, mut program: Command) -> Result<Exit> {
    let mut script = Vec::new();
    generate(args.shell, &mut program, "gapless", &mut script);
    if context.screen.is_json() {
        let script = String::from_utf8_lossy(&script);
        json::print(&value!({ "shell": args.shell.to_string(), "script": script }));
        return Ok(Exit::Done);
    }
    stdout::bytes(&script);
    Ok(Exit::Done)
}
