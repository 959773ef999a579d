//! Asks whether a decision stands that a review brings up again.

use super::Effect;
use super::decision_lines::decision_lines;
use super::given::Given;
use super::wording::{choice, recommended};
use crate::{Result, Turn};
use gapless_domain::question::decided_matter::{Options, Subject};
use gapless_domain::{
    About, Concern, Decision, Holds, IssueId, IssueState, Question, Severity, quoted,
};
use gapless_session::{Noted, Now};

impl Turn<'_> {
    /// The Reviewer raises a matter that the user has settled.
    pub(crate) fn decided_matter_question(
        &self,
        id: &IssueId,
        raised: &Concern,
    ) -> Result<Question> {
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
        parts.extend(decisions.iter().map(|decision| decision_lines(decision)));
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
                recommended(choice(Options::Keep, "Keep the decision", keep)),
                choice(
                    Options::Change,
                    "Change it",
                    "the issue is open again in the Reviewer's words, and the gap goes back to the Engineer",
                ),
            ],
            holds: held_at(severity),
            without_answer: "the decision stands, and the session can't end as COMPLETE".to_owned(),
            ..self.question(
                About::DecidedMatter(Subject {
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
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        match given.option {
            Options::Keep => turn.uphold(&self.issue, given.by),
            Options::Change => turn.open_settled(&self.issue, Some(&self.raised)),
        }
    }

    fn noted(&self, option: Options) -> Vec<Noted> {
        match option {
            Options::Keep => vec![Noted::Upheld {
                issue: self.issue,
                severity: self.raised.severity,
            }],
            Options::Change => Vec::new(),
        }
    }

    fn is_settled(&self, now: &Now) -> bool {
        now.stands(&self.issue) || now.is_on_closed_gap(&self.issue)
    }
}

fn held_at(severity: Severity) -> Holds {
    match severity {
        Severity::Critical => Holds::Phase,
        _ => Holds::Nothing,
    }
}
