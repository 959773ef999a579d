//! Asks how to go on when the Engineer disagrees with too much.

use super::wording::{choice, field, pause_choice, recommended};
use super::{Effect, Given};
use crate::{Result, Turn};
use gapless_detection::disagree_rate::Passed;
use gapless_domain::question::rate_limit::{Fields, Options, Subject};
use gapless_domain::{
    About, AskAgainKind, Choice, DecidedBy, Decision, DecisionKind, Question, Role, Severity,
};
use gapless_session::{Noted, Taken};

impl Turn<'_> {
    /// The Engineer disagrees with more than is usual.
    pub(crate) fn rate_limit_question(&self, passed: &[Passed]) -> Result<Question> {
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
        // Too many go no further without a justification, whatever the scope.
        let justification: &[Options] = match blocked {
            true => &[Options::Accept, Options::Scope],
            false => &[],
        };
        Ok(Question {
            severity: blocked.then_some(Severity::High),
            options: self.rate_limit_choices(),
            fields: vec![
                field(
                    Fields::Justification,
                    "why so many disagreements are right",
                    justification,
                ),
                field(
                    Fields::Severities,
                    "`ISSUE-R7-001=LOW, ISSUE-R7-002=MEDIUM`",
                    &[Options::Review],
                ),
                field(
                    Fields::Reason,
                    "why they are worth that",
                    &[Options::Review],
                ),
                field(
                    Fields::Scope,
                    "what is in scope and what is not",
                    &[Options::Scope],
                ),
            ],
            ..self.question(
                About::RateLimit(Subject { round }),
                "The Engineer disagrees with much".to_owned(),
                lines.join("\n"),
            )
        })
    }

    fn rate_limit_choices(&self) -> Vec<Choice> {
        let mut options = vec![choice(
            Options::Accept,
            "Accept the disagreements",
            "the Reviewer sees them, and what it holds on to is put to you as a conflict",
        )];
        if !self.was_taken(Role::Engineer, Taken::RateLimit(Options::Revise)) {
            options.push(recommended(choice(
                Options::Revise,
                "Ask for a revision",
                "the Engineer is asked once more in this round, to disagree with less",
            )));
        }
        if !self.was_taken(Role::Engineer, Taken::RateLimit(Options::Review)) {
            options.push(choice(
                Options::Review,
                "Review the issues",
                "you call the issues what they are worth; the rate is counted anew",
            ));
        }
        options.push(choice(
            Options::Scope,
            "Mediate scope",
            "what you say is in scope stands at the head of the next prompts of both",
        ));
        options.push(pause_choice(Options::Pause));
        options
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        let justification = given.field(Fields::Justification);
        match given.option {
            Options::Accept if justification.is_empty() => {}
            Options::Accept => turn.decide_on_session(
                "the disagreements of this round are accepted",
                "Each goes to the user to decide.",
                justification,
                given.by,
            ),
            Options::Revise => {
                let issues = turn.state.now.round.disagreed.clone();
                turn.ask_engineers_again(AskAgainKind::FewerDisagreements, issues)?;
            }
            Options::Review => {
                let reason = given.field(Fields::Reason);
                for (issue, severity) in given.severities(Fields::Severities)? {
                    turn.set_issue_severity(&issue, severity, reason, given.by)?;
                }
            }
            Options::Scope => {
                let rationale = match justification {
                    "" => "the Engineer and the Reviewer stood apart on many issues",
                    justification => justification,
                };
                let scope = given.field(Fields::Scope);
                turn.decide_on_session("what is in scope", scope, rationale, given.by);
            }
            Options::Pause => turn.pause()?,
        }
        Ok(())
    }

    fn noted(&self, option: Options) -> Vec<Noted> {
        let taken = Noted::Taken {
            role: Role::Engineer,
            option: Taken::RateLimit(option),
        };
        match option {
            Options::Accept | Options::Scope => vec![taken, Noted::RateSettled {}],
            Options::Revise | Options::Review | Options::Pause => vec![taken],
        }
    }
}

impl Turn<'_> {
    fn decide_on_session(&mut self, title: &str, decision: &str, rationale: &str, by: DecidedBy) {
        self.decide(Decision {
            rationale: rationale.to_owned(),
            ..self.decision(
                DecisionKind::Scope,
                title.to_owned(),
                decision.to_owned(),
                by,
            )
        });
    }
}
