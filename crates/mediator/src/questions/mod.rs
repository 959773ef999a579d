//! Owns the wording of questions: title, context, options with their effects, and what each needs.

mod agents;
mod conflicts;
mod decided;
mod defaults;
mod divergence;
mod ends;
mod flags;
mod inventory;
mod rollback;
mod undone;

use super::Refusal;
use super::turn::Turn;
use gapless_domain::gap::Gap;
use gapless_domain::ids::{GapId, IssueId};
use gapless_domain::question::{About, Choice, Field, Holds, Question, severity};
use gapless_domain::severity::Severity;

fn choice(label: &str, text: &str, effect: &str) -> Choice {
    Choice {
        label: label.to_owned(),
        text: text.to_owned(),
        effect: effect.to_owned(),
        recommended: false,
        policy_only: false,
    }
}

/// To rest; the phase that asked asks again.
fn pause_choice() -> Choice {
    choice(
        "pause",
        "Pause",
        "nothing runs until `gapless resume`; then this is asked again",
    )
}

fn abandon_choice() -> Choice {
    choice(
        "abandon",
        "Abandon",
        "the session ends here, without a refined spec",
    )
}

fn recommended(choice: Choice) -> Choice {
    Choice {
        recommended: true,
        ..choice
    }
}

fn field(name: &str, text: &str, needed_for: &[&str]) -> Field {
    Field {
        name: name.to_owned(),
        text: text.to_owned(),
        needed_for: needed_for.iter().map(|label| (*label).to_owned()).collect(),
        offered_for: Vec::new(),
        exactly: None,
        suggested: None,
    }
}

/// A field that may go with these options and is needed for none.
fn optional(name: &str, text: &str, offered_for: &[&str]) -> Field {
    Field {
        needed_for: Vec::new(),
        offered_for: offered_for
            .iter()
            .map(|label| (*label).to_owned())
            .collect(),
        ..field(name, text, &[])
    }
}

fn suggesting(field: Field, suggested: String) -> Field {
    Field {
        suggested: (!suggested.is_empty()).then_some(suggested),
        ..field
    }
}

fn gap_line(gap: &Gap) -> String {
    format!("- {} [{}] {}", gap.id, gap.severity, gap.description)
}

fn ids(gaps: &[GapId]) -> String {
    gaps.iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

impl Turn<'_> {
    fn question(&self, about: About, title: String, context: String) -> Question {
        Question {
            id: self.state.next_question(),
            about,
            severity: None,
            title,
            context,
            options: Vec::new(),
            fields: Vec::new(),
            holds: Holds::Phase,
            without_answer: "the session waits".to_owned(),
            accepts: Vec::new(),
            replaces: Vec::new(),
        }
    }

    fn by_severity(&self, holds: impl Fn(&Gap) -> bool) -> Vec<&Gap> {
        let mut gaps: Vec<&Gap> = self
            .state
            .now
            .gaps
            .values()
            .filter(|gap| holds(gap))
            .collect();
        gaps.sort_by_key(|gap| (std::cmp::Reverse(gap.severity), gap.age));
        gaps
    }

    pub(crate) fn severity_question(
        &self,
        id: &GapId,
        now: Severity,
        raise_to: Severity,
    ) -> Result<Question, Refusal> {
        let gap = self.gap(id)?;
        let about = About::Severity(severity::Subject {
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
    ) -> Result<Question, Refusal> {
        let issue = self.issue(id)?;
        let about = About::Severity(severity::Subject {
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
                    "keep",
                    &format!("Keep {now}"),
                    "your severity stands",
                )),
                choice("raise", &format!("Raise to {raise_to}"), effect),
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
