//! Owns what is read from the source spec: its sections, and the gaps that it declares in lists.

use std::ops::Range;

use super::document::Document;
use super::gap_line::DeclaredGap;

/// A section of the source: its heading and everything up to the next heading of its level or above.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    pub title: String,
    pub level: u8,
    pub line: u32,
    /// Heading and own text, without deeper headings' text.
    pub own: Range<usize>,
    /// Heading, own text and everything under it.
    pub whole: Range<usize>,
}

/// The sections of a document, in order.
pub fn sections(document: &Document) -> Vec<Section> {
    document
        .headings
        .iter()
        .enumerate()
        .map(|(index, heading)| Section {
            title: heading.title.clone(),
            level: heading.level,
            line: heading.line,
            own: heading.span.start..document.section(index, |_| true).end,
            whole: heading.span.start
                ..document
                    .section(index, |next| next.level <= heading.level)
                    .end,
        })
        .collect()
}

/// The gaps that list items of the document declare, in order, doubles included.
pub fn declared_gaps(document: &Document) -> Vec<DeclaredGap> {
    document
        .items
        .iter()
        .filter_map(|item| DeclaredGap::from_item(&item.text, item.line))
        .collect()
}
