//! Asks how to go on when no gap can be worked on and the spec is not complete.

use std::collections::BTreeSet;

use super::wording::{
    GAP_IDS, abandon_choice, choice, field, gap_line, pause_choice, recommended_if,
};
use super::{Effect, Given};
use crate::plan::{blockers, cycle};
use crate::termination::Left;
use crate::{Result, Turn};
use gapless_domain::question::nothing_to_plan::{Fields, Options, Subject};
use gapless_domain::{
    About, Choice, End, Gap, GapId, GapMove, GapState, Question, Severity, Trigger, comma_list,
    shortened,
};
use gapless_session::Now;

impl Turn<'_> {
    pub(crate) fn nothing_to_plan_question(&self) -> Result<Question> {
        Ok(Question {
            options: choices(&self.state.now, self.only_lesser_gaps_wait()),
            fields: vec![
                field(
                    Fields::Gaps,
                    GAP_IDS,
                    &[
                        Options::Resume,
                        Options::Input,
                        Options::Unblock,
                        Options::Close,
                    ],
                ),
                field(
                    Fields::Text,
                    "the input, or the reason",
                    &[Options::Input, Options::Close],
                ),
            ],
            ..self.question(
                About::NothingToPlan(Subject {
                    round: self.state.now.round.number,
                }),
                "No gap can be worked on, and the spec is not complete".to_owned(),
                self.why_nothing_is_planned()?,
            )
        })
    }

    /// True where all that is left is put off or blocked, and none of it is grave.
    fn only_lesser_gaps_wait(&self) -> bool {
        let now = &self.state.now;
        let mut left = now.gaps.values().filter(|gap| !gap.state.is_closed());
        now.round.final_reviewed != Some(false)
            && now.gaps.values().any(|gap| gap.state.is_parked())
            && left.all(|gap| gap.state.is_parked())
            && Left::of(now).end() == End::GoodEnough
    }

    /// What keeps each gap from being planned, and what the final review said.
    fn why_nothing_is_planned(&self) -> Result<String> {
        let now = &self.state.now;
        let mut lines = Vec::new();
        if let Some(cycle) = cycle(now) {
            lines.push(format!(
                "These gaps wait on each other: {}",
                comma_list(&cycle)
            ));
        }
        for gap in self.by_severity(|gap| !gap.state.is_closed()) {
            let waits: Vec<GapId> = blockers(now, gap)
                .map(|blocker| blocker.id.clone())
                .collect();
            let why = match gap.state {
                GapState::UserDeferred | GapState::BlockedExternal => {
                    gap.reason.clone().unwrap_or_default()
                }
                _ if !waits.is_empty() => format!("waits on {}", comma_list(&waits)),
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
        Ok(lines.join("\n"))
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        let gaps = || given.gaps(turn, Fields::Gaps);
        match given.option {
            Options::Resume => {
                for gap in gaps()? {
                    turn.move_gap(&gap, GapMove::Resume, None)?;
                }
            }
            Options::Input => {
                for gap in gaps()? {
                    turn.give_input(&gap, given.field(Fields::Text), given.by)?;
                }
            }
            Options::Unblock => {
                for id in gaps()? {
                    turn.set_blockers(id, BTreeSet::new());
                }
            }
            Options::Close => turn.close_all(&gaps()?, given.field(Fields::Text), given.by)?,
            Options::Stop => {
                turn.ask_stop(Left::of(&turn.state.now).end(), Trigger::NothingToPlan)?;
            }
            Options::Pause => turn.pause()?,
            Options::Abandon => turn.abandon()?,
        }
        Ok(())
    }
}

/// The options that apply.
fn choices(now: &Now, only_lesser_wait: bool) -> Vec<Choice> {
    let mut options = Vec::new();
    if now.gaps_in(GapState::UserDeferred).next().is_some() {
        options.push(choice(
            Options::Resume,
            "Resume deferred gaps",
            "the gaps you name are open again",
        ));
    }
    if now.gaps_in(GapState::BlockedExternal).next().is_some() {
        options.push(choice(
            Options::Input,
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
            Options::Unblock,
            "Take a dependency away",
            "the gaps you name no longer wait on others",
        ));
    }
    // A CRITICAL gap is closed through its own gate, which this question has no field for.
    let can_be_closed = |gap: &Gap| !gap.state.is_closed() && gap.gravest != Severity::Critical;
    if now.gaps.values().any(can_be_closed) {
        options.push(choice(
            Options::Close,
            "Close gaps",
            "the gaps you name are WONT_FIX; CRITICAL ones only through `gapless gap close`",
        ));
    }
    options.extend([
        recommended_if(
            only_lesser_wait,
            choice(
                Options::Stop,
                "Stop",
                "you are asked to accept what is left",
            ),
        ),
        pause_choice(Options::Pause),
        abandon_choice(Options::Abandon),
    ]);
    options
}
