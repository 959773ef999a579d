//! Events in words: lines for people who follow a session, and entries of its log.

mod inventory;
mod lines;
pub mod log_entry;
mod reading;
pub mod rollback;
mod round;
mod session;
mod style;
mod task;

pub use lines::{AskedQuestions, EventLines};
