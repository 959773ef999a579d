//! The refined spec of a session: as it is handed out, as it reads now, and as it would read with proposals that wait.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::accepted::{accepted, edited_texts, proposal_of};
use super::insertion::line_end;
use super::refine::fold;
use super::trace::words_in;
use super::{AssemblyError, Refined, limitations, refine};
use gapless_domain::{GapId, Texts, comma_list};
use gapless_markdown::Document;
use gapless_session::State;

/// The text of the refined spec, with what is left open.
pub fn assemble(state: &State, texts: &dyn Texts) -> Result<String, AssemblyError> {
    Ok(refined(state, texts)?.text)
}

/// The refined spec of a session, with what is left open.
pub fn refined(state: &State, texts: &dyn Texts) -> Result<Refined, AssemblyError> {
    let Some(origin) = &state.kept.origin else {
        return Ok(Refined::default());
    };
    let source = texts.require(&origin.source)?;
    let mut refined = refine(
        &source,
        &accepted(state, texts)?,
        &limitations(state),
        &edited_texts(state, texts)?,
    )?;
    for traced in &mut refined.trace {
        if let Some(gap) = state.now.gaps.get(&traced.gap) {
            traced.decisions.clone_from(&gap.decisions);
        }
    }
    Ok(refined)
}

/// The spec as it reads now: the source with what was accepted.
pub fn accepted_so_far(state: &State, texts: &dyn Texts) -> Result<Refined, AssemblyError> {
    with_proposals(state, texts, &[])
}

/// The spec as it would read with the proposals of these gaps.
pub fn with_proposals(
    state: &State,
    texts: &dyn Texts,
    gaps: &[GapId],
) -> Result<Refined, AssemblyError> {
    let Some(origin) = &state.kept.origin else {
        return Ok(Refined::default());
    };
    let source = texts.require(&origin.source)?;
    let mut all = accepted(state, texts)?;
    for id in gaps {
        if let Some(gap) = state.now.gaps.get(id)
            && !gap.state.is_settled_by_text()
        {
            all.extend(proposal_of(state, gap, texts)?);
        }
    }
    Ok(fold(&source, &all, &edited_texts(state, texts)?)?)
}

impl Refined {
    /// The bytes that a gap's changes wrote.
    pub fn ranges_of(&self, gap: &GapId) -> Vec<Range<usize>> {
        let is_of = |number: usize| {
            let step = self.steps.get(number);
            step.is_some_and(|step| step.gaps().contains(&gap))
        };
        let steps = self.composed.steps().filter(|(number, _)| is_of(*number));
        steps.map(|(_, range)| range).collect()
    }

    /// Where a line of the source is now.
    pub fn line_now(&self, source: &str, line: u32) -> Option<u32> {
        self.composed.line_now(source, line)
    }

    /// The line of the source that a line of the text is of; nothing where a change wrote all of it.
    pub fn line_in_source(&self, source: &str, line: u32) -> Option<u32> {
        self.composed.line_in(source, line)
    }

    /// True where a line is as the source has it.
    pub fn is_source_line(&self, line: u32) -> bool {
        self.composed.is_source_line(line)
    }

    /// The text with a comment before each block that a change touched: `<!-- gapless: GAP-X-001 -->`.
    pub fn marked(&self) -> String {
        let document = Document::parse(&self.text);
        let mut marks: BTreeMap<usize, BTreeSet<&GapId>> = BTreeMap::new();
        for (number, range) in self.composed.steps() {
            let Some(step) = self.steps.get(number) else {
                continue;
            };
            let range = words_in(&self.text, &range).unwrap_or(range);
            let blocks = document.outermost.iter();
            let touched = blocks.filter(|block| {
                block.start < range.end.max(range.start + 1) && range.start < block.end
            });
            for block in touched {
                marks.entry(block.start).or_default().extend(step.gaps());
            }
        }
        let end = line_end(&self.text);
        let mut text = String::with_capacity(self.text.len());
        let mut at = 0;
        for (place, gaps) in marks {
            let start = self.text[..place].rfind('\n').map_or(0, |at| at + 1);
            text += &self.text[at..start];
            text += &format!("<!-- gapless: {} -->{end}", comma_list(gaps));
            at = start;
        }
        text + &self.text[at..]
    }
}
