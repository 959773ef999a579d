//! `gapless reopen`: takes an ended session up again, as its next chapter.

use gapless_mediator::UserInput;

use crate::session::send_and_report;
use crate::session_choice::choose_session;
use crate::{ChosenSession, Context, Exit, Result, SessionArgs};

pub(crate) fn run(context: &Context, args: &SessionArgs) -> Result<Exit> {
    let ChosenSession { workspace, name } = choose_session(context, args.name.as_deref())?;
    send_and_report(context, &workspace, &name, UserInput::Reopen)
}
