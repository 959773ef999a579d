//! An edit: a section of the refined spec as an Editor made it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{GapId, TextHash};

/// The gaps that a section settles, each with the accepted text that does.
pub type MadeFrom = BTreeMap<GapId, TextHash>;

/// A section as an Editor made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// The line of its heading in the source.
    pub section: u32,
    pub title: String,
    pub text: TextHash,
    pub made_from: MadeFrom,
}
