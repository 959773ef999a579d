//! Where a session is, in a sentence, and the commands that go on with it.

use gapless_domain::Phase;
use gapless_session::{State, spending};

use crate::{SessionView, Tone};

/// Where the session is, in a sentence.
pub(crate) fn place(state: &State) -> String {
    let now = &state.now;
    let is_new = state.chapter() > 1 && now.round.number == state.rounds_before_chapter();
    let place = match (now.phase, state.kept.ended) {
        (_, Some(_)) => format!("Ended as {}", state.end_sentence().unwrap_or_default()),
        (Phase::Round | Phase::Inventory, None) if is_new => format!(
            "Chapter {} goes on after round {}",
            state.chapter(),
            now.round.number
        ),
        (Phase::Round, None) => format!(
            "Round {} of at most {}: {}",
            now.round.number,
            state.round_limit(),
            now.round.phase
        ),
        (Phase::FinalReview, None) => format!("Final review after round {}", now.round.number),
        (phase, None) => phase.to_string(),
    };
    match (state.kept.paused, spending::spent(state)) {
        (true, _) => format!("{place} (paused)"),
        (false, Some(spent)) if state.kept.ended.is_none() => {
            format!("{place} (out of budget: {spent})")
        }
        _ => place,
    }
}

/// Says which questions wait although the session has ended.
pub(crate) fn still_asked(view: SessionView<'_>) -> Vec<String> {
    let questions = view.command(&format!("questions {}", view.name));
    let questions = view.screen().paint(Tone::Info, questions);
    let waiting = view.state.now.queue().into_iter();
    waiting
        .map(|question| {
            let (id, title) = (question.id, &question.title);
            format!("{id} waits: {title} See: {questions}")
        })
        .collect()
}

/// The command that goes on with a session.
pub(crate) fn resume_command(view: SessionView<'_>) -> String {
    let resume = view.command(&format!("resume {}", view.name));
    match spending::spent(view.state) {
        // With the same budget it would stop at once.
        Some(spent) => format!("{resume} --budget {}=…", spent.name()),
        None => resume,
    }
}
