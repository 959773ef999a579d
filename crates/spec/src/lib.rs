//! The refined spec: the source with every accepted resolution as a titled part of the section it belongs to, with
//! pointers where the gaps were declared, and with what is left as known limitations. What no settled gap touches is
//! there byte for byte: [`check`] holds every spec to that before it is given out.

mod accepted;
mod anchors;
mod check;
mod editing;
mod entries;
mod essentials;
mod faithful;
mod homes;
mod layout;
mod limitations;
mod outline;
mod part;
mod phrases;
mod planned;
mod refine;
mod resolution;
mod seal;
mod title;
mod walk;
mod writer;

use gapless_domain::Texts;
use gapless_session::State;

use accepted::{edited_texts, resolutions};

pub use accepted::AssemblyError;
pub use check::{SpecError, Worked, check, check_edited};
pub use editing::{
    Editable, editables, edited_with, editor_budget, given_to, kept_form, that_fit, to_edit,
};
pub use faithful::{Fault, Given};
pub use homes::Place;
pub use limitations::{Limitation, LimitationKind, limitations};
pub use outline::Outline;
pub use refine::{Refined, refine, refine_with};
pub(crate) use resolution::Placement;
pub use resolution::{EditedText, Resolution};
pub(crate) use walk::Walked;

/// The refined spec of a session as it stands.
pub fn assemble(state: &State, texts: &dyn Texts) -> Result<String, AssemblyError> {
    let Some(origin) = &state.kept.origin else {
        return Ok(String::new());
    };
    let source = texts.require(&origin.source)?;
    let resolutions = resolutions(state, texts)?;
    let edits = edited_texts(state, texts)?;
    let refined = refine_with(&source, &resolutions, &limitations(state), &edits)?;
    Ok(refined.text)
}

#[cfg(test)]
mod tests;
