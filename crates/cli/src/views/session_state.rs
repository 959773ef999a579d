//! Where a session is, in a sentence, and the commands that go on with it.

use gapless_core::State;
use gapless_core::budget;
use gapless_core::phase::Phase;

use crate::context::Context;
use crate::output::Tone;
use crate::workspace::Workspace;

/// Where the session is, in a sentence.
pub fn place(state: &State) -> String {
    let now = &state.now;
    let place = match (now.phase, state.kept.ended) {
        (_, Some((end, trigger))) => format!("Ended as {end}: {}", trigger.sentence()),
        (Phase::Round, None) => format!(
            "Round {} of at most {}: {}",
            now.round.number,
            state.round_limit(),
            now.round.phase
        ),
        (Phase::FinalReview, None) => format!("Final review after round {}", now.round.number),
        (phase, None) => phase.to_string(),
    };
    match (state.kept.paused, budget::spent(state)) {
        (true, _) => format!("{place} (paused)"),
        (false, Some(spent)) if state.kept.ended.is_none() => {
            format!("{place} (out of budget: {spent})")
        }
        _ => place,
    }
}

/// What waits for an answer although the session has ended.
pub fn still_asked(
    context: &Context,
    workspace: &Workspace,
    name: &str,
    state: &State,
) -> Vec<String> {
    let screen = &context.screen;
    let show = format!(
        "gapless questions {name}{}",
        workspace.arguments_from(context)
    );
    let waiting = state.now.queue().into_iter().map(|question| {
        let command = screen.paint(Tone::Info, &show);
        format!("{} waits: {} See: {command}", question.id, question.title)
    });
    waiting.collect()
}

/// The command that goes on with a session.
pub fn resume_command(
    context: &Context,
    workspace: &Workspace,
    name: &str,
    state: &State,
) -> String {
    // Without more of what is used up, resuming would stop at once.
    let more = budget::spent(state).map_or(String::new(), |spent| {
        format!(" --budget {}=…", spent.name())
    });
    let here = workspace.arguments_from(context);
    format!("gapless resume {name}{here}{more}")
}
