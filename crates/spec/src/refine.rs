//! Works resolutions into a source, with or without sections that an Editor made. It knows texts and no session.

use std::collections::BTreeSet;

use gapless_markdown::Document;
use gapless_reading::read::{Declaration, inventory, sections};

use super::entries::{Settled, declaring_lines, is_settled};
use super::layout::Layout;
use super::resolution::settled_by;
use super::{
    EditedText, Given, Limitation, Placement, Resolution, SpecError, Worked, check_edited,
};

/// A source with resolutions worked in and limitations said. The order of the resolutions does not matter.
pub fn refine(
    source: &str,
    resolutions: &[Resolution],
    limitations: &[Limitation],
) -> Result<String, SpecError> {
    refine_with(source, resolutions, limitations, &[]).map(|refined| refined.text)
}

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
    let written = |placement, edits: &[EditedText]| {
        let layout = Layout::of(&document, &declared, resolutions, placement, edits);
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
            usual: placement == Placement::InSections,
            edited,
        })
    };
    if !edits.is_empty() {
        if let Ok(refined) = written(Placement::InSections, edits) {
            return Ok(refined);
        }
        let mut holding: Vec<EditedText> = Vec::new();
        for edit in edits {
            holding.push(edit.clone());
            if written(Placement::InSections, &holding).is_err() {
                holding.pop();
            }
        }
        if !holding.is_empty()
            && let Ok(refined) = written(Placement::InSections, &holding)
        {
            return Ok(refined);
        }
    }
    written(Placement::InSections, &[]).or_else(|_| written(Placement::AtEnd, &[]))
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
