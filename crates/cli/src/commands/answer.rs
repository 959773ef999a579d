//! `gapless answer`: answers a question, in this process or through the run that drives the session.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use gapless_domain::{Answer, DecidedBy, QuestionId};
use gapless_mediator::{Refusal, UserInput};

use super::answer_form;
use crate::args::key_value;
use crate::failure::{NOTHING_CHANGED, WENT_ON};
use crate::session::send_and_report;
use crate::trust::{self, AGENT_FIELD, Gathering, Origin};
use crate::views::questions::{command, offered};
use crate::{Context, Exit, Failure, Kind, OpenSession, Result, Settings, open_session};

#[derive(Debug, Args)]
pub(crate) struct AnswerArgs {
    /// The session; with --form, the one that the form names
    #[arg(required_unless_present = "form")]
    name: Option<String>,
    /// The question: Q-004
    #[arg(required_unless_present = "form", conflicts_with = "form")]
    question: Option<QuestionId>,
    /// The option to take
    #[arg(
        long,
        value_name = "LABEL",
        required_unless_present = "form",
        conflicts_with = "form"
    )]
    option: Option<String>,
    /// A text that the option needs
    #[arg(long = "field", value_name = "NAME=TEXT", value_parser = key_value, conflicts_with = "form")]
    fields: Vec<(String, String)>,
    /// Take in a form that `gapless questions --export` wrote and people filled in; `-` reads it from stdin
    #[arg(long, value_name = "FILE")]
    form: Option<PathBuf>,
    /// With --form, only say what would be taken
    #[arg(long)]
    dry_run: bool,
}

/// An answer to one question, as the command line gives it.
struct OneAnswer<'a> {
    name: &'a str,
    question: QuestionId,
    option: &'a str,
    fields: &'a [(String, String)],
}

pub(crate) fn run(context: &Context, args: &AnswerArgs) -> Result<Exit> {
    if let Some(file) = &args.form {
        return answer_form::run(context, args.name.as_deref(), file, args.dry_run);
    }
    if args.dry_run {
        let message = "--dry-run goes with --form";
        return Err(Failure::new(Kind::Usage, message).hint("nothing was answered"));
    }
    let (Some(name), Some(question), Some(option)) = (&args.name, args.question, &args.option)
    else {
        let message = "an answer needs a session, a question and an option, or a form";
        return Err(Failure::new(Kind::Usage, message)
            .hint("`gapless questions` prints the commands that answer what waits"));
    };
    answer(
        context,
        &OneAnswer {
            name,
            question,
            option,
            fields: &args.fields,
        },
    )
}

fn answer(context: &Context, args: &OneAnswer<'_>) -> Result<Exit> {
    let opened = open_session(context, Some(args.name))?;
    let state = opened.state();
    let known = state.now.questions.contains_key(&args.question)
        || state.kept.question_fates.contains_key(&args.question);
    if !known {
        return Err(Refusal::UnknownQuestion(args.question).into());
    }
    trust_typed_agents(context, &opened, args);
    let said = UserInput::Answer {
        question: args.question,
        answer: Answer {
            option: args.option.to_owned(),
            fields: args.fields.iter().cloned().collect::<BTreeMap<_, _>>(),
            by: DecidedBy::User,
            filled_in_by: None,
        },
    };
    let told = send_and_report(context, &opened.workspace, &opened.name, said);
    told.map_err(|failure| with_what_waits(context, args, failure))
}

/// Remembers that the user named an agent: the run that takes the answer starts no other.
fn trust_typed_agents(context: &Context, opened: &OpenSession, args: &OneAnswer<'_>) {
    let workspace = &opened.workspace;
    let settings = Settings::default();
    let mut claims = Gathering::new(workspace, &settings, None);
    for (_, agent) in args.fields.iter().filter(|(name, _)| name == AGENT_FIELD) {
        claims.agent(agent, "as you answered", &Origin::User);
    }
    trust::remember(context, workspace, &claims.finish());
}

/// Adds to a refusal the command that fits what waits now: the question may have changed since its command was printed.
fn with_what_waits(context: &Context, args: &OneAnswer<'_>, failure: Failure) -> Failure {
    let says_nothing = [NOTHING_CHANGED, WENT_ON].map(|hint| Some(hint.to_owned()));
    if !says_nothing.contains(&failure.hint) {
        return failure;
    }
    let Ok(opened) = open_session(context, Some(args.name)) else {
        return failure;
    };
    let view = opened.view(context);
    let all = view.command(&format!("questions {}", view.name));
    let waiting = &opened.state().now.questions;
    let question = waiting.get(&args.question).or_else(|| {
        let mut others = waiting.values();
        others.find(|other| other.replaces.contains(&args.question))
    });
    let Some(question) = question else {
        return failure.hint(format!("`{all}` shows what waits now"));
    };
    let choice = offered(question).find(|choice| choice.label == args.option);
    let how = match choice {
        Some(choice) => command(view, question, choice),
        None => all,
    };
    failure.hint(format!("{} waits for an answer:\n  {how}", question.id))
}
