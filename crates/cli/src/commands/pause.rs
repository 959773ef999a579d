//! `gapless pause`: nothing runs in the session until it is resumed.

use gapless_mediator::UserInput;

use crate::args::SessionArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::session_choice::{Chosen, choose};
use crate::telling::tell;

pub fn run(context: &Context, args: &SessionArgs) -> Result<Exit, Failure> {
    let Chosen { workspace, name } = choose(context, args.name.as_deref())?;
    tell(context, &workspace, &name, UserInput::Pause)
}
