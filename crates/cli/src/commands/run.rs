//! `gapless run`: starts a session on a spec and runs it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use gapless_domain::{Role, ScanFinding, ScannedWith, TextHash};
use gapless_mediator::{RunSettings, Start};
use gapless_runner::Opener;
use gapless_scan::scan_in;

use crate::files::spec::{self, SpecFolder};
use crate::settings::{CountsFrom, ScanSettings};
use crate::trust::{self, Gathering, Passed, SessionClaims, TrustedAgents};
use crate::workspace_stats::advisory_heuristics;
use crate::{
    AgentArgs, AnswerSources, AskingArgs, ConfigArgs, Context, Exit, OutputArgs, Result, Workspace,
    agents, delivery_target, overrides, session,
};

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The spec, a markdown file
    spec: PathBuf,
    /// The session's name (default: made of the file's name)
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    agents: AgentArgs,
    #[command(flatten)]
    asking: AskingArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// Take what the scan finds as gaps from this severity on: critical, high, medium, low or never (default: `discover` of
    /// gapless.toml, else low; never for an Engineer that is played back)
    #[arg(long, value_name = "SEVERITY")]
    scan_from: Option<CountsFrom>,
    #[command(flatten)]
    config: ConfigArgs,
}

pub(crate) fn run(context: &Context, args: &RunArgs) -> Result<Exit> {
    let spec = context.resolve(&args.spec);
    let text = spec::read(&spec)?;
    spec::check_place(&spec)?;
    let workspace = Workspace::of_spec(context, &spec)?;
    let name = match &args.name {
        Some(name) => name.parse()?,
        None => session::default_name(&spec)?,
    };
    let settings = workspace.settings_for(&spec)?;
    let agents = agents::choose(context, &workspace, &args.agents, &settings)?;
    let scanned_with = scanned_with(args.scan_from, &settings.scan, &agents);
    let found = found(&spec, &text, &settings.scan, scanned_with.as_ref());
    let met = RunSettings {
        config: settings.config(Default::default(), &args.config)?,
        repo: agents::repo(context, &workspace, &args.agents, &settings, None, &agents)?,
        traits: agents::traits(&workspace, &settings, &agents, &settings.fallback),
        fallback: settings.fallback.clone(),
        agents,
        prompts: overrides::prompts(&workspace)?,
        examples: overrides::examples(&workspace, &name)?,
        advisory: advisory_heuristics(&workspace),
        source_now: Some(TextHash::of(&text)),
        delivery: Some(delivery_target::of_new(
            context,
            &workspace,
            &spec,
            &args.output,
        )?),
        scanned_with,
    };
    let answers = AnswerSources::new(context, &args.asking)?;
    let claims = SessionClaims {
        name: &name,
        met: &met,
        recorded: None,
        typed: agents::typed(context, &workspace, &args.agents),
        typed_repo: args.agents.repo.is_some(),
    };
    let gathered = claims.gather(Gathering::new(
        &workspace,
        &settings,
        workspace.settings_of(&spec).as_deref(),
    ));
    trust::require(context, &workspace, &gathered, Some(&spec))?;
    let opener = Opener::new(agents::attended(context, &workspace, &name, &settings));
    let passed = Passed::of(&met);
    let typed = answers.typed_agents();
    let mut agents = TrustedAgents::new(opener, &workspace, &settings, &name, passed, typed);
    let start = Start {
        name: name.to_string(),
        source_path: workspace.relative(&spec),
        source: text,
        found,
        met,
    };
    session::start(context, &workspace, &name, start, &mut agents, answers)
}

/// What the source is scanned with; nothing where it isn't.
fn scanned_with(
    flag: Option<CountsFrom>,
    settings: &ScanSettings,
    agents: &BTreeMap<Role, String>,
) -> Option<ScannedWith> {
    let engineer = agents.get(&Role::Engineer);
    // What was recorded has no answer to what was not asked then.
    let unasked = match engineer.is_some_and(|name| name.starts_with("replay:")) {
        true => CountsFrom::Never,
        false => CountsFrom::Low,
    };
    let from = flag.or(settings.discover).unwrap_or(unasked);
    Some(ScannedWith {
        from: from.severity()?,
        rules: settings.rules.set_ones(),
    })
}

/// The findings of the scan that become gaps.
fn found(
    spec: &Path,
    text: &str,
    settings: &ScanSettings,
    with: Option<&ScannedWith>,
) -> Vec<ScanFinding> {
    let Some(with) = with else {
        return Vec::new();
    };
    let scanned = scan_in(text, &settings.rules, &SpecFolder::of(spec));
    let mut findings = scanned.findings;
    findings.retain(|finding| finding.severity >= with.from);
    findings.iter().map(ScanFinding::from).collect()
}
