//! Owns putting one question that a command brought about: right here where nobody drives the session, else where it is
//! driven. Nothing else of the session goes on meanwhile.

use gapless_core::question::Question;
use gapless_runner::Stopped;
use gapless_store::{Driver, LockError};
use serde_json::json as value;

use crate::askers::Desk;
use crate::context::Context;
use crate::driving::{self, Driven, NotTaken};
use crate::failure::{Exit, Failure};
use crate::session_choice::Opened;
use crate::show::{Tone, json, questions};
use crate::telling::Taken;

/// Which question it is, and how it is spoken of.
pub struct OneQuestion {
    pub is_it: fn(&Question) -> bool,
    /// What it asks, behind "it asks there".
    pub asks: &'static str,
    /// What is said of the session once it is settled, behind its name.
    pub goes_on: &'static str,
}

/// Puts the question.
pub fn put(
    context: &Context,
    opened: &Opened,
    taken: &Taken,
    desk: Desk,
    question: &OneQuestion,
) -> Result<Exit, Failure> {
    if let Taken::Driver(driver) = taken {
        return Ok(asked_there(context, opened, driver.as_ref(), question));
    }
    match driving::take(context, &opened.workspace, &opened.name) {
        Ok(driven) => ask_here(context, driven, desk, question),
        // Somebody resumed it in between: the question waits there.
        Err(NotTaken::Lock(LockError::Held { driver })) => {
            Ok(asked_there(context, opened, driver.as_ref(), question))
        }
        Err(error) => Err(error.into()),
    }
}

fn asked_there(
    context: &Context,
    opened: &Opened,
    driver: Option<&Driver>,
    question: &OneQuestion,
) -> Exit {
    let screen = &context.screen;
    let name = &opened.name;
    let who = driver.map_or(String::new(), |driver| format!(" (process {})", driver.pid));
    let questions = format!(
        "gapless questions {name}{}",
        opened.workspace.arguments_from(context)
    );
    screen.line(&format!(
        "Taken by the run that drives {name}{who}: it asks there {}. To answer from here: {}",
        question.asks,
        screen.paint(Tone::Info, &questions)
    ));
    if screen.is_json() {
        json::print(&value!({
            "session": name.as_str(),
            "taken": true,
            "by": "driver",
            "next": questions,
        }));
    }
    Exit::Done
}

fn ask_here(
    context: &Context,
    mut driven: Driven,
    desk: Desk,
    question: &OneQuestion,
) -> Result<Exit, Failure> {
    match driven.ask_only(context, desk, question.is_it)? {
        Some(Stopped::Waiting(_)) => Ok(waiting(context, &driven, question)),
        Some(stopped) => Ok(driven.close(context, &stopped)),
        None => Ok(goes_on(context, &driven, question)),
    }
}

fn waiting(context: &Context, driven: &Driven, question: &OneQuestion) -> Exit {
    let Driven {
        session,
        workspace,
        name,
        ..
    } = driven;
    let state = session.state();
    let questions = state.now.queue().into_iter();
    for asked in questions.filter(|asked| (question.is_it)(asked)) {
        for line in questions::with_commands(context, workspace, name.as_str(), asked) {
            context.screen.line(&line);
        }
    }
    context.screen.line("");
    context
        .screen
        .line("Waiting for you: answer with one of the commands above.");
    last_words(context, driven, Exit::Waiting, "waiting")
}

fn goes_on(context: &Context, driven: &Driven, question: &OneQuestion) -> Exit {
    let screen = &context.screen;
    let resume = format!(
        "gapless resume {}{}",
        driven.name,
        driven.workspace.arguments_from(context)
    );
    screen.line(&format!(
        "{} {}. Go on with: {}",
        driven.name,
        question.goes_on,
        screen.paint(Tone::Info, resume)
    ));
    last_words(context, driven, Exit::Done, "continued")
}

fn last_words(context: &Context, driven: &Driven, exit: Exit, stopped: &str) -> Exit {
    if context.screen.is_json() {
        let state = driven.session.state();
        let name = driven.name.as_str();
        let mut document = json::status(context, &driven.workspace, name, state, None);
        document["exit"] = exit.code().into();
        document["stopped"] = stopped.into();
        json::print(&document);
    }
    exit
}
