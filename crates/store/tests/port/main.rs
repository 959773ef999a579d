//! Exports of sessions: what is carried comes back, and what is not what was exported is refused.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[allow(dead_code)]
#[path = "../archives/support.rs"]
mod archives;
mod file;
mod folder;
mod support;
