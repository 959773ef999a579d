//! Owns the questions on issues that the Engineer passes over.

use super::{choice, field, recommended};
use crate::Refusal;
use crate::turn::Turn;
use gapless_domain::flag::{Flag, Heuristic};
use gapless_domain::gap::Confidence;
use gapless_domain::ids::IssueId;
use gapless_domain::issue::{Issue, IssueState};
use gapless_domain::question::{
    About, Choice, Holds, Question, implicit_disagreement, systematic_concern,
};
use gapless_domain::text::{quoted, shortened};

/// How much of an answer is quoted.
const LONGEST_ANSWER: usize = 1_000;

impl Turn<'_> {
    pub(crate) fn flag_question(&self, id: &IssueId, holds: Holds) -> Result<Question, Refusal> {
        let issue = self.issue(id)?;
        let again = !self.state.now.round.asked_again.contains(id);
        // What the user decided is not theirs to decide again, only to see carried out.
        let stands = issue.state.stands();
        let mut options = Vec::new();
        if again {
            options.push(recommended(choice(
                "again",
                "Ask the Engineer again",
                "with the issue named: in this round while that can be, else in the next",
            )));
        }
        if stands {
            options.push(Choice {
                recommended: !again,
                ..choice(
                    "convert",
                    "Make it a conflict",
                    "you decide between the Reviewer's position and leaving it as it is",
                )
            });
            options.push(choice(
                "waive",
                "Waive the issue",
                "it need not be answered; your reason is recorded",
            ));
        }
        options.extend([
            choice(
                "clarify",
                "Make it clear",
                match stands {
                    true => "your text goes into the next prompts on this gap",
                    false => "your text is to be carried out with the decision",
                },
            ),
            choice(
                "false_positive",
                "A false alarm",
                "nothing happens; a rule that is wrong too often only advises from then on",
            ),
        ]);
        let without_answer = match (holds, stands) {
            (Holds::Phase, _) => "the round waits",
            (_, false) => "the round goes on, and the decision is still to be carried out",
            (_, true) => "the round goes on, and the Reviewer is shown the issue as it stands",
        };
        Ok(Question {
            severity: Some(issue.concern.severity),
            options,
            fields: vec![match stands {
                true => field(
                    "text",
                    "the reason, or what is to be clear",
                    &["waive", "clarify"],
                ),
                false => field("text", "what is to be clear", &["clarify"]),
            }],
            holds,
            without_answer: without_answer.to_owned(),
            ..self.question(
                About::ImplicitDisagreement(implicit_disagreement::Subject { issue: *id }),
                match stands {
                    true => format!("{id} may have been passed over"),
                    false => format!("The decision on {id} may not have been carried out"),
                },
                self.flagged(issue),
            )
        })
    }

    /// A flag on what agents have settled since the user was asked: only the user's word takes it back.
    pub(crate) fn settled_flag_question(&self, id: &IssueId) -> Result<Question, Refusal> {
        let issue = self.issue(id)?;
        let decided = issue.state == IssueState::Decided;
        let flagged = issue.flags.iter().map(|flag| flag.round).max().unwrap_or(0);
        let since = match (&issue.answer, decided) {
            (_, true) => {
                "**Since then** a reviewed proposal carried the decision out, as far as the review says."
                    .to_owned()
            }
            (Some(answer), false) => format!(
                "**Since then** it was answered in round {}, and the review let that pass:\n{}",
                answer.round,
                quoted(&shortened(&self.text(&answer.text)?, LONGEST_ANSWER))
            ),
            (None, false) => "**Since then** it was closed by a review.".to_owned(),
        };
        let mut options = vec![
            recommended(choice(
                "settled",
                "It is settled",
                "nothing more is done about it",
            )),
            choice(
                "again",
                "Ask the Engineer again",
                "it is open again, and the next prompt on its gap asks for it by its id",
            ),
        ];
        if !decided {
            options.push(choice(
                "convert",
                "Make it a conflict",
                "you decide between the Reviewer's position and leaving it as it is",
            ));
        }
        options.extend([
            choice(
                "clarify",
                "Make it clear",
                "it is open again, and your text goes into the next prompts on its gap",
            ),
            choice(
                "false_positive",
                "It never was passed over",
                "nothing happens; a rule that is wrong too often only advises from then on",
            ),
        ]);
        Ok(Question {
            severity: Some(issue.concern.severity),
            options,
            fields: vec![field("text", "what is to be clear", &["clarify"])],
            holds: Holds::Nothing,
            without_answer: "the session goes on, and can't end as COMPLETE".to_owned(),
            ..self.question(
                About::ImplicitDisagreement(implicit_disagreement::Subject { issue: *id }),
                format!("{id} was flagged in round {flagged} and is settled since: is it?"),
                format!(
                    "{}\n\n{}\n\n{since}",
                    concern(issue),
                    evidence(issue, flagged)
                ),
            )
        })
    }

    /// An issue with what was decided on it and why it is flagged.
    fn flagged(&self, issue: &Issue) -> String {
        let mut parts = vec![concern(issue)];
        let now = &self.state.now;
        let decisions = now.decisions.on_issue(&issue.id);
        let decisions = decisions.filter(|decision| now.is_owed(decision));
        parts.extend(decisions.map(|decision| {
            format!(
                "**Decided ({}):** {}",
                decision.id,
                decision.decision.trim()
            )
        }));
        parts.push(evidence(issue, self.state.now.round.number));
        parts.join("\n\n")
    }

    /// The same concern over and over.
    pub(crate) fn systematic_question(
        &self,
        issues: &[IssueId],
        rounds: &[u32],
    ) -> Result<Question, Refusal> {
        let mut parts = Vec::new();
        for id in issues {
            parts.push(self.flagged(self.issue(id)?));
        }
        let rounds: Vec<String> = rounds.iter().map(ToString::to_string).collect();
        parts.push(format!(
            "It was passed over in rounds {}.",
            rounds.join(", ")
        ));
        let mut options = vec![
            choice(
                "approach",
                "Another approach",
                "your text goes into the next prompts on this gap",
            ),
            choice(
                "specify",
                "Specify it yourself",
                "your text decides the issue, and the next proposal must carry it out",
            ),
            choice(
                "close",
                "Close the gap",
                "it is WONT_FIX with your reason; a CRITICAL one only through `gapless gap close`",
            ),
        ];
        let closed_to_dispute = |id: &IssueId| {
            let now = &self.state.now;
            let stands = now.issues.get(id).is_some_and(|issue| issue.state.stands());
            now.round.asked_again.contains(id) || !stands
        };
        if !issues.iter().any(closed_to_dispute) {
            options.push(recommended(choice(
                "disagree",
                "Have it answered or disagreed with",
                "the Engineer is asked again in this round, to meet it or to say DISAGREE",
            )));
        }
        options.push(choice(
            "false_positive",
            "A false alarm",
            "nothing happens; a rule that is wrong too often only advises from then on",
        ));
        let severity = issues
            .iter()
            .filter_map(|id| self.state.now.issues.get(id))
            .map(|issue| issue.concern.severity)
            .max();
        Ok(Question {
            severity,
            options,
            fields: vec![field(
                "text",
                "the approach, the text that shall hold, or the reason",
                &["approach", "specify", "close"],
            )],
            ..self.question(
                About::SystematicConcern(systematic_concern::Subject {
                    issues: issues.to_vec(),
                }),
                "The same concern is passed over again and again".to_owned(),
                parts.join("\n\n"),
            )
        })
    }
}

