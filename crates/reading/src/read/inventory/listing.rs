//! How what a section has is taken: as something open, as something closed, or as neither.

/// How the entries of a section are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listing {
    /// Only what has a gap id, or a mark, is a gap.
    No,
    /// Questions, unchecked boxes and what has a name are open. The rest may be what the spec is about: an issue tracker has
    /// a section on issues too.
    Perhaps,
    /// Every entry is something open.
    Open,
    /// What was open once.
    Closed,
}
