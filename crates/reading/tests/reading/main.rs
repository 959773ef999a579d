//! Acceptance tests of reading: traps, mutations and variations, hostile documents, properties.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::disallowed_macros
)]

mod changes;
mod cut;
mod declared;
mod echoes;
mod forms;
mod generated;
mod hostile;
mod inventory;
mod mutations;
mod native_issues;
mod open_questions;
mod properties;
mod reasoned;
mod support;
mod traps;
