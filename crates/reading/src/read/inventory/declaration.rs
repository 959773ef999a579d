//! What a source declares to be missing, and what declares it.

use std::ops::Range;

use super::super::gap_line::DeclaredGap;

/// Something that a source declares to be missing, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    pub gap: DeclaredGap,
    /// True where the source itself gives the id.
    pub has_own_id: bool,
    /// Everything that declares it, with its line; the first is on the gap's line.
    pub forms: Vec<(u32, DeclaredAs)>,
}

/// What declares a gap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeclaredAs {
    /// An item of a list, by its number among the document's items.
    Item(usize),
    /// A row of a table, by its number among the document's rows.
    Row(usize),
    Heading,
    /// A question or a sentence of its own, which says nothing but what is missing.
    Words(Range<usize>),
    /// Marks in a sentence that says more.
    Marks(Vec<Range<usize>>),
}
