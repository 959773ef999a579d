//! Where the user wants the refined spec when the session ends, besides the session's folder, and what came of it.

use serde::{Deserialize, Serialize};

/// Where the refined spec is to be written at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum Delivery {
    /// A file of its own, by its absolute path.
    File { path: String },
    /// The user's spec itself, as long as it is what the session started from.
    InPlace {},
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivered {
    Written {
        path: String,
        /// Where what stood there before is kept.
        backup: Option<String>,
    },
    Failed {
        path: String,
        why: String,
    },
}
