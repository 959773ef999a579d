//! Owns the refined spec: the source with every accepted resolution as a titled part of the section it belongs to, with
//! pointers where the gaps were declared, and with what is left as known limitations. What no settled gap touches is
//! there byte for byte: [`check`] holds every spec to that before it is given out.

mod anchors;
mod check;
mod entries;
mod homes;
mod layout;
mod limitations;
mod outline;
mod part;
mod phrases;
mod seal;
mod title;
mod walk;

use std::collections::BTreeSet;

use crate::gap::{Gap, GapState, Origin};
use crate::prompts::PromptError;
use crate::read::{Document, inventory};
use crate::state::State;
use crate::text::Texts;

use entries::declaring_lines;
use layout::{Care, Layout, settled_by};

pub use check::{SpecError, check};
pub use homes::Place;
pub use layout::Resolution;
pub use limitations::{Limitation, LimitationKind, limitations};
pub use outline::Outline;

/// The refined spec of a session as it stands.
pub fn assemble(state: &State, texts: &dyn Texts) -> Result<String, PromptError> {
    let Some(origin) = &state.kept.origin else {
        return Ok(String::new());
    };
    let source = texts
        .text(&origin.source)
        .ok_or(PromptError::MissingText(origin.source))?;
    let resolutions = resolutions(state, texts)?;
    Ok(refine(&source, &resolutions, &limitations(state))?)
}

/// A source with resolutions worked in and limitations said. The order of the resolutions does not matter.
pub fn refine(
    source: &str,
    resolutions: &[Resolution],
    limitations: &[Limitation],
) -> Result<String, SpecError> {
    let document = Document::parse(source);
    let declared = inventory(&document).declared;
    let settled: BTreeSet<_> = resolutions.iter().map(|r| r.gap.clone()).collect();
    let lines = declaring_lines(&declared, &settled_by(resolutions));
    let written = |care| {
        let spec = Layout::of(&document, &declared, resolutions, care).write(limitations);
        check(source, &spec, &settled, &lines).map(|()| spec)
    };
    written(Care::Usual).or_else(|_| written(Care::Utmost))
}

/// What was accepted, as the assembling takes it.
fn resolutions(state: &State, texts: &dyn Texts) -> Result<Vec<Resolution>, PromptError> {
    let mut resolutions = Vec::new();
    for gap in state.now.gaps.values() {
        if !matches!(gap.state, GapState::Accepted | GapState::Resolved) {
            continue;
        }
        let Some(proposal) = &gap.proposal else {
            continue;
        };
        let text = texts
            .text(&proposal.solution)
            .ok_or(PromptError::MissingText(proposal.solution))?;
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
