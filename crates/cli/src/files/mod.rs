//! Files that people name or write: specs, documents, recorded sessions and TOML.

pub mod document;
pub mod recorded_session;
pub mod spec;
pub mod spec_search;
pub mod spec_templates;
pub mod toml;
