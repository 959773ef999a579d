//! `gapless reapply`: puts a decision of an undone round in force again.

use clap::Args;
use gapless_domain::DecisionId;
use gapless_mediator::UserInput;

use crate::session::send_and_report;
use crate::session_choice::choose_session;
use crate::{ChosenSession, Context, Exit, Result};

#[derive(Debug, Args)]
pub(crate) struct ReapplyArgs {
    /// A decision that `gapless decisions --archived` lists
    decision: DecisionId,
    /// What is decided instead, in your words: a severity by its name, an option of a conflict by its letter (`A`, `B`) or your own
    /// text. Words that don't fit the decision are refused
    #[arg(long)]
    text: Option<String>,
    /// The session (default: the only one, else the last one worked on)
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
}

pub(crate) fn run(context: &Context, args: &ReapplyArgs) -> Result<Exit> {
    let ChosenSession { workspace, name } = choose_session(context, args.session.as_deref())?;
    let said = UserInput::Reapply {
        decision: args.decision,
        text: args.text.clone(),
    };
    send_and_report(context, &workspace, &name, said)
}
