//! What a session has accepted, with its texts: the resolutions of its gaps and the sections that an Editor made.

use gapless_domain::{Gap, MissingText, Origin, Texts};
use gapless_session::State;

use super::{EditedText, Place, Resolution, SpecError};

/// Why the refined spec can't be assembled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AssemblyError {
    #[error(transparent)]
    MissingText(#[from] MissingText),
    #[error("the refined spec cannot be assembled: {0}")]
    Spec(#[from] SpecError),
}

/// What was accepted, as the assembling takes it.
pub(super) fn resolutions(
    state: &State,
    texts: &dyn Texts,
) -> Result<Vec<Resolution>, AssemblyError> {
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
pub(super) fn place(state: &State, gap: &Gap) -> Place {
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

pub(super) fn edited_texts(
    state: &State,
    texts: &dyn Texts,
) -> Result<Vec<EditedText>, AssemblyError> {
    let edits = state.now.edits.values();
    edits
        .map(|edit| {
            Ok(EditedText {
                section: edit.section,
                text: texts.require(&edit.text)?.to_string(),
                made_from: edit.made_from.clone(),
            })
        })
        .collect()
}
