//! Scenarios: whole sessions through the runner, in virtual time, on the store in memory.
#![allow(clippy::unwrap_used)]

mod agents;
mod attempts;
mod blocked;
mod conflicts;
mod delivering;
mod ends;
mod examples;
mod objections;
mod progress;
mod refined;
mod rounds;
mod stage;
mod undoing;
