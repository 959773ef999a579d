//! Answers that must be refused without changing anything.

use gapless_domain::{Answer, DecidedBy, Question, QuestionId};
use gapless_mediator::UserInput;
use gapless_session::State;

use crate::Rng;

/// An answer that no question of this state allows.
pub fn answer(rng: &mut Rng, state: &State) -> UserInput {
    let pending: Vec<&Question> = state.now.questions.values().collect();
    // A user can accept only gaps that the question listed.
    let replaced = pending.iter().flat_map(|question| &question.replaces);
    let replaced: Vec<QuestionId> = replaced.copied().collect();
    if let Some(&question) = rng.pick(&replaced) {
        let answer = users("accept");
        return UserInput::Answer { question, answer };
    }
    let (question, answer) = match rng.pick(&pending) {
        Some(question) if rng.percent(75) => (question.id, unfit(rng, question)),
        _ => (not_pending(rng, state), users("begin")),
    };
    UserInput::Answer { question, answer }
}

fn users(option: &str) -> Answer {
    Answer::of(option, DecidedBy::User)
}

/// A question that was answered, withdrawn for good or never asked.
fn not_pending(rng: &mut Rng, state: &State) -> QuestionId {
    let (pending, to_renew) = (&state.now.questions, &state.now.round.to_renew);
    let mut gone: Vec<QuestionId> = state.kept.question_fates.keys().copied().collect();
    gone.retain(|id| !pending.contains_key(id) && !to_renew.contains_key(id));
    let never_asked = QuestionId(state.kept.questions_asked + 7);
    rng.pick(&gone).copied().unwrap_or(never_asked)
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
        (0, Some((label, ..)), _) => users(label),
        (1, Some((label, name, true)), _) => users(label).with(name, "i accept nothing"),
        (1, Some((label, name, false)), _) => users(label).with(name, " \t "),
        (2, _, Some(choice)) => users(&choice.label),
        (3, ..) => {
            let first = question.options.first();
            users(first.map_or("", |choice| &choice.label)).with("no such field", "1")
        }
        _ => users("no such option"),
    }
}
