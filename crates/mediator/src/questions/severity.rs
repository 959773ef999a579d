//! Asks whether the severity that the user set stands against the Reviewer.

use super::wording::{choice, gap_line, recommended};
use super::{Effect, Given};
use crate::{Result, Turn};
use gapless_domain::question::severity::{Options, Subject};
use gapless_domain::{About, GapId, Holds, IssueId, Question, Severity};
use gapless_session::Now;

impl Turn<'_> {
    pub(crate) fn severity_question(
        &self,
        id: &GapId,
        now: Severity,
        raise_to: Severity,
    ) -> Result<Question> {
        let gap = self.gap(id)?;
        let about = About::Severity(Subject {
            gap: id.clone(),
            issue: None,
            raise_to,
        });
        let effect = "the gap is planned and counted as such";
        Ok(self.raise_question(about, &gap_line(gap), now, raise_to, effect))
    }

    /// The Reviewer calls an issue graver than the user does.
    pub(crate) fn issue_severity_question(
        &self,
        id: &IssueId,
        raise_to: Severity,
    ) -> Result<Question> {
        let issue = self.issue(id)?;
        let about = About::Severity(Subject {
            gap: issue.gap.clone(),
            issue: Some(*id),
            raise_to,
        });
        let now = issue.concern.severity;
        let line = format!("- {id} [{now}] on {}: {}", issue.gap, issue.concern.summary);
        let effect = match raise_to.holds() {
            true => "the issue holds its gap until it is answered",
            false => "the issue counts as such",
        };
        Ok(self.raise_question(about, &line, now, raise_to, effect))
    }

    fn raise_question(
        &self,
        about: About,
        line: &str,
        now: Severity,
        raise_to: Severity,
        effect: &str,
    ) -> Question {
        let subject = about.subject();
        Question {
            severity: Some(raise_to),
            options: vec![
                recommended(choice(
                    Options::Keep,
                    &format!("Keep {now}"),
                    "your severity stands",
                )),
                choice(Options::Raise, &format!("Raise to {raise_to}"), effect),
            ],
            holds: Holds::Nothing,
            without_answer: "your severity stands".to_owned(),
            ..self.question(
                about,
                format!("The Reviewer would raise {subject} against your severity"),
                format!("{line}\n\nYou set it to {now}; the Reviewer calls it {raise_to}."),
            )
        }
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        match given.option {
            Options::Keep => Ok(()),
            Options::Raise => {
                let (to, why) = (self.raise_to, "the Reviewer's raise was taken");
                match &self.issue {
                    Some(issue) => turn.set_issue_severity(issue, to, why, given.by),
                    None => turn.set_severity(&self.gap, to, why, given.by),
                }
            }
        }
    }

    fn is_settled(&self, now: &Now) -> bool {
        self.issue.is_some_and(|issue| !now.stands(&issue))
    }
}
