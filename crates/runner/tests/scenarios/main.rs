//! Scenarios: whole sessions through the runner, in virtual time, on the store in memory.
#![allow(clippy::unwrap_used)]

mod agents;
mod attempts;
mod best;
mod blocked;
mod budgets;
mod conflicts;
mod deciding;
mod delivering;
mod disagreeing;
mod divergence;
mod empty_rounds;
mod ends;
mod escalation;
mod examples;
mod failures;
mod final_review;
mod flags;
mod gates;
mod limits;
mod nothing_to_plan;
mod objections;
mod partial;
mod pressing;
mod progress;
mod quarrel;
mod rates;
mod reassigning;
mod recovery;
mod refined;
mod rolling_back;
mod rounds;
mod stage;
mod timing;
mod undoing;
mod writing;
