//! A session as it is shown: its state, its files, and the commands that act on it from the current folder.

use std::path::PathBuf;

use gapless_core::State;
use gapless_store::SessionName;

use crate::context::Context;
use crate::output::Screen;
use crate::workspace::Workspace;

#[derive(Clone, Copy)]
pub struct SessionView<'s> {
    pub context: &'s Context,
    pub workspace: &'s Workspace,
    pub name: &'s SessionName,
    pub state: &'s State,
}

impl<'s> SessionView<'s> {
    pub fn screen(&self) -> &'s Screen {
        &self.context.screen
    }

    /// A command line of gapless that finds the session from the current folder.
    pub fn command(&self, words: &str) -> String {
        self.workspace.command(self.context, words)
    }

    /// A file in the session's folder.
    pub fn file(&self, path: &str) -> PathBuf {
        self.workspace.folder(self.name).root().join(path)
    }
}
