//! `gapless stop`: asks for the end of a session, and where nobody drives it asks the user right here what ending it takes.

use clap::Args;
use gapless_core::State;
use gapless_core::mediator::UserInput;
use gapless_core::question::{About, Question};
use gapless_core::severity::Severity;
use gapless_runner::Stopped;
use gapless_store::{Driver, LockError};
use serde_json::json as value;

use crate::args::{AskingArgs, OutputArgs};
use crate::askers::Desk;
use crate::context::Context;
use crate::delivering;
use crate::driving::{self, Driven, NotTaken};
use crate::failure::{Exit, Failure, Kind};
use crate::session_choice::{Chosen, Opened, Purpose, choose, open};
use crate::show::{Tone, json, questions};
use crate::telling::{Taken, bring, tell};

#[derive(Debug, Args)]
pub struct StopArgs {
    /// The session (default: the only one, else the last one worked on)
    pub name: Option<String>,
    /// Give up at once: no refined spec, the record stays
    #[arg(long, conflicts_with_all = ["output", "in_place", "answers", "policy"])]
    pub abandon: bool,
    #[command(flatten)]
    pub asking: AskingArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

pub fn run(context: &Context, args: &StopArgs) -> Result<Exit, Failure> {
    let Chosen { workspace, name } = choose(context, args.name.as_deref(), Purpose::Driving)?;
    if args.abandon {
        return tell(context, &workspace, &name, UserInput::Abandon);
    }
    let desk = Desk::new(context, &args.asking)?;
    let opened = open(context, Some(name.as_str()))?;
    let delivery = delivering::wanted_of(context, &workspace, opened.state(), &args.output)?;
    let taken = bring(context, &workspace, &name, UserInput::Stop)
        .map_err(|failure| explained(context, &opened, failure))?;
    if let Some(delivery) = delivery {
        bring(context, &workspace, &name, UserInput::Deliver { delivery })?;
    }
    if let Taken::Driver(driver) = taken {
        return Ok(asked_there(context, &opened, driver));
    }
    match driving::take(context, &workspace, &name) {
        Ok(driven) => ask_here(context, driven, desk),
        // Somebody resumed it in between: the question waits there.
        Err(NotTaken::Lock(LockError::Held { driver })) => {
            Ok(asked_there(context, &opened, driver))
        }
        Err(error) => Err(error.into()),
    }
}

fn is_stop(question: &Question) -> bool {
    matches!(question.about, About::Stop { .. })
}

/// Says of a stop that a CRITICAL conflict forbids how to decide it.
fn explained(context: &Context, opened: &Opened, failure: Failure) -> Failure {
    let session = opened.name.as_str();
    if failure.kind != Kind::Refused {
        return failure;
    }
    // As it is now: the run that drives may have asked it since.
    let Ok(opened) = open(context, Some(session)) else {
        return failure;
    };
    let Some(conflict) = critical_conflict(opened.state()) else {
        return failure;
    };
    let mut offered = questions::offered(conflict);
    let Some(first) = offered.next() else {
        return failure;
    };
    let command = questions::command(context, &opened.workspace, session, conflict, first);
    let others: Vec<&str> = offered.map(|choice| choice.label.as_str()).collect();
    let others = match others.is_empty() {
        true => String::new(),
        false => format!(" (or {})", others.join(", ")),
    };
    let here = opened.workspace.arguments_from(context);
    failure.hint(format!(
        "decide {}: {command}{others}; or give up: gapless stop {session} --abandon{here}",
        conflict.id
    ))
}

fn critical_conflict(state: &State) -> Option<&Question> {
    state.now.questions.values().find(|question| {
        matches!(question.about, About::Conflict { .. })
            && question.severity == Some(Severity::Critical)
    })
}

fn asked_there(context: &Context, opened: &Opened, driver: Option<Driver>) -> Exit {
    let screen = &context.screen;
    let name = &opened.name;
    let who = driver.map_or(String::new(), |driver| format!(" (process {})", driver.pid));
    let questions = format!(
        "gapless questions {name}{}",
        opened.workspace.arguments_from(context)
    );
    screen.line(&format!(
        "Taken by the run that drives {name}{who}: it asks there whether to end. To answer from here: {}",
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

fn ask_here(context: &Context, mut driven: Driven, desk: Desk) -> Result<Exit, Failure> {
    match driven.ask_only(context, desk, is_stop)? {
        Some(Stopped::Waiting(_)) => Ok(waiting(context, &driven)),
        Some(stopped) => Ok(driven.close(context, &stopped)),
        None => Ok(goes_on(context, &driven)),
    }
}

fn waiting(context: &Context, driven: &Driven) -> Exit {
    let Driven {
        session,
        workspace,
        name,
        ..
    } = driven;
    let state = session.state();
    let asked = state.now.questions.values().find(|asked| is_stop(asked));
    if let Some(question) = asked {
        for line in questions::with_commands(context, workspace, name.as_str(), question) {
            context.screen.line(&line);
        }
    }
    context.screen.line("");
    context
        .screen
        .line("Waiting for you: answer with one of the commands above.");
    last_words(context, driven, Exit::Waiting, "waiting")
}

fn goes_on(context: &Context, driven: &Driven) -> Exit {
    let screen = &context.screen;
    let resume = format!(
        "gapless resume {}{}",
        driven.name,
        driven.workspace.arguments_from(context)
    );
    screen.line(&format!(
        "{} has not ended. Go on with: {}",
        driven.name,
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
