//! Owns bringing what a user says to a session: through the inbox where another process drives it, else directly.

use std::time::{Duration, Instant};

use gapless_core::State;
use gapless_core::event::{Event, Happening, RollbackEvent};
use gapless_core::mediator::{Incoming, Step, UserInput};
use gapless_runner::{LetterOutcome, RunError};
use gapless_store::{Driver, LockError, SessionName, Store};
use serde_json::json as value;

use crate::context::Context;
use crate::driving;
use crate::driving::Driven;
use crate::failure::{Exit, Failure, Kind, NOTHING_CHANGED, WENT_ON};
use crate::output::{Tone, json, plain};
use crate::views::events::rollback;
use crate::views::events::{AskedQuestions, EventLines};
use crate::views::live_progress::edit_kept;
use crate::views::{delivery, session_state};
use crate::workspace::Workspace;

/// How long the driver is waited for.
const PATIENCE: Duration = Duration::from_secs(5);
const LOOK_EVERY: Duration = Duration::from_millis(40);

/// Who took it.
pub enum Taken {
    Driver(Option<Driver>),
    Here {
        state: Box<State>,
        events: Vec<Event>,
    },
}

/// Says something to a session, and says what came of it.
pub fn tell(
    context: &Context,
    workspace: &Workspace,
    name: &SessionName,
    said: UserInput,
) -> Result<Exit, Failure> {
    let resume = format!("gapless resume {name}{}", workspace.arguments_from(context));
    let screen = &context.screen;
    let mut document = value!({ "session": name.as_str(), "taken": true });
    let pauses = said == UserInput::Pause;
    let mut exit = Exit::Done;
    match bring(context, workspace, name, said)? {
        Taken::Driver(driver) => {
            let who = driver.map_or(String::new(), |driver| format!(" (process {})", driver.pid));
            screen.line(&format!("Taken by the run that drives {name}{who}."));
            document["by"] = "driver".into();
        }
        Taken::Here { state, events } => {
            let story = EventLines::new(screen, AskedQuestions::Listed);
            let lines: Vec<String> = events
                .iter()
                .filter_map(|event| story.line(&state, event))
                .collect();
            if lines.is_empty() {
                screen.line("Done.");
            }
            for line in &lines {
                screen.line(line);
            }
            match state.kept.ended {
                Some((end, trigger)) => {
                    screen.line(&format!(
                        "{name} has ended as {end}: {}.",
                        trigger.sentence()
                    ));
                    for line in delivery::lines(context, workspace, name.as_str(), &state) {
                        screen.line(&line);
                    }
                    for line in
                        session_state::still_asked(context, workspace, name.as_str(), &state)
                    {
                        screen.line(&line);
                    }
                    document["output"] = delivery::document(workspace, &state);
                    exit = delivery::exit(&state, exit);
                }
                None => {
                    let word = if pauses { "Go on later" } else { "Go on" };
                    screen.line(&format!(
                        "{word} with: {}",
                        screen.paint(Tone::Info, &resume)
                    ));
                    document["next"] = resume.into();
                }
            }
            let is_rollback = |event: &Event| {
                let what = &event.what;
                matches!(what, Happening::Rollback(RollbackEvent::RolledBack { .. }))
            };
            if events.iter().any(is_rollback) {
                let newest = state.kept.rollbacks.len().saturating_sub(1);
                document["rollback"] = rollback::document(&state, newest);
            }
            document["by"] = "this command".into();
        }
    }
    if screen.is_json() {
        json::print(&document);
    }
    Ok(exit)
}

/// Brings something to a session; where nobody drives it, it is in this process and nothing runs on.
pub fn bring(
    context: &Context,
    workspace: &Workspace,
    name: &SessionName,
    said: UserInput,
) -> Result<Taken, Failure> {
    let driven = match lock(context, workspace, name)? {
        Ok(driven) => return here(context, driven, Some(said)),
        Err(driver) => driver,
    };
    let mut store = workspace.write()?;
    let body = serde_json::to_string(&said)
        .map_err(|error| Failure::new(Kind::Internal, error.to_string()))?;
    let letter = store.post(name.as_str(), context.clock.now(), &body)?;
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(outcome) = store.letter(letter)?.and_then(|letter| letter.outcome) {
            return match serde_json::from_str(&outcome) {
                Ok(LetterOutcome::Refused { why }) => Err(refused(&why)),
                _ => Ok(Taken::Driver(driven)),
            };
        }
        // The driver may have stopped before it saw the letter: then it is taken here.
        if let Ok(driven) = lock(context, workspace, name)? {
            let taken = here(context, driven, None)?;
            return match store.letter(letter)?.and_then(|letter| letter.outcome) {
                Some(outcome) => match serde_json::from_str(&outcome) {
                    Ok(LetterOutcome::Refused { why }) => Err(refused(&why)),
                    _ => Ok(taken),
                },
                None => Ok(taken),
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

fn refused(why: &str) -> Failure {
    Failure {
        exit: Exit::Unmet,
        ..Failure::new(Kind::Refused, why).hint(NOTHING_CHANGED)
    }
}

/// The session to drive, or who drives it.
fn lock(
    context: &Context,
    workspace: &Workspace,
    name: &SessionName,
) -> Result<Result<Driven, Option<Driver>>, Failure> {
    match driving::take(context, workspace, name) {
        Ok(driven) => Ok(Ok(driven)),
        Err(driving::NotTaken::Lock(LockError::Held { driver })) => Ok(Err(driver)),
        Err(error) => Err(error.into()),
    }
}

/// Takes what waits in the inbox and what is said now; everything is on disk when this returns.
fn here(context: &Context, mut driven: Driven, said: Option<UserInput>) -> Result<Taken, Failure> {
    let now = context.clock.now();
    let session = &mut driven.session;
    session.take_letters(now)?;
    let fed = match said {
        Some(said) => session.feed(now, Incoming::User(said)),
        None => Ok(()),
    };
    // Without a driver the command drives, up to where something must be done outside: what is asked next waits then.
    while session.step() == Step::Advance {
        session
            .feed(now, Incoming::Advance)
            .map_err(RunError::from)?;
    }
    let mut events = session.commit()?;
    let (later, news) = session.come_to_rest(now)?;
    events.extend(later);
    for edit in &news.edits {
        let text = plain::one_line(&edit_kept(edit));
        context.screen.note(&format!("! {text}"));
    }
    for error in &news.errors {
        context
            .screen
            .note(&format!("! a document was not written: {error}"));
    }
    if let Err(refusal) = fed {
        let failure = Failure::from(refusal);
        let went_on = !events.is_empty() && failure.hint.as_deref() == Some(NOTHING_CHANGED);
        return Err(match went_on {
            true => failure.hint(WENT_ON),
            false => failure,
        });
    }
    Ok(Taken::Here {
        state: Box::new(driven.session.state().clone()),
        events,
    })
}
