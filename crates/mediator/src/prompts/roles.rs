//! What each role's prompt is given.

use serde_json::{Value, json};

use super::decisions::DecisionsInForce;
use super::views::GapView;
use super::{PromptError, Prompts};
use gapless_domain::ids::HIGHEST_NUMBER;
use gapless_domain::{Gap, GapId, IssueId, Role};
use gapless_session::state::Slot;

impl Prompts<'_> {
    /// The task of a slot's role.
    pub(super) fn task(&self, slot: &Slot, output_path: &str) -> Result<String, PromptError> {
        let (name, mut facts) = match slot.id.role {
            Role::Engineer => ("engineer", self.engineer(slot)?),
            Role::Reviewer => ("reviewer", self.reviewer(slot)?),
            Role::Analyst => ("analyst", self.analyst()?),
            Role::Editor => ("editor", self.editor(slot)?),
            Role::FinalReviewer => ("final_review", self.final_review()?),
        };
        facts["context"] = slot.context.clone().into();
        facts["output_path"] = output_path.into();
        let traits = self.traits(slot);
        facts["beside"] = traits.is_some_and(|traits| traits.files).into();
        let repo = facts.get("repo").cloned().unwrap_or(Value::Null);
        facts["answering"] = self.answering(slot, output_path, &repo)?.into();
        self.render(name, facts)
    }

    /// How the agent of a slot hands its document in.
    fn answering(
        &self,
        slot: &Slot,
        output_path: &str,
        repo: &Value,
    ) -> Result<String, PromptError> {
        let traits = self.traits(slot);
        let text = self.render(
            "answering",
            json!({
            "output_path": output_path,
            "known": traits.is_some(),
            "files": traits.is_none_or(|traits| traits.files),
            "repo": repo,
            }),
        )?;
        Ok(text.trim().to_owned())
    }

    fn engineer(&self, slot: &Slot) -> Result<Value, PromptError> {
        let gaps = self.gaps(&slot.gaps);
        let spec = self.specification(slot, &gaps)?;
        let decisions = self.decisions_in_force(&slot.gaps);
        let mut views = self.gap_views(&gaps, true, &decisions)?;
        for view in &mut views {
            view.passage = spec.passages.get(&view.id).cloned();
        }
        let issues: Vec<&str> = views
            .iter()
            .flat_map(|gap| &gap.issues)
            .map(|issue| issue.id.as_str())
            .collect();
        Ok(json!({
        "round": self.state.now.round.number,
        "adjustments": self.state.adjustments(self.state.now.round.number),
        "decisions": decisions.entries,
        "decisions_note": decisions.note,
        "gaps": views,
        "issues": issues,
        "last_round": self.last_round(),
        "sections": spec.sections,
        "outline": spec.others,
        "whole": spec.is_whole,
        "home": spec.home,
        "first_gap": slot.gaps.first(),
        "next_gap": self.next_gap(&slot.gaps),
        "repo": self.state.kept.setup.repo,
        }))
    }

    fn reviewer(&self, slot: &Slot) -> Result<Value, PromptError> {
        let gaps = self.gaps(&slot.gaps);
        let reviewed = self.reviewed(slot, &gaps)?;
        let spec = reviewed.specification;
        let decisions = self.decisions_in_force(&slot.gaps);
        let views = self.gap_views(&gaps, false, &decisions)?;
        let next_issue = self.state.next_issue();
        let behind = next_issue.filter(|id| id.number < HIGHEST_NUMBER);
        let second_issue = behind.map(|id| IssueId::new(id.round, id.number + 1));
        let earlier = views.iter().flat_map(|gap| &gap.issues).next();
        Ok(json!({
        "round": self.state.now.round.number,
        "decisions": decisions.entries,
        "decisions_note": decisions.note,
        "earlier_issue": earlier.map(|issue| issue.id.clone()),
        "any_settled": views.iter().any(GapView::has_settled),
        "gaps": views,
        "engineer": self.proposals_text(&gaps)?,
        "clashes": self.state.now.round.clashes,
        "differences": reviewed.differences,
        "fallback": reviewed.fallback,
        "sections": spec.sections,
        "outline": spec.others,
        "whole": spec.is_whole,
        "home": spec.home,
        "first_gap": slot.gaps.first(),
        "next_gap": self.next_gap(&slot.gaps),
        "next_issue": next_issue.map(|id| id.to_string()),
        "second_issue": second_issue.map(|id| id.to_string()),
        }))
    }

    /// What the Reviewer reads: this round's engineer.md, and before it the proposals that still wait from earlier rounds.
    fn proposals_text(&self, gaps: &[&Gap]) -> Result<String, PromptError> {
        let round = self.state.now.round.number;
        let mut parts: Vec<String> = Vec::new();
        for gap in gaps {
            if let Some(proposal) = &gap.proposal
                && proposal.round != round
            {
                parts.push(self.text(&proposal.section)?.trim().to_owned());
            }
        }
        if let Some(engineer) = &self.state.now.round.engineer {
            parts.push(self.text(engineer)?.trim().to_owned());
        }
        Ok(parts.join("\n\n"))
    }

    fn analyst(&self) -> Result<Value, PromptError> {
        let all: Vec<GapId> = self.state.now.gaps.keys().cloned().collect();
        let known: Vec<GapView> =
            self.gap_views(&self.gaps(&all), false, &DecisionsInForce::default())?;
        Ok(json!({
        "known": known,
        "source": self.source()?.as_ref(),
        "repo": self.state.kept.setup.repo,
        }))
    }

    fn final_review(&self) -> Result<Value, PromptError> {
        let gaps: Vec<Value> = self
            .state
            .now
            .gaps
            .values()
            .map(|gap| {
                json!({
                "id": gap.id,
                "severity": gap.severity.name(),
                "state": gap.state.name(),
                "description": gapless_domain::one_line(&gap.description),
                })
            })
            .collect();
        let decisions = self.decisions_in_force(&[]);
        Ok(json!({
        "round": self.state.now.round.number.max(1),
        "decisions": decisions.entries,
        "decisions_note": decisions.note,
        "gaps": gaps,
        "refined": self.refined()?,
        }))
    }

    /// An id that a new gap may take: of the category of the first of these, as a document would number it.
    fn next_gap(&self, gaps: &[GapId]) -> Option<GapId> {
        self.state.next_gap(gaps.first()?.category())
    }
}
