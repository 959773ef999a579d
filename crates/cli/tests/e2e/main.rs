//! Whole sessions with every backend through the real binary: the programs that people have installed, at the versions in
//! `tools/agent-clis`, and the models over HTTP, against a model server of the suite's own. Nothing else is reached.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod coming_back;
#[cfg(unix)]
mod endings;
#[cfg(unix)]
mod failing;
mod failing_models;
#[cfg(unix)]
mod isolation;
#[path = "../cli/lamp.rs"]
mod lamp;
mod models;
#[cfg(unix)]
mod planted;
mod programs;
mod rounds;
mod styles;
#[path = "../cli/support.rs"]
#[allow(dead_code)] // The other suite's share of it.
mod support;
#[cfg(unix)]
mod turns;
