//! Asks what follows on a command: right here if nobody drives the session, otherwise where it is driven. Nothing else of the
//! session goes on meanwhile.

use gapless_domain::Question;
use gapless_runner::Stopped;
use gapless_session::State;
use gapless_store::{Driver, LockError};
use serde_json::{Value, json as value};

use super::locked::{LockedSession, NotLocked};
use super::send::{Sent, process_of};
use crate::views::{questions, session_end, session_json};
use crate::{
    AnswerSources, Context, Exit, OpenSession, Result, SessionView, Tone, json, open_session,
};

/// The questions that may follow on a command, and how they are spoken of.
pub(crate) struct FollowUp {
    /// Whether a question is one of them.
    pub(crate) includes: fn(&Question) -> bool,
    /// What they ask, behind "it asks there".
    pub(crate) asks: &'static str,
    /// What is said of the session once they are answered, behind its name.
    pub(crate) goes_on: &'static str,
    /// A part that the JSON document has besides, by its key.
    pub(crate) extra: Option<(&'static str, ExtraPart)>,
}

/// Makes a part of a document out of the states before and after a command.
type ExtraPart = fn(&State, &State) -> Option<Value>;

impl FollowUp {
    fn add_extra(&self, document: &mut Value, before: &State, after: &State) {
        if let Some((key, part)) = self.extra {
            document[key] = part(before, after).unwrap_or_default();
        }
    }
}

/// Asks the questions that follow on what was sent; `opened` is the session before that.
pub(crate) fn ask(
    context: &Context,
    opened: &OpenSession,
    sent: &Sent,
    answers: AnswerSources,
    questions: &FollowUp,
) -> Result<Exit> {
    if let Sent::ToDriver(driver) = sent {
        return asked_there(context, opened, driver.as_ref(), questions);
    }
    match LockedSession::open(context, &opened.workspace, &opened.name) {
        Ok(session) => ask_here(context, opened.state(), session, answers, questions),
        // Another process resumed it in between: the question waits there.
        Err(NotLocked::Lock(LockError::Held { driver })) => {
            asked_there(context, opened, driver.as_ref(), questions)
        }
        Err(error) => Err(error.into()),
    }
}

fn asked_there(
    context: &Context,
    opened: &OpenSession,
    driver: Option<&Driver>,
    questions: &FollowUp,
) -> Result<Exit> {
    let screen = &context.screen;
    let name = &opened.name;
    let process = process_of(driver);
    let command = opened.view(context).command(&format!("questions {name}"));
    screen.line(&format!(
        "Taken by the run that drives {name}{process}: it asks there {}. To answer from here: {}",
        questions.asks,
        screen.paint(Tone::Info, &command)
    ));
    if screen.is_json() {
        let mut document = value!({
            "session": name.as_str(),
            "taken": true,
            "by": "driver",
            "next": command,
        });
        let now = open_session(context, Some(name.as_str()))?;
        questions.add_extra(&mut document, opened.state(), now.state());
        json::print(&document);
    }
    Ok(Exit::Done)
}

fn ask_here(
    context: &Context,
    before: &State,
    mut session: LockedSession,
    answers: AnswerSources,
    questions: &FollowUp,
) -> Result<Exit> {
    let (exit, stopped) = match session.ask_only(context, answers, questions.includes)? {
        Some(Stopped::Waiting(_)) => {
            show_waiting(session.view(context), questions);
            (Exit::Waiting, "waiting")
        }
        Some(stopped) => return Ok(session_end::close(session.view(context), &stopped, &[])),
        None => {
            show_answered(session.view(context), questions);
            (Exit::Done, "continued")
        }
    };
    if context.screen.is_json() {
        let state = session.session.state();
        let mut document = session_json::status(session.view(context), None);
        document["exit"] = exit.code().into();
        document["stopped"] = stopped.into();
        questions.add_extra(&mut document, before, state);
        json::print(&document);
    }
    Ok(exit)
}

fn show_waiting(view: SessionView<'_>, questions: &FollowUp) {
    let queue = view.state.now.queue().into_iter();
    for asked in queue.filter(|asked| (questions.includes)(asked)) {
        view.screen().lines(questions::with_commands(view, asked));
    }
    view.screen().line("");
    view.screen()
        .line("Waiting for you: answer with one of the commands above.");
}

fn show_answered(view: SessionView<'_>, questions: &FollowUp) {
    let (name, goes_on) = (view.name, questions.goes_on);
    let resume = view.command(&format!("resume {name}"));
    let resume = view.screen().paint(Tone::Info, resume);
    view.screen()
        .line(&format!("{name} {goes_on}. Go on with: {resume}"));
}
