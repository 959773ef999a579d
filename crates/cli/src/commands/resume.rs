//! `gapless resume`: goes on with a session. What changed around it meanwhile is fed in first, so that it becomes events.

use std::path::PathBuf;

use clap::Args;
use gapless_core::mediator::{Incoming, Met, UserInput};
use gapless_runner::Opener;

use crate::advisory;
use crate::args::{AgentArgs, AskingArgs, ConfigArgs, OutputArgs};
use crate::askers::Desk;
use crate::casting;
use crate::context::Context;
use crate::delivering;
use crate::driving::{self, Driven};
use crate::failure::{Exit, Failure};
use crate::session_choice::{Chosen, Purpose, choose};
use crate::settings::Settings;
use crate::{overrides, source};

#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// The session (default: the only one, else the last one worked on)
    pub name: Option<String>,
    #[command(flatten)]
    pub agents: AgentArgs,
    #[command(flatten)]
    pub asking: AskingArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub config: ConfigArgs,
}

pub fn run(context: &Context, args: &ResumeArgs) -> Result<Exit, Failure> {
    let Chosen { workspace, name } = choose(context, args.name.as_deref(), Purpose::Driving)?;
    let desk = Desk::new(context, &args.asking)?;
    let mut driven = driving::take(context, &workspace, &name)?;
    let state = driven.session.state();
    let delivery = delivering::wanted_of(context, &workspace, state, &args.output)?;
    let mut settings = Settings::default();
    if state.kept.ended.is_none() {
        let paused = state.kept.paused;
        settings = settings_of(&driven)?;
        let met = met(context, &driven, &settings, args)?;
        driven.feed(context, Incoming::Configure(Box::new(met)))?;
        if paused {
            driven.feed(context, Incoming::User(UserInput::Resume))?;
        }
    }
    if let Some(delivery) = delivery {
        driven.feed(context, Incoming::User(UserInput::Deliver { delivery }))?;
    }
    let mut opener = Opener::new(casting::attended(context, &workspace, &name, &settings));
    driven.run(context, &mut opener, desk)
}

/// What gapless.toml says now.
fn settings_of(driven: &Driven) -> Result<Settings, Failure> {
    let spec = spec_of(driven);
    Settings::read(driven.workspace.settings_of(&spec).as_deref())
}

fn spec_of(driven: &Driven) -> PathBuf {
    let origin = driven.session.state().kept.origin.as_ref();
    let path = origin.map_or("", |origin| origin.source_path.as_str());
    driven.workspace.root().join(path)
}

/// What the session runs with from now on: its own configuration and agents, with the keys of gapless.toml and the flags
/// put over them.
fn met(
    context: &Context,
    driven: &Driven,
    settings: &Settings,
    args: &ResumeArgs,
) -> Result<Met, Failure> {
    let (workspace, kept) = (&driven.workspace, &driven.session.state().kept);
    Ok(Met {
        config: settings.config(kept.setup.config.clone(), &args.config)?,
        agents: casting::recast(
            context,
            workspace,
            &args.agents,
            &kept.setup.agents,
            settings,
        )?,
        prompts: overrides::prompts(workspace)?,
        examples: overrides::examples(workspace, &driven.name)?,
        advisory: advisory::of(workspace)?,
        source_now: source::hash_now(&spec_of(driven)),
        delivery: None,
    })
}
