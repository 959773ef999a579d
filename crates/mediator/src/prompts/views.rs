//! Gaps and issues as prompts show them. Texts of others are put on one line each, so that none of them looks like an
//! entry of its own.

use serde::Serialize;

use super::decisions::DecisionsInForce;
use super::{LONGEST_QUOTE, PromptError, Prompts};
use gapless_domain::{
    Concern, DecisionId, Gap, GapId, GapState, Issue, comma_list, one_line, shortened,
};

/// How much of an answer to an issue a Reviewer is shown.
const LONGEST_ANSWER: usize = 2_000;

#[derive(Serialize)]
pub(super) struct GapView {
    pub(super) id: GapId,
    severity: String,
    state: String,
    description: String,
    /// What merged findings say of it.
    also: Vec<String>,
    section: Option<String>,
    /// The passage of the spec that opened it.
    pub(super) passage: Option<String>,
    pub(super) issues: Vec<IssueView>,
    reviewed_in: Option<u32>,
    settled: Vec<String>,
    decisions: Vec<DecisionId>,
    proposal: Option<String>,
    proposal_round: u32,
    fate: &'static str,
}

impl GapView {
    /// True where issues on it were settled in earlier rounds.
    pub(super) fn has_settled(&self) -> bool {
        !self.settled.is_empty()
    }
}

#[derive(Serialize)]
pub(super) struct IssueView {
    pub(super) id: String,
    severity: String,
    summary: String,
    location: Option<String>,
    impact: Option<String>,
    suggestion: Option<String>,
    answer: Option<String>,
}

impl Prompts<'_> {
    pub(super) fn gaps(&self, ids: &[GapId]) -> Vec<&Gap> {
        ids.iter()
            .filter_map(|id| self.state.now.gaps.get(id))
            .collect()
    }

    pub(super) fn gap_views(
        &self,
        gaps: &[&Gap],
        with_proposal: bool,
        decisions: &DecisionsInForce,
    ) -> Result<Vec<GapView>, PromptError> {
        gaps.iter()
            .map(|gap| self.gap_view(gap, with_proposal, decisions))
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
            description: one_line(&gap.description),
            also: gap.also_said().map(|text| one_line(&text)).collect(),
            section: gap.section.as_deref().map(one_line),
            passage: None,
            issues,
            reviewed_in: gap.reviewed_in,
            settled: gap
                .settled_issues
                .iter()
                .filter_map(|id| now.issues.get(id))
                .filter(|issue| !now.is_to_carry_out(gap, issue))
                .map(|issue| {
                    let summary = one_line(&issue.concern.summary);
                    let (id, severity, state) = (issue.id, issue.concern.severity, issue.state);
                    format!("{id} [{severity}] {state}: {summary}")
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
            Some(answer) => Some(shortened(
                &one_line(&self.text(&answer.text)?),
                LONGEST_ANSWER,
            )),
            None => None,
        };
        let concern = Concern::clone(&issue.concern);
        let line = |text: Option<String>| text.as_deref().map(one_line);
        Ok(IssueView {
            id: issue.id.to_string(),
            severity: concern.severity.to_string(),
            summary: one_line(&concern.summary),
            location: line(concern.location),
            impact: line(concern.impact),
            suggestion: line(concern.suggestion),
            answer,
        })
    }

    pub(super) fn last_round(&self) -> Option<String> {
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
