//! Asks for input that only the user has.

use super::wording::{choice, field, gap_line, recommended};
use super::{Effect, Given};
use crate::plan::plan;
use crate::{Result, Turn};
use gapless_domain::question::blocked_gap::{Fields, Options, Subject};
use gapless_domain::{About, Choice, GapId, Question, RoundPhase};

/// Why a policy puts a gap off.
const NOBODY_ANSWERED: &str = "nobody was there to answer";

impl Turn<'_> {
    pub(crate) fn blocked_gap_question(&self, id: &GapId, reason: &str) -> Result<Question> {
        let gap = self.gap(id)?;
        let context = format!("{}\n\nThe Engineer needs to know: {reason}", gap_line(gap));
        let about = About::BlockedGap(Subject { gap: id.clone() });
        let mut options = vec![
            choice(
                Options::Input,
                "Give the input",
                "it becomes a decision, and the gap is worked on again in this round",
            ),
            choice(
                Options::Defer,
                "Defer the gap",
                "it is put off with your reason and counts half as open",
            ),
            choice(
                Options::Another,
                "Assign another gap",
                "it stays blocked; the next gap in line is worked on instead",
            ),
            recommended(choice(
                Options::GoOn,
                "Go on without it",
                "it stays blocked and counts a quarter as open",
            )),
        ];
        // What is grave waits for the user, whoever is not there.
        if !gap.gravest.max(gap.severity).holds() {
            options.push(Choice {
                policy_only: true,
                ..choice(
                    Options::Unanswered,
                    "Put it off unanswered",
                    "the gap is deferred, since nobody was there to answer",
                )
            });
        }
        Ok(Question {
            severity: Some(gap.severity),
            options,
            fields: vec![
                field(
                    Fields::Input,
                    "what the Engineer needs to know",
                    &[Options::Input],
                ),
                field(Fields::Reason, "why it is put off", &[Options::Defer]),
            ],
            ..self.question(about, format!("{id} waits for your input"), context)
        })
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        match given.option {
            Options::Input => turn.give_input(&self.gap, given.field(Fields::Input), given.by),
            Options::Defer => turn.defer(&self.gap, given.field(Fields::Reason), given.by),
            Options::Another => turn.take_next_in_line(),
            Options::GoOn => Ok(()),
            Options::Unanswered => turn.defer(&self.gap, NOBODY_ANSWERED, given.by),
        }
    }
}

impl Turn<'_> {
    /// Takes the gap into the Engineering under way that would be planned now.
    fn take_next_in_line(&mut self) -> Result<()> {
        if self.state.now.round.phase == RoundPhase::Engineering
            && let Some(next) = plan(&self.state).assigned().into_iter().next()
        {
            self.assign_in_round(&next)?;
        }
        Ok(())
    }
}
