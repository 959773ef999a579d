//! Sends what a user says to a session: through its inbox if another process drives it, otherwise directly.

use std::time::{Duration, Instant};

use gapless_agents::could_see;
use gapless_mediator::{Incoming, Step, UserInput};
use gapless_runner::{LetterOutcome, RunError};
use gapless_session::{Event, Happening, RollbackEvent, State};
use gapless_store::{Driver, LockError, SessionName, Store};
use serde_json::{Value, json as value};

use super::locked::{LockedSession, NotLocked};
use crate::failure::{NOTHING_CHANGED, WENT_ON};
use crate::views::events::{AskedQuestions, EventLines, rollback};
use crate::views::live_progress::edit_kept;
use crate::views::{delivery, session_state};
use crate::{Context, Exit, Failure, Kind, Result, SessionView, Tone, Workspace, json, plain};

/// How long to wait for the process that drives the session.
const PATIENCE: Duration = Duration::from_secs(5);
const LOOK_EVERY: Duration = Duration::from_millis(40);

/// Who took what was sent.
pub(crate) enum Sent {
    /// The process that drives the session.
    ToDriver(Option<Driver>),
    /// This process.
    Here {
        state: Box<State>,
        events: Vec<Event>,
    },
}

/// Names the process that drives a session, behind the session's name.
pub(crate) fn process_of(driver: Option<&Driver>) -> String {
    driver.map_or(String::new(), |driver| format!(" (process {})", driver.pid))
}

/// Sends something to a session, and says what came of it.
pub(crate) fn send_and_report(
    context: &Context,
    workspace: &Workspace,
    name: &SessionName,
    said: UserInput,
) -> Result<Exit> {
    let screen = &context.screen;
    let mut document = value!({ "session": name.as_str(), "taken": true });
    let go_on = match said {
        UserInput::Pause => "Go on later with",
        _ => "Go on with",
    };
    let exit = match send(context, workspace, name, said)? {
        Sent::ToDriver(driver) => {
            let process = process_of(driver.as_ref());
            screen.line(&format!("Taken by the run that drives {name}{process}."));
            document["by"] = "driver".into();
            Exit::Done
        }
        Sent::Here { state, events } => {
            document["by"] = "this command".into();
            let lines = EventLines::new(screen, AskedQuestions::Listed);
            let lines = events.iter().filter_map(|event| lines.line(&state, event));
            let lines: Vec<String> = lines.collect();
            if lines.is_empty() {
                screen.line("Done.");
            }
            screen.lines(lines);
            if events.iter().any(is_rollback) {
                let newest = state.kept.rollbacks.len().saturating_sub(1);
                document["rollback"] = rollback::document(&state, newest);
            }
            if state.kept.ended.is_none() {
                let resume = workspace.command(context, &format!("resume {name}"));
                let command = screen.paint(Tone::Info, &resume);
                screen.line(&format!("{go_on}: {command}"));
                document["next"] = resume.into();
            }
            let view = SessionView {
                context,
                workspace,
                name,
                state: &state,
            };
            report_end(view, &mut document)
        }
    };
    if screen.is_json() {
        json::print(&document);
    }
    Ok(exit)
}

fn is_rollback(event: &Event) -> bool {
    let what = &event.what;
    matches!(what, Happening::Rollback(RollbackEvent::RolledBack { .. }))
}

/// Says how the session ended, if it has.
pub(crate) fn report_end(view: SessionView<'_>, document: &mut Value) -> Exit {
    let Some(ended) = view.state.end_sentence() else {
        return Exit::Done;
    };
    let (name, screen) = (view.name, view.screen());
    screen.line(&format!("{name} has ended as {ended}."));
    screen.lines(delivery::lines(view));
    screen.lines(session_state::still_asked(view));
    document["output"] = delivery::document(view);
    delivery::exit(view.state, Exit::Done)
}

