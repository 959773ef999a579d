//! Writing the refined spec of an ended session where the user wants it. What came of it is an event, so that a
//! process that was killed before is made up for by the next one, and nothing is written twice.

use std::path::Path;

use gapless_domain::{Delivered, Delivery, Time};
use gapless_mediator::Incoming;
use gapless_spec::assemble;
use gapless_store::{Expected, Store, write_out};

use crate::error::RunError;
use crate::session::{MayWrite, Session};

/// Why a refined spec is not written outside of the workspace.
pub const NOT_ASKED_FOR: &str =
    "it is outside of the workspace, and you did not ask for that on this machine";

/// Why a refined spec is not written beside its spec.
const SPEC_IS_GONE: &str = "the spec itself is no longer there";

impl<S: Store> Session<S> {
    /// Lets the refined spec be written where the user wants it; `workspace` is what the spec's path is relative to.
    pub fn deliver_from(&mut self, workspace: &Path) {
        self.workspace = Some(workspace.to_owned());
    }

    /// Asks this before the refined spec is written to a file, with the session's id.
    pub fn ask_before_delivering(&mut self, may_write: MayWrite) {
        self.may_write = Some(may_write);
    }

    /// Leaves the refined spec where it is, as a command that is refused does.
    pub fn deliver_nothing(&mut self) {
        self.workspace = None;
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
        let Some(file) = delivery.file(&origin.source_path) else {
            return Ok(());
        };
        let file = root.join(file);
        let expected = match delivery {
            Delivery::InPlace {} => Expected::Only(origin.source),
            Delivery::Beside {} => Expected::NoLink,
            Delivery::File { .. } | Delivery::Nowhere {} => Expected::Anything,
        };
        let shown = |path: &Path| path.to_string_lossy().into_owned();
        // As after an import into a folder without the spec: nobody would look for its refined spec there.
        let is_alone =
            *delivery == Delivery::Beside {} && !root.join(&origin.source_path).is_file();
        if is_alone {
            let path = shown(&file);
            let why = SPEC_IS_GONE.to_owned();
            self.feed(at, Incoming::Delivered(Delivered::Failed { path, why }))?;
            return Ok(());
        }
        if let Some(may_write) = &self.may_write
            && !may_write(self.id()?.as_deref(), &file)
        {
            let path = shown(&file);
            let why = NOT_ASKED_FOR.to_owned();
            self.feed(at, Incoming::Delivered(Delivered::Failed { path, why }))?;
            return Ok(());
        }
        let text = assemble(state, &self.texts())?;
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
