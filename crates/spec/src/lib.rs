//! Owns the refined spec: the source with every accepted resolution as a titled part of the section it belongs to, with
//! pointers where the gaps were declared, and with what is left as known limitations. What no settled gap touches is
//! there byte for byte: [`check`] holds every spec to that before it is given out.

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
mod seal;
mod title;
mod walk;
mod writer;

use std::collections::BTreeSet;

use gapless_domain::gap::{Gap, Origin};
use gapless_domain::text::{MissingText, Texts};
use gapless_markdown::Document;
use gapless_reading::read::{Declaration, inventory, sections};
use gapless_session::state::State;

use editing::edited_texts;
use entries::{Settled, declaring_lines, is_settled};
use layout::{Care, Layout, settled_by};

pub use check::{SpecError, Worked, check, check_edited};
pub use editing::{
    Editable, EditedText, editables, edited_with, editor_budget, given_to, kept_form, that_fit,
    to_edit,
};
pub use faithful::{Fault, Given};
pub use homes::Place;
pub use layout::Resolution;
pub use limitations::{Limitation, LimitationKind, limitations};
pub use outline::Outline;

/// Why the refined spec can't be assembled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AssemblyError {
    #[error(transparent)]
    MissingText(#[from] MissingText),
    #[error("the refined spec cannot be assembled: {0}")]
    Spec(#[from] SpecError),
}

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

/// A source with resolutions worked in and limitations said. The order of the resolutions does not matter.
pub fn refine(
    source: &str,
    resolutions: &[Resolution],
    limitations: &[Limitation],
) -> Result<String, SpecError> {
    refine_with(source, resolutions, limitations, &[]).map(|refined| refined.text)
}

/// A refined spec.
pub struct Refined {
    pub text: String,
    /// False where the parts could only be put at the end.
    pub usual: bool,
    /// The sections that are an Editor's, by their lines in the source.
    pub edited: BTreeSet<u32>,
}

/// The same with sections that an Editor made. One that doesn't fit what is accepted, or with which the spec would not hold, is
/// left aside: its section is written plainly.
pub fn refine_with(
    source: &str,
    resolutions: &[Resolution],
    limitations: &[Limitation],
    edits: &[EditedText],
) -> Result<Refined, SpecError> {
    let document = Document::parse(source);
    let declared = inventory(&document).declared;
    let settled: BTreeSet<_> = resolutions.iter().map(|r| r.gap.clone()).collect();
    let by = settled_by(resolutions);
    let lines = declaring_lines(&declared, &by);
    let written = |care, edits: &[EditedText]| {
        let layout = Layout::of(&document, &declared, resolutions, care, edits);
        let text = layout.write(limitations);
        let edited = layout.edited_sections();
        let worked = edits
            .iter()
            .filter(|edit| edited.contains(&edit.section))
            .map(|edit| worked(&document, &declared, &by, resolutions, edit))
            .collect::<Option<Vec<Worked>>>();
        let worked = worked.ok_or(SpecError::NotEditable)?;
        check_edited(source, &text, &settled, &lines, &worked)?;
        Ok(Refined {
            text,
            usual: care == Care::Usual,
            edited,
        })
    };
    if !edits.is_empty() {
        if let Ok(refined) = written(Care::Usual, edits) {
            return Ok(refined);
        }
        let mut holding: Vec<EditedText> = Vec::new();
        for edit in edits {
            holding.push(edit.clone());
            if written(Care::Usual, &holding).is_err() {
                holding.pop();
            }
        }
        if !holding.is_empty()
            && let Ok(refined) = written(Care::Usual, &holding)
        {
            return Ok(refined);
        }
    }
    written(Care::Usual, &[]).or_else(|_| written(Care::Utmost, &[]))
}

/// What an edited section is checked against.
fn worked(
    document: &Document,
    declared: &[Declaration],
    settled: &Settled,
    resolutions: &[Resolution],
    edit: &EditedText,
) -> Option<Worked> {
    let section = sections(document)
        .into_iter()
        .find(|section| section.line == edit.section)?;
    let accepted: Vec<&Resolution> = resolutions
        .iter()
        .filter(|resolution| edit.made_from.contains_key(&resolution.gap))
        .collect();
    let is_settled = |declaration: &_| is_settled(declaration, settled);
    Some(Worked {
        own: section.own.clone(),
        last_gap: edit.made_from.keys().next_back()?.clone(),
        given: Given::of(document, &section, declared, is_settled, &accepted)?,
    })
}

/// What was accepted, as the assembling takes it.
fn resolutions(state: &State, texts: &dyn Texts) -> Result<Vec<Resolution>, AssemblyError> {
    let mut resolutions = Vec::new();
    for gap in state.now.gaps.values() {
        if !gap.state.is_settled_by_text() {
            continue;
        }
        let Some(proposal) = &gap.proposal else {
            continue;
        };
        let text = texts.require(&proposal.solution)?;
        let section = texts.text(&proposal.section);
        let heading = section.as_deref().and_then(|section| {
            let line = section.lines().find(|line| !line.trim().is_empty())?;
            let line = line.trim();
            line.starts_with('#')
                .then(|| line.trim_matches('#').trim().to_owned())
        });
        resolutions.push(Resolution {
            gap: gap.id.clone(),
            description: gap.description.clone(),
            place: place(state, gap),
            heading,
            text: text.to_string(),
        });
    }
    Ok(resolutions)
}

/// Where a gap says it belongs; one that was split off and says nothing belongs where its parent does.
fn place(state: &State, gap: &Gap) -> Place {
    let own = |gap: &Gap| Place {
        line: gap.origins.iter().find_map(|origin| match origin {
            Origin::Source { line } => Some(*line),
            _ => None,
        }),
        section: gap.section.clone(),
    };
    let mut gap = gap;
    let mut found = own(gap);
    // A line of ancestors is short; the bound is for one that leads in a circle.
    for _ in 0..8 {
        if found != Place::default() {
            break;
        }
        match gap.parent.as_ref().and_then(|id| state.now.gaps.get(id)) {
            Some(parent) => gap = parent,
            None => break,
        }
        found = own(gap);
    }
    found
}

#[cfg(test)]
mod tests;
