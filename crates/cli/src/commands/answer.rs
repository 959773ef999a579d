//! `gapless answer`: answers a question, in this process or through the run that drives the session.

use std::collections::BTreeMap;

use clap::Args;
use gapless_core::ids::QuestionId;
use gapless_core::mediator::{Refusal, UserInput};
use gapless_core::question::{Answer, DecidedBy};

use crate::args::key_value;
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::session_choice::open;
use crate::telling::tell;

#[derive(Debug, Args)]
pub struct AnswerArgs {
    /// The session
    pub name: String,
    /// The question: Q-004
    pub question: QuestionId,
    /// The option to take
    #[arg(long, value_name = "LABEL")]
    pub option: String,
    /// A text that the option needs
    #[arg(long = "field", value_name = "NAME=TEXT", value_parser = key_value)]
    pub fields: Vec<(String, String)>,
}

pub fn run(context: &Context, args: &AnswerArgs) -> Result<Exit, Failure> {
    let opened = open(context, Some(&args.name))?;
    let state = opened.state();
    let known = state.now.questions.contains_key(&args.question)
        || state.kept.question_fates.contains_key(&args.question);
    if !known {
        return Err(Refusal::UnknownQuestion(args.question).into());
    }
    let said = UserInput::Answer {
        question: args.question,
        answer: Answer {
            option: args.option.clone(),
            fields: args.fields.iter().cloned().collect::<BTreeMap<_, _>>(),
            by: DecidedBy::User,
        },
    };
    tell(context, &opened.workspace, &opened.name, said)
}
