//! Asks about a proposal that says what a decision turned down.

use super::Effect;
use super::decision_lines::decision_lines;
use super::given::Given;
use super::wording::{choice, optional, recommended};
use crate::{Refusal, Result, Turn};
use gapless_domain::question::contradiction::{Fields, Options, Subject};
use gapless_domain::{
    About, Decision, DecisionId, DecisionKind, GapId, Holds, Question, Severity, quoted,
};
use gapless_session::{GapEvent, Happening, Now};

/// How long a quoted proposal may be.
const LONGEST_PROPOSAL: usize = 2_000;

impl Turn<'_> {
    /// A proposal says what a decision turned down.
    pub(crate) fn contradiction_question(
        &self,
        id: &GapId,
        decision: &DecisionId,
    ) -> Result<Question> {
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
            decision_lines(decision),
            quoted(&gapless_domain::text::shortened(
                proposal.trim(),
                LONGEST_PROPOSAL
            ))
        );
        Ok(Question {
            severity: Some(severity),
            options: vec![
                recommended(choice(
                    Options::Revise,
                    "The decision stands",
                    "the gap goes back, and the next proposal must carry the decision out",
                )),
                choice(
                    Options::Fits,
                    "They agree",
                    "the proposal is not against the decision; the gap is accepted if nothing else is open on it",
                ),
                choice(
                    Options::Change,
                    "The proposal stands",
                    "the decision no longer holds; the gap is accepted if nothing else is open on it",
                ),
            ],
            fields: vec![optional(
                Fields::Reason,
                "why, for the record",
                &[Options::Change],
            )],
            holds: match severity {
                Severity::Critical => Holds::Phase,
                _ => Holds::Gap,
            },
            without_answer: format!("{id} is not accepted until this is answered"),
            ..self.question(
                About::Contradiction(Subject {
                    gap: id.clone(),
                    decision: decision.id,
                }),
                format!("The proposal for {id} may contradict {}", decision.id),
                context,
            )
        })
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        let (gap, id) = (&self.gap, &self.decision);
        let decision = turn.state.now.decision(id).cloned();
        let Some(decision) = decision.filter(|decision| decision.lifted.is_none()) else {
            return turn.carry_decision(gap, true);
        };
        match given.option {
            Options::Revise => return turn.oblige_again(&decision, vec![gap.clone()], given.by),
            Options::Fits => {
                let proposal = turn.gap(gap)?.proposal.as_ref();
                if let Some(solution) = proposal.map(|proposal| proposal.solution) {
                    turn.emit(Happening::Gap(GapEvent::Reconciled {
                        id: gap.clone(),
                        decision: *id,
                        solution,
                    }));
                }
            }
            Options::Change => {
                turn.lift_decision(id, "the proposal that contradicts it was taken instead");
                turn.decide(Decision {
                    rationale: given.field(Fields::Reason).to_owned(),
                    ..turn.decision_on_gap(
                        DecisionKind::Input,
                        gap,
                        format!("the proposal for {gap} stands instead of {id}"),
                        format!("What is proposed for {gap} holds; {id} no longer does."),
                        given.by,
                    )
                });
            }
        }
        turn.carry_decision(gap, true)
    }

    fn is_settled(&self, now: &Now) -> bool {
        let gap = now.gaps.get(&self.gap);
        let decision = now.decision(&self.decision);
        gap.is_none_or(|gap| gap.state.is_closed() || gap.state.is_parked())
            || decision.is_none_or(|decision| decision.lifted.is_some())
    }
}
