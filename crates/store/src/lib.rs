//! The event log, the session folder and the driver's lock.
//!
//! Invariant: this crate doesn't know what an event means. Callers encode and decode bodies, and what is in the log is
//! the truth: everything in a session's folder can be rebuilt from it.

mod access;
pub mod archive;
mod beneath;
mod document;
mod durable;
mod error;
pub mod fault;
mod file_writer;
mod folder;
mod lock;
mod memory;
pub mod port;
mod projector;
mod replace;
mod sqlite;
mod store;
mod write_out;

pub use access::{Access, WhyReadOnly};
pub use beneath::{Held, MISPLACED_HINT, Misplaced};
pub use document::Document;
pub use error::StoreError;
pub use file_writer::FileWriter;
pub use folder::{BadSessionName, SessionFolder, SessionName};
pub use lock::{Driver, LockError, SessionLock};
pub use memory::MemoryStore;
pub use projector::{Projector, Report};
pub use replace::{Edited, ProjectionError};
pub use sqlite::{LogFlaw, Repair, SoundLog, SqliteStore};
pub use store::{Commit, Done, Intended, Letter, NewRow, Projection, Row, Store, Summary, Turn};
pub use write_out::{Expected, WriteOutError, WrittenOut, write_out};
