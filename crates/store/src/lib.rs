//! The event log, the session folder and the driver's lock.
//!
//! Invariant: this crate doesn't know what an event means. Callers encode and decode bodies, and what is in the log is
//! the truth: everything in a session's folder can be rebuilt from it.

pub mod archive;
mod durable;
mod error;
pub mod fault;
mod folder;
mod lock;
mod memory;
pub mod port;
mod projector;
mod replace;
mod sqlite;
mod store;
mod write_out;

pub use error::StoreError;
pub use folder::{BadSessionName, SessionFolder, SessionName};
pub use lock::{Driver, LockError, SessionLock};
pub use memory::MemoryStore;
pub use projector::{Document, Projector, Report};
pub use replace::{Edited, ProjectionError};
pub use sqlite::{Access, SqliteStore, WhyReadOnly};
pub use store::{Commit, Intended, Letter, NewRow, Projection, Row, Store, Summary};
pub use write_out::{Expected, WriteOutError, WrittenOut, write_out};
