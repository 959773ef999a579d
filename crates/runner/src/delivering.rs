//! Writing the refined spec where the user wants it: of an ended session, and of one that waits as far as it goes. What came of it is an event, so that a
//! process that was killed before is made up for by the next one, and nothing is written twice.

use std::path::Path;

use gapless_domain::{Delivered, Delivery, TextHash, Time};
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
        match self.state().delivery_due().cloned() {
            Some(delivery) => self.write_refined(&delivery, at),
            None => Ok(()),
        }
    }

    /// Writes the refined spec of a session that waits, as far as it goes, and puts on disk what came of it.
    pub fn deliver_so_far(&mut self, at: Time) -> Result<(), RunError> {
        if let Some(delivery) = self.state().delivery_so_far().cloned() {
            self.write_refined(&delivery, at)?;
            self.commit()?;
        }
        Ok(())
    }

    fn write_refined(&mut self, delivery: &Delivery, at: Time) -> Result<(), RunError> {
        // An end that is not on disk may yet not have been.
        if self.has_uncommitted() {
            return Ok(());
        }
        let state = self.state();
        let (Some(root), Some(origin)) = (&self.workspace, &state.kept.origin) else {
            return Ok(());
        };
        let Some(file) = delivery.file(&origin.source_path) else {
            return Ok(());
        };
        let file = root.join(file);
        let known = state.known_specs();
        let expected = match (delivery, state.kept.last_written) {
            (Delivery::InPlace {}, _) => Expected::OneOf(&known),
            (Delivery::Beside {}, Some(last)) => Expected::Last(last),
            (Delivery::Beside {}, None) => Expected::NoLink,
            (Delivery::File { .. } | Delivery::Nowhere {}, _) => Expected::Anything,
        };
        let shown = |path: &Path| path.to_string_lossy().into_owned();
        let failed = |why: &str| Delivered::Failed {
            path: shown(&file),
            why: why.to_owned(),
        };
        // As after an import into a folder without the spec: nobody would look for its refined spec there.
        let is_alone =
            *delivery == Delivery::Beside {} && !root.join(&origin.source_path).is_file();
        let is_refused = match &self.may_write {
            Some(may_write) if !is_alone => !may_write(self.id()?.as_deref(), &file),
            _ => false,
        };
        let delivered = match (is_alone, is_refused) {
            (true, _) => failed(SPEC_IS_GONE),
            (false, true) => failed(NOT_ASKED_FOR),
            (false, false) => {
                let text = assemble(state, &self.texts())?;
                match write_out(&file, &text, expected) {
                    Ok(written) => Delivered::Written {
                        path: shown(&file),
                        backup: written.backup.as_deref().map(shown),
                        text: Some(TextHash::of(&text)),
                    },
                    Err(error) => failed(&error.to_string()),
                }
            }
        };
        self.feed(at, Incoming::Delivered(delivered))?;
        Ok(())
    }
}