fn concern(issue: &Issue) -> String {
    let mut text = format!(
        "**{}** [{}] on {}, raised in round {}: {}",
        issue.id, issue.concern.severity, issue.gap, issue.raised_in, issue.concern.summary
    );
    if let Some(suggestion) = &issue.concern.suggestion {
        text += &format!("\n\n**Suggestion:** {suggestion}");
    }
    text
}

fn evidence(issue: &Issue, round: u32) -> String {
    let lines: Vec<String> = issue
        .flags
        .iter()
        .filter(|flag| flag.round == round)
        .map(flag_line)
        .collect();
    format!("**Evidence:**\n\n{}", lines.join("\n"))
}

/// One flag on one line.
pub fn flag_line(flag: &Flag) -> String {
    let confidence = match flag.confidence {
        Confidence::High => "HIGH",
        Confidence::Medium => "MEDIUM",
        Confidence::Low => "LOW",
    };
    let evidence = &flag.evidence;
    let mut text = format!(
        "- {} ({}, confidence {confidence}): {}",
        flag.heuristic.name(),
        words(flag.heuristic),
        evidence.text
    );
    if let Some(overlap) = evidence.overlap {
        text += &format!("; {overlap}% of its keywords");
    }
    if let Some(rewritten) = evidence.rewritten {
        text += &format!("; {rewritten}% of the section rewritten");
    }
    if let Some(quote) = &evidence.quote {
        text += &format!("; \"{quote}\"");
    }
    text
}

fn words(heuristic: Heuristic) -> &'static str {
    match heuristic {
        Heuristic::H1 => "not answered",
        Heuristic::H2 => "rolled back for different reasons",
        Heuristic::H3 => "proposed as done without it",
        Heuristic::H4 => "referenced, but unchanged",
        Heuristic::H5 => "deflected",
        Heuristic::H6 => "closed over",
    }
}
