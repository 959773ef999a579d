//! A session as something that can be carried elsewhere: one file, or a folder of texts that diff well.
//!
//! Invariant: what is read here may have been made by anyone. It is within bounds, whole and unaltered, or it is refused with
//! the place of the fault; whether its events mean anything is for the caller to say.

mod error;
mod events;
mod file;
mod folder;
mod manifest;
mod portable;
mod tree;

pub use error::{Flaw, PortError};
pub use file::{pack, unpack, unpack_bytes, write_file};
pub use folder::{is_export, read_folder, write_folder};
pub use manifest::VERSION;
pub use portable::{Brought, Names, PORT_LIMITS, Portable, named_hashes, place_text};
