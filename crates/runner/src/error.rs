//! Why a session can't be run or read.

use gapless_domain::text::TextHash;
use gapless_mediator::Refusal;
use gapless_mediator::prompts::PromptError;
use gapless_session::event::DecodeError;
use gapless_spec::AssemblyError;
use gapless_store::StoreError;
use gapless_store::archive::ArchiveError;
use gapless_store::port::PortError;

/// Why a session can't go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("event {seq} of the log: {source}")]
    Decode { seq: u64, source: DecodeError },
    /// The core refused what the runner itself fed it; what users say is refused to them instead.
    #[error("the session cannot go on: {0}")]
    Refused(#[from] Refusal),
    #[error("a document cannot be written: {0}")]
    Document(#[from] PromptError),
    #[error("the assignment of a task cannot be written as JSON: {0}")]
    Assignment(#[from] serde_json::Error),
    #[error("the text {0} is not in the store")]
    MissingText(TextHash),
    #[error("the session folder cannot be written: {0}")]
    Folder(std::io::Error),
    #[error(transparent)]
    Port(#[from] PortError),
    #[error(transparent)]
    Archive(#[from] ArchiveError),
}

impl From<AssemblyError> for RunError {
    fn from(error: AssemblyError) -> Self {
        RunError::Document(error.into())
    }
}
