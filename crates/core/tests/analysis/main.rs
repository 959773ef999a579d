//! The analysis of Engineer documents: patterns, root causes and the report.
#![allow(clippy::unwrap_used)]

mod patterns;
mod support;
