//! How each kind of question is worded and what its answers do, a file for each kind. The subject, options and fields of a
//! kind are in its entry in the domain's list of kinds.

mod agent_cannot_run;
mod archives;
mod blocked_gap;
mod both_empty;
mod broken_agent;
mod conflict;
mod contradiction;
mod decided_matter;
pub(crate) mod defaults;
mod divergence;
mod escalation;
mod implicit_disagreement;
mod inventory;
mod lesser_conflicts;
mod nothing_to_plan;
mod rate_limit;
mod rollback;
mod rollback_limit;
mod root_cause;
mod round_limit;
mod severity;
mod stop;
mod systematic_concern;
mod undone_decisions;

mod attempts;
mod decision_lines;
mod flag_lines;
mod given;
mod rollback_lines;
mod wording;

#[cfg(test)]
mod tests;

use crate::{Result, Turn};
use gapless_domain::question::Kind;
use gapless_domain::{About, Answer, Question, for_each_kind};
use gapless_session::{Happening, Noted, Now, QuestionEvent};
pub(crate) use given::Given;

/// What the answers to a question of one kind do.
trait Effect: Kind + Sized {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()>;

    /// What an answer settles for the rest of its round or of the session.
    fn noted(&self, _option: Self::Options) -> Vec<Noted> {
        Vec::new()
    }

    /// True where nothing is left to ask, because its subject is gone for good or the user settled it otherwise.
    fn is_settled(&self, _now: &Now) -> bool {
        false
    }
}

macro_rules! effects {
    ($($(#[$doc:meta])* $kind:ident: $module:ident $entry:tt)+) => {
        impl Turn<'_> {
            /// Takes an answer that was checked against its question.
            pub(crate) fn carry_out(&mut self, question: &Question, answer: &Answer) -> Result<()> {
                match &question.about {
                    $(About::$kind(subject) => take(self, subject, question, answer)),+
                }
            }
        }

        /// True for a question that has nothing left to ask.
        pub(crate) fn is_settled(about: &About, now: &Now) -> bool {
            match about {
                $(About::$kind(subject) => subject.is_settled(now)),+
            }
        }
    };
}

for_each_kind!(effects);

fn take<K: Effect>(
    turn: &mut Turn<'_>,
    subject: &K,
    question: &Question,
    answer: &Answer,
) -> Result<()> {
    let given = Given::read(question, answer)?;
    turn.emit(Happening::Question(QuestionEvent::Answered {
        id: question.id,
        answer: answer.clone(),
        noted: Some(subject.noted(given.option)),
    }));
    subject.carry_out(turn, &given)
}
