//! An attempt that was rolled back, as the root cause and a split are sought from it.

use serde::{Deserialize, Serialize};

use super::Analysis;

/// An attempt that was rolled back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// Why it was rolled back, in the user's words or as the failure says.
    pub reason: String,
    pub analysis: Analysis,
}
