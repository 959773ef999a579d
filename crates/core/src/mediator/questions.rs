//! Owns the wording of questions: title, context, options with their effects, and what each needs.

use super::Refusal;
use super::turn::Turn;
use crate::config::EXTENSION_ROUNDS;
use crate::convergence::{Counted, DivergenceCause};
use crate::gap::{Gap, GapState};
use crate::ids::{GapId, IssueId};
use crate::phase::{End, Trigger};
use crate::plan::{blockers, cycle};
use crate::prompts::shortened;
use crate::question::{About, Choice, Field, Holds, Question};
use crate::severity::Severity;
use crate::slot::{LastFailure, Slot};
use crate::task::{ExecutionError, Role, SlotId};
use crate::termination::{CRITICAL_SENTENCE, HIGH_SENTENCE, Left};

fn choice(label: &str, text: &str, effect: &str) -> Choice {
    Choice {
        label: label.to_owned(),
        text: text.to_owned(),
        effect: effect.to_owned(),
        recommended: false,
        policy_only: false,
    }
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
        exactly: None,
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

    pub(super) fn inventory_question(&self) -> Question {
        let gaps = self.by_severity(|gap| !gap.state.is_closed());
        let title = match gaps.len() {
            0 => "No gaps were found. Have the spec reviewed as it is?".to_owned(),
            1 => "1 gap was found. Begin?".to_owned(),
            count => format!("{count} gaps were found. Begin?"),
        };
        let context = gaps
            .iter()
            .map(|gap| gap_line(gap))
            .collect::<Vec<_>>()
            .join("\n");
        let context = match cycle(&self.state.now) {
            Some(cycle) => format!(
                "{context}\n\nThese wait on each other, and none of them can be planned until one of the dependencies is \
                 taken away (`gapless gap unblock`): {}",
                ids(&cycle)
            ),
            None => context,
        };
        let begin = match gaps.is_empty() {
            true => choice("begin", "Go on", "the final review reads the spec as it is"),
            false => choice(
                "begin",
                "Begin",
                "round 1 begins; gaps can still be added, deferred or closed",
            ),
        };
        Question {
            options: vec![
                recommended(begin),
                choice(
                    "pause",
                    "Pause",
                    "nothing runs until `gapless resume`; edit the inventory with `gapless gap`",
                ),
                choice(
                    "abandon",
                    "Abandon",
                    "the session ends here, without a refined spec",
                ),
            ],
            ..self.question(About::Inventory, title, context)
        }
    }

    pub(super) fn blocked_gap_question(
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

    pub(super) fn escalation_question(&self, slot: SlotId) -> Question {
        let role = slot.role;
        let taken = |label: &str| {
            self.state
                .now
                .round
                .escalated
                .contains(&(role, label.to_owned()))
        };
        let mut options = vec![recommended(self.skip_choice(role))];
        if !taken("context") {
            options.push(choice(
                "context",
                "Give context",
                "your text goes into the prompt, for one more try",
            ));
        }
        let several = self.slot(slot).is_some_and(|slot| slot.gaps.len() > 1);
        if role == Role::Engineer && several && !taken("narrow") {
            let simplest = self
                .simplest_gap(slot)
                .map_or(String::new(), |gap| gap.to_string());
            options.push(choice(
                "narrow",
                "Narrow to the simplest gap",
                &format!("one more try with {simplest} alone; the others go back"),
            ));
        }
        options.push(choice(
            "pause",
            "Pause",
            "nothing runs until `gapless resume`; then this is asked again",
        ));
        let about = About::Escalation { slot };
        let title = format!("The {role} has no valid output after its retries");
        Question {
            options,
            fields: vec![field(
                "context",
                "what the agent may be missing",
                &["context"],
            )],
            ..self.question(about, title, self.attempts_context(slot))
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
        let mut lines: Vec<String> = self
            .state
            .now
            .round
            .attempts
            .iter()
            .filter(|attempt| attempt.task.slot == id)
            .filter_map(|attempt| attempt.finished.as_ref().map(|end| (attempt, end)))
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
        if let Some(LastFailure { failure, .. }) =
            slot.and_then(|slot: &Slot| slot.last_failure.as_ref())
        {
            lines.push(format!("\nLast failure: {}", failure.name()));
        }
        if let Some(slot) = slot.filter(|slot| !slot.gaps.is_empty()) {
            lines.push(format!("Gaps: {}", ids(&slot.gaps)));
        }
        lines.join("\n")
    }

    pub(super) fn agent_cannot_run_question(
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
                "the agent, as in --engineer: `cmd:…`, `replay:…`",
                &["another"],
            )],
            ..self.question(About::AgentCannotRun { slot }, title, context)
        }
    }

    pub(super) fn severity_question(
        &self,
        id: &GapId,
        now: Severity,
        raise_to: Severity,
    ) -> Result<Question, Refusal> {
        let gap = self.gap(id)?;
        let context = format!(
            "{}\n\nYou set it to {now}; the Reviewer calls it {raise_to}.",
            gap_line(gap)
        );
        let about = About::Severity {
            gap: id.clone(),
            raise_to,
        };
        Ok(Question {
            severity: Some(raise_to),
            options: vec![
                recommended(choice(
                    "keep",
                    &format!("Keep {now}"),
                    "your severity stands",
                )),
                choice(
                    "raise",
                    &format!("Raise to {raise_to}"),
                    "the gap is planned and counted as such",
                ),
            ],
            holds: Holds::Nothing,
            without_answer: "your severity stands".to_owned(),
            ..self.question(
                about,
                format!("The Reviewer would raise {id} against your severity"),
                context,
            )
        })
    }

    pub(super) fn conflict_question(&self, id: &IssueId) -> Result<Question, Refusal> {
        let issue = self.issue(id)?;
        let concern = &issue.concern;
        let critical = concern.severity == Severity::Critical;
        let engineer = match &issue.answer {
            Some(answer) => self.text(&answer.text)?.trim().to_owned(),
            None => String::new(),
        };
        let context = format!(
            "**Subject:** {}\n**Gap affected:** {}\n\n**Reviewer position (option A):** {}\n\nImpact if ignored: {}\n\n\
             **Engineer position (option B):**\n\n{engineer}",
            concern.summary,
            issue.gap,
            concern.suggestion.as_deref().unwrap_or(&concern.summary),
            concern.impact.as_deref().unwrap_or("not stated"),
        );
        let mut reviewer = choice(
            "A",
            "The Reviewer's position",
            "the gap goes back, and the next proposal must carry this out",
        );
        reviewer.recommended = critical;
        let mut options = vec![
            reviewer,
            choice(
                "B",
                "The Engineer's position",
                "the issue is settled; the gap is accepted if nothing else is open",
            ),
        ];
        if critical {
            options.push(choice(
                "D",
                "Your own text",
                "the gap goes back, and the next proposal must carry your text out",
            ));
        }
        Ok(Question {
            severity: Some(concern.severity),
            options,
            fields: vec![
                field("text", "what shall hold instead", &["D"]),
                field("rationale", "why, for the record", &[]),
            ],
            holds: if critical { Holds::Phase } else { Holds::Gap },
            without_answer: match critical {
                true => "the round waits".to_owned(),
                false => format!("{} is not planned until this is decided", issue.gap),
            },
            ..self.question(
                About::Conflict { issue: *id },
                format!("Conflict on {id}: {}", concern.summary),
                context,
            )
        })
    }

    pub(super) fn divergence_question(&self) -> Question {
        let now = &self.state.now;
        let record = now.history.last();
        let list = |title: &str, counted: &[Counted]| {
            let items: Vec<String> = counted
                .iter()
                .map(|c| format!("{} [{}, weight {}]", c.gap, c.severity, c.severity.weight()))
                .collect();
            format!(
                "{title}: {}",
                if items.is_empty() {
                    "none".to_owned()
                } else {
                    items.join(", ")
                }
            )
        };
        let cause = match now.convergence.cause {
            Some(DivergenceCause::NewCritical) => "a new CRITICAL gap".to_owned(),
            Some(DivergenceCause::NetLoss) => {
                "more was opened than the threshold allows".to_owned()
            }
            _ => format!(
                "{} rounds without gain (STALLED)",
                now.convergence.flat_count
            ),
        };
        let mut lines = vec![format!("Cause: {cause}")];
        if let Some(record) = record {
            lines.push(list("Resolved", &record.tally.resolved));
            lines.push(list("New", &record.tally.created));
            lines.push(list("Reopened", &record.tally.reopened));
            lines.push(format!(
                "Net by weight {:+}, by heads {:+}",
                record.weighted_net, record.unweighted_net
            ));
        }
        let open = self.by_severity(|gap| gap.state.is_open());
        lines.push(format!("Open gaps: {}", open.len()));
        lines.extend(
            open.iter()
                .map(|gap| format!("{} ({})", gap_line(gap), gap.state)),
        );
        let suggestion: Vec<GapId> = open
            .iter()
            .filter(|gap| !gap.severity.holds())
            .map(|gap| gap.id.clone())
            .collect();
        lines.push(format!(
            "Suggested to defer: {}",
            if suggestion.is_empty() {
                "none".to_owned()
            } else {
                ids(&suggestion)
            }
        ));
        let new_critical = now.convergence.cause == Some(DivergenceCause::NewCritical);
        let mut options = vec![
            choice(
                "narrow",
                "Narrow scope",
                "the gaps you name are deferred with your reason",
            ),
            choice(
                "accept",
                "Accept the complexity",
                "the round limit is computed anew from what is open now",
            ),
        ];
        if open.iter().any(|gap| gap.severity == Severity::Critical) {
            options.push(choice(
                "prioritise",
                "Prioritise the CRITICAL",
                "the next round takes only CRITICAL gaps",
            ));
        }
        let preferred = options.len() - 1;
        let preferred = if new_critical { preferred } else { 1 };
        options[preferred].recommended = true;
        options.extend([
            choice(
                "pause",
                "Pause",
                "nothing runs until `gapless resume`; then this is asked again",
            ),
            choice(
                "force_complete",
                "Force complete",
                "you are asked to accept what is left, and the session ends as STALL_EXIT",
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
                field(
                    "gaps",
                    "the gaps to defer, separated by commas",
                    &["narrow"],
                ),
                field("reason", "why they are put off", &["narrow"]),
            ],
            ..self.question(
                About::Divergence {
                    round: now.round.number,
                },
                "The session is not converging".to_owned(),
                lines.join("\n"),
            )
        }
    }

    pub(super) fn nothing_to_plan_question(&self) -> Result<Question, Refusal> {
        let now = &self.state.now;
        let mut lines = Vec::new();
        if let Some(cycle) = cycle(now) {
            lines.push(format!("These gaps wait on each other: {}", ids(&cycle)));
        }
        for gap in self.by_severity(|gap| !gap.state.is_closed()) {
            let waits: Vec<GapId> = blockers(now, gap)
                .map(|blocker| blocker.id.clone())
                .collect();
            let why = match gap.state {
                GapState::UserDeferred | GapState::BlockedExternal => {
                    gap.reason.clone().unwrap_or_default()
                }
                _ if !waits.is_empty() => format!("waits on {}", ids(&waits)),
                _ if now.gap_is_in_question(&gap.id) => "a conflict on it is undecided".to_owned(),
                _ => String::new(),
            };
            lines.push(format!("{} ({}: {why})", gap_line(gap), gap.state));
        }
        if now.history.is_empty() && lines.is_empty() {
            lines.push("There is no gap at all.".to_owned());
        } else if lines.is_empty() {
            lines.push("Every gap is closed, but the final review did not say ready.".to_owned());
        }
        if now.round.final_reviewed == Some(false)
            && let Some(text) = &now.round.final_review
        {
            lines.push(format!(
                "\nThe final review:\n\n{}",
                shortened(self.text(text)?.trim(), 4_000)
            ));
        }
        let mut options = Vec::new();
        if now.gaps_in(GapState::UserDeferred).next().is_some() {
            options.push(choice(
                "resume",
                "Resume deferred gaps",
                "the gaps you name are open again",
            ));
        }
        if now.gaps_in(GapState::BlockedExternal).next().is_some() {
            options.push(choice(
                "input",
                "Give input",
                "your text becomes a decision on the gaps you name, and they are open again",
            ));
        }
        if now
            .gaps
            .values()
            .any(|gap| !gap.blocked_by.is_empty() && gap.state.is_open())
        {
            options.push(choice(
                "unblock",
                "Take a dependency away",
                "the gaps you name no longer wait on others",
            ));
        }
        if now.gaps.values().any(|gap| !gap.state.is_closed()) {
            options.push(choice(
                "close",
                "Close gaps",
                "the gaps you name are WONT_FIX; CRITICAL ones only through `gapless gap close`",
            ));
        }
        options.extend([
            choice("stop", "Stop", "you are asked to accept what is left"),
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
        Ok(Question {
            options,
            fields: vec![
                field(
                    "gaps",
                    "gap ids, separated by commas",
                    &["resume", "input", "unblock", "close"],
                ),
                field("text", "the input, or the reason", &["input", "close"]),
            ],
            ..self.question(
                About::NothingToPlan {
                    round: now.round.number,
                },
                "No gap can be worked on, and the spec is not complete".to_owned(),
                lines.join("\n"),
            )
        })
    }

    pub(super) fn round_limit_question(&self) -> Question {
        let round = self.state.now.round.number;
        let left = Left::of(&self.state.now);
        let context = format!(
            "Round {round} was the last of {}. Left: {} CRITICAL, {} HIGH, {} MEDIUM or LOW.",
            self.state.limits().max_rounds,
            left.critical.len(),
            left.high.len(),
            left.lesser.len()
        );
        let mut options = Vec::new();
        if self.can_extend() {
            options.push(recommended(choice(
                "extend",
                &format!("Extend by {EXTENSION_ROUNDS} rounds"),
                "the session goes on",
            )));
        }
        options.extend([
            choice(
                "accept",
                "Accept what there is",
                "you are asked to accept what is left, and the session ends as MAX_ROUNDS",
            ),
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
        // Nobody is there to accept anything: the session stops with everything that is left listed as a limitation.
        let unattended = match self.state.now.conflicts(Severity::Critical).next() {
            Some(_) => choice("pause", "", ""),
            None => choice(
                "forced_stop",
                "Stop at the limit",
                "the session ends as MAX_ROUNDS; what is left is a known limitation",
            ),
        };
        if unattended.label == "forced_stop" {
            options.push(Choice {
                policy_only: true,
                ..unattended
            });
        } else if let Some(pause) = options.iter_mut().find(|choice| choice.label == "pause") {
            pause.recommended = true;
        }
        Question {
            options,
            ..self.question(
                About::RoundLimit { round },
                "The round limit is reached".to_owned(),
                context,
            )
        }
    }

    /// The gate before an end with gaps left: exact sentences, and a rationale for each CRITICAL and HIGH gap.
    pub(super) fn stop_question(&self, end: End, trigger: Trigger) -> Result<Question, Refusal> {
        if let Some((conflict, _)) = self.state.now.conflicts(Severity::Critical).next() {
            return Err(Refusal::CriticalConflict(conflict.id));
        }
        let left = Left::of(&self.state.now);
        let mut fields = Vec::new();
        let mut sentence = |name: &str, exactly: &str| {
            fields.push(Field {
                exactly: Some(exactly.to_owned()),
                ..field(name, &format!("exactly: {exactly}"), &["accept"])
            });
        };
        if !left.critical.is_empty() {
            sentence("critical", CRITICAL_SENTENCE);
        }
        if !left.high.is_empty() || !left.conflicts.is_empty() {
            sentence("high", HIGH_SENTENCE);
        }
        for gap in left.critical.iter().chain(&left.high) {
            fields.push(field(&gap.to_string(), "why it may stay open", &["accept"]));
        }
        let mut lines: Vec<String> = self
            .by_severity(|gap| !gap.state.is_closed())
            .into_iter()
            .map(|gap| format!("{} ({})", gap_line(gap), gap.state))
            .collect();
        let count = lines.len();
        lines.extend(
            left.conflicts
                .iter()
                .map(|id| format!("- conflict on {id}: undecided")),
        );
        let grave = left.end() == End::UserApproved;
        let mut accept = choice(
            "accept",
            "Accept and end",
            &format!("the session ends as {end}; what is left is listed as known limitations"),
        );
        accept.recommended = !grave;
        let title = match count {
            0 => "End the session?".to_owned(),
            count => format!("End the session with {count} gaps left?"),
        };
        Ok(Question {
            severity: if left.critical.is_empty() {
                None
            } else {
                Some(Severity::Critical)
            },
            options: vec![
                accept,
                choice(
                    "continue",
                    "Go on",
                    "the session goes on as if you had not asked",
                ),
            ],
            fields,
            ..self.question(About::Stop { end, trigger }, title, lines.join("\n"))
        })
    }
}
