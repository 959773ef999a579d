//! Owns what every command is given: where it was called, the screen it shows things on, and the terminal it shares.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use gapless_agents::SharedTerminal;
use gapless_runner::Clock;

use crate::args::Globals;
use crate::output::{Screen, Tone, plain};

pub struct Context {
    pub screen: Screen,
    /// Where the person is asked and editors are opened; `None` where nobody sits at one.
    pub terminal: Option<SharedTerminal>,
    /// The folder that `--workspace` names.
    pub workspace: Option<PathBuf>,
    pub here: PathBuf,
    pub clock: Clock,
}

impl Context {
    pub fn new(globals: Globals) -> Self {
        let screen = Screen::new(globals.json, globals.color);
        let attended = io::stdin().is_terminal() && screen.is_terminal();
        Self {
            terminal: attended.then(|| shared(&screen)),
            screen,
            workspace: globals.workspace,
            here: std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")),
            clock: Clock::system(),
        }
    }

    /// A path as the user gave it, from where they stand.
    pub fn resolve(&self, path: &Path) -> PathBuf {
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
