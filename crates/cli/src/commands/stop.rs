//! `gapless stop`: ends a session, after asking the user to accept what is left.

use clap::Args;
use gapless_domain::{About, Question, Severity};
use gapless_mediator::UserInput;
use gapless_session::State;
use gapless_store::Store;

use crate::output::wording::list;
use crate::session::{FollowUp, ask, send, send_and_report};
use crate::session_choice::choose_session;
use crate::views::questions;
use crate::{
    AnswerSources, AskingArgs, ChosenSession, Context, Exit, Failure, Kind, OpenSession,
    OutputArgs, Result, delivery_grant, delivery_target, open_session,
};

#[derive(Debug, Args)]
pub(crate) struct StopArgs {
    /// The session (default: the only one, else the last one worked on)
    name: Option<String>,
    /// Give up at once: no refined spec, the record stays
    #[arg(long, conflicts_with_all = ["output", "in_place", "no_output", "answers", "policy"])]
    abandon: bool,
    #[command(flatten)]
    asking: AskingArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) fn run(context: &Context, args: &StopArgs) -> Result<Exit> {
    let ChosenSession { workspace, name } = choose_session(context, args.name.as_deref())?;
    if args.abandon {
        return send_and_report(context, &workspace, &name, UserInput::Abandon);
    }
    let answers = AnswerSources::new(context, &args.asking)?;
    let opened = open_session(context, Some(name.as_str()))?;
    let delivery = delivery_target::of_session(context, &workspace, opened.state(), &args.output)?;
    let sent = send(context, &workspace, &name, UserInput::Stop)
        .map_err(|failure| explained(context, &opened, failure))?;
    if let Some(delivery) = delivery {
        let id = workspace.read()?.session_id(name.as_str())?;
        let origin = opened.state().kept.origin.as_ref();
        let source = origin.map_or("", |origin| origin.source_path.as_str());
        delivery_grant::remember(&workspace, id.as_deref(), source, &delivery)?;
        send(context, &workspace, &name, UserInput::Deliver { delivery })?;
    }
    ask(context, &opened, &sent, answers, &STOP)
}

const STOP: FollowUp = FollowUp {
    includes: |question| matches!(question.about, About::Stop { .. }),
    asks: "whether to end",
    goes_on: "has not ended",
    extra: None,
};

/// Adds to a refused stop how to decide the CRITICAL conflict that forbids it.
fn explained(context: &Context, opened: &OpenSession, failure: Failure) -> Failure {
    let session = opened.name.as_str();
    if failure.kind != Kind::Refused {
        return failure;
    }
    // As it is now: the run that drives may have asked it since.
    let Ok(opened) = open_session(context, Some(session)) else {
        return failure;
    };
    let Some(conflict) = critical_conflict(opened.state()) else {
        return failure;
    };
    let mut offered = questions::offered(conflict);
    let Some(first) = offered.next() else {
        return failure;
    };
    let view = opened.view(context);
    let command = questions::command(view, conflict, first);
    let others = list(offered.map(|choice| &choice.label));
    let others = match others.is_empty() {
        true => others,
        false => format!(" (or {others})"),
    };
    let abandon = view.command(&format!("stop {session} --abandon"));
    failure.hint(format!(
        "decide {}: {command}{others}; or give up: {abandon}",
        conflict.id
    ))
}

fn critical_conflict(state: &State) -> Option<&Question> {
    state.now.questions.values().find(|question| {
        matches!(question.about, About::Conflict { .. })
            && question.severity == Some(Severity::Critical)
    })
}
