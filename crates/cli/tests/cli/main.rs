//! Whole sessions through the real binary, in folders of their own.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod agents;
mod analyze;
mod archives;
mod attempts;
mod deciding;
mod demo;
mod diff;
mod disagreement;
mod documents;
mod errors;
mod figures;
mod human;
mod inbox;
mod kill;
mod models;
mod old_logs;
mod output;
mod reading;
mod recovery;
mod rolling_back;
mod scan;
mod sessions;
mod stop;
mod support;
mod validate;
