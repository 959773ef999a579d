//! The offline agent of gapless: an Engineer that proposes defaults from a catalogue, and a Reviewer that goes by the rules of
//! the scan. It never pretends: a default is marked as one, and where only the user knows the answer it says so.
//!
//! Invariant: nothing here does I/O, asks a clock or draws a random number; the same assignment gives the same document.

mod catalogue;
mod choosing;
mod documentation;
mod engineer;
mod final_review;
mod issues;
mod own_words;
mod place;
mod reviewer;

pub use catalogue::{Ask, CatalogueError, Entry, asks, check, entries};
pub use choosing::{Answer, answer};
pub use documentation::markdown;
pub use engineer::engineer;
pub use final_review::final_review;
pub use reviewer::reviewer;
