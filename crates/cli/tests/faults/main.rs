//! The real binary with the real database, made to die or to fail at every step that leaves something on the disk. What it
//! comes to is compared, byte for byte, with a run that nothing happened to.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod clock;
mod corruption;
mod damage;
mod database;
mod letters;
mod outcomes;
mod place;
mod sweep;
mod tour;
mod unwritable;
