//! `gapless pause`: nothing runs in the session until it is resumed.

use gapless_core::mediator::UserInput;

use crate::args::SessionArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::session::send_and_report;
use crate::session_choice::{Chosen, choose};

pub fn run(context: &Context, args: &SessionArgs) -> Result<Exit, Failure> {
    let Chosen { workspace, name } = choose(context, args.name.as_deref())?;
    send_and_report(context, &workspace, &name, UserInput::Pause)
}
