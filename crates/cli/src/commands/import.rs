//! `gapless import`: takes in an export, or the record of another program. It is checked before anything is written.

use std::path::{Path, PathBuf};

use clap::Args;
use gapless_domain::{Delivery, Remark, Role, Takeover, TextHash};
use gapless_mediator::{Import, Incoming, RunSettings, Start};
use gapless_runner::{import, judge};
use gapless_session::{Event, Happening, SessionEvent, State};
use gapless_store::port::{Brought, is_export, read_folder, unpack};
use gapless_store::{SessionLock, SessionName};
use serde_json::{Value, json as value};

use crate::files::{recorded_session, spec};
use crate::session::{self, LockedSession, default_name, refuse_early, refuse_existing};
use crate::trust::{self, Gathered, Gathering, SessionClaims};
use crate::workspace_stats::advisory_heuristics;
use crate::{
    AgentArgs, Context, Exit, Failure, Kind, Result, Settings, Workspace, agents, json, overrides,
    plain,
};

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// A file or folder that `gapless export` wrote, or the folder of a recorded session: status.md, decisions.md,
    /// source.md, round_001/engineer.md, round_001/reviewer.md and so on
    from: PathBuf,
    /// The session's name here (default: the one it had, or the folder's)
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The spec of a recorded session (default: source.md in its folder)
    #[arg(long, value_name = "SPEC")]
    source: Option<PathBuf>,
    #[command(flatten)]
    agents: AgentArgs,
}

pub(crate) fn run(context: &Context, args: &ImportArgs) -> Result<Exit> {
    let from = context.resolve(&args.from);
    let workspace = Workspace::to_make(context)?;
    if !from.exists() {
        let message = format!("there is nothing at {}", from.display());
        return Err(Failure::new(Kind::Usage, message).hint("check the path"));
    }
    match (from.is_dir(), from.is_dir() && is_export(&from)) {
        (true, false) => take_over(context, args, &workspace, &from),
        (true, true) => take_in(context, args, &workspace, "folder", read_folder(&from)?),
        (false, _) => take_in(context, args, &workspace, "file", unpack(&from)?),
    }
}

/// Takes an export in.
fn take_in(
    context: &Context,
    args: &ImportArgs,
    workspace: &Workspace,
    kind: &str,
    brought: Brought,
) -> Result<Exit> {
    let state = judge(&brought)?;
    let Brought {
        portable, ignored, ..
    } = brought;
    let name = match &args.name {
        Some(name) => name.parse()?,
        None => portable.session.clone(),
    };
    refuse_existing(workspace, &name).map_err(with_name)?;
    let folder = workspace.folder(&name);
    let fresh = !folder.root().exists();
    let lock = SessionLock::acquire(&folder, &session::this_process(context))?;
    let imported = workspace
        .write()
        .and_then(|mut store| Ok(import(&mut store, &folder, &name, &portable, &state)?));
    drop(lock);
    if let Err(failure) = imported {
        if fresh {
            // Only what the lock made is in it.
            for file in ["driver.lock", "driver.json"] {
                let _ = std::fs::remove_file(folder.root().join(file));
            }
            let _ = std::fs::remove_dir(folder.root());
        }
        return Err(failure);
    }
    let mut locked = LockedSession::open(context, workspace, &name)?;
    rebuild(context, &mut locked)?;
    let takeover = Takeover {
        not_taken: ignored.into_iter().map(ignored_file).collect(),
        ..Takeover::default()
    };
    report(context, kind, &locked, &takeover);
    Ok(Exit::Done)
}

fn ignored_file(file: String) -> Remark {
    Remark {
        file,
        line: None,
        why: "it is no part of the export".to_owned(),
    }
}

