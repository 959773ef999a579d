//! Archives of undone rounds: made, made up for, read with suspicion, moved and cleaned up.
#![allow(clippy::unwrap_used)]

mod cold;
mod disposing;
mod hostile;
mod settling;
mod support;
