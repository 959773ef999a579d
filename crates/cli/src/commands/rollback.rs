//! `gapless rollback`: undoes rounds, or asks which, and sets who decides on rollbacks.

use clap::Args;
use gapless_domain::{About, RollbackMode};
use gapless_mediator::UserInput;

use crate::session::{FollowUp, Sent, ask, send, send_and_report};
use crate::session_choice::choose_session;
use crate::views::events::{AskedQuestions, EventLines, rollback};
use crate::{AnswerSources, AskingArgs, ChosenSession, Context, Exit, Result, open_session};

#[derive(Debug, Args)]
pub(crate) struct RollbackArgs {
    /// The session (default: the only one, else the last one worked on)
    name: Option<String>,
    /// The last round that stays; 0 undoes all of them. Without it you are shown where you can go back to
    #[arg(long, value_name = "ROUND", requires = "reason")]
    to: Option<u32>,
    /// Why the rounds after it are undone; the retry is told
    #[arg(long, requires = "to")]
    reason: Option<String>,
    /// What the Engineer is to do differently, for the prompt of the retry; may be given several times
    #[arg(long, value_name = "TEXT", requires = "to")]
    adjust: Vec<String>,
    /// From now on: `interactive`, `auto_retry` or `strict`; nothing is undone
    #[arg(long, conflicts_with_all = ["to", "reason", "adjust", "answers", "policy"])]
    mode: Option<RollbackMode>,
    #[command(flatten)]
    asking: AskingArgs,
}

const ROLLBACK: FollowUp = FollowUp {
    includes: |question| {
        matches!(
            question.about,
            About::Rollback { .. }
                | About::RollbackLimit { .. }
                | About::RootCause { .. }
                | About::UndoneDecisions { .. }
        )
    },
    asks: "what is undone",
    goes_on: "stands as the lines above say",
    extra: Some(("rollback", rollback::since)),
};

pub(crate) fn run(context: &Context, args: &RollbackArgs) -> Result<Exit> {
    let ChosenSession { workspace, name } = choose_session(context, args.name.as_deref())?;
    if let Some(mode) = args.mode {
        return send_and_report(context, &workspace, &name, UserInput::RollbackMode { mode });
    }
    let answers = AnswerSources::new(context, &args.asking)?;
    let opened = open_session(context, Some(name.as_str()))?;
    let said = UserInput::Rollback {
        to: args.to,
        reason: args.reason.clone().unwrap_or_default(),
        adjust: args.adjust.clone(),
    };
    let sent = send(context, &workspace, &name, said)?;
    // What is asked comes below.
    let lines_of = EventLines::new(&context.screen, AskedQuestions::AskedHere);
    let lines: Vec<String> = match &sent {
        Sent::Here { state, events } => {
            let lines = events
                .iter()
                .filter_map(|event| lines_of.line(state, event));
            lines.collect()
        }
        Sent::ToDriver(_) => {
            let now = open_session(context, Some(name.as_str()))?;
            let before = opened.state().kept.rollbacks.len();
            let news = before..now.state().kept.rollbacks.len();
            news.flat_map(|index| lines_of.rolled_back(now.state(), index))
                .collect()
        }
    };
    context.screen.lines(lines);
    let question = match args.to {
        Some(_) => FollowUp {
            asks: "what follows on it, if anything",
            ..ROLLBACK
        },
        None => ROLLBACK,
    };
    ask(context, &opened, &sent, answers, &question)
}
