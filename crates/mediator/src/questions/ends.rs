//! Owns the questions at which a session may end: nothing to plan, the round limit, the stop gate.

use super::{abandon_choice, choice, field, gap_line, ids, pause_choice, recommended};
use crate::Refusal;
use crate::plan::{blockers, cycle};
use crate::termination::{CRITICAL_SENTENCE, HIGH_SENTENCE, Left};
use crate::turn::Turn;
use gapless_domain::config::EXTENSION_ROUNDS;
use gapless_domain::gap::{Gap, GapState};
use gapless_domain::ids::GapId;
use gapless_domain::phase::{End, Trigger};
use gapless_domain::question::{
    About, Choice, Field, Question, nothing_to_plan, round_limit, stop,
};
use gapless_domain::severity::Severity;
use gapless_domain::text::shortened;

impl Turn<'_> {
    pub(crate) fn nothing_to_plan_question(&self) -> Result<Question, Refusal> {
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
                _ if now.gap_awaits_word(&gap.id) => "your word on it is awaited".to_owned(),
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
            .any(|gap| gap.state.is_open() && blockers(now, gap).next().is_some())
        {
            options.push(choice(
                "unblock",
                "Take a dependency away",
                "the gaps you name no longer wait on others",
            ));
        }
        // A CRITICAL gap is closed through its own gate, which this question has no field for.
        let can_be_closed =
            |gap: &Gap| !gap.state.is_closed() && gap.severity != Severity::Critical;
        if now.gaps.values().any(can_be_closed) {
            options.push(choice(
                "close",
                "Close gaps",
                "the gaps you name are WONT_FIX; CRITICAL ones only through `gapless gap close`",
            ));
        }
        options.extend([
            choice("stop", "Stop", "you are asked to accept what is left"),
            pause_choice(),
            abandon_choice(),
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
                About::NothingToPlan(nothing_to_plan::Subject {
                    round: now.round.number,
                }),
                "No gap can be worked on, and the spec is not complete".to_owned(),
                lines.join("\n"),
            )
        })
    }

    pub(crate) fn round_limit_question(&self) -> Question {
        let round = self.state.now.round.number;
        let left = Left::of(&self.state.now);
        let context = format!(
            "Round {round} was the last of {}. Left: {} CRITICAL, {} HIGH, {} MEDIUM or LOW.",
            self.state.round_limit(),
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
            pause_choice(),
            abandon_choice(),
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
                About::RoundLimit(round_limit::Subject { round }),
                "The round limit is reached".to_owned(),
                context,
            )
        }
    }

    /// The gate before an end: what is left, in tiers, each with the sentence and the reasons that it asks for.
    pub(crate) fn stop_question(&self, end: End, trigger: Trigger) -> Result<Question, Refusal> {
        if let Some((conflict, _)) = self.state.now.conflicts(Severity::Critical).next() {
            return Err(Refusal::CriticalConflict(conflict.id));
        }
        let left = Left::of(&self.state.now);
        let count = left.critical.len() + left.high.len() + left.lesser.len();
        let grave = left.end() == End::UserApproved;
        let mut accept = choice(
            "accept",
            "Accept and end",
            &format!("the session ends as {end}; what is left is listed as known limitations"),
        );
        accept.recommended = !grave;
        let title = match count {
            0 => "End the session?".to_owned(),
            1 => "End the session with 1 gap left?".to_owned(),
            count => format!("End the session with {count} gaps left?"),
        };
        Ok(Question {
            severity: match (left.critical.is_empty(), grave) {
                (false, _) => Some(Severity::Critical),
                (true, true) => Some(Severity::High),
                (true, false) => None,
            },
            options: vec![
                accept,
                choice(
                    "continue",
                    "Go on",
                    "the session goes on as if you had not asked",
                ),
                choice("pause", "Pause", "nothing runs until `gapless resume`"),
                abandon_choice(),
            ],
            fields: acceptance_fields(&left),
            accepts: left.all(),
            ..self.question(
                About::Stop(stop::Subject { end, trigger }),
                title,
                self.what_is_left(&left),
            )
        })
    }

    fn what_is_left(&self, left: &Left) -> String {
        let tiers = [
            (
                &left.critical,
                "**CRITICAL: the spec can't be implemented without these.** Ending needs the exact sentence and a reason \
                 for each.",
            ),
            (
                &left.high,
                "**HIGH: without these the implementation will be wrong for a common case.** Ending needs your \
                 acknowledgment and a reason for each.",
            ),
            (
                &left.lesser,
                "**MEDIUM and LOW.** Accepting acknowledges them.",
            ),
        ];
        let mut parts = Vec::new();
        for (gaps, warning) in tiers {
            if gaps.is_empty() {
                continue;
            }
            let lines = gaps
                .iter()
                .filter_map(|id| self.state.now.gaps.get(id))
                .map(|gap| format!("{} ({})", gap_line(gap), gap.state));
            let lines: Vec<String> = std::iter::once(format!("{warning}\n"))
                .chain(lines)
                .collect();
            parts.push(lines.join("\n"));
        }
        if !left.conflicts.is_empty() {
            let conflicts: Vec<String> = left.conflicts.iter().map(ToString::to_string).collect();
            parts.push(format!(
                "**Undecided between Engineer and Reviewer:** {}. Ending needs your acknowledgment.",
                conflicts.join(", ")
            ));
        }
        if parts.is_empty() {
            parts.push("Nothing is left open or deferred.".to_owned());
        }
        parts.join("\n\n")
    }
}

/// The sentences and reasons without which an end is not accepted.
fn acceptance_fields(left: &Left) -> Vec<Field> {
    let sentence = |name: &str, exactly: &str| Field {
        exactly: Some(exactly.to_owned()),
        ..field(name, &format!("exactly: {exactly}"), &["accept"])
    };
    let mut fields = Vec::new();
    if !left.critical.is_empty() {
        fields.push(sentence("critical", CRITICAL_SENTENCE));
    }
    if !left.high.is_empty() || !left.conflicts.is_empty() {
        fields.push(sentence("high", HIGH_SENTENCE));
    }
    for gap in left.critical.iter().chain(&left.high) {
        fields.push(field(&gap.to_string(), "why it may stay open", &["accept"]));
    }
    fields
}
