//! Puts a conflict between Engineer and Reviewer to the user, and carries out what the user decides.

use super::wording::{choice, field, remark};
use super::{Effect, Given};
use crate::{Result, Turn};
use gapless_detection::conflict::Conflict;
use gapless_domain::question::conflict::{Fields, Options, Subject};
use gapless_domain::{
    About, Choice, DecidedBy, Decision, DecisionKind, Holds, IssueId, IssueMove, Name, Positions,
    Question, Severity, comma_list,
};
use gapless_session::Now;

/// What the user decides on a conflict.
pub(super) struct Ruling<'a> {
    pub chosen: Options,
    /// What shall hold instead of both positions.
    pub text: &'a str,
    pub rationale: &'a str,
    pub constraints: &'a str,
    pub by: DecidedBy,
}

impl Turn<'_> {
    /// The conflict on an issue, with the Engineer's words where it gave any.
    pub(crate) fn conflict(&self, id: &IssueId) -> Result<Conflict> {
        let issue = self.issue(id)?;
        let words = match &issue.answer {
            Some(answer) => self.text(&answer.text)?.to_string(),
            None => String::new(),
        };
        Ok(Conflict::on(issue, &words))
    }

    pub(crate) fn conflict_question(&self, id: &IssueId) -> Result<Question> {
        let conflict = self.conflict(id)?;
        let issue = self.issue(id)?;
        let severity = issue.concern.severity;
        let mut options = vec![
            choice(
                Options::A,
                "The Reviewer's position",
                "the gap goes back, and the next proposal must carry this out",
            ),
            choice(
                Options::B,
                "The Engineer's position",
                "the issue is settled; the gap is accepted if nothing else is open",
            ),
        ];
        if let Some(synthesis) = &conflict.synthesis {
            let effect = format!("{}; the next proposal must carry it out", synthesis.text);
            options.push(choice(Options::C, "Synthesis", &effect));
        }
        if severity == Severity::Critical {
            options.push(choice(
                Options::D,
                "Your own text",
                "the gap goes back, and the next proposal must carry your text out",
            ));
        }
        let recommended = conflict.recommended();
        let options: Vec<Choice> = options
            .into_iter()
            .map(|choice| Choice {
                recommended: recommended.is_some_and(|option| option.name() == choice.label),
                ..choice
            })
            .collect();
        let (holds, without_answer) = match severity {
            Severity::Critical => (Holds::Phase, "the round waits".to_owned()),
            Severity::High => (
                Holds::Gap,
                format!("{} is not planned until this is decided", issue.gap),
            ),
            Severity::Medium | Severity::Low => (
                Holds::Nothing,
                "it stays undecided, and a known limitation at the end".to_owned(),
            ),
        };
        Ok(Question {
            severity: Some(severity),
            options,
            fields: vec![
                field(Fields::Text, "what shall hold instead", &[Options::D]),
                remark(Fields::Rationale, "why, for the record"),
                remark(Fields::Constraints, "conditions on how it is carried out"),
            ],
            holds,
            without_answer,
            ..self.question(
                About::Conflict(Subject { issue: *id }),
                format!("Conflict on {id}: {}", issue.concern.summary),
                conflict.presentation(issue),
            )
        })
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        let ruling = Ruling {
            chosen: given.option,
            text: given.field(Fields::Text),
            rationale: given.field(Fields::Rationale),
            constraints: given.field(Fields::Constraints),
            by: given.by,
        };
        turn.decide_conflict(&self.issue, &ruling)
    }

    fn is_settled(&self, now: &Now) -> bool {
        !now.stands(&self.issue)
    }
}

impl Turn<'_> {
    pub(super) fn decide_conflict(&mut self, id: &IssueId, ruling: &Ruling<'_>) -> Result<()> {
        let issue = self.issue(id)?.clone();
        let conflict = self.conflict(id)?;
        let for_engineer = ruling.chosen == Options::B;
        let decision = decided(&conflict, &issue.concern.summary, ruling);
        // Where its gap was split meanwhile, the issue stands on the parts, and they are bound.
        let gaps = self.gaps_with_issue(id);
        let names = comma_list(&gaps);
        self.move_issue(id, IssueMove::Decide, Some(&decision))?;
        self.decide(Decision {
            gaps: gaps.clone(),
            issue: Some(*id),
            positions: Some(Positions {
                reviewer: conflict.reviewer,
                engineer: conflict.engineer,
                chosen: ruling.chosen,
                severity: Some(conflict.severity),
                implicit: conflict.implicit,
            }),
            rationale: ruling.rationale.to_owned(),
            constraints: ruling.constraints.to_owned(),
            action: match for_engineer {
                true => "none: keep to the proposal".to_owned(),
                false => format!("the next proposal for {names} carries this out"),
            },
            for_gap: match for_engineer {
                true => format!("{names} is accepted if nothing else is open on it"),
                false => {
                    format!("{names} is not accepted before a reviewed proposal carries this out")
                }
            },
            obliges: !for_engineer,
            ..self.decision(
                DecisionKind::Conflict,
                issue.concern.summary.clone(),
                decision,
                ruling.by,
            )
        });
        for gap in &gaps {
            // An Engineer may object in words and adopt the suggestion in the proposal.
            if for_engineer && !conflict.implicit {
                self.ask_about_contradictions_of(gap)?;
            }
            self.carry_decision(gap, for_engineer)?;
        }
        Ok(())
    }
}

fn decided(conflict: &Conflict, summary: &str, ruling: &Ruling<'_>) -> String {
    match (ruling.chosen, &conflict.synthesis) {
        (Options::A, _) => format!("The Reviewer's position holds: {}", conflict.reviewer),
        (Options::B, _) if conflict.implicit => {
            format!("The proposal stays as it is; it need not meet this: {summary}")
        }
        (Options::B, _) => format!("The Engineer's position holds: {}", conflict.engineer),
        (Options::C, Some(synthesis)) => synthesis.text.clone(),
        (Options::C, None) | (Options::D, _) => ruling.text.to_owned(),
    }
}
