//! What is found in a source before it has an id.

use super::super::gap_line::DeclaredGap;
use super::declaration::DeclaredAs;
use super::names::other_id;
use gapless_domain::GapId;

/// The category of what its section gives no word for.
pub(super) const CATEGORY: &str = "OPEN";

/// A declaration that has no id yet.
pub(super) struct Candidate {
    pub name: Name,
    pub gap: DeclaredGap,
    pub forms: Vec<(u32, DeclaredAs)>,
    pub at: usize,
    pub section: Option<usize>,
    /// True among the known limitations of an earlier session.
    pub in_earlier: bool,
    /// True in a part that an earlier session wrote: its author was no user.
    pub in_part: bool,
    /// Names of other shapes that it waits on.
    pub waits_on: Vec<String>,
}

/// What a declaration goes by.
pub(super) enum Name {
    Own(GapId),
    /// A name of another shape.
    Other(String),
    /// None, only the category that its section gives.
    None(String),
}

impl Name {
    pub fn own(&self) -> Option<&GapId> {
        match self {
            Self::Own(id) => Some(id),
            Self::Other(_) | Self::None(_) => None,
        }
    }

    /// What tells it from every other, where it has a name.
    pub fn key(&self) -> Option<String> {
        match self {
            Self::Own(id) => Some(id.to_string()),
            Self::Other(name) => Some(name.clone()),
            Self::None(_) => None,
        }
    }
}

/// The key of the name that a text begins with.
pub(super) fn key_at_start(words: &str) -> Option<String> {
    match DeclaredGap::from_item(words, 0) {
        Some(gap) => Some(gap.id.to_string()),
        None => Some(other_id(words)?.0.to_owned()),
    }
}
