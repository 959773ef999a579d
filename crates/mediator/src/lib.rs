//! The mediator: decide and evolve. [`next`] says what should be under way, [`handle`] judges what came in, and
//! [`gapless_session::apply()`] folds what happened. The caller performs; nothing here does.

pub mod assignment;
pub mod examples;
pub mod plan;
pub mod prompts;
pub mod termination;

mod accounting;
mod answers;
mod changing_decisions;
mod commands;
mod concluding;
mod conflicts;
mod decided;
mod defaults;
mod discovery;
mod due_issues;
mod editing;
mod engineering;
mod escalation;
mod flag_answers;
mod flags;
mod handle;
mod importing;
mod input;
mod left_in_spec;
mod outcome;
mod outputs;
mod questions;
mod read_documents;
mod reapplying;
mod renewing;
mod reopening;
mod responding;
mod retrying;
mod rewording;
mod rollback;
mod settling;
mod slots;
mod spec_changes;
mod start;
mod step;
mod taking_back;
mod turn;
mod validation_context;

pub use handle::{handle, handle_with};
pub use importing::Import;
pub use input::{GapCommand, Incoming, Input, IssueCommand, UserInput};
pub(crate) use outcome::Result;
pub use outcome::{Outcome, Refusal};
pub use read_documents::ReadDocuments;
pub use start::{RunSettings, Start};
pub use step::{Rest, Step, next};
pub(crate) use turn::Turn;
pub(crate) use validation_context::{ChangeFaults, SlotContext};
