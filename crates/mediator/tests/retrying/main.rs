//! Retries: what each failure's text says to each role, which example goes with it, and how it is cut to its budget.
#![allow(clippy::unwrap_used)]

mod selection;
mod shortening;
mod support;
mod texts;
