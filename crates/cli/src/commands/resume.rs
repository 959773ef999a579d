//! `gapless resume`: goes on with a session, with the agents, settings and spec as they are now.

use std::path::Path;

use clap::Args;
use gapless_mediator::{Incoming, RunSettings, UserInput};
use gapless_runner::Opener;

use crate::files::spec;
use crate::session::LockedSession;
use crate::session_choice::choose_session;
use crate::trust::{self, Gathering, Passed, SessionClaims, TrustedAgents};
use crate::workspace_stats::advisory_heuristics;
use crate::{
    AgentArgs, AnswerSources, AskingArgs, ChosenSession, ConfigArgs, Context, Exit, OutputArgs,
    Result, Settings, agents, delivery_grant, delivery_target, overrides,
};

#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The session (default: the only one, else the last one worked on)
    name: Option<String>,
    #[command(flatten)]
    agents: AgentArgs,
    #[command(flatten)]
    asking: AskingArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    config: ConfigArgs,
}

pub(crate) fn run(context: &Context, args: &ResumeArgs) -> Result<Exit> {
    let ChosenSession { workspace, name } = choose_session(context, args.name.as_deref())?;
    let answers = AnswerSources::new(context, &args.asking)?;
    let mut locked = LockedSession::open(context, &workspace, &name)?;
    let state = locked.session.state();
    let origin = state.kept.origin.as_ref();
    let path = origin.map_or("", |origin| origin.source_path.as_str());
    let source_path = path.to_owned();
    let spec = workspace.root().join(path);
    let settings = workspace.settings_for(&spec)?;
    let delivery = delivery_target::of_session(context, &workspace, state, &args.output)?;
    let mut passed = Passed::default();
    if state.kept.ended.is_none() {
        let paused = state.kept.paused;
        let met = met(context, &locked, args, &spec, &settings)?;
        require_trust(context, &locked, args, &spec, &settings, &met)?;
        passed = Passed::of(&met);
        locked.feed(context, Incoming::Configure(Box::new(met)))?;
        if paused {
            locked.feed(context, Incoming::User(UserInput::Resume))?;
        }
    }
    if let Some(delivery) = delivery {
        let id = locked.session.id()?;
        delivery_grant::remember(&workspace, id.as_deref(), &source_path, &delivery)?;
        locked.feed(context, Incoming::User(UserInput::Deliver { delivery }))?;
    }
    let opener = Opener::new(agents::attended(context, &workspace, &name, &settings));
    let typed = answers.typed_agents();
    let mut agents = TrustedAgents::new(opener, &workspace, &settings, &name, passed, typed);
    locked.run(context, &mut agents, answers)
}

/// Lets the session go on if everything that the folder and the log want is allowed.
fn require_trust(
    context: &Context,
    locked: &LockedSession,
    args: &ResumeArgs,
    spec: &Path,
    settings: &Settings,
    met: &RunSettings,
) -> Result<()> {
    let workspace = &locked.workspace;
    let claims = SessionClaims {
        name: &locked.name,
        met,
        recorded: Some(locked.session.state()),
        typed: agents::typed(context, workspace, &args.agents),
        typed_repo: args.agents.repo.is_some(),
    };
    let file = workspace.settings_of(spec);
    let gathered = claims.gather(Gathering::new(workspace, settings, file.as_deref()));
    trust::require(context, workspace, &gathered, None)
}

/// The setup of the session from now on: its own configuration and agents, with the keys of gapless.toml and the flags
/// put over them.
fn met(
    context: &Context,
    locked: &LockedSession,
    args: &ResumeArgs,
    spec: &Path,
    settings: &Settings,
) -> Result<RunSettings> {
    let (workspace, setup) = (&locked.workspace, &locked.session.state().kept.setup);
    let agents = agents::choose_again(context, workspace, &args.agents, settings, &setup.agents)?;
    let own_repo = setup.repo.as_deref();
    let fallback = match settings.fallback.is_empty() {
        true => setup.fallback.clone(),
        false => settings.fallback.clone(),
    };
    Ok(RunSettings {
        config: settings.config(setup.config.clone(), &args.config)?,
        traits: agents::traits(workspace, settings, &agents, &fallback),
        repo: agents::repo(
            context,
            workspace,
            &args.agents,
            settings,
            own_repo,
            &agents,
        )?,
        fallback,
        agents,
        prompts: overrides::prompts(workspace)?,
        examples: overrides::examples(workspace, &locked.name)?,
        advisory: advisory_heuristics(workspace),
        source_now: spec::hash_now(spec),
        delivery: None,
        scanned_with: None,
    })
}
