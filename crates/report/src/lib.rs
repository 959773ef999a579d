//! The report of a session: what it did, what it left and what it cost, on one page.
//!
//! Invariant: this crate is pure. [`Report::of`] gathers everything that is shown from a session's log; [`html`] and
//! [`markdown`] only lay it out. What specs and agents wrote is data in both: it comes out as text and never as markup.

mod chart;
mod gather;
mod html;
mod markdown;
mod model;

pub use html::html;
pub use markdown::markdown;
pub use model::*;

/// What a report is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Html,
    Markdown,
}

impl Format {
    pub fn write(self, report: &Report) -> String {
        match self {
            Format::Html => html(report),
            Format::Markdown => markdown(report),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Format::Html => "html",
            Format::Markdown => "md",
        }
    }

    /// What every report of this kind has at its beginning, so that an earlier one is known.
    pub fn mark(self) -> &'static str {
        match self {
            Format::Html => html::MARK,
            Format::Markdown => markdown::MARK,
        }
    }
}
