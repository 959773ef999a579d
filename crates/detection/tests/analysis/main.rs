//! The analysis of Engineer documents: patterns, root causes and the report.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

mod hostile;
mod patterns;
mod report;
mod root_cause;
mod support;
mod vague_sections;