/// Takes a recorded session over.
fn take_over(
    context: &Context,
    args: &ImportArgs,
    workspace: &Workspace,
    folder: &Path,
) -> Result<Exit> {
    let record = recorded_session::read(folder)?;
    if record.rounds.is_empty() && record.status.is_none() {
        let message = format!("{} is no session", folder.display());
        return Err(Failure::new(Kind::Usage, message).hint(
            "a recorded session has a status.md, or round_001, round_002 and so on; an export has a gapless.json",
        ));
    }
    let start = start_of(context, args, workspace, folder)?;
    let name: SessionName = start.name.parse()?;
    let gathered = gathered(context, args, workspace, &start)?;
    let what = Incoming::Import(Box::new(Import {
        start,
        from: workspace.relative(folder),
        record,
    }));
    refuse_early(context, what.clone())?;
    refuse_existing(workspace, &name).map_err(with_name)?;
    let mut locked = LockedSession::open(context, workspace, &name)?;
    if locked.session.state().is_started() {
        return refuse_existing(workspace, &name)
            .map_err(with_name)
            .map(|()| Exit::Done);
    }
    locked.feed(context, what)?;
    let events = locked.session.commit()?;
    trust::remember(context, workspace, &gathered);
    rebuild(context, &mut locked)?;
    let takeover = events.iter().find_map(imported).unwrap_or_default();
    report(context, "recorded", &locked, &takeover);
    Ok(Exit::Done)
}

/// Gathers what the user named or what was found here; what the folder names is asked for by `resume`.
fn gathered(
    context: &Context,
    args: &ImportArgs,
    workspace: &Workspace,
    start: &Start,
) -> Result<Gathered> {
    let spec = workspace.root().join(&start.source_path);
    let settings = workspace.settings_for(&spec)?;
    let claims = SessionClaims {
        name: &start.name.parse()?,
        met: &start.met,
        recorded: None,
        typed: agents::typed(context, workspace, &args.agents),
        typed_repo: args.agents.repo.is_some(),
    };
    Ok(claims.gather(Gathering::new(workspace, &settings, None)))
}

/// What a recorded session starts with here: its spec, and this workspace's settings and agents.
fn start_of(
    context: &Context,
    args: &ImportArgs,
    workspace: &Workspace,
    folder: &Path,
) -> Result<Start> {
    let spec = match &args.source {
        Some(spec) => context.resolve(spec),
        None => folder.join(recorded_session::SOURCE),
    };
    let source = spec::read(&spec)
        .map_err(|failure| failure.hint("name the spec that the record is about with --source"))?;
    let name = match &args.name {
        Some(name) => name.parse()?,
        None => default_name(&folder.canonicalize().unwrap_or_else(|_| folder.to_owned()))?,
    };
    let settings = workspace.settings_for(&spec)?;
    let agents = choose_agents(context, workspace, args, &settings)?;
    let met = RunSettings {
        config: settings.config(Default::default(), &Default::default())?,
        repo: agents::repo(context, workspace, &args.agents, &settings, None, &agents)?,
        traits: agents::traits(workspace, &settings, &agents, &settings.fallback),
        fallback: settings.fallback.clone(),
        agents,
        prompts: overrides::prompts(workspace)?,
        examples: overrides::examples(workspace, &name)?,
        advisory: advisory_heuristics(workspace),
        source_now: Some(TextHash::of(&source)),
        delivery: None,
        scanned_with: None,
    };
    Ok(Start {
        name: name.to_string(),
        source_path: workspace.relative(&spec),
        source,
        found: Vec::new(),
        met,
    })
}

fn imported(event: &Event) -> Option<Takeover> {
    match &event.what {
        Happening::Session(SessionEvent::Imported { takeover }) => Some((**takeover).clone()),
        _ => None,
    }
}

/// The agents that go on with a record: those that are named or found, else you.
fn choose_agents(
    context: &Context,
    workspace: &Workspace,
    args: &ImportArgs,
    settings: &Settings,
) -> Result<std::collections::BTreeMap<Role, String>> {
    let flags = &args.agents;
    let named = [&flags.agents, &flags.engineer, &flags.reviewer];
    match agents::choose(context, workspace, flags, settings) {
        Err(_) if named.iter().all(|name| name.is_none()) && settings.agents.is_empty() => {
            context.screen.note(
                "no agent was found: it is `human` until `gapless resume --agents …` names one",
            );
            let human = || "human".to_owned();
            Ok([(Role::Engineer, human()), (Role::Reviewer, human())].into())
        }
        chosen => chosen,
    }
}

