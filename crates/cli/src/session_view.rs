//! A session as it is shown: its state, its files, and the commands that act on it from the current folder.

use std::path::PathBuf;

use gapless_session::State;
use gapless_store::SessionName;

use crate::{Context, Screen, Workspace};

#[derive(Clone, Copy)]
pub(crate) struct SessionView<'s> {
    pub(crate) context: &'s Context,
    pub(crate) workspace: &'s Workspace,
    pub(crate) name: &'s SessionName,
    pub(crate) state: &'s State,
}

impl<'s> SessionView<'s> {
    pub(crate) fn screen(&self) -> &'s Screen {
        &self.context.screen
    }

    /// A command line of gapless that finds the session from the current folder.
    pub(crate) fn command(&self, words: &str) -> String {
        self.workspace.command(self.context, words)
    }

    /// A file in the session's folder.
    pub(crate) fn file(&self, path: &str) -> PathBuf {
        self.workspace.folder(self.name).root().join(path)
    }
}
