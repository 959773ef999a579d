//! Puts several conflicts below HIGH to the user in one go.

use super::Effect;
use super::conflict::Ruling;
use super::given::Given;
use super::wording::{choice, remark};
use crate::{Result, Turn};
use gapless_domain::question::conflict;
use gapless_domain::question::lesser_conflicts::{Fields, Options, Subject};
use gapless_domain::{About, Holds, IssueId, Question, Severity};
use gapless_session::Now;

impl Turn<'_> {
    /// Several conflicts below HIGH, to be answered in one go.
    pub(crate) fn lesser_conflicts_question(&self, issues: &[IssueId]) -> Result<Question> {
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
        let about = About::LesserConflicts(Subject {
            issues: issues.to_vec(),
        });
        Ok(Question {
            severity: Some(severity),
            options: vec![
                choice(
                    Options::A,
                    "The Reviewer's position on all",
                    "their gaps go back, and the next proposals must carry them out",
                ),
                choice(
                    Options::B,
                    "The Engineer's position on all",
                    "the issues are settled as they are",
                ),
                choice(Options::Each, "One by one", "you are asked about each"),
            ],
            fields: vec![remark(Fields::Rationale, "why, for the record")],
            holds: Holds::Nothing,
            without_answer: "they stay undecided, and known limitations at the end".to_owned(),
            ..self.question(
                about,
                format!("{} lesser conflicts", issues.len()),
                parts.join("\n\n"),
            )
        })
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        let standing = self.issues.iter().filter(|id| turn.state.now.stands(id));
        let standing: Vec<IssueId> = standing.copied().collect();
        for issue in &standing {
            let chosen = match given.option {
                Options::A => conflict::Options::A,
                Options::B => conflict::Options::B,
                Options::Each => {
                    turn.ask(turn.conflict_question(issue)?);
                    continue;
                }
            };
            let ruling = Ruling {
                chosen,
                text: "",
                rationale: given.field(Fields::Rationale),
                constraints: "",
                by: given.by,
            };
            turn.decide_conflict(issue, &ruling)?;
        }
        Ok(())
    }

    fn is_settled(&self, now: &Now) -> bool {
        !self.issues.iter().any(|issue| now.stands(issue))
    }
}
