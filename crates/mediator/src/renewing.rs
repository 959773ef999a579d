//! Asks questions again when what they list has changed. A question keeps its id while an answer to it means the same, so
//! that a command that was printed for it goes on working. One that would accept other gaps than it listed before takes the
//! place of the old one under an id of its own: nobody accepts what they have not seen.

use super::{Result, Turn};
use crate::termination::Left;
use gapless_domain::question::stop;
use gapless_domain::{About, End, Question, Severity, Trigger};
use gapless_session::QuestionEvent;

impl Turn<'_> {
    /// Questions that list the inventory are asked again when it changed; those of a phase by the phase itself, if it still
    /// has to ask.
    pub(super) fn renew_inventory_questions(&mut self) -> Result<()> {
        let is_stop = |question: &Question| matches!(question.about, About::Stop { .. });
        if self.state.now.conflicts(Severity::Critical).count() > 0 {
            let why = "a CRITICAL conflict is to be decided before the session can be stopped";
            self.withdraw_questions(is_stop, why);
        }
        let questions = self.state.now.questions.values();
        let stops: Vec<(End, Trigger)> = questions
            .filter_map(|question| stop::Subject::of(&question.about))
            .map(|subject| (subject.end, subject.trigger))
            .collect();
        self.withdraw_to_renew(
            |question| question.about.lists_inventory(),
            "the inventory changed",
        );
        for (end, trigger) in stops {
            let end = match end {
                End::GoodEnough | End::UserApproved => Left::of(&self.state.now).end(),
                end => end,
            };
            self.ask(self.stop_question(end, trigger)?);
        }
        Ok(())
    }

    /// Withdraws questions that are asked again under their ids where they still need an answer.
    pub(super) fn withdraw_to_renew(&mut self, which: impl Fn(&Question) -> bool, why: &str) {
        self.withdraw(which, why, true);
    }

    /// How a question comes up: again under the id that it had, in the place of one that listed other gaps, or for the
    /// first time.
    pub(super) fn comes_up(&self, mut question: Question) -> QuestionEvent {
        let mut withdrawn = self.state.now.round.to_renew.values();
        let is_stop = |about: &About| matches!(about, About::Stop { .. });
        let before = withdrawn.find(|before| {
            before.about == question.about || is_stop(&before.about) && is_stop(&question.about)
        });
        match before {
            Some(before) if before.is_answered_alike(&question) => {
                question.id = before.id;
                question.replaces.clone_from(&before.replaces);
                QuestionEvent::Renewed { question }
            }
            Some(before) => {
                question.replaces.clone_from(&before.replaces);
                question.replaces.push(before.id);
                QuestionEvent::Asked { question }
            }
            None => QuestionEvent::Asked { question },
        }
    }
}
