//! What goes into a refined spec: accepted changes, accepted texts that name no change, and sections as an Editor made them.

use gapless_domain::{ChangeText, GapId, MadeFrom, TextHash};

use super::Place;
use super::entries::Settled;

/// An accepted proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    pub resolution: Resolution,
    /// What it changes in the spec; without any, the resolution is put into its section as a part of its own.
    pub changes: Vec<ChangeText>,
    /// The gap whose changes settle this one too: where they are made, nothing more is put in.
    pub settled_with: Option<GapId>,
    /// The round in which it was proposed.
    pub round: u32,
}

/// An accepted text and what is known of where it belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolution {
    pub gap: GapId,
    /// What the gap says is missing.
    pub description: String,
    pub place: Place,
    /// The heading under which the text was written.
    pub heading: Option<String>,
    /// Solution and examples; where there are changes, their texts.
    pub text: String,
    /// What stands for the whole proposal.
    pub hash: TextHash,
}

/// A section as an Editor made it, with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditedText {
    /// The line of its heading in the source.
    pub section: u32,
    pub text: String,
    pub made_from: MadeFrom,
}

/// Where the texts are put that name no change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Placement {
    /// In their sections, with the entries of their gaps replaced.
    InSections,
    /// As code at the end, with the text left as it is: the plainer form for what would not hold otherwise.
    AtEnd,
}

/// The gaps that resolutions settle.
pub(super) fn settled_by(resolutions: &[Resolution]) -> Settled<'_> {
    resolutions
        .iter()
        .map(|resolution| (&resolution.gap, resolution.place.line))
        .collect()
}
