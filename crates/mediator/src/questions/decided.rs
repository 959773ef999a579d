//! The questions on what the user has decided: a review brings it up again, or a proposal contradicts it.

use super::{choice, optional, recommended};
use crate::Refusal;
use crate::turn::Turn;
use gapless_domain::decision::Decision;
use gapless_domain::ids::{DecisionId, GapId, IssueId};
use gapless_domain::issue::{Concern, IssueState};
use gapless_domain::question::{About, Holds, Question, contradiction, decided_matter};
use gapless_domain::severity::Severity;
use gapless_domain::text::quoted;

/// How long a quoted proposal may be.
const LONGEST_PROPOSAL: usize = 2_000;

impl Turn<'_> {
    /// The Reviewer raises a matter that the user has settled.
    pub(crate) fn decided_matter_question(
        &self,
        id: &IssueId,
        raised: &Concern,
    ) -> Result<Question, Refusal> {
        let issue = self.issue(id)?;
        let now = &self.state.now;
        let decisions: Vec<&Decision> = now
            .decisions
            .on_issue(id)
            .filter(|decision| decision.lifted.is_none())
            .collect();
        let obliges = decisions.iter().any(|decision| decision.obliges);
        let mut parts = vec![format!(
            "**The Reviewer now says** [{}]:\n{}",
            raised.severity,
            quoted(&raised.summary)
        )];
        parts.extend(
            raised
                .suggestion
                .iter()
                .map(|suggestion| format!("**Suggestion:** {suggestion}")),
        );
        parts.extend(decisions.iter().map(|decision| decided(decision)));
        let what = match issue.state {
            IssueState::Waived => "waived",
            _ => "decided",
        };
        let keep = match obliges {
            true => "the decision stands, and the next proposal must carry it out",
            false => "nothing changes, and the Reviewer's entry counts for nothing",
        };
        let severity = raised.severity.max(issue.concern.severity);
        Ok(Question {
            severity: Some(severity),
            options: vec![
                recommended(choice("keep", "Keep the decision", keep)),
                choice(
                    "change",
                    "Change it",
                    "the issue is open again in the Reviewer's words, and the gap goes back to the Engineer",
                ),
            ],
            holds: held_at(severity),
            without_answer: "the decision stands, and the session can't end as COMPLETE".to_owned(),
            ..self.question(
                About::DecidedMatter(decided_matter::Subject {
                    issue: *id,
                    raised: Box::new(raised.clone()),
                }),
                format!(
                    "The Reviewer raises again what you {what}: {}",
                    issue.concern.summary
                ),
                parts.join("\n\n"),
            )
        })
    }

    /// A proposal says what a decision turned down.
    pub(crate) fn contradiction_question(
        &self,
        id: &GapId,
        decision: &DecisionId,
    ) -> Result<Question, Refusal> {
        let gap = self.gap(id)?;
        let decision = self.state.now.decision(decision);
        let Some(decision) = decision else {
            return Err(Refusal::UnknownGap(id.clone()));
        };
        let proposal = match &gap.proposal {
            Some(proposal) => self.text(&proposal.solution)?.to_string(),
            None => String::new(),
        };
        let severity = decision
            .positions
            .as_ref()
            .and_then(|positions| positions.severity)
            .unwrap_or(gap.severity);
        let context = format!(
            "{}\n\n**The proposal for {id}:**\n{}",
            decided(decision),
            quoted(&gapless_domain::text::shortened(
                proposal.trim(),
                LONGEST_PROPOSAL
            ))
        );
        Ok(Question {
            severity: Some(severity),
            options: vec![
                recommended(choice(
                    "revise",
                    "The decision stands",
                    "the gap goes back, and the next proposal must carry the decision out",
                )),
                choice(
                    "fits",
                    "They agree",
                    "the proposal is not against the decision; the gap is accepted if nothing else is open on it",
                ),
                choice(
                    "change",
                    "The proposal stands",
                    "the decision no longer holds; the gap is accepted if nothing else is open on it",
                ),
            ],
            fields: vec![optional("reason", "why, for the record", &["change"])],
            holds: match severity {
                Severity::Critical => Holds::Phase,
                _ => Holds::Gap,
            },
            without_answer: format!("{id} is not accepted until this is answered"),
            ..self.question(
                About::Contradiction(contradiction::Subject {
                    gap: id.clone(),
                    decision: decision.id,
                }),
                format!("The proposal for {id} may contradict {}", decision.id),
                context,
            )
        })
    }
}

fn held_at(severity: Severity) -> Holds {
    match severity {
        Severity::Critical => Holds::Phase,
        _ => Holds::Nothing,
    }
}

/// A decision with both positions and what follows from it.
fn decided(decision: &Decision) -> String {
    let mut text = format!(
        "**{}**, {}: {}",
        decision.id,
        decision.by.in_words(),
        decision.decision.trim()
    );
    if let Some(positions) = &decision.positions {
        text += &format!(
            "\n- Reviewer: {}\n- Engineer: {}\n- Chosen: {}",
            positions.reviewer,
            positions.engineer,
            positions.chosen_words()
        );
    }
    if !decision.rationale.is_empty() {
        text += &format!("\n- Rationale: {}", decision.rationale);
    }
    text
}
