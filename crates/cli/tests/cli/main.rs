//! Whole sessions through the real binary, in folders of their own.

mod demo;
mod documents;
mod errors;
mod inbox;
mod reading;
mod sessions;
mod support;
