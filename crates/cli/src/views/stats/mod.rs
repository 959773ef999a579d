//! The figures of several sessions: tables for people, and the same figures as sheets for scripts and spreadsheets.

mod csv;
mod selection;
mod sheets;
mod tables;

pub use csv::print as print_csv;
pub use selection::Selection;
pub use sheets::{document, sheets};
pub use tables::show;
