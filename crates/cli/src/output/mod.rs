//! Printing: the screen, the pager, plain text, wording, tables, charts, differences, JSON and SARIF. Nothing here knows of workspaces.

pub(crate) mod chart;
pub(crate) mod excerpt;
pub(crate) mod json;
pub(crate) mod pager;
pub(crate) mod plain;
pub(crate) mod sarif;
mod screen;
pub(crate) mod sign_in;
pub(crate) mod spec_diff;
pub(crate) mod stdout;
pub(crate) mod tables;
pub(crate) mod wording;

pub(crate) use screen::{Screen, Stdout, Tone};
