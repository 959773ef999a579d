//! What of the specification stands in a prompt: all of it where it fits the agent's budget, else the sections that its gaps
//! touch, and the titles of the rest.

use serde::Serialize;
use serde_json::{Value, json};

use super::{PromptError, Prompts};
use gapless_domain::{AgentTraits, Gap, GapId, shortened};
use gapless_markdown::Document;
use gapless_session::state::Slot;
use gapless_spec::{Outline, accepted_so_far};

/// How many bytes of the titles of untouched sections go into a prompt that had to be shortened.
const LONGEST_OUTLINE: usize = 8_000;

#[derive(Serialize)]
pub(super) struct SectionView {
    title: String,
    text: String,
}

/// The specification as it reads now, with what was accepted.
pub(super) struct Specification {
    pub(super) sections: Vec<SectionView>,
    /// The titles of the sections that are not shown.
    pub(super) others: Option<String>,
    pub(super) is_whole: bool,
}

impl Prompts<'_> {
    /// What is known of the agent that a slot's prompt goes to.
    pub(super) fn traits(&self, slot: &Slot) -> Option<AgentTraits> {
        self.state.kept.setup.traits.get(self.agent(slot)).copied()
    }

    fn agent<'s>(&'s self, slot: &'s Slot) -> &'s str {
        let of_role = || self.state.kept.setup.agent_of(slot.id.role);
        slot.agent.as_deref().unwrap_or_else(of_role)
    }

    /// The specification for these gaps, within the budget of the slot's agent.
    pub(super) fn specification(
        &self,
        slot: &Slot,
        gaps: &[&Gap],
    ) -> Result<Specification, PromptError> {
        let source = self.source()?;
        let refined = accepted_so_far(self.state, self.texts)?;
        let budget = self.within(self.state.kept.setup.spec_tokens(self.agent(slot)) * 4);
        Ok(match refined.text.trim() {
            whole if whole.len() <= budget => Specification {
                sections: vec![SectionView {
                    title: "whole specification".to_owned(),
                    text: whole.to_owned(),
                }],
                others: None,
                is_whole: true,
            },
            _ => {
                let document = Document::parse(&refined.text);
                let outline = Outline::of(&refined, &document, &source, self.state);
                self.touched(&outline, gaps, budget)
            }
        })
    }

    /// The sections that these gaps touch, as far as the budget goes.
    fn touched(&self, outline: &Outline, gaps: &[&Gap], budget: usize) -> Specification {
        // What a gap waits on was settled before it; its proposal must fit to that.
        let settled: Vec<GapId> = gaps
            .iter()
            .flat_map(|gap| gap.blocked_by.iter().cloned())
            .collect();
        let concerned: Vec<&Gap> = gaps.iter().copied().chain(self.gaps(&settled)).collect();
        let touched = outline.touched_by(&concerned);
        let mut left = budget;
        let mut sections = Vec::new();
        for index in &touched {
            let text = shortened(outline.section(*index).trim(), left);
            left = left.saturating_sub(text.len());
            sections.push(SectionView {
                title: outline.title(*index).to_owned(),
                text,
            });
            if left == 0 {
                break;
            }
        }
        let titles = outline.other_titles(&touched);
        Specification {
            sections,
            others: match self.halvings {
                0 => titles,
                _ => titles.map(|titles| shortened(&titles, self.within(LONGEST_OUTLINE))),
            },
            is_whole: false,
        }
    }

    /// The sections that an Editor is given.
    pub(super) fn editor(&self, slot: &Slot) -> Result<Value, PromptError> {
        let sections = gapless_spec::given_to(slot, self.halvings, self.state, self.texts)?;
        let views: Vec<Value> = sections
            .iter()
            .map(|section| json!({ "name": section.name, "text": section.source().trim() }))
            .collect();
        Ok(json!({ "sections": views }))
    }
}
