//! Reports of sessions that are played through the core: what they say, and what can't be made of them.
#![allow(clippy::unwrap_used)]

mod contents;
mod hostile;
mod large;
mod played;
mod sources;
mod stories;
