//! What a document doesn't say of itself: issues that were passed over, failure patterns, conflicts and their synthesis.
//! Pure functions over texts; nothing here changes a state.

pub mod analysis;
pub mod conflict;
pub mod disagree_rate;
pub mod disagreement;
