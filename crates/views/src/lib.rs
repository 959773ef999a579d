//! What a session writes for people, made from its state and its log: status, decisions, summaries, attempts, statistics.

pub mod documents;
pub mod form;
pub mod stats;
