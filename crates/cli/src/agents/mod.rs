//! The agents of a session: which one plays which role, what they are opened with, and what to warn of.

mod choice;
mod discovery;
mod opening;
mod paths;
mod repo;
mod warnings;

pub use choice::{choose, choose_again};
pub use discovery::{access_in_words, look};
pub use opening::{attended, unattended};
pub use repo::repo;
pub use warnings::{same_model, unenforced_budgets};
