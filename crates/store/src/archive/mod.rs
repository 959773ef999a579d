//! Archives of rolled-back rounds: made of a round's folder, read with suspicion, kept in the session's folder or in the store
//! for cold ones.
//!
//! Invariant: nothing is removed before what replaces it was read back from the disk and found equal.

mod cold;
mod contents;
mod dispose;
mod error;
mod limits;
mod manifest;
mod pack;
mod read;
mod session;
mod settle;

pub use cold::{CleanedUp, ColdFolder, ColdStore, MoveStep, Owner, data_home};
pub use contents::Contents;
pub use dispose::{Disposed, dispose};
pub use error::{ArchiveError, Fault};
pub(crate) use limits::check_name;
pub use limits::{LIMITS, Limits};
pub use manifest::{Entry, Manifest};
pub use pack::pack as pack_archive;
pub use read::Opened;
pub(crate) use read::read_stream;
pub use session::{Archives, Found, Placed};
pub(crate) use settle::is_in_the_way;
pub use settle::{Step, Undone, settle};
