//! Writing the refined spec of an ended session where the user wants it. What came of it is an event, so that a
//! process that was killed before is made up for by the next one, and nothing is written twice.

use std::path::Path;

use gapless_domain::{Delivered, Delivery, Time};
use gapless_mediator::Incoming;
use gapless_spec::assemble;
use gapless_store::{Expected, Store, write_out};

use crate::error::RunError;
use crate::session::Session;

impl<S: Store> Session<S> {
    /// Lets the refined spec be written where the user wants it; `workspace` is what the spec's path is relative to.
    pub fn deliver_from(&mut self, workspace: &Path) {
        self.workspace = Some(workspace.to_owned());
    }

    /// Writes the refined spec if that is still to be done. What came of it is on disk with the next commit.
    pub fn deliver(&mut self, at: Time) -> Result<(), RunError> {
        // An end that is not on disk may yet not have been.
        if self.has_uncommitted() {
            return Ok(());
        }
        let state = self.state();
        let (Some(root), Some(delivery), Some(origin)) =
            (&self.workspace, state.delivery_due(), &state.kept.origin)
        else {
            return Ok(());
        };
        let (file, expected) = match delivery {
            Delivery::File { path } => (root.join(path), Expected::Anything),
            Delivery::InPlace {} => (
                root.join(&origin.source_path),
                Expected::Only(origin.source),
            ),
        };
        let text = assemble(state, &self.texts())?;
        let shown = |path: &Path| path.to_string_lossy().into_owned();
        let delivered = match write_out(&file, &text, expected) {
            Ok(written) => Delivered::Written {
                path: shown(&file),
                backup: written.backup.as_deref().map(shown),
            },
            Err(error) => Delivered::Failed {
                path: shown(&file),
                why: error.to_string(),
            },
        };
        self.feed(at, Incoming::Delivered(delivered))?;
        Ok(())
    }
}
