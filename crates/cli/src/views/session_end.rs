//! The end of a run: how the session ended or why it stopped, and what to do next.

use gapless_agents::Endpoint;
use gapless_domain::{End, quarters};
use gapless_runner::Stopped;
use gapless_session::{Figures, State, spending};
use gapless_views::documents::Closing;
use serde_json::{Value, json as value};

use crate::output::tables::inventory;
use crate::output::wording::count;
use crate::views::{delivery, questions, session_json, session_state, usage};
use crate::{Exit, Screen, SessionView, Tone, json, plain};

/// The exit of a run, by why it stopped.
fn exit_of(stopped: &Stopped) -> Exit {
    match stopped {
        Stopped::Ended(End::Complete | End::GoodEnough | End::UserApproved) => Exit::Done,
        Stopped::Ended(End::MaxRounds | End::StallExit | End::Abandoned) => Exit::Unmet,
        // Exit code 0 would say that the spec is refined; only the user can go on from here.
        Stopped::Paused | Stopped::OutOfBudget | Stopped::Waiting(_) => Exit::Waiting,
        Stopped::Interrupted => Exit::Interrupted,
    }
}

fn name_of(stopped: &Stopped) -> &'static str {
    match stopped {
        Stopped::Ended(_) => "ended",
        Stopped::Paused => "paused",
        Stopped::OutOfBudget => "out_of_budget",
        Stopped::Waiting(_) => "waiting",
        Stopped::Interrupted => "interrupted",
    }
}

/// Says why a run stopped and what comes next; `endpoints` are those of its agents.
pub(crate) fn close(
    view: SessionView<'_>,
    stopped: &Stopped,
    endpoints: &[(String, Endpoint)],
) -> Exit {
    let (state, screen) = (view.state, view.screen());
    let resume = view.command(&format!("resume {}", view.name));
    let go_on = |why: &str| {
        screen.line("");
        screen.line(&format!(
            "{why} Go on with: {}",
            screen.paint(Tone::Info, &resume)
        ));
    };
    match stopped {
        Stopped::Ended(_) => ended(view),
        Stopped::Paused => go_on("Paused; everything so far is on disk."),
        Stopped::OutOfBudget => {
            let spent = spending::spent(state);
            let why = spent.map_or(String::new(), |spent| spent.to_string());
            let what = spent.map_or("tokens", |spent| spent.name());
            screen.line("");
            screen.line(&format!(
                "{}: {why}. The round stays open; everything so far is on disk.",
                screen.paint(Tone::Warn, "Out of budget")
            ));
            let more = format!("{resume} --budget {what}=…");
            screen.line(&format!(
                "Go on with more: {}",
                screen.paint(Tone::Info, more)
            ));
        }
        Stopped::Interrupted => go_on("Interrupted; everything so far is on disk."),
        Stopped::Waiting(_) => {
            for question in state.now.queue() {
                screen.lines(questions::with_commands(view, question));
            }
            so_far(view);
            go_on("Waiting for you: answer with one of the commands above.");
        }
    }
    let exit = delivery::exit(state, exit_of(stopped));
    if screen.is_json() {
        let mut document = session_json::status(view, None);
        document["exit"] = exit.code().into();
        document["stopped"] = name_of(stopped).into();
        document["endpoints"] = endpoints.iter().map(endpoint_json).collect();
        json::print(&document);
    }
    exit
}

fn endpoint_json((agent, endpoint): &(String, Endpoint)) -> Value {
    value!({ "agent": agent, "url": endpoint.url, "key_variable": endpoint.key_variable })
}

/// Shows how far a waiting session is; nothing before its first round is over.
fn so_far(view: SessionView<'_>) {
    let (state, screen) = (view.state, view.screen());
    if state.now.history.is_empty() {
        return;
    }
    let figures = Figures::of(state);
    screen.line("");
    screen.line(&format!("So far: {}", in_a_line(&figures)));
    match delivery::delivered_file(view) {
        Some(file) => {
            let path = plain::clean(&file.to_string_lossy());
            view.screen()
                .line(&format!("Refined spec: {path}, as far as it goes"));
        }
        None => show_file(view, "Refined spec:", "spec.md"),
    }
    show_file(view, "Record:", "status.md");
}

fn in_a_line(figures: &Figures) -> String {
    format!(
        "{}, {} open{}, {}, {}",
        count(figures.gaps, "gap"),
        quarters(figures.open_quarters),
        figures.parked_note(),
        count(figures.round, "round"),
        figures.progress,
    )
}

/// Says of a session that ended and that nothing but rules reviewed that this is so, where its results are shown.
pub(crate) fn remark_by_rules(screen: &Screen, state: &State) {
    if let Some(end) = state.end_in_words().filter(|_| state.is_ended_by_rules()) {
        screen.note(&end);
    }
}

fn show_file(view: SessionView<'_>, label: &str, file: &str) {
    let path = plain::clean(&view.file(file).to_string_lossy());
    view.screen().line(&format!("{label:<13} {path}"));
}

fn ended(view: SessionView<'_>) {
    let screen = view.screen();
    let Some(closing) = Closing::of(view.state) else {
        return;
    };
    let figures = &closing.figures;
    let tone = match exit_of(&Stopped::Ended(closing.end)) {
        Exit::Done => Tone::Good,
        _ => Tone::Warn,
    };
    screen.line("");
    let end = screen.paint(tone, &closing.end_in_words);
    let why = closing.trigger.sentence();
    screen.line(&match closing.is_by_rules {
        true => format!("{end} ({why})"),
        false => format!("{end}: {why}"),
    });
    screen.line(&in_a_line(figures));
    inventory(screen, &figures.states);
    screen.line("");
    if !closing.limitations.is_empty() {
        screen.line(match closing.end {
            End::Abandoned => "What was left:",
            _ => "Known limitations, also at the end of the spec:",
        });
        for limitation in &closing.limitations {
            let room = 4 * screen.width().saturating_sub(6);
            let text = plain::shortened(&limitation.to_string(), room);
            let lines = plain::wrapped(&text, screen.width(), "    ");
            screen.line(&format!("  - {}", lines.join("\n").trim_start()));
        }
    }
    screen.lines(usage::time_and_cost(figures.time, &figures.usage));
    show_file(view, "Record:", "status.md");
    screen.lines(delivery::lines(view));
    screen.lines(session_state::still_asked(view));
}
