//! Owns putting one question that a command brought about: right here where nobody drives the session, else where it is
//! driven. Nothing else of the session goes on meanwhile.

use gapless_core::State;
use gapless_core::question::Question;
use gapless_runner::Stopped;
use gapless_store::{Driver, LockError};
use serde_json::{Value, json as value};

use crate::askers::Desk;
use crate::context::Context;
use crate::driving;
use crate::driving::{Driven, NotTaken};
use crate::failure::{Exit, Failure};
use crate::output::{Tone, json};
use crate::session_choice::{Opened, open};
use crate::telling::Taken;
use crate::views::{questions, session_json};

/// Which question it is, and how it is spoken of.
pub struct OneQuestion {
    pub is_it: fn(&Question) -> bool,
    /// What it asks, behind "it asks there".
    pub asks: &'static str,
    /// What is said of the session once it is settled, behind its name.
    pub goes_on: &'static str,
    /// What the document of `--json` has beside, by its key: from the states before the command and after it.
    pub beside: Option<(&'static str, Beside)>,
}

/// Makes a part of a document out of the states before and after a command.
pub type Beside = fn(&State, &State) -> Option<Value>;

impl OneQuestion {
    fn add_beside(&self, document: &mut Value, before: &State, after: &State) {
        if let Some((key, beside)) = self.beside {
            document[key] = beside(before, after).unwrap_or_default();
        }
    }
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
        return asked_there(context, opened, driver.as_ref(), question);
    }
    match driving::take(context, &opened.workspace, &opened.name) {
        Ok(driven) => ask_here(context, opened.state(), driven, desk, question),
        // Somebody resumed it in between: the question waits there.
        Err(NotTaken::Lock(LockError::Held { driver })) => {
            asked_there(context, opened, driver.as_ref(), question)
        }
        Err(error) => Err(error.into()),
    }
}

fn asked_there(
    context: &Context,
    opened: &Opened,
    driver: Option<&Driver>,
    question: &OneQuestion,
) -> Result<Exit, Failure> {
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
        let mut document = value!({
            "session": name.as_str(),
            "taken": true,
            "by": "driver",
            "next": questions,
        });
        let now = open(context, Some(name.as_str()))?;
        question.add_beside(&mut document, opened.state(), now.state());
        json::print(&document);
    }
    Ok(Exit::Done)
}

fn ask_here(
    context: &Context,
    before: &State,
    mut driven: Driven,
    desk: Desk,
    question: &OneQuestion,
) -> Result<Exit, Failure> {
    match driven.ask_only(context, desk, question.is_it)? {
        Some(Stopped::Waiting(_)) => Ok(waiting(context, before, &driven, question)),
        Some(stopped) => Ok(driven.close(context, &stopped)),
        None => Ok(goes_on(context, before, &driven, question)),
    }
}

fn waiting(context: &Context, before: &State, driven: &Driven, question: &OneQuestion) -> Exit {
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
    let exit = Exit::Waiting;
    print_document(context, before, driven, question, exit, "waiting")
}

fn goes_on(context: &Context, before: &State, driven: &Driven, question: &OneQuestion) -> Exit {
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
    let exit = Exit::Done;
    print_document(context, before, driven, question, exit, "continued")
}

fn print_document(
    context: &Context,
    before: &State,
    driven: &Driven,
    question: &OneQuestion,
    exit: Exit,
    stopped: &str,
) -> Exit {
    if context.screen.is_json() {
        let state = driven.session.state();
        let name = driven.name.as_str();
        let mut document = session_json::status(context, &driven.workspace, name, state, None);
        document["exit"] = exit.code().into();
        document["stopped"] = stopped.into();
        question.add_beside(&mut document, before, state);
        json::print(&document);
    }
    exit
}
