//! `gapless status`: where a session is, what it waits for, and what to do next.

use gapless_domain::{End, quarters};
use gapless_session::figures::open_weights;
use gapless_session::{Figures, Now};
use gapless_spec::limitations;
use gapless_store::Driver;

use crate::output::chart;
use crate::output::tables::{inventory, rounds};
use crate::session_choice::driver;
use crate::views::questions::owned_in_words;
use crate::views::{delivery, session_json, session_state, usage};
use crate::{
    Context, Exit, OpenSession, Result, Screen, SessionArgs, SessionView, Tone, json, open_session,
    plain,
};

/// How many rounds are shown before the earlier ones are left to status.md.
const ROUNDS_SHOWN: usize = 12;

pub(crate) fn run(context: &Context, args: &SessionArgs) -> Result<Exit> {
    let opened = open_session(context, args.name.as_deref())?;
    let driver = driver(&opened.workspace, &opened.name);
    match context.screen.is_json() {
        true => json::print(&session_json::status(opened.view(context), driver.as_ref())),
        false => show(context, &opened, driver.as_ref()),
    }
    Ok(Exit::Done)
}

fn show(context: &Context, opened: &OpenSession, driver: Option<&Driver>) {
    let screen = &context.screen;
    let state = opened.state();
    let now = &state.now;
    let figures = Figures::of(state);
    let origin = state.kept.origin.as_ref();
    screen.line(&format!(
        "{} on {}, started {}",
        screen.paint(Tone::Strong, opened.name.as_str()),
        plain::one_line(origin.map_or("", |origin| &origin.source_path)),
        origin.map_or(String::new(), |origin| origin.at.to_string())
    ));
    screen.line(&session_state::place(state));
    if let Some(driver) = driver {
        screen.line(&format!(
            "Driven by process {} since {} ({})",
            driver.pid,
            driver.since,
            plain::shortened(&driver.command, 60)
        ));
    }
    screen.line(&format!(
        "{} of {} gaps open{}, {}{}",
        quarters(figures.open_quarters),
        figures.gaps,
        figures.parked_note(),
        figures.progress,
        match figures.progress.flat_count() {
            0 => String::new(),
            count => format!(", {count} flat"),
        }
    ));
    for chapter in state.chapters_in_words() {
        screen.line(&chapter);
    }
    let used = state.rollbacks_in_chapter();
    if used > 0 {
        let most = state.kept.setup.config.max_rollbacks_session;
        screen.line(&format!("{used} of {most} rollbacks used"));
    }
    inventory(screen, &figures.states);
    show_rounds(screen, now);
    screen.line("");
    screen.lines(usage::time_and_cost(figures.time, &figures.usage));
    next(opened.view(context), driver);
}

/// Shows how the open weight developed, and the last rounds.
fn show_rounds(screen: &Screen, now: &Now) {
    let chart = chart::columns(&open_weights(now), screen.width());
    if !chart.is_empty() {
        screen.line("");
        screen.line("  Open weight after each round");
        screen.lines(chart);
    }
    if now.history.is_empty() {
        return;
    }
    screen.line("");
    let earlier = now.history.len().saturating_sub(ROUNDS_SHOWN);
    let last = now.history.iter().skip(earlier);
    rounds(screen, last.map(AsRef::as_ref));
    if earlier > 0 {
        screen.line(&format!("  ({earlier} earlier rounds are in status.md)"));
    }
}

fn next(view: SessionView<'_>, driver: Option<&Driver>) {
    let (state, screen) = (view.state, view.screen());
    if let Some((end, _)) = state.kept.ended {
        screen.lines(session_state::still_asked(view));
        if end == End::Abandoned {
            return;
        }
        let left = limitations(state).len();
        if left > 0 {
            screen.line(&format!("Known limitations: {left}"));
        }
        screen.lines(delivery::lines(view));
        return;
    }
    let questions = state.now.queue();
    screen.line("");
    for question in &questions {
        let owned = owned_in_words(view, question);
        let owned = owned.map_or(String::new(), |text| format!(" (for {text})"));
        screen.line(&format!(
            "{} {}",
            screen.paint(Tone::Warn, format!("? {}", question.id)),
            plain::one_line(&format!("{}{owned}", question.title))
        ));
    }
    let command = match (questions.is_empty(), driver.is_some()) {
        (false, _) => view.command(&format!("questions {}", view.name)),
        (true, true) => return,
        (true, false) => session_state::resume_command(view),
    };
    screen.line(&format!("Next: {}", screen.paint(Tone::Info, command)));
}
