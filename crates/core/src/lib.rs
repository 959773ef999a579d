//! The mediator of gapless: the rules of a refinement session, as values and functions.
//!
//! Invariant: nothing in this crate asks a clock, draws a random number, does I/O or is async. Time and seed come in
//! with inputs, texts are looked up through [`text::Texts`], and what must be done outside comes back as data.
//! `tests/purity.rs` and this crate's `clippy.toml` hold it to that.

pub mod ids;
pub mod severity;
pub mod task;
pub mod text;
pub mod time;
