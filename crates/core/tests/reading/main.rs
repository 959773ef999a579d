//! Acceptance tests of reading: traps, mutations and variations, hostile documents, properties.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

mod declared;
mod hostile;
mod inventory;
mod mutations;
mod native_issues;
mod properties;
mod support;
mod traps;
