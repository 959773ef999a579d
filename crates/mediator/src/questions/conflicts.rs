//! Owns the questions on issues on which Engineer and Reviewer stand apart.

use super::{choice, field, pause_choice, recommended};
use crate::Refusal;
use crate::turn::Turn;
use gapless_detection::conflict::Conflict;
use gapless_detection::disagree_rate::Passed;
use gapless_domain::ids::IssueId;
use gapless_domain::question::{
    About, Choice, Holds, Question, conflict, lesser_conflicts, rate_limit,
};
use gapless_domain::severity::Severity;
use gapless_domain::task::Role;

impl Turn<'_> {
    /// The conflict on an issue, with the Engineer's words where it gave any.
    pub(crate) fn conflict(&self, id: &IssueId) -> Result<Conflict, Refusal> {
        let issue = self.issue(id)?;
        let words = match &issue.answer {
            Some(answer) => self.text(&answer.text)?.to_string(),
            None => String::new(),
        };
        Ok(Conflict::on(issue, &words))
    }

    pub(crate) fn conflict_question(&self, id: &IssueId) -> Result<Question, Refusal> {
        let conflict = self.conflict(id)?;
        let issue = self.issue(id)?;
        let severity = issue.concern.severity;
        let mut options = vec![
            choice(
                "A",
                "The Reviewer's position",
                "the gap goes back, and the next proposal must carry this out",
            ),
            choice(
                "B",
                "The Engineer's position",
                "the issue is settled; the gap is accepted if nothing else is open",
            ),
        ];
        if let Some(synthesis) = &conflict.synthesis {
            let effect = format!("{}; the next proposal must carry it out", synthesis.text);
            options.push(choice("C", "Synthesis", &effect));
        }
        if severity == Severity::Critical {
            options.push(choice(
                "D",
                "Your own text",
                "the gap goes back, and the next proposal must carry your text out",
            ));
        }
        let recommended = conflict.recommended();
        let options: Vec<Choice> = options
            .into_iter()
            .map(|choice| Choice {
                recommended: recommended == Some(choice.label.as_str()),
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
                field("text", "what shall hold instead", &["D"]),
                field("rationale", "why, for the record", &[]),
                field("constraints", "conditions on how it is carried out", &[]),
            ],
            holds,
            without_answer,
            ..self.question(
                About::Conflict(conflict::Subject { issue: *id }),
                format!("Conflict on {id}: {}", issue.concern.summary),
                conflict.presentation(issue),
            )
        })
    }

    /// Several conflicts below HIGH, to be answered in one go.
    pub(crate) fn lesser_conflicts_question(
        &self,
        issues: &[IssueId],
    ) -> Result<Question, Refusal> {
        let mut parts = Vec::new();
        let mut severity = Severity::Low;
        for id in issues {
            let issue = self.issue(id)?;
            severity = severity.max(issue.concern.severity);
            let conflict = self.conflict(id)?;
            parts.push(format!(
                "**{id}** [{}] on {}: {}\n- Reviewer (A): {}\n- Engineer (B): {}",
                issue.concern.severity,
                issue.gap,
                issue.concern.summary,
                conflict.reviewer,
                conflict.engineer
            ));
        }
        let about = About::LesserConflicts(lesser_conflicts::Subject {
            issues: issues.to_vec(),
        });
        Ok(Question {
            severity: Some(severity),
            options: vec![
                choice(
                    "A",
                    "The Reviewer's position on all",
                    "their gaps go back, and the next proposals must carry them out",
                ),
                choice(
                    "B",
                    "The Engineer's position on all",
                    "the issues are settled as they are",
                ),
                choice("each", "One by one", "you are asked about each"),
            ],
            fields: vec![field("rationale", "why, for the record", &[])],
            holds: Holds::Nothing,
            without_answer: "they stay undecided, and known limitations at the end".to_owned(),
            ..self.question(
                about,
                format!("{} lesser conflicts", issues.len()),
                parts.join("\n\n"),
            )
        })
    }

    /// The Engineer disagrees with more than is usual.
    pub(crate) fn rate_limit_question(&self, passed: &[Passed]) -> Result<Question, Refusal> {
        let round = self.state.now.round.number;
        let blocked = passed
            .iter()
            .any(|passed| matches!(passed, Passed::Blocked { .. }));
        let mut lines: Vec<String> = passed.iter().map(|passed| format!("- {passed}")).collect();
        lines.push("\n**Disagreed with:**\n".to_owned());
        for id in &self.state.now.round.disagreed {
            let issue = self.issue(id)?;
            lines.push(format!(
                "- {id} [{}] on {}: {}",
                issue.concern.severity, issue.gap, issue.concern.summary
            ));
        }
        lines.push(
            "\nThe Reviewer may ask for too much, the Engineer may avoid work, or the two may not mean the same scope."
                .to_owned(),
        );
        let mut options = vec![choice(
            "accept",
            "Accept the disagreements",
            "the Reviewer sees them, and what it holds on to is put to you as a conflict",
        )];
        if !self.was_taken(Role::Engineer, "rate_limit/revise") {
            options.push(recommended(choice(
                "revise",
                "Ask for a revision",
                "the Engineer is asked once more in this round, to disagree with less",
            )));
        }
        if !self.was_taken(Role::Engineer, "rate_limit/review") {
            options.push(choice(
                "review",
                "Review the issues",
                "you call the issues what they are worth; the rate is counted anew",
            ));
        }
        options.push(choice(
            "scope",
            "Mediate scope",
            "what you say is in scope stands at the head of the next prompts of both",
        ));
        options.push(pause_choice());
        // Too many go no further without a justification, whatever the scope.
        let justification: &[&str] = match blocked {
            true => &["accept", "scope"],
            false => &[],
        };
        Ok(Question {
            severity: blocked.then_some(Severity::High),
            options,
            fields: vec![
                field(
                    "justification",
                    "why so many disagreements are right",
                    justification,
                ),
                field(
                    "severities",
                    "`ISSUE-R7-001=LOW, ISSUE-R7-002=MEDIUM`",
                    &["review"],
                ),
                field("reason", "why they are worth that", &["review"]),
                field("scope", "what is in scope and what is not", &["scope"]),
            ],
            ..self.question(
                About::RateLimit(rate_limit::Subject { round }),
                "The Engineer disagrees with much".to_owned(),
                lines.join("\n"),
            )
        })
    }
}
