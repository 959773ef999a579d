//! Offers the decisions that a rollback undid, and puts those that the user wants in force again.

use super::Effect;
use super::given::{Given, bad_field};
use super::rollback_lines::short;
use super::wording::{choice, field, pause_choice, recommended, suggesting};
use crate::{Result, Turn};
use gapless_domain::ids::IdError;
use gapless_domain::question::undone_decisions::{Fields, Options, Subject};
use gapless_domain::{About, Choice, DecisionId, Holds, Question};

impl Turn<'_> {
    pub(crate) fn undone_decisions_question(
        &self,
        decisions: Vec<DecisionId>,
        unasked: bool,
    ) -> Question {
        let title = match decisions.len() {
            1 => "A decision was undone with its round. Keep it?".to_owned(),
            count => format!("{count} decisions were undone with their rounds. Keep some?"),
        };
        let context = format!(
            "{}\n\nWhere the issue of a decision is gone, it binds the gap.",
            self.undone_lines(&decisions).join("\n")
        );
        Question {
            options: choices(decisions.len()),
            fields: vec![
                suggesting(
                    field(
                        Fields::Decisions,
                        "decision ids, separated by commas",
                        &[Options::Some, Options::Edit],
                    ),
                    decisions.first().map_or(String::new(), ToString::to_string),
                ),
                field(
                    Fields::Text,
                    "what is decided, in your words: a severity by its name, an option of a conflict by its letter",
                    &[Options::Edit],
                ),
            ],
            holds: match unasked {
                true => Holds::Nothing,
                false => Holds::Phase,
            },
            without_answer: "they stay archived".to_owned(),
            ..self.question(
                About::UndoneDecisions(Subject { decisions }),
                title,
                context,
            )
        }
    }

    fn undone_lines(&self, decisions: &[DecisionId]) -> Vec<String> {
        decisions
            .iter()
            .filter_map(|id| self.state.undone_decision(id))
            .map(|undone| {
                let decision = &undone.decision;
                let why = match decision.rationale.is_empty() {
                    true => String::new(),
                    false => format!("\n  - Rationale: {}", short(&decision.rationale)),
                };
                format!(
                    "- {} ({}, {}): {}{why}",
                    decision.id,
                    decision.kind.name(),
                    decision.subject(),
                    short(&decision.decision)
                )
            })
            .collect()
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        match given.option {
            Options::Leave => Ok(()),
            Options::All => turn.reapply_all(&self.decisions, given),
            Options::Some => turn.reapply_all(&decisions_of(given, &self.decisions)?, given),
            Options::Edit => turn.reapply_edited(&self.decisions, given),
            Options::Pause => turn.pause_over(given.question),
        }
    }
}

impl Turn<'_> {
    fn reapply_all(&mut self, decisions: &[DecisionId], given: &Given<'_, Subject>) -> Result<()> {
        for decision in decisions {
            self.reapply(decision, None, given.by)?;
        }
        Ok(())
    }

    /// Puts one decision in force again in other words; more of them can be edited then.
    fn reapply_edited(&mut self, offered: &[DecisionId], given: &Given<'_, Subject>) -> Result<()> {
        let wanted = decisions_of(given, offered)?;
        if wanted.len() > 1 {
            let why = "one decision is edited at a time";
            return Err(bad_field(Fields::Decisions, why));
        }
        for decision in wanted {
            self.reapply(&decision, Some(given.field(Fields::Text)), given.by)?;
        }
        let left = self.still_undone(offered);
        if !left.is_empty() {
            self.ask(self.undone_decisions_question(left, false));
        }
        Ok(())
    }
}

/// The decisions that an answer names; each must be one of those that were offered.
fn decisions_of(given: &Given<'_, Subject>, offered: &[DecisionId]) -> Result<Vec<DecisionId>> {
    let bad = |why: &str| bad_field(Fields::Decisions, why);
    let words = given.field(Fields::Decisions).split([',', ' ']);
    let mut wanted = Vec::new();
    for word in words.filter(|word| !word.is_empty()) {
        let id: DecisionId = word
            .parse()
            .map_err(|error: IdError| bad(&error.to_string()))?;
        if !offered.contains(&id) {
            return Err(bad(&format!("{id} is not among those that were undone")));
        }
        if !wanted.contains(&id) {
            wanted.push(id);
        }
    }
    match wanted.is_empty() {
        true => Err(bad("names no decision")),
        false => Ok(wanted),
    }
}

fn choices(decisions: usize) -> Vec<Choice> {
    let leave = match decisions {
        1 => choice(
            Options::Leave,
            "Leave it archived",
            "it binds nobody; `gapless reapply` puts it in force again at any time",
        ),
        _ => choice(
            Options::Leave,
            "Leave them archived",
            "they bind nobody; `gapless reapply` puts one in force again at any time",
        ),
    };
    vec![
        recommended(leave),
        choice(
            Options::All,
            "Re-apply all",
            "each is in force again, under a new id",
        ),
        choice(
            Options::Some,
            "Re-apply some",
            "those that you name are in force again",
        ),
        choice(
            Options::Edit,
            "Edit one and re-apply it",
            "it is in force again in your words; then you are asked about the rest",
        ),
        pause_choice(Options::Pause),
    ]
}
