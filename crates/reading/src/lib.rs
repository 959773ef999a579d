//! From what agents and people wrote to facts: readers for every document, and the checks on what agents wrote.

pub mod definitions;
pub mod form;
pub mod read;
pub mod validate;
