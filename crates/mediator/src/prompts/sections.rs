//! What of the specification stands in a prompt: the sections that its gaps touch within a budget, and the titles of
//! the rest.

use serde::Serialize;
use serde_json::{Value, json};

use super::{PromptError, Prompts};
use gapless_domain::gap::Gap;
use gapless_domain::ids::GapId;
use gapless_domain::text::shortened;
use gapless_markdown::Document;
use gapless_session::state::Slot;

/// How many bytes of the titles of untouched sections go into a prompt that had to be shortened.
const LONGEST_OUTLINE: usize = 8_000;

#[derive(Serialize)]
pub(super) struct SectionView {
    title: String,
    text: String,
}

impl Prompts<'_> {
    /// The sections of the refined spec that these gaps touch, and the titles of the rest.
    pub(super) fn refined_sections(
        &self,
        gaps: &[&Gap],
    ) -> Result<(Vec<SectionView>, Option<String>), PromptError> {
        let source = self.source()?;
        let document = Document::parse(&source);
        let outline = gapless_spec::Outline::of(&document, self.state, self.texts)?;
        // What a gap waits on was settled before it; its proposal must fit to that.
        let settled: Vec<GapId> = gaps
            .iter()
            .flat_map(|gap| gap.blocked_by.iter().cloned())
            .collect();
        let concerned: Vec<&Gap> = gaps.iter().copied().chain(self.gaps(&settled)).collect();
        let touched = outline.touched_by(&concerned);
        let mut left = self.within(self.state.kept.setup.config.spec_tokens as usize * 4);
        let mut views = Vec::new();
        for index in &touched {
            let text = outline.section_with_resolutions(*index);
            let text = shortened(text.trim(), left);
            left = left.saturating_sub(text.len());
            views.push(SectionView {
                title: outline.title(*index).to_owned(),
                text,
            });
            if left == 0 {
                break;
            }
        }
        let titles = outline.other_titles(&touched);
        let titles = match self.halvings {
            0 => titles,
            _ => titles.map(|titles| shortened(&titles, self.within(LONGEST_OUTLINE))),
        };
        Ok((views, titles))
    }

    /// The sections that an Editor is given, each with what is to be worked in.
    pub(super) fn editor(&self, slot: &Slot, output_path: &str) -> Result<String, PromptError> {
        let sections = gapless_spec::given_to(slot, self.halvings, self.state, self.texts)?;
        let views: Vec<Value> = sections
            .iter()
            .map(|section| {
                let part = |(gaps, text): &(Vec<GapId>, String)| {
                    let gaps: Vec<String> = gaps.iter().map(GapId::to_string).collect();
                    json!({ "gaps": gaps, "text": text })
                };
                json!({
                "name": section.name,
                "text": section.source().trim(),
                "parts": section.parts.iter().map(part).collect::<Vec<_>>(),
                })
            })
            .collect();
        self.render(
            "editor",
            json!({
            "context": slot.context,
            "sections": views,
            "output_path": output_path,
            }),
        )
    }

    /// The whole source where it fits the budget, else the sections that these gaps touch.
    pub(super) fn source_sections(
        &self,
        gaps: &[&Gap],
    ) -> Result<(Vec<SectionView>, Option<String>), PromptError> {
        let source = self.source()?;
        let budget = self.within(self.state.kept.setup.config.spec_tokens as usize * 4);
        if source.len() <= budget {
            let whole = SectionView {
                title: "whole source".to_owned(),
                text: source.trim().to_owned(),
            };
            return Ok((vec![whole], None));
        }
        self.refined_sections(gaps)
    }
}
