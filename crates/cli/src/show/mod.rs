//! Owns what people and scripts see. Every view reads the same events and the same state; none of them decides.

pub mod chart;
pub mod closing;
pub mod delivery;
pub mod excerpt;
pub mod json;
pub mod live;
pub mod log_words;
pub mod plain;
pub mod questions;
pub mod sarif;
mod screen;
pub mod stats;
pub mod story;
pub mod tables;
pub mod undoing;

pub use screen::{Screen, Tone};
