//! Owns the questions about what rollbacks leave: the decisions that were undone, and the archives of an ended session.

use super::rollback::short;
use super::{choice, field, pause_choice, suggesting};
use crate::turn::Turn;
use gapless_domain::archives::{ArchiveChoice, RECENT_DAYS};
use gapless_domain::ids::DecisionId;
use gapless_domain::question::{About, Choice, Holds, Question, archives, undone_decisions};

impl Turn<'_> {
    /// What becomes of the archives, once the session has ended.
    pub(crate) fn archives_question(&self) -> Question {
        let mut archives = Vec::new();
        for (index, rollback) in self.state.kept.rollbacks.iter().enumerate() {
            for round in rollback.retried()..=rollback.from_round {
                let archive = self.state.archive_of(index, round);
                archives.push(format!("- {archive}: {}", short(&rollback.reason)));
            }
        }
        let mut options = vec![
            choice("keep", "Keep them", "they stay in the session's folder"),
            choice(
                "delete",
                "Delete them",
                "their texts stay in the event log; those that you marked with `gapless archive keep` stay",
            ),
            choice(
                "recent",
                "Keep the recent ones",
                &format!("those of the last {RECENT_DAYS} days stay, the others are deleted"),
            ),
            choice(
                "cold",
                "Move them to cold storage",
                "they go to `gapless/archive` in your data folder; `gapless archive prune` removes them after 30 days",
            ),
        ];
        for offered in &mut options {
            offered.recommended = offered.label == ArchiveChoice::UNANSWERED.name();
        }
        Question {
            options,
            holds: Holds::Nothing,
            without_answer: "they are moved to cold storage".to_owned(),
            ..self.question(
                About::Archives(archives::Subject {}),
                "What becomes of the archives of rolled-back rounds?".to_owned(),
                archives.join("\n"),
            )
        }
    }

    pub(crate) fn undone_decisions_question(
        &self,
        decisions: Vec<DecisionId>,
        unasked: bool,
    ) -> Question {
        let lines: Vec<String> = decisions
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
            .collect();
        let title = match decisions.len() {
            1 => "A decision was undone with its round. Keep it?".to_owned(),
            count => format!("{count} decisions were undone with their rounds. Keep some?"),
        };
        let leave = match decisions.len() {
            1 => choice(
                "leave",
                "Leave it archived",
                "it binds nobody; `gapless reapply` puts it in force again at any time",
            ),
            _ => choice(
                "leave",
                "Leave them archived",
                "they bind nobody; `gapless reapply` puts one in force again at any time",
            ),
        };
        Question {
            options: vec![
                Choice {
                    recommended: true,
                    ..leave
                },
                choice(
                    "all",
                    "Re-apply all",
                    "each is in force again, under a new id",
                ),
                choice(
                    "some",
                    "Re-apply some",
                    "those that you name are in force again",
                ),
                choice(
                    "edit",
                    "Edit one and re-apply it",
                    "it is in force again in your words; then you are asked about the rest",
                ),
                pause_choice(),
            ],
            fields: vec![
                suggesting(
                    field(
                        "decisions",
                        "decision ids, separated by commas",
                        &["some", "edit"],
                    ),
                    decisions.first().map_or(String::new(), ToString::to_string),
                ),
                field(
                    "text",
                    "what is decided, in your words: a severity by its name, an option of a conflict by its letter",
                    &["edit"],
                ),
            ],
            holds: match unasked {
                true => Holds::Nothing,
                false => Holds::Phase,
            },
            without_answer: "they stay archived".to_owned(),
            ..self.question(
                About::UndoneDecisions(undone_decisions::Subject { decisions }),
                title,
                format!(
                    "{}\n\nWhere the issue of a decision is gone, it binds the gap.",
                    lines.join("\n")
                ),
            )
        }
    }
}
