//! Answers that must be refused without changing anything.

use gapless_domain::{Answer, DecidedBy, Question, QuestionId};
use gapless_mediator::UserInput;
use gapless_session::State;

use crate::Rng;

/// An answer that no question of this state allows.
pub fn answer(rng: &mut Rng, state: &State) -> UserInput {
    let pending: Vec<&Question> = state.now.questions.values().collect();
    // A user can accept only gaps that the question listed.
    let replaced: Vec<QuestionId> = pending
        .iter()
        .flat_map(|question| question.replaces.iter().copied())
        .collect();
    if let Some(question) = rng.pick(&replaced) {
        return UserInput::Answer {
            question: *question,
            answer: Answer::of("accept", DecidedBy::User),
        };
    }
    match rng.pick(&pending) {
        Some(question) if rng.percent(75) => UserInput::Answer {
            question: question.id,
            answer: unfit(rng, question),
        },
        _ => UserInput::Answer {
            question: not_pending(rng, state),
            answer: Answer::of("begin", DecidedBy::User),
        },
    }
}

/// A question that was answered, withdrawn for good or never asked.
fn not_pending(rng: &mut Rng, state: &State) -> QuestionId {
    let gone: Vec<QuestionId> = state
        .kept
        .question_fates
        .keys()
        .filter(|id| !state.now.questions.contains_key(*id))
        .filter(|id| !state.now.round.to_renew.contains_key(*id))
        .copied()
        .collect();
    rng.pick(&gone)
        .copied()
        .unwrap_or(QuestionId(state.kept.questions_asked + 7))
}

fn unfit(rng: &mut Rng, question: &Question) -> Answer {
    let needy: Vec<(&str, &str, bool)> = question
        .fields
        .iter()
        .flat_map(|field| {
            let sentence = field.exactly.is_some();
            let labels = field.needed_for.iter();
            labels.map(move |label| (label.as_str(), field.name.as_str(), sentence))
        })
        .filter(|(label, ..)| question.options.iter().any(|choice| choice.label == *label))
        .collect();
    let policy_only = question.options.iter().find(|choice| choice.policy_only);
    match (rng.below(5), rng.pick(&needy), policy_only) {
        (0, Some((label, ..)), _) => Answer::of(label, DecidedBy::User),
        (1, Some((label, name, true)), _) => {
            Answer::of(label, DecidedBy::User).with(name, "i accept nothing")
        }
        (1, Some((label, name, false)), _) => Answer::of(label, DecidedBy::User).with(name, " \t "),
        (2, _, Some(choice)) => Answer::of(&choice.label, DecidedBy::User),
        (3, ..) => {
            let label = question
                .options
                .first()
                .map_or("", |choice| choice.label.as_str());
            Answer::of(label, DecidedBy::User).with("no such field", "1")
        }
        _ => Answer::of("no such option", DecidedBy::User),
    }
}
