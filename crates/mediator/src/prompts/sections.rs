//! What of the specification stands in a prompt: all of it where it fits the agent's budget, else the sections that its gaps
//! touch, and the titles of the rest.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::{PromptError, Prompts};
use gapless_domain::line_diff::line_hunks;
use gapless_domain::{AgentTraits, Gap, GapId, one_line, shortened};
use gapless_markdown::Document;
use gapless_session::state::Slot;
use gapless_spec::{Outline, Refined, accepted_so_far, with_proposals};

/// How many bytes of the titles of untouched sections go into a prompt that had to be shortened.
const LONGEST_OUTLINE: usize = 8_000;
/// How many unchanged lines are shown around a change.
const CONTEXT_LINES: usize = 2;

#[derive(Serialize)]
pub(super) struct SectionView {
    title: String,
    text: String,
}

/// What a prompt shows of the specification.
pub(super) struct Specification {
    pub(super) sections: Vec<SectionView>,
    /// The titles of the sections that are not shown.
    pub(super) others: Option<String>,
    pub(super) is_whole: bool,
    /// The section that the first gap belongs to.
    pub(super) home: Option<String>,
    /// The passages that opened gaps, as they read now.
    pub(super) passages: BTreeMap<GapId, String>,
}

/// The specification with proposals under review.
pub(super) struct Reviewed {
    pub(super) specification: Specification,
    /// What the proposals change, line by line.
    pub(super) differences: Option<String>,
    /// The gaps whose proposals change nothing in place.
    pub(super) fallback: Vec<GapId>,
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

    /// How much of the spec a slot's agent is shown, in bytes.
    fn spec_budget(&self, slot: &Slot) -> usize {
        self.within(self.state.kept.setup.spec_tokens(self.agent(slot)) * 4)
    }

    /// The specification as it reads now for these gaps, within the budget of the slot's agent.
    pub(super) fn specification(
        &self,
        slot: &Slot,
        gaps: &[&Gap],
    ) -> Result<Specification, PromptError> {
        self.shown(slot, gaps, &accepted_so_far(self.state, self.texts)?)
    }

    /// The specification as it would read with the proposals for these gaps.
    pub(super) fn reviewed(&self, slot: &Slot, gaps: &[&Gap]) -> Result<Reviewed, PromptError> {
        let ids: Vec<GapId> = gaps.iter().map(|gap| gap.id.clone()).collect();
        let now = accepted_so_far(self.state, self.texts)?;
        let then = with_proposals(self.state, self.texts, &ids)?;
        let is_displaced = |id: &GapId| then.displaced.iter().any(|fault| fault.gap == *id);
        let in_place = |gap: &&&Gap| {
            gap.has_changes() && !is_displaced(&gap.id) || then.beside.contains_key(&gap.id)
        };
        let fallback = gaps.iter().filter(|gap| !in_place(gap));
        let fallback: Vec<GapId> = fallback.map(|gap| gap.id.clone()).collect();
        // Where nothing is changed in place there is nothing to compare: the proposals say it all.
        if fallback.len() == gaps.len() {
            return Ok(Reviewed {
                specification: self.shown(slot, gaps, &now)?,
                differences: None,
                fallback,
            });
        }
        let differences = differences(&now.text, &then.text);
        Ok(Reviewed {
            specification: self.shown(slot, gaps, &then)?,
            differences: Some(shortened(&differences, self.spec_budget(slot))),
            fallback,
        })
    }

    fn shown(
        &self,
        slot: &Slot,
        gaps: &[&Gap],
        refined: &Refined,
    ) -> Result<Specification, PromptError> {
        let source = self.source()?;
        let document = Document::parse(&refined.text);
        let outline = Outline::of(refined, &document, &source, self.state);
        let budget = self.spec_budget(slot);
        let passage = |gap: &&Gap| Some((gap.id.clone(), one_line(outline.passage_of(gap)?)));
        let passages = gaps.iter().filter_map(passage).collect();
        let mut homes = gaps.iter().filter_map(|gap| outline.home_of(gap));
        let home = homes.next().map(str::to_owned);
        let (sections, others, is_whole) = match refined.text.trim() {
            whole if whole.len() <= budget => {
                let whole = SectionView {
                    title: "whole specification".to_owned(),
                    text: whole.to_owned(),
                };
                (vec![whole], None, true)
            }
            _ => {
                let (sections, others) = self.touched(&outline, gaps, budget);
                (sections, others, false)
            }
        };
        Ok(Specification {
            sections,
            others,
            is_whole,
            home,
            passages,
        })
    }

    /// The sections that these gaps touch, as far as the budget goes.
    fn touched(
        &self,
        outline: &Outline,
        gaps: &[&Gap],
        budget: usize,
    ) -> (Vec<SectionView>, Option<String>) {
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
        let others = match self.halvings {
            0 => titles,
            _ => titles.map(|titles| shortened(&titles, self.within(LONGEST_OUTLINE))),
        };
        (sections, others)
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

/// The lines that differ, with those around them; dots stand for what is the same.
fn differences(now: &str, then: &str) -> String {
    let hunks = line_hunks(now, then, CONTEXT_LINES);
    let hunks = hunks.iter().map(|hunk| {
        let lines = hunk.lines.iter();
        let lines = lines.map(|(mark, line)| format!("{}{}", mark.sign(), line.trim_end()));
        lines.collect::<Vec<_>>().join("\n")
    });
    hunks.collect::<Vec<_>>().join("\n…\n")
}
