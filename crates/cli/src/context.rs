//! What every command gets: the current folder, the screen, the clock and the terminal.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use gapless_agents::SharedTerminal;
use gapless_runner::Clock;

use crate::args::Globals;
use crate::output::Stdout;
use crate::{Screen, Tone, plain};

pub(crate) struct Context {
    pub(crate) screen: Screen,
    /// The terminal for questions and editors; `None` if nobody is at one.
    pub(crate) terminal: Option<SharedTerminal>,
    /// The folder that `--workspace` names.
    pub(crate) workspace: Option<PathBuf>,
    pub(crate) here: PathBuf,
    pub(crate) clock: Clock,
}

impl Context {
    pub(crate) fn new(globals: Globals) -> Self {
        let stdout = match globals.json {
            true => Stdout::Document,
            false => Stdout::Lines,
        };
        let screen = Screen::new(stdout, globals.color);
        let attended = io::stdin().is_terminal() && screen.is_terminal();
        Self {
            terminal: attended.then(|| shared(&screen)),
            screen,
            workspace: globals.workspace,
            here: std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")),
            clock: Clock::system(),
        }
    }

    /// A path that the user gave, relative to the current folder.
    pub(crate) fn resolve(&self, path: &Path) -> PathBuf {
        self.here.join(path)
    }
}

/// The terminal, which the screen leaves alone while a program has it.
fn shared(screen: &Screen) -> SharedTerminal {
    let screen = screen.clone();
    SharedTerminal::new(move |announcement| {
        screen.line(&screen.paint(Tone::Strong, plain::clean(announcement)));
        Box::new(screen.lend())
    })
}
