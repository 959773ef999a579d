//! The refined spec: the source with the accepted changes made in the order of acceptance, and with what is left open said at its
//! end. What no change names is there byte for byte: [`check`] holds every spec to that before it is given out.

mod accepted;
mod anchors;
mod apart;
mod bare;
mod changed_sections;
mod changes;
mod check;
mod composed;
mod editing;
mod entries;
mod essentials;
mod faithful;
mod fallback;
mod headings;
mod homes;
mod insertion;
mod limitations;
mod near;
mod outline;
mod part;
mod passages;
mod phrases;
mod planned;
mod proposed;
mod refine;
mod refined;
mod resolution;
mod seal;
mod sweep;
mod tables;
mod title;
mod trace;
mod walk;

pub use accepted::AssemblyError;
pub use check::{Named, Passage, SpecError, check};
pub use editing::{
    Editable, editables, edited_with, editor_budget, given_to, kept_form, that_fit, to_edit,
};
pub use faithful::{Fault, Given};
pub use homes::Place;
pub use limitations::{Limitation, LimitationKind, limitations};
pub use outline::Outline;
pub use proposed::{Fitted, Proposing, Unfit};
pub use refine::{Refined, refine};
pub use refined::{accepted_so_far, assemble, refined, with_proposals};
pub(crate) use resolution::Placement;
pub use resolution::{Accepted, EditedText, Resolution};
pub use trace::Traced;
pub(crate) use walk::Walked;

#[cfg(test)]
mod tests;
