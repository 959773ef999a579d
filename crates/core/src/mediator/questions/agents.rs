//! Owns the questions about agents: input that is missing, retries that ran out, an agent that cannot run.

use super::{choice, field, gap_line, ids, recommended, suggesting};
use crate::ids::GapId;
use crate::mediator::Refusal;
use crate::mediator::turn::Turn;
use crate::question::{About, Choice, Question};
use crate::slot::LastFailure;
use crate::state::{Attempt, AttemptEnd};
use crate::task::{ExecutionError, Role, SlotId};

impl Turn<'_> {
    pub(in crate::mediator) fn blocked_gap_question(
        &self,
        id: &GapId,
        reason: &str,
    ) -> Result<Question, Refusal> {
        let gap = self.gap(id)?;
        let context = format!("{}\n\nThe Engineer needs to know: {reason}", gap_line(gap));
        let about = About::BlockedGap { gap: id.clone() };
        Ok(Question {
            severity: Some(gap.severity),
            options: vec![
                choice(
                    "input",
                    "Give the input",
                    "it becomes a decision, and the gap is worked on again in this round",
                ),
                choice(
                    "defer",
                    "Defer the gap",
                    "it is put off with your reason and counts half as open",
                ),
                choice(
                    "another",
                    "Assign another gap",
                    "it stays blocked; the next gap in line is worked on instead",
                ),
                recommended(choice(
                    "go_on",
                    "Go on without it",
                    "it stays blocked and counts a quarter as open",
                )),
            ],
            fields: vec![
                field("input", "what the Engineer needs to know", &["input"]),
                field("reason", "why it is put off", &["defer"]),
            ],
            ..self.question(about, format!("{id} waits for your input"), context)
        })
    }

    pub(in crate::mediator) fn escalation_question(
        &self,
        slot: SlotId,
    ) -> Result<Question, Refusal> {
        let role = slot.role;
        let about = About::Escalation { slot };
        let title = format!("The {role} has no valid output after its retries");
        let others = self.could_be_reassigned(slot);
        Ok(Question {
            options: self.escalation_choices(slot, &others)?,
            fields: vec![
                field("context", "what the agent may be missing", &["context"]),
                suggesting(
                    field("gaps", "gap ids, separated by commas", &["reassign"]),
                    ids(&others),
                ),
                suggesting(
                    field("to", "the round to go back to", &["roll_back"]),
                    self.last_checkpoint(),
                ),
                field("reason", "why", &["roll_back"]),
            ],
            ..self.question(about, title, self.attempts_context(slot))
        })
    }

    /// What can be done about a slot that has nothing left to try; each once per role and round.
    fn escalation_choices(&self, slot: SlotId, others: &[GapId]) -> Result<Vec<Choice>, Refusal> {
        let role = slot.role;
        let several = self.slot(slot).is_some_and(|slot| slot.gaps.len() > 1);
        let mut options = vec![recommended(self.skip_choice(role))];
        let mut offer = |possible: bool, offered: Choice| {
            if possible && !self.was_taken(role, &offered.label) {
                options.push(offered);
            }
        };
        let (what, whom) = match role {
            Role::Reviewer => (
                "Review other proposals",
                "the proposals you name are reviewed",
            ),
            _ => ("Reassign gaps", "the gaps you name are worked on instead"),
        };
        offer(
            !others.is_empty(),
            choice("reassign", what, &format!("{whom}, in a task of their own")),
        );
        offer(
            true,
            choice(
                "context",
                "Give context",
                "your text goes into the prompt, for one more try",
            ),
        );
        let simplest = self
            .simplest_gap(slot)
            .map_or(String::new(), |gap| gap.to_string());
        offer(
            several,
            choice(
                "narrow",
                "Narrow to the simplest gap",
                &format!("one more try with {simplest} alone; the others go back"),
            ),
        );
        if let Some(best) = self.best_attempt(slot)? {
            let effect = format!(
                "attempt {} is taken as far as it can be: {}",
                best.task.attempt,
                ids(&best.gaps)
            );
            offer(true, choice("best", "Take the best attempt", &effect));
        }
        options.extend(self.roll_back_choice());
        options.push(choice(
            "pause",
            "Pause",
            "nothing runs until `gapless resume`; then this is asked again",
        ));
        Ok(options)
    }

    /// Neither role produced anything, and these gaps are as open as before.
    pub(in crate::mediator) fn both_empty_question(&self, left: &[GapId]) -> Question {
        let round = self.state.now.round.number;
        let mut lines = vec![
            "Neither the Engineer nor the Reviewer produced anything in this round. The gaps may be out of scope, \
             the prompts may lack something, or the agents may be unfit for them.\n"
                .to_owned(),
        ];
        lines.extend(
            left.iter()
                .filter_map(|id| self.state.now.gaps.get(id))
                .map(|gap| format!("{} ({})", gap_line(gap), gap.state)),
        );
        let mut options = Vec::new();
        let retried = self.was_taken(Role::Engineer, "both_empty/retry");
        if !retried {
            options.push(recommended(choice(
                "retry",
                "Retry with fresh context",
                "the Engineer is asked anew in this round, without what went before",
            )));
        }
        if !self.was_taken(Role::Engineer, "both_empty/human") {
            options.push(choice(
                "human",
                "Write the proposal yourself",
                "you are the Engineer for these gaps: $EDITOR opens on prompt and form, or a file to write to is named",
            ));
        }
        options.extend([
            choice(
                "defer",
                "Defer gaps",
                "the gaps you name are put off with your reason",
            ),
            choice(
                "close",
                "Close gaps",
                "the gaps you name are WONT_FIX; CRITICAL ones only through `gapless gap close`",
            ),
            Choice {
                recommended: retried,
                ..choice(
                    "go_on",
                    "Go on",
                    "the round is recorded as it is and not judged; the next one begins",
                )
            },
            choice(
                "pause",
                "Pause",
                "nothing runs until `gapless resume`; then this is asked again",
            ),
            choice(
                "abandon",
                "Abandon",
                "the session ends here, without a refined spec",
            ),
        ]);
        Question {
            options,
            fields: vec![
                suggesting(
                    field("gaps", "gap ids, separated by commas", &["defer", "close"]),
                    ids(left),
                ),
                field("reason", "why", &["defer", "close"]),
            ],
            ..self.question(
                About::BothEmpty { round },
                format!("Round {round} produced nothing"),
                lines.join("\n"),
            )
        }
    }

    fn skip_choice(&self, role: Role) -> Choice {
        let effect = match role {
            Role::Analyst => "the inventory has only what the spec itself declares",
            Role::Engineer => {
                "the gaps go back; the round is recorded as `Engineer: SKIP` and not judged"
            }
            Role::Reviewer => "the proposals stay PROPOSED and are reviewed in the next round",
            Role::FinalReviewer => "the spec can't end as COMPLETE; you are asked whether to stop",
        };
        choice("skip", &format!("Skip the {role}"), effect)
    }

    fn attempts_context(&self, id: SlotId) -> String {
        let attempts = self.state.now.round.attempts.iter();
        let ended: Vec<(&Attempt, &AttemptEnd)> = attempts
            .filter(|attempt| attempt.task.slot == id)
            .filter_map(|attempt| attempt.finished.as_ref().map(|end| (attempt, end)))
            .collect();
        let mut lines: Vec<String> = ended
            .iter()
            .map(|(attempt, end)| {
                format!(
                    "- attempt {}: {}: {}",
                    attempt.task.attempt,
                    end.outcome.name(),
                    end.message
                )
            })
            .collect();
        let slot = self.slot(id);
        if let Some(LastFailure { failure, .. }) = slot.and_then(|slot| slot.last_failure.as_ref())
        {
            lines.push(format!("\nLast failure: {}", failure.name()));
        }
        if let Some(cause) = ended.iter().rev().find_map(|(_, end)| end.cause) {
            lines.push(format!("Cause: {}", cause.name()));
        }
        if let Some(slot) = slot.filter(|slot| !slot.gaps.is_empty()) {
            lines.push(format!("Gaps: {}", ids(&slot.gaps)));
        }
        lines.join("\n")
    }

    pub(in crate::mediator) fn agent_cannot_run_question(
        &self,
        slot: SlotId,
        error: &ExecutionError,
    ) -> Question {
        let agent = self
            .slot(slot)
            .and_then(|slot| slot.task.as_ref())
            .map_or(String::new(), |task| task.agent.clone());
        let context = format!(
            "Agent: `{agent}`\n\n{}\n\n{}",
            error.message,
            self.attempts_context(slot)
        );
        let title = format!("The {}'s agent cannot run", slot.role);
        Question {
            options: vec![
                choice(
                    "again",
                    "Try again",
                    "the same agent gets another series of tries",
                ),
                choice(
                    "another",
                    "Use another agent",
                    "the role is given to the agent you name, from now on",
                ),
                recommended(choice(
                    "pause",
                    "Pause",
                    "nothing runs until `gapless resume`; then this is asked again",
                )),
            ],
            fields: vec![field(
                "agent",
                "the agent, as in --engineer: `cmd:…`, `replay:…`, `human`",
                &["another"],
            )],
            ..self.question(About::AgentCannotRun { slot }, title, context)
        }
    }
}
