//! Asks what to do when no rollback is left.

use super::rollback_lines::history_lines;
use super::wording::{abandon_choice, choice, pause_choice};
use super::{Effect, Given};
use crate::termination::Left;
use crate::{Result, Turn};
use gapless_domain::question::rollback_limit::{Options, Subject};
use gapless_domain::{About, Question, Trigger};

impl Turn<'_> {
    pub(crate) fn rollback_limit_question(&self) -> Question {
        let round = self.state.now.round.number;
        let most = self.state.kept.setup.config.max_rollbacks_session;
        let context = format!(
            "Used: {most} of {most} rollbacks.\n\n{}\n\nSo many suggest something beyond single rounds: the source may be \
             ambiguous, the session too broad, or the agents unfit for the subject. No further rollback is available; \
             `max_rollbacks_session` in gapless.toml can be raised to 10.",
            history_lines(self.state.kept.rollbacks.iter())
        );
        Question {
            options: vec![
                pause_choice(Options::Pause),
                choice(
                    Options::Accept,
                    "Accept the present state",
                    "you are asked to accept what is left, and the session ends",
                ),
                abandon_choice(Options::Abandon),
                choice(
                    Options::GoOn,
                    "Go on",
                    "nothing is undone; the session goes on",
                ),
            ],
            ..self.question(
                About::RollbackLimit(Subject { round }),
                "The session has no rollback left".to_owned(),
                context,
            )
        }
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        match given.option {
            Options::Pause => turn.pause_over(given.question),
            Options::Accept => {
                turn.ask_stop(Left::of(&turn.state.now).end(), Trigger::RollbackLimit)
            }
            Options::Abandon => turn.abandon(),
            Options::GoOn => Ok(()),
        }
    }
}
