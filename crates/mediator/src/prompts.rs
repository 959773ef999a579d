//! The prompts: which facts go into each, and their budgets. They carry deltas, not histories: a prompt of round 30
//! is no longer than that of round 3. The words are template files, which a workspace may override by name.

mod decisions;
mod rendering;
mod retry;
mod sections;
mod templates;

use serde::Serialize;
use serde_json::json;

use gapless_domain::{
    AskAgain, Concern, DecisionId, ExampleUse, Gap, GapId, GapState, Issue, Role, comma_list,
    one_line, shortened,
};
use gapless_session::state::Slot;

use decisions::DecisionsInForce;
pub use rendering::{PromptError, Prompts, check_template, estimated_tokens};
pub use templates::TEMPLATES;

#[derive(Serialize)]
struct GapView {
    id: GapId,
    severity: String,
    state: String,
    description: String,
    /// What merged findings say of it.
    also: Vec<String>,
    section: Option<String>,
    issues: Vec<IssueView>,
    reviewed_in: Option<u32>,
    settled: Vec<String>,
    decisions: Vec<DecisionId>,
    proposal: Option<String>,
    proposal_round: u32,
    fate: &'static str,
}

#[derive(Serialize)]
struct IssueView {
    id: String,
    severity: String,
    summary: String,
    location: Option<String>,
    impact: Option<String>,
    suggestion: Option<String>,
    answer: Option<String>,
}

/// A prompt, and the example that it brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    pub text: String,
    pub example: Option<ExampleUse>,
}

/// How many bytes of one earlier text go into a prompt.
const LONGEST_QUOTE: usize = 24_000;

