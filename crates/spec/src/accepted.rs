//! What a session has accepted, with its texts: the proposals of its gaps and the sections that an Editor made.

use gapless_domain::{ChangeText, Gap, MissingText, Origin, SpecChange, TextHash, Texts};
use gapless_session::State;

use super::{Accepted, EditedText, Place, Resolution, SpecError};

/// Why the refined spec can't be assembled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AssemblyError {
    #[error(transparent)]
    MissingText(#[from] MissingText),
    #[error("the refined spec cannot be assembled: {0}")]
    Spec(#[from] SpecError),
}

/// What was accepted, in the order of acceptance.
pub(super) fn accepted(state: &State, texts: &dyn Texts) -> Result<Vec<Accepted>, AssemblyError> {
    let gaps = state.now.gaps.values();
    let mut settled: Vec<&Gap> = gaps.filter(|gap| gap.state.is_settled_by_text()).collect();
    settled.sort_by_key(|gap| gap.accepted_as);
    let proposals = settled
        .into_iter()
        .map(|gap| proposal_of(state, gap, texts));
    proposals.filter_map(Result::transpose).collect()
}

/// The proposal of a gap as it would go into the spec.
pub(super) fn proposal_of(
    state: &State,
    gap: &Gap,
    texts: &dyn Texts,
) -> Result<Option<Accepted>, AssemblyError> {
    let Some(proposal) = &gap.proposal else {
        return Ok(None);
    };
    let changes: Vec<ChangeText> = proposal
        .changes
        .iter()
        .map(|change| with_texts(change, texts))
        .collect::<Result<_, _>>()?;
    let news: Vec<&str> = changes.iter().filter_map(|it| it.new.as_deref()).collect();
    let text = match news.is_empty() {
        true => texts.require(&proposal.solution)?.to_string(),
        false => news.join("\n\n"),
    };
    let section = texts.text(&proposal.section);
    let heading = section.as_deref().and_then(|section| {
        let line = section.lines().find(|line| !line.trim().is_empty())?;
        let line = line.trim();
        line.starts_with('#')
            .then(|| line.trim_matches('#').trim().to_owned())
    });
    Ok(Some(Accepted {
        resolution: Resolution {
            gap: gap.id.clone(),
            description: gap.description.clone(),
            place: place(state, gap),
            heading,
            text,
            hash: proposal.solution,
        },
        changes,
        settled_with: proposal.settled_with.clone(),
        round: proposal.round,
    }))
}

fn with_texts(change: &SpecChange, texts: &dyn Texts) -> Result<ChangeText, MissingText> {
    let text = |hash: &Option<TextHash>| -> Result<Option<String>, MissingText> {
        hash.map(|hash| Ok(texts.require(&hash)?.to_string()))
            .transpose()
    };
    Ok(ChangeText {
        kind: change.kind,
        section: change.section.clone(),
        after: change.after.clone(),
        old: text(&change.old)?,
        new: text(&change.new)?,
        line: 0,
    })
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