/// Sends something to a session. If nobody drives it, this process takes it, and nothing else goes on.
pub(crate) fn send(
    context: &Context,
    workspace: &Workspace,
    name: &SessionName,
    said: UserInput,
) -> Result<Sent> {
    let driver = match lock(context, workspace, name)? {
        Ok(session) => return take_here(context, session, Some(said)),
        Err(driver) => driver,
    };
    // Out of sight of the run, nobody can say whether this is one of its agents.
    if driver.as_ref().is_some_and(|driver| !could_see(driver.pid)) {
        return Err(Failure::out_of_sight(name.as_str()));
    }
    let mut store = workspace.write()?;
    let body = serde_json::to_string(&said)
        .map_err(|error| Failure::new(Kind::Internal, error.to_string()))?;
    let letter = store.post(name.as_str(), context.clock.now(), &body)?;
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(outcome) = store.letter(letter)?.and_then(|letter| letter.outcome) {
            return accepted(&outcome).map(|()| Sent::ToDriver(driver));
        }
        // The driver may have stopped before it saw the letter: then it is taken here.
        if let Ok(session) = lock(context, workspace, name)? {
            let sent = take_here(context, session, None)?;
            return match store.letter(letter)?.and_then(|letter| letter.outcome) {
                Some(outcome) => accepted(&outcome).map(|()| sent),
                None => Ok(sent),
            };
        }
        if Instant::now() > deadline {
            let message = format!("the run that drives {name} has not taken it yet");
            return Err(Failure::new(Kind::Driven, message).hint(
                "it stays in the session's inbox and is taken when that run goes on, or with the next resume",
            ));
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// Fails if the outcome of a letter is a refusal.
fn accepted(outcome: &str) -> Result<()> {
    match serde_json::from_str(outcome) {
        Ok(LetterOutcome::Refused { why }) => Err(Failure {
            exit: Exit::Unmet,
            ..Failure::new(Kind::Refused, why).hint(NOTHING_CHANGED)
        }),
        _ => Ok(()),
    }
}

/// Locks the session, or names the process that drives it.
fn lock(
    context: &Context,
    workspace: &Workspace,
    name: &SessionName,
) -> Result<Result<LockedSession, Option<Driver>>> {
    match LockedSession::open(context, workspace, name) {
        Ok(session) => Ok(Ok(session)),
        Err(NotLocked::Lock(LockError::Held { driver })) => Ok(Err(driver)),
        Err(error) => Err(error.into()),
    }
}

/// Takes what waits in the inbox and what is said now. Everything is on disk when this returns.
fn take_here(
    context: &Context,
    mut locked: LockedSession,
    said: Option<UserInput>,
) -> Result<Sent> {
    let now = context.clock.now();
    let session = &mut locked.session;
    session.take_letters(now)?;
    let fed = match said {
        Some(said) => session.feed(now, Incoming::User(said)),
        None => Ok(()),
    };
    // Without a driver this command drives the session, up to where something must be done outside of it.
    while session.step() == Step::Advance {
        session
            .feed(now, Incoming::Advance)
            .map_err(RunError::from)?;
    }
    let mut events = session.commit()?;
    if fed.is_err() {
        session.deliver_nothing();
    }
    let (later, news) = session.come_to_rest(now)?;
    events.extend(later);
    for edit in &news.edits {
        let text = plain::one_line(&edit_kept(edit));
        context.screen.note(&format!("! {text}"));
    }
    for error in &news.errors {
        let text = format!("! a document was not written: {error}");
        context.screen.note(&text);
    }
    for why in &news.dropped {
        context.screen.note(&format!("! {why}"));
    }
    if let Err(refusal) = fed {
        let failure = Failure::from(refusal);
        let went_on = !events.is_empty() && failure.hint.as_deref() == Some(NOTHING_CHANGED);
        return Err(match went_on {
            true => failure.hint(WENT_ON),
            false => failure,
        });
    }
    Ok(Sent::Here {
        state: Box::new(locked.session.state().clone()),
        events,
    })
}