impl Prompts<'_> {
    /// The prompt for the next attempt of a slot. What is to be judged is never cut, only what is beside it.
    pub fn for_slot(&self, slot: &Slot, output_path: &str) -> Result<Prompt, PromptError> {
        let prompt = self.whole(slot, output_path)?;
        if self.halvings == 0 {
            return Ok(prompt);
        }
        let facts = json!({ "part": 1_u64 << self.halvings.min(63), "task": prompt.text });
        Ok(Prompt {
            text: self.render("shortened", facts)?,
            ..prompt
        })
    }

    fn whole(&self, slot: &Slot, output_path: &str) -> Result<Prompt, PromptError> {
        let task = match slot.id.role {
            Role::Engineer => self.engineer(slot, output_path),
            Role::Reviewer => self.reviewer(slot, output_path),
            Role::Analyst => self.analyst(slot, output_path),
            Role::Editor => self.editor(slot, output_path),
            Role::FinalReviewer => self.final_review(slot, output_path),
        }?;
        let task = match &slot.again {
            Some(again) => self.ask_again(again, task)?,
            None => task,
        };
        let task = match &slot.pressed {
            None => task,
            Some(gaps) => self.render("press", json!({ "gaps": gaps, "task": task }))?,
        };
        match &slot.last_failure {
            None if slot.pressed.is_some() => Ok(Prompt {
                text: task,
                example: None,
            }),
            None => self.first(slot, task),
            Some(last) => self.retry(slot, last, output_path, task),
        }
    }

    /// The task, and before it what an Engineer is asked again in the same round.
    fn ask_again(&self, again: &AskAgain, task: String) -> Result<String, PromptError> {
        let issues: Vec<serde_json::Value> = again
            .issues
            .iter()
            .filter_map(|id| self.state.now.issues.get(id))
            .map(|issue| {
                json!({
                "id": issue.id.to_string(),
                "severity": issue.concern.severity.name(),
                "gap": issue.gap,
                "summary": issue.concern.summary,
                "suggestion": issue.concern.suggestion,
                "decided": self.owed_on(&issue.id),
                })
            })
            .collect();
        let document = self.text(&again.document)?;
        self.render(
            "ask_again",
            json!({
            "kind": again.kind,
            "issues": issues,
            "document": shortened(document.trim(), self.within(LONGEST_QUOTE)),
            "task": task,
            }),
        )
    }

    /// A first prompt: the task, and an example of what is asked for.
    fn first(&self, slot: &Slot, task: String) -> Result<Prompt, PromptError> {
        Ok(match self.example(slot, None)? {
            None => Prompt {
                text: task,
                example: None,
            },
            Some((block, example)) => Prompt {
                text: format!("{task}\n{block}"),
                example: Some(example),
            },
        })
    }

    fn engineer(&self, slot: &Slot, output_path: &str) -> Result<String, PromptError> {
        let gaps = self.gaps(&slot.gaps);
        let (sections, outline) = self.refined_sections(&gaps)?;
        let decisions = self.decisions_in_force(&slot.gaps);
        let views: Vec<GapView> = gaps
            .iter()
            .map(|gap| self.gap_view(gap, true, &decisions))
            .collect::<Result<_, _>>()?;
        self.render(
            "engineer",
            json!({
            "round": self.state.now.round.number,
            "context": slot.context,
            "adjustments": self.state.adjustments(self.state.now.round.number),
            "decisions": decisions.entries,
            "decisions_note": decisions.note,
            "gaps": views,
            "last_round": self.last_round(),
            "sections": sections,
            "outline": outline,
            "output_path": output_path,
            "first_gap": slot.gaps.first(),
            "repo": self.state.kept.setup.repo,
            }),
        )
    }

    fn reviewer(&self, slot: &Slot, output_path: &str) -> Result<String, PromptError> {
        let gaps = self.gaps(&slot.gaps);
        let (sections, outline) = self.source_sections(&gaps)?;
        let decisions = self.decisions_in_force(&slot.gaps);
        let views: Vec<GapView> = gaps
            .iter()
            .map(|gap| self.gap_view(gap, false, &decisions))
            .collect::<Result<_, _>>()?;
        self.render(
            "reviewer",
            json!({
            "round": self.state.now.round.number,
            "context": slot.context,
            "decisions": decisions.entries,
            "decisions_note": decisions.note,
            "gaps": views,
            "engineer": self.proposals_text(&gaps)?,
                "clashes": self.state.now.round.clashes,
            "sections": sections,
            "outline": outline,
            "output_path": output_path,
            "first_gap": slot.gaps.first(),
            "next_issue": self.state.next_issue().map(|id| id.to_string()),
            }),
        )
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

    fn analyst(&self, slot: &Slot, output_path: &str) -> Result<String, PromptError> {
        let all: Vec<GapId> = self.state.now.gaps.keys().cloned().collect();
        let known: Vec<GapView> = self
            .gaps(&all)
            .iter()
            .map(|gap| self.gap_view(gap, false, &DecisionsInForce::default()))
            .collect::<Result<_, _>>()?;
        self.render(
            "analyst",
            json!({
            "context": slot.context,
            "known": known,
            "source": self.source()?.as_ref(),
            "output_path": output_path,
            "repo": self.state.kept.setup.repo,
            }),
        )
    }

    fn final_review(&self, slot: &Slot, output_path: &str) -> Result<String, PromptError> {
        let gaps: Vec<serde_json::Value> = self
            .state
            .now
            .gaps
            .values()
            .map(|gap| {
                json!({
                "id": gap.id,
                "severity": gap.severity.name(),
                "state": gap.state.name(),
                "description": gap.description,
                })
            })
            .collect();
        let decisions = self.decisions_in_force(&[]);
        self.render(
            "final_review",
            json!({
            "round": self.state.now.round.number.max(1),
            "context": slot.context,
            "decisions": decisions.entries,
            "decisions_note": decisions.note,
            "gaps": gaps,
            "refined": self.refined()?,
            "output_path": output_path,
            }),
        )
    }

    fn gaps(&self, ids: &[GapId]) -> Vec<&Gap> {
        ids.iter()
            .filter_map(|id| self.state.now.gaps.get(id))
            .collect()
    }

    fn gap_view(
        &self,
        gap: &Gap,
        with_proposal: bool,
        decisions: &DecisionsInForce,
    ) -> Result<GapView, PromptError> {
        let now = &self.state.now;
        let issues = now
            .standing_issues(gap)
            .map(|issue| self.issue_view(issue))
            .collect::<Result<_, _>>()?;
        let proposal = match &gap.proposal {
            Some(proposal) if with_proposal => Some(shortened(
                self.text(&proposal.section)?.trim(),
                self.within(LONGEST_QUOTE),
            )),
            _ => None,
        };
        let fate = match gap.state {
            GapState::InProgress if gap.before == GapState::NeedsRevision => {
                "sent back by the review"
            }
            GapState::InProgress => "not taken further",
            _ => "under review",
        };
        Ok(GapView {
            id: gap.id.clone(),
            severity: gap.severity.to_string(),
            state: gap.state.to_string(),
            description: gap.description.clone(),
            also: gap.also_said().collect(),
            section: gap.section.clone(),
            issues,
            reviewed_in: gap.reviewed_in,
            settled: gap
                .settled_issues
                .iter()
                .filter_map(|id| now.issues.get(id))
                .filter(|issue| !now.is_to_carry_out(gap, issue))
                .map(|issue| {
                    format!(
                        "{} [{}] {}: {}",
                        issue.id, issue.concern.severity, issue.state, issue.concern.summary
                    )
                })
                .collect(),
            decisions: decisions.on(gap),
            proposal,
            proposal_round: gap.proposal.as_ref().map_or(0, |proposal| proposal.round),
            fate,
        })
    }

    fn issue_view(&self, issue: &Issue) -> Result<IssueView, PromptError> {
        let answer = match &issue.answer {
            Some(answer) => Some(shortened(&one_line(&self.text(&answer.text)?), 2_000)),
            None => None,
        };
        let concern = Concern::clone(&issue.concern);
        Ok(IssueView {
            id: issue.id.to_string(),
            severity: concern.severity.to_string(),
            summary: concern.summary,
            location: concern.location,
            impact: concern.impact,
            suggestion: concern.suggestion,
            answer,
        })
    }

    fn last_round(&self) -> Option<String> {
        let record = self.state.now.history.last()?;
        let ids = |list: &[gapless_domain::convergence::Counted]| match list {
            [] => "none".to_owned(),
            list => comma_list(list.iter().map(|c| &c.gap)),
        };
        Some(format!(
            "Round {}: accepted {}; new gaps: {}; reopened: {}. Progress by weight: {:+}.",
            record.round,
            ids(&record.tally.resolved),
            ids(&record.tally.created),
            ids(&record.tally.reopened),
            record.weighted_net,
        ))
    }
}
