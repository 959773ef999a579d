//! The mediator of gapless: the rules of a refinement session, as values and functions.
//!
//! Invariant: nothing in this crate asks a clock, draws a random number, does I/O or is async. Time and seed come in
//! with inputs, texts are looked up through [`text::Texts`], and what must be done outside comes back as data.
//! `tests/purity.rs` and this crate's `clippy.toml` hold it to that.

pub mod allot;
pub mod analysis;
pub mod apply;
pub mod archives;
pub mod assignment;
pub mod attempt_record;
pub mod audit;
pub mod budget;
pub mod config;
pub mod conflict;
pub mod convergence;
pub mod decision;
pub mod definitions;
pub mod delivery;
pub mod disagree_rate;
pub mod disagreement;
pub mod documents;
pub mod edit;
pub mod event;
pub mod example_use;
pub mod examples;
pub mod failing;
pub mod failure;
pub mod figures;
pub mod flag;
pub mod gap;
pub mod ids;
pub mod issue;
pub mod keywords;
pub mod markdown;
pub mod matter;
pub mod mediator;
pub mod numbers;
pub mod parameters;
pub mod phase;
pub mod plan;
pub mod prompts;
pub mod question;
pub mod read;
pub mod replay;
pub mod rollback;
pub mod rollback_record;
pub mod runs;
pub mod severity;
pub mod shared;
pub mod slot;
pub mod spec;
pub mod spending;
pub mod state;
pub mod stats;
pub mod takeover;
pub mod task;
pub mod termination;
pub mod text;
pub mod time;
pub mod tokens;
pub mod validate;
mod words;

pub use apply::apply;
pub use mediator::{handle, next};
pub use state::State;
