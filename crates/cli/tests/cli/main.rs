//! Whole sessions through the real binary, in folders of their own.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod agents;
#[cfg(target_os = "linux")]
mod agents_decide;
mod analyze;
mod archives;
mod attempts;
mod broken_agents;
mod canaries;
mod decided_matters;
mod deciding;
mod demo;
mod diff;
mod disagreement;
mod docs;
mod documents;
mod errors;
mod false_ends;
mod figures;
mod guide;
mod human;
mod inbox;
mod kill;
mod lamp;
mod models;
mod offline;
mod old_logs;
#[cfg(target_os = "linux")]
mod orphans;
mod output;
mod porting;
mod reading;
mod recording;
mod recovery;
mod reference;
mod report;
mod rolling_back;
mod scan;
mod sessions;
mod stats;
mod stop;
mod support;
mod taking_over;
mod templates;
mod validate;
mod what_next;
