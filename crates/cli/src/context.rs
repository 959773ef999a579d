//! Owns what every command is given: where it was called, and the screen it shows things on.

use std::path::{Path, PathBuf};

use gapless_runner::Clock;

use crate::args::Globals;
use crate::show::Screen;

pub struct Context {
    pub screen: Screen,
    /// The folder that `--workspace` names.
    pub workspace: Option<PathBuf>,
    pub here: PathBuf,
    pub clock: Clock,
}

impl Context {
    pub fn new(globals: Globals) -> Self {
        Self {
            screen: Screen::new(globals.json, globals.color),
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
