//! Acceptance tests of implicit disagreement, on small documents: what answers an issue, each heuristic, whole sessions, what
//! flags come to, and documents that mean harm.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod answering;
mod heuristics;
mod properties;
mod sessions;
mod support;
mod thresholds;
