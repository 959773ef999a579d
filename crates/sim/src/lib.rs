//! The simulator: seeded sessions in virtual time on the store in memory, with agents that answer well, badly or not at
//! all, users who answer anything, and kills at any commit.
//!
//! Invariant: the same seed gives the same session. There is no clock, no thread and no sleep; time is a counter.

mod agents;
mod check;
mod coverage;
mod rng;
mod setting;
mod source;
mod users;
mod words;
mod world;

pub use coverage::Coverage;
pub use world::{Failure, Outcome, run};
