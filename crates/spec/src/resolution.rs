//! What goes into a refined spec: an accepted text with what is known of its place, a section as an Editor made it, and
//! where the parts are put.

use gapless_domain::{GapId, MadeFrom, TextHash};

use super::Place;
use super::entries::Settled;

/// An accepted text and what is known of where it belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolution {
    pub gap: GapId,
    /// What the gap says is missing.
    pub description: String,
    pub place: Place,
    /// The heading under which the text was written.
    pub heading: Option<String>,
    /// Solution and examples.
    pub text: String,
}

/// A section as an Editor made it, with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditedText {
    pub section: u32,
    pub text: String,
    pub made_from: MadeFrom,
}

/// Where the parts of a spec are put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Placement {
    /// In their sections, with the entries of their gaps replaced.
    InSections,
    /// As code at the end, with the source left as it is: the plainer form for a spec that would not hold otherwise.
    AtEnd,
}

/// The gaps that resolutions settle.
pub(super) fn settled_by(resolutions: &[Resolution]) -> Settled<'_> {
    resolutions
        .iter()
        .map(|resolution| (&resolution.gap, resolution.place.line))
        .collect()
}

/// The gaps of these resolutions, each with the text that settles it.
pub(super) fn made_from<'r>(resolutions: impl IntoIterator<Item = &'r Resolution>) -> MadeFrom {
    resolutions
        .into_iter()
        .map(|resolution| (resolution.gap.clone(), TextHash::of(&resolution.text)))
        .collect()
}
