//! Asks how to go on at the round limit.

use super::wording::{abandon_choice, choice, pause_choice, recommended_if};
use super::{Effect, Given};
use crate::termination::Left;
use crate::{Result, Turn};
use gapless_domain::config::EXTENSION_ROUNDS;
use gapless_domain::question::round_limit::{Options, Subject};
use gapless_domain::{About, Choice, End, Question, Severity, Trigger};

impl Turn<'_> {
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
        let is_blocked = self.state.now.conflicts(Severity::Critical).count() > 0;
        if self.can_extend() {
            let extend = choice(
                Options::Extend,
                &format!("Extend by {EXTENSION_ROUNDS} rounds"),
                "the session goes on",
            );
            options.push(recommended_if(!is_blocked, extend));
        }
        options.extend([
            choice(
                Options::Accept,
                "Accept what there is",
                "you are asked to accept what is left, and the session ends as MAX_ROUNDS",
            ),
            recommended_if(is_blocked, pause_choice(Options::Pause)),
            abandon_choice(Options::Abandon),
        ]);
        // Nobody is there to accept anything: the session stops with everything that is left listed as a limitation.
        if !is_blocked {
            options.push(Choice {
                policy_only: true,
                ..choice(
                    Options::ForcedStop,
                    "Stop at the limit",
                    "the session ends as MAX_ROUNDS; what is left is a known limitation",
                )
            });
        }
        Question {
            options,
            ..self.question(
                About::RoundLimit(Subject { round }),
                "The round limit is reached".to_owned(),
                context,
            )
        }
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        match given.option {
            Options::Extend => {
                turn.extend_rounds();
                Ok(())
            }
            Options::Accept => turn.ask_stop(End::MaxRounds, Trigger::RoundLimit),
            Options::Pause => turn.pause(),
            Options::Abandon => turn.abandon(),
            Options::ForcedStop => turn.end(End::MaxRounds, Trigger::RoundLimit),
        }
    }
}
