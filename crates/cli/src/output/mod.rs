//! Printing: the screen, plain text, wording, tables, charts, JSON and SARIF. Nothing here knows of workspaces.

pub mod chart;
pub mod excerpt;
pub mod json;
pub mod plain;
pub mod sarif;
mod screen;
pub mod tables;
pub mod wording;

pub use screen::{Screen, Stdout, Tone};