fn with_name(failure: Failure) -> Failure {
    match failure.kind {
        Kind::Session => failure.hint("import it under another name: --name NAME"),
        _ => failure,
    }
}

/// Writes every file of the session's folder.
fn rebuild(context: &Context, locked: &mut LockedSession) -> Result<()> {
    let at = context.clock.now();
    locked.session.commit()?;
    let news = locked.session.look_at_folder(at, true)?;
    locked.session.commit()?;
    for error in news.errors {
        let text = format!("! {error}; `gapless resume {}` tries again", locked.name);
        context.screen.note(&text);
    }
    Ok(())
}

/// Says what was imported, and what was not.
fn report(context: &Context, kind: &str, locked: &LockedSession, takeover: &Takeover) {
    let (name, state): (&SessionName, &State) = (&locked.name, locked.session.state());
    let now = &state.now;
    let screen = &context.screen;
    screen.line(&format!(
        "{name}: {} gaps, {} issues and {} decisions, after round {}",
        now.gaps.len(),
        now.issues.len(),
        now.decisions.len(),
        now.round.number
    ));
    for (remarks, head) in [
        (&takeover.not_taken, "Not taken:"),
        (&takeover.assumed, "Assumed:"),
    ] {
        if !remarks.is_empty() {
            screen.note(head);
        }
        for remark in remarks {
            let line = remark.line.map_or(String::new(), |line| format!(":{line}"));
            let text = format!("  {}{line}: {}", remark.file, remark.why);
            screen.note(&plain::clean(&text));
        }
    }
    if kind != "recorded" {
        note_setup(context, name, state);
    }
    let command = |words: &str| {
        locked
            .workspace
            .command(context, &format!("{words} {name}"))
    };
    screen.line(&match state.kept.ended {
        Some((end, _)) => format!("It has ended ({end}): {}", command("status")),
        None => format!("Go on with it: {}", command("resume")),
    });
    if screen.is_json() {
        json::print(&value!({
            "session": name.as_str(),
            "kind": kind,
            "round": now.round.number,
            "events": state.kept.events,
            "gaps": now.gaps.len(),
            "issues": now.issues.len(),
            "decisions": now.decisions.len(),
            "ended": state.kept.ended.map(|(end, _)| end),
            "agents": state.kept.setup.agents,
            "output": state.kept.setup.delivery.as_ref().and_then(|delivery| delivered_to(delivery, state)),
            "not_taken": remarks(&takeover.not_taken),
            "assumed": remarks(&takeover.assumed),
        }));
    }
}

/// Says what a session from elsewhere would run and write, before it does.
fn note_setup(context: &Context, name: &SessionName, state: &State) {
    let setup = &state.kept.setup;
    let goes_on = state.kept.ended.is_none();
    if goes_on {
        let agents = setup.agents.iter();
        let agents: Vec<String> = agents
            .map(|(role, agent)| format!("{role} {}", plain::one_line(agent)))
            .collect();
        let agents = agents.join(" · ");
        context.screen.note(&format!(
            "It goes on with {agents}; others: gapless resume {name} --agents …"
        ));
    }
    let wanted = match goes_on {
        true => setup.delivery.as_ref(),
        false => state.delivery_due(),
    };
    if let Some(place) = wanted.and_then(|delivery| delivered_to(delivery, state)) {
        let place = plain::one_line(&place);
        context.screen.note(&format!(
            "`gapless resume {name}` writes the refined spec to {place} at its end; elsewhere: --output …"
        ));
    }
}

/// Where the refined spec goes, as the session has it.
fn delivered_to(delivery: &Delivery, state: &State) -> Option<String> {
    let origin = state.kept.origin.as_ref()?;
    delivery.file(&origin.source_path)
}

fn remarks(remarks: &[Remark]) -> Vec<Value> {
    let one =
        |remark: &Remark| value!({ "file": remark.file, "line": remark.line, "why": remark.why });
    remarks.iter().map(one).collect()
}
