//! The figures of several sessions: tables for people, and the same figures as sheets for scripts and spreadsheets.

mod csv;
mod selection;
mod sheets;
mod tables;

pub(crate) use csv::print as print_csv;
pub(crate) use selection::Selection;
pub(crate) use sheets::{document, sheets};
pub(crate) use tables::show;
