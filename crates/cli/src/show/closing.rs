//! Owns the last words of a run: how the session ended or why it stopped, and what to do next.

use gapless_core::State;
use gapless_core::documents::quarters;
use gapless_core::phase::End;
use gapless_runner::Stopped;

use crate::context::Context;
use crate::failure::Exit;
use crate::show::tables::{inventory, print};
use crate::show::{Tone, json, plain, questions};
use crate::workspace::Workspace;

/// What a run comes to for its caller.
pub fn exit_of(stopped: &Stopped) -> Exit {
    match stopped {
        Stopped::Ended(End::Complete | End::GoodEnough | End::UserApproved) => Exit::Done,
        Stopped::Ended(End::MaxRounds | End::StallExit | End::Abandoned) => Exit::Unmet,
        // Exit code 0 would say that the spec is refined; only the user can go on from here.
        Stopped::Paused | Stopped::Waiting(_) => Exit::Waiting,
        Stopped::Interrupted => Exit::Interrupted,
    }
}

fn name_of(stopped: &Stopped) -> &'static str {
    match stopped {
        Stopped::Ended(_) => "ended",
        Stopped::Paused => "paused",
        Stopped::Waiting(_) => "waiting",
        Stopped::Interrupted => "interrupted",
    }
}

/// Says why a run stopped and what comes next.
pub fn close(
    context: &Context,
    workspace: &Workspace,
    name: &str,
    state: &State,
    stopped: &Stopped,
) -> Exit {
    let screen = &context.screen;
    let resume = format!("gapless resume {name}{}", workspace.arguments_from(context));
    let go_on = |why: &str| {
        screen.line("");
        screen.line(&format!(
            "{why} Go on with: {}",
            screen.paint(Tone::Info, &resume)
        ));
    };
    match stopped {
        Stopped::Ended(_) => ended(context, workspace, name, state),
        Stopped::Paused => go_on("Paused; everything so far is on disk."),
        Stopped::Interrupted => go_on("Interrupted; everything so far is on disk."),
        Stopped::Waiting(_) => {
            for question in state.now.questions.values() {
                for line in questions::with_commands(context, workspace, name, question) {
                    screen.line(&line);
                }
            }
            go_on("Waiting for you: answer with one of the commands above.");
        }
    }
    let exit = exit_of(stopped);
    if screen.is_json() {
        let mut document = json::status(context, workspace, name, state, None);
        document["exit"] = exit.code().into();
        document["stopped"] = name_of(stopped).into();
        json::print(&document);
    }
    exit
}

fn ended(context: &Context, workspace: &Workspace, name: &str, state: &State) {
    let screen = &context.screen;
    let Some((end, trigger)) = state.kept.ended else {
        return;
    };
    let tone = match exit_of(&Stopped::Ended(end)) {
        Exit::Done => Tone::Good,
        _ => Tone::Warn,
    };
    screen.line("");
    screen.line(&format!(
        "{}: {}",
        screen.paint(tone, end.name()),
        trigger.sentence()
    ));
    let rounds = state.now.round.number;
    screen.line(&format!(
        "{} gaps, {} open, {rounds} {}, {}",
        state.now.gaps.len(),
        quarters(state.now.open_quarters()),
        if rounds == 1 { "round" } else { "rounds" },
        state.now.convergence.state
    ));
    print(screen, &inventory(screen, &state.now));
    let left = limitations(state);
    if left > 0 {
        screen.line(&format!(
            "Known limitations: {left}, listed at the end of the spec"
        ));
    }
    let Ok(name) = name.parse() else { return };
    let folder = workspace.folder(&name);
    let file = |path: &str| plain::clean(&folder.root().join(path).to_string_lossy());
    if end != End::Abandoned {
        screen.line(&format!("Refined spec: {}", file("spec.md")));
    }
    screen.line(&format!("Record:       {}", file("status.md")));
}

/// How many gaps and issues are left as known limitations.
pub fn limitations(state: &State) -> usize {
    let now = &state.now;
    now.gaps
        .values()
        .map(|gap| {
            let own = !gap.state.is_closed() || gap.state == gapless_core::gap::GapState::WontFix;
            let issues = match gap.state.is_closed() {
                true => now.standing_issues(gap).count(),
                false => 0,
            };
            usize::from(own) + issues
        })
        .sum()
}
