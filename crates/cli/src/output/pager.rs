//! The pager: long output at a terminal goes through the program that the user reads such output with. A pager that ends early wants
//! no more, and that is no failure.

use std::env;
use std::io::{ErrorKind, Write};
use std::process::{Command, Stdio};

use clap::Args;
use console::Term;
use gapless_agents::started_by_agent;

use crate::{Context, runtime};

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct PagerArgs {
    /// Print at once what is longer than the screen (default at a terminal: `$GAPLESS_PAGER`, `$PAGER` or less shows it)
    #[arg(long)]
    no_pager: bool,
}

/// The pager where the user names none: colours as they are, the screen as it was, gone at once for what fits.
const LESS: [&str; 2] = ["less", "-FRX"];

/// Options for a `less` that the user names without any.
const LESS_OPTIONS: &str = "FRX";

/// Shows lines: through the pager if a person sees them and they are longer than the screen.
pub(crate) fn show(context: &Context, args: PagerArgs, lines: &[String]) {
    let screen = &context.screen;
    let wants_pager = !args.no_pager && screen.is_terminal() && !screen.is_json();
    let words = match wants_pager && is_long(lines) && !started_by_agent() {
        true => pager(),
        false => None,
    };
    if !words.is_some_and(|words| page(context, &words, lines)) {
        screen.lines(lines.iter().cloned());
    }
}

/// Whether the lines need more rows than the terminal has.
fn is_long(lines: &[String]) -> bool {
    let (rows, columns) = Term::stdout().size();
    let columns = usize::from(columns).max(1);
    let rows_of = |line: &String| console::measure_text_width(line).div_ceil(columns).max(1);
    let needed: usize = lines.iter().map(rows_of).sum();
    // The prompt of the shell takes one.
    needed >= usize::from(rows)
}

/// The pager's command line; `None` where the user wants none.
fn pager() -> Option<Vec<String>> {
    let named = ["GAPLESS_PAGER", "PAGER"].into_iter();
    let named = named.filter_map(|name| env::var(name).ok()).next();
    let words = match named {
        Some(named) => shlex::split(&named).unwrap_or_default(),
        None => LESS.map(str::to_owned).into(),
    };
    let is_none = words.first().is_none_or(|program| program == "cat");
    (!is_none).then_some(words)
}

/// Shows lines in a pager, and waits until the user leaves it. False if it can't be started.
fn page(context: &Context, words: &[String], lines: &[String]) -> bool {
    let [program, arguments @ ..] = words else {
        return false;
    };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped());
    if env::var_os("LESS").is_none() {
        command.env("LESS", LESS_OPTIONS);
    }
    let paged = runtime::block_on(async {
        // A Ctrl-C is the pager's.
        let _interrupts = Interrupts::listen();
        let mut child = command.spawn()?;
        if let Some(mut input) = child.stdin.take() {
            let mut text = lines.join("\n");
            text.push('\n');
            // Fails where the pager was left early.
            let _ = input.write_all(text.as_bytes());
        }
        child.wait()
    });
    let why = match paged {
        Ok(Ok(_)) => return true,
        Ok(Err(error)) if error.kind() == ErrorKind::NotFound && program == LESS[0] => {
            return false;
        }
        Ok(Err(error)) => error.to_string(),
        Err(failure) => failure.message,
    };
    let text = format!("! the pager `{program}` can't be started: {why}");
    context.screen.note(&text);
    false
}

/// Keeps a Ctrl-C from ending this process.
struct Interrupts {
    #[cfg(unix)]
    _signal: Option<tokio::signal::unix::Signal>,
    #[cfg(windows)]
    _signal: Option<tokio::signal::windows::CtrlC>,
}

impl Interrupts {
    fn listen() -> Self {
        #[cfg(unix)]
        let signal = {
            use tokio::signal::unix::{SignalKind, signal};
            signal(SignalKind::interrupt())
        };
        #[cfg(windows)]
        let signal = tokio::signal::windows::ctrl_c();
        Self {
            _signal: signal.ok(),
        }
    }
}
