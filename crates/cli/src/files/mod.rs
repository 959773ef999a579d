//! Files that people name or write: specs, documents, recorded sessions and TOML.

pub(crate) mod brought;
pub(crate) mod document;
pub(crate) mod recorded_session;
pub(crate) mod spec;
pub(crate) mod spec_search;
pub(crate) mod spec_sections;
pub(crate) mod spec_templates;
pub(crate) mod toml;
