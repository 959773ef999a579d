//! Events in words: lines for people who follow a session, and entries of its log.

mod inventory;
mod lines;
pub(crate) mod log_entry;
mod reading;
pub(crate) mod rollback;
mod round;
mod session;
mod style;
mod task;

pub(crate) use lines::{AskedQuestions, EventLines};
