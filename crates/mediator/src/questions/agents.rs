//! Owns the questions about agents: input that is missing, retries that ran out, an agent that cannot run.

use super::{abandon_choice, choice, field, gap_line, ids, pause_choice, recommended, suggesting};
use crate::Refusal;
use crate::turn::Turn;
use gapless_domain::failing::{Broken, RoundOfAttempts};
use gapless_domain::ids::GapId;
use gapless_domain::question::{
    About, Choice, Field, Question, agent_cannot_run, blocked_gap, both_empty, broken_agent,
    escalation,
};
use gapless_domain::slot::SlotState;
use gapless_domain::task::{ExecutionError, ExecutionErrorKind, Role, SlotId};
use gapless_session::attempt_record::attempt_records;
use gapless_session::state::LastFailure;
use gapless_session::state::{Attempt, AttemptEnd};

/// Names the agent that takes a role over.
fn agent_field() -> Field {
    field(
        "agent",
        "the agent, as in --engineer: `codex`, `cmd:…`, `openai:…`, `human`",
        &["another"],
    )
}

impl Turn<'_> {
    pub(crate) fn blocked_gap_question(
        &self,
        id: &GapId,
        reason: &str,
    ) -> Result<Question, Refusal> {
        let gap = self.gap(id)?;
        let context = format!("{}\n\nThe Engineer needs to know: {reason}", gap_line(gap));
        let about = About::BlockedGap(blocked_gap::Subject { gap: id.clone() });
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

    pub(crate) fn escalation_question(&self, slot: SlotId) -> Result<Question, Refusal> {
        let role = slot.role;
        let about = About::Escalation(escalation::Subject { slot });
        let title = format!("{}: {}", self.place_of(role), self.outcome_of(slot));
        let others = self.could_be_reassigned(slot);
        Ok(Question {
            options: self.escalation_choices(slot, &others)?,
            fields: vec![
                field("context", "what the agent may be missing", &["context"]),
                suggesting(
                    field("gaps", "gap ids, separated by commas", &["reassign"]),
                    ids(&others),
                ),
            ],
            ..self.question(about, title, self.attempts_context(slot))
        })
    }

    /// Where the session is, for a title.
    fn place_of(&self, role: Role) -> String {
        match role {
            Role::Analyst => "Discovery".to_owned(),
            Role::Editor | Role::FinalReviewer => "Final review".to_owned(),
            Role::Engineer | Role::Reviewer => format!("Round {}", self.state.now.round.number),
        }
    }

    /// How far a slot came that has nothing left to try.
    fn outcome_of(&self, id: SlotId) -> String {
        let attempts = self.slot(id).map_or(0, |slot| slot.attempts);
        let whose = match self.slot(id).map(|slot| slot.gaps.as_slice()) {
            Some(gaps) if self.slots_of(id.role).count() > 1 && !gaps.is_empty() => {
                format!(" for {}", ids(gaps))
            }
            _ => String::new(),
        };
        match attempts {
            1 => format!("the {} has nothing valid{whose} after its attempt", id.role),
            attempts => format!(
                "the {} has nothing valid{whose} after {attempts} attempts",
                id.role
            ),
        }
    }

    /// What can be done about a slot that has nothing left to try; each once per role and round.
    fn escalation_choices(&self, slot: SlotId, others: &[GapId]) -> Result<Vec<Choice>, Refusal> {
        let role = slot.role;
        let several = self.slot(slot).is_some_and(|slot| slot.gaps.len() > 1);
        let mut options = vec![recommended(self.skip_choice(slot))];
        let mut offer = |possible: bool, offered: Choice| {
            if possible && !self.was_taken(role, &offered.label) {
                options.push(offered);
            }
        };
        let (what, effect) = match role {
            Role::Reviewer => (
                "Review only some",
                "the proposals you name are reviewed in a task of their own; the others stay PROPOSED",
            ),
            _ => (
                "Reassign gaps",
                "the gaps you name are worked on in a task of their own; those of this task that you don't name go back",
            ),
        };
        offer(!others.is_empty(), choice("reassign", what, effect));
        offer(
            true,
            choice(
                "context",
                "Give context",
                "what you write goes into the prompt, for one more try",
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
                &match role {
                    Role::Reviewer => {
                        format!("one more try with {simplest} alone; the others stay PROPOSED")
                    }
                    _ => format!("one more try with {simplest} alone; the others go back"),
                },
            ),
        );
        if let Some(best) = self.best_attempt(slot)? {
            let effect = format!(
                "attempt {} is taken for {}; what is wrong in it is left out",
                best.task.attempt,
                ids(&best.gaps)
            );
            offer(true, choice("best", "Take the best attempt", &effect));
        }
        let can_go_back = self.roll_back_choice();
        options.extend(can_go_back.filter(|offered| !self.was_taken(role, &offered.label)));
        options.push(pause_choice());
        Ok(options)
    }

    /// Neither role produced anything, and these gaps are as open as before.
    pub(crate) fn both_empty_question(&self, left: &[GapId]) -> Question {
        let round = self.state.now.round.number;
        let mut lines =
            vec!["Neither the Engineer nor the Reviewer produced anything that can be used in this round.\n".to_owned()];
        lines.extend([Role::Engineer, Role::Reviewer].map(|role| self.effort_of(role)));
        lines.push(
            "\nThe gaps may be out of scope, the prompts may lack something, or the agents may be unfit for them. They \
             are as open as before:\n"
                .to_owned(),
        );
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
            pause_choice(),
            abandon_choice(),
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
                About::BothEmpty(both_empty::Subject { round }),
                format!("Round {round} produced nothing"),
                lines.join("\n"),
            )
        }
    }

    /// What a role tried in this round, in a line.
    fn effort_of(&self, role: Role) -> String {
        let attempts = self.state.now.round.attempts.iter();
        let ends: Vec<&AttemptEnd> = attempts
            .filter(|attempt| attempt.task.slot.role == role)
            .filter_map(|attempt| attempt.finished.as_ref())
            .collect();
        match ends.as_slice() {
            [] => format!("- {role}: had nothing to do"),
            [.., last] => format!(
                "- {role}: {} {}, the last: {}: {}",
                ends.len(),
                if ends.len() == 1 {
                    "attempt"
                } else {
                    "attempts"
                },
                last.outcome.name(),
                last.message
            ),
        }
    }

    fn skip_choice(&self, slot: SlotId) -> Choice {
        let role = slot.role;
        let mut beside = self.slots_of(role).filter(|other| other.id != slot);
        if beside.any(|other| other.state == SlotState::Exhausted) {
            return choice(
                "skip",
                "Skip this task",
                "its gaps go back; you are asked about the next task that has nothing valid",
            );
        }
        let effect = match role {
            Role::Analyst => "the inventory has only what the spec itself declares",
            Role::Engineer => {
                "the gaps go back; the round is recorded as `Engineer: SKIP` and not judged"
            }
            Role::Reviewer => "the proposals stay PROPOSED and are reviewed in the next round",
            Role::Editor => "the sections stay as they are assembled",
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
            lines.push(format!("Cause: {}, {}", cause.name(), cause.words()));
        }
        let gaps = slot.map_or(&[][..], |slot| &slot.gaps);
        if !gaps.is_empty() {
            lines.push(match id.role {
                Role::Reviewer => "\nIt was to review:\n".to_owned(),
                _ => "\nIt was to work on:\n".to_owned(),
            });
            let known = gaps.iter().filter_map(|gap| self.state.now.gaps.get(gap));
            lines.extend(known.map(gap_line));
        }
        lines.extend(self.where_to_look(id));
        lines.join("\n")
    }

    /// The command that shows the last attempt of a slot whole.
    fn where_to_look(&self, id: SlotId) -> Option<String> {
        let round = &self.state.now.round;
        let index = round
            .attempts
            .iter()
            .rposition(|attempt| attempt.task.slot == id)?;
        let records = attempt_records(&round.attempts);
        let name = &records.get(index)?.name;
        let session = &self.state.kept.origin.as_ref()?.name;
        Some(format!(
            "\nThe last attempt whole, with its prompt:\n\n    gapless show {} --attempt {name} --session {session}",
            round.number
        ))
    }

    pub(crate) fn agent_cannot_run_question(
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
        let again = match error.kind {
            ExecutionErrorKind::Refused | ExecutionErrorKind::PromptTooLong => {
                "the same agent is asked once more; it helps where you changed something"
            }
            _ => "the same agent gets three more tries",
        };
        Question {
            options: vec![
                choice("again", "Try again", again),
                choice(
                    "another",
                    "Use another agent",
                    "the role is given to the agent you name, from now on",
                ),
                pause_choice(),
            ],
            fields: vec![agent_field()],
            ..self.question(
                About::AgentCannotRun(agent_cannot_run::Subject { slot }),
                title,
                context,
            )
        }
    }

    /// An agent failed the same way in every attempt of two rounds in a row. No option is recommended: a policy would go on
    /// with what brings nothing.
    pub(crate) fn broken_agent_question(&self, slot: SlotId, broken: &Broken<'_>) -> Question {
        let role = slot.role;
        let [before, last] = broken.rounds;
        let attempts = |round: &RoundOfAttempts| match round.attempts {
            1 => format!("1 attempt in round {}", round.round),
            attempts => format!("{attempts} attempts in round {}", round.round),
        };
        let context = format!(
            "Agent: `{}`\n\nEvery attempt failed the same way: {}, {}. Asking it again as it is costs as much and will \
             hardly bring anything else.\n\nFailure: {}\n\n{}",
            broken.agent,
            attempts(before),
            attempts(last),
            broken.ways(),
            self.attempts_context(slot)
        );
        let title = format!(
            "Is the {role}'s agent broken? It failed the same way in every attempt of rounds {} and {}",
            before.round, last.round
        );
        let go_on = match role {
            Role::Editor => "the sections stay as they are assembled",
            _ => {
                "you are asked what else can be done in this round: skip the role, give context and so on"
            }
        };
        Question {
            options: vec![
                choice(
                    "again",
                    "Try again",
                    "the same agent is asked anew in this round; it helps where you repaired something",
                ),
                choice(
                    "another",
                    "Use another agent",
                    "the role is given to the agent you name, from now on",
                ),
                choice("go_on", "Go on with this round", go_on),
                choice("stop", "Stop", "you are asked to accept what is left"),
                pause_choice(),
            ],
            fields: vec![agent_field()],
            ..self.question(
                About::BrokenAgent(broken_agent::Subject { slot }),
                title,
                context,
            )
        }
    }
}
