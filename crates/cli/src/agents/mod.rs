//! The agents of a session: which one plays which role, what they are opened with, and what to warn of.

mod choice;
mod discovery;
mod endpoints;
mod opening;
mod paths;
mod repo;
mod traits;
mod warnings;

pub(crate) use choice::{choose, choose_again, typed};
pub(crate) use discovery::{access_in_words, look};
pub(crate) use endpoints::{endpoint_line, endpoints};
pub(crate) use opening::{attended, unattended};
pub(crate) use repo::repo;
pub(crate) use traits::traits;
pub(crate) use warnings::{same_model, unenforced_budgets};
