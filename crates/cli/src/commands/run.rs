//! `gapless run`: starts a session on a spec and runs it. Whatever can be refused is refused before anything is written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use gapless_core::mediator::{Found, Incoming, Input, Met, Start};
use gapless_core::task::Role;
use gapless_core::text::{TextHash, TextMap};
use gapless_core::{State, handle};
use gapless_runner::Opener;
use gapless_scan::scan_in;
use gapless_store::{SessionName, Store};

use crate::args::{AgentArgs, AskingArgs, ConfigArgs, OutputArgs};
use crate::askers::Desk;
use crate::casting;
use crate::context::Context;
use crate::delivering;
use crate::driving;
use crate::failure::{Exit, Failure, Kind};
use crate::files::spec;
use crate::files::spec::SpecFolder;
use crate::overrides;
use crate::settings::Settings;
use crate::settings::{CountsFrom, ScanSettings};
use crate::workspace::Workspace;
use crate::workspace_stats::advisory_heuristics;

#[derive(Debug, Args)]
pub struct RunArgs {
    /// The spec, a markdown file
    pub spec: PathBuf,
    /// The session's name (default: made of the file's name)
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    #[command(flatten)]
    pub agents: AgentArgs,
    #[command(flatten)]
    pub asking: AskingArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Take what the scan finds as gaps from this severity on: critical, high, medium, low or never (default: `discover` of
    /// gapless.toml, else low; never for an Engineer that is played back)
    #[arg(long, value_name = "SEVERITY")]
    pub scan_from: Option<CountsFrom>,
    #[command(flatten)]
    pub config: ConfigArgs,
}

pub fn run(context: &Context, args: &RunArgs) -> Result<Exit, Failure> {
    let spec = context.resolve(&args.spec);
    let text = spec::read(&spec)?;
    let workspace = Workspace::of_spec(context, &spec)?;
    let name = match &args.name {
        Some(name) => name.parse()?,
        None => default_name(&spec)?,
    };
    let settings = Settings::read(workspace.settings_of(&spec).as_deref())?;
    let agents = casting::cast(context, &workspace, &args.agents, &settings)?;
    let found = found(&spec, &text, args.scan_from, &settings.scan, &agents);
    let met = Met {
        config: settings.config(Default::default(), &args.config)?,
        repo: casting::repo(context, &workspace, &args.agents, &settings, None, &agents)?,
        fallback: settings.fallback.clone(),
        agents,
        prompts: overrides::prompts(&workspace)?,
        examples: overrides::examples(&workspace, &name)?,
        advisory: advisory_heuristics(&workspace),
        source_now: Some(TextHash::of(&text)),
        delivery: delivering::wanted(context, &workspace, &spec, &args.output)?,
    };
    let desk = Desk::new(context, &args.asking)?;
    let opener = Opener::new(casting::attended(context, &workspace, &name, &settings));
    let start = Start {
        name: name.to_string(),
        source_path: workspace.relative(&spec),
        source: text,
        found,
        met,
    };
    begin(context, &workspace, &name, start, opener, desk)
}

/// What the scan finds in the spec, as far as it is wanted.
fn found(
    spec: &Path,
    text: &str,
    flag: Option<CountsFrom>,
    settings: &ScanSettings,
    agents: &BTreeMap<Role, String>,
) -> Vec<Found> {
    let engineer = agents.get(&Role::Engineer);
    // What was recorded has no answer to what was not asked then.
    let unasked = match engineer.is_some_and(|name| name.starts_with("replay:")) {
        true => CountsFrom::Never,
        false => CountsFrom::Low,
    };
    let from = flag.or(settings.discover).unwrap_or(unasked);
    let Some(least) = from.severity() else {
        return Vec::new();
    };
    let scanned = scan_in(text, &settings.rules, &SpecFolder::of(spec));
    let mut findings = scanned.findings;
    findings.retain(|finding| finding.severity >= least);
    findings.iter().map(Found::from).collect()
}

/// Starts a session and runs it.
pub fn begin(
    context: &Context,
    workspace: &Workspace,
    name: &SessionName,
    start: Start,
    mut opener: Opener,
    desk: Desk,
) -> Result<Exit, Failure> {
    let start = Incoming::Start(Box::new(start));
    refuse_early(context, start.clone())?;
    refuse_existing(workspace, name)?;
    let mut driven = driving::take(context, workspace, name)?;
    // Another process may have started it since it was looked for.
    if driven.session.state().is_started() {
        return Err(exists(name, &[name.as_str()]));
    }
    driven.feed(context, start)?;
    driven.run(context, &mut opener, desk)
}

/// Lets the core judge the start before there is a folder or a database.
pub fn refuse_early(context: &Context, what: Incoming) -> Result<(), Failure> {
    let at = context.clock.now();
    match handle(&State::default(), Input { at, what }, &TextMap::default()) {
        Ok(_) => Ok(()),
        Err(refusal) => Err(Failure::of_start(&refusal)),
    }
}

pub fn refuse_existing(workspace: &Workspace, name: &SessionName) -> Result<(), Failure> {
    if !workspace.has_database() {
        return Ok(());
    }
    // To write, so that one whose maker was ended half-way, or of an older version, is brought up to date.
    let sessions = workspace.write()?.sessions()?;
    let taken: Vec<&str> = sessions.iter().map(|known| known.name.as_str()).collect();
    match taken.contains(&name.as_str()) {
        true => Err(exists(name, &taken)),
        false => Ok(()),
    }
}

fn exists(name: &SessionName, taken: &[&str]) -> Failure {
    let mut others = (2..).map(|number: u32| format!("{name}-{number}"));
    let other = others.find(|other| !taken.contains(&other.as_str()));
    let other = other.unwrap_or_else(|| "NAME".to_owned());
    Failure::new(
        Kind::Session,
        format!("there is a session `{name}` already"),
    )
    .hint(format!(
        "go on with it: gapless resume {name}; or start another one, as where it has ended: --name {other}"
    ))
}

/// The file's stem as a name: lowercase, with `-` for everything that a name can't have.
pub fn default_name(spec: &Path) -> Result<SessionName, Failure> {
    let stem = spec.file_stem().unwrap_or_default().to_string_lossy();
    let mut name = String::new();
    for character in stem.to_lowercase().chars() {
        match character {
            'a'..='z' | '0'..='9' | '_' => name.push(character),
            _ if name.ends_with('-') => {}
            _ => name.push('-'),
        }
    }
    let name = name.trim_matches(['-', '_']);
    let name = name.get(..64).unwrap_or(name).trim_end_matches(['-', '_']);
    name.parse().map_err(|_| {
        Failure::new(
            Kind::Usage,
            format!("no session name can be made of `{stem}`"),
        )
        .hint("give one with --name")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_named_after_their_spec() {
        let name = |path: &str| default_name(Path::new(path)).map(|name| name.to_string());
        assert_eq!(
            name("a/Billing v2 (draft).md").as_deref(),
            Ok("billing-v2-draft")
        );
        assert_eq!(name("SPEC.md").as_deref(), Ok("spec"));
        assert_eq!(
            name(&format!("{}.md", "x".repeat(90))).map(|name| name.len()),
            Ok(64)
        );
        assert!(name("漢字.md").is_err());
    }
}
