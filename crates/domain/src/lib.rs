//! The words of gapless and its tables: gaps, issues, slots, phases and convergence, what can be configured, asked and decided.
//! Nothing here knows a session or a document.

pub mod archives;
pub mod assignment;
pub mod budget;
pub mod config;
pub mod convergence;
pub mod decision;
pub mod delivery;
pub mod edit;
pub mod example_use;
pub mod failing;
pub mod failure;
pub mod flag;
pub mod gap;
pub mod ids;
pub mod issue;
pub mod keywords;
pub mod line_diff;
pub mod matter;
pub mod names;
pub mod numbers;
pub mod parameters;
pub mod phase;
pub mod question;
pub mod rollback;
pub mod scan_finding;
pub mod setting;
pub mod severity;
pub mod slot;
pub mod takeover;
pub mod task;
pub mod text;
pub mod time;
pub mod words;
