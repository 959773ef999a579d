//! `gapless agents`: lists the agents that are installed; `gapless agents test NAME` tries one.

use clap::{Args, Subcommand};
use gapless_agents::{
    Credentials, Finished, Needs, OFFLINE, Request, Sighting, Watch, open, vendor_of, version,
};
use gapless_domain::assignment::{ASSIGNMENT_FILE, ASSIGNMENT_VERSION};
use gapless_domain::{Assignment, Role, SlotId, TaskId, TaskLimits};
use serde_json::{Value, json as value};

use crate::trust::{self, Gathering, Origin};
use crate::{
    Context, Exit, Failure, Kind, Result, Settings, Workspace, agents, json, plain, runtime, tables,
};

#[derive(Debug, Args)]
pub(crate) struct AgentsArgs {
    #[command(subcommand)]
    what: Option<AgentsCommand>,
}

#[derive(Debug, Subcommand)]
enum AgentsCommand {
    /// Ask an agent for one word: whether it answers, how long that takes and what it uses
    Test(TestArgs),
}

#[derive(Debug, Args)]
struct TestArgs {
    /// The agent, as in --engineer
    name: String,
    /// How long it may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    timeout: u64,
}

pub(crate) fn run(context: &Context, args: &AgentsArgs) -> Result<Exit> {
    let workspace = Workspace::to_make(context)?;
    let spec = context.here.join("spec.md");
    let settings = workspace.settings_for(&spec)?;
    let file = workspace.settings_of(&spec);
    let mut claims = Gathering::new(&workspace, &settings, file.as_deref());
    match &args.what {
        // To know its version, each program is started.
        None => settings
            .own_agents
            .keys()
            .for_each(|name| claims.definition(name)),
        Some(AgentsCommand::Test(args)) => {
            claims.agent(&args.name, "for a test", &Origin::User);
            if claims.runs_programs() {
                claims.environment();
            }
        }
    }
    trust::require(context, &workspace, &claims.finish(), None)?;
    match &args.what {
        None => list(context, &settings),
        Some(AgentsCommand::Test(args)) => test(context, &workspace, &settings, args),
    }
}

fn list(context: &Context, settings: &Settings) -> Result<Exit> {
    let sightings = agents::look(settings);
    let versions = runtime::block_on(async {
        let mut versions = Vec::new();
        for seen in &sightings {
            versions.push(match &seen.program {
                Some(program) => version(program.as_os_str()).await,
                None => None,
            });
        }
        versions
    })?;
    let screen = &context.screen;
    if screen.is_json() {
        let mut items: Vec<Value> = sightings.iter().zip(&versions).map(item).collect();
        items.push(value!({
            "agent": OFFLINE,
            "vendor": Value::Null,
            "there": true,
            "program": Value::Null,
            "version": Value::Null,
            "access": Value::Null,
            "install": "",
        }));
        json::print(&value!({ "items": items }));
        return Ok(Exit::Done);
    }
    let rows = sightings.iter().zip(&versions).map(|(seen, version)| {
        let program = match (&seen.candidate.needs, &seen.program) {
            (_, Some(path)) => path.display().to_string(),
            (Needs::Program(_), None) => "not installed".to_owned(),
            (Needs::Key, None) => String::new(),
        };
        [
            tables::text(&seen.candidate.agent),
            tables::text(version.as_deref().unwrap_or("-")),
            tables::text(&agents::access_in_words(&seen.credentials)),
            tables::text(&program),
        ]
    });
    let offline = "no model: defaults for you to confirm";
    let offline = [OFFLINE, "-", "always there", offline].map(tables::text);
    let header = ["Agent", "Version", "Access", "Program"];
    tables::print(screen, header, &[0], rows.chain([offline]));
    for seen in sightings.iter().filter(|seen| !seen.is_there()) {
        if !seen.candidate.install.is_empty() {
            screen.line(&format!(
                "{}: {}",
                seen.candidate.agent, seen.candidate.install
            ));
        }
    }
    screen.line("Whether one answers: gapless agents test NAME");
    Ok(Exit::Done)
}

fn item((seen, version): (&Sighting, &Option<String>)) -> Value {
    let access = match &seen.credentials {
        Credentials::Key(name) => value!({ "variable": name }),
        Credentials::SignedIn(file) => value!({ "file": file }),
        Credentials::NotSeen => Value::Null,
    };
    value!({
        "agent": seen.candidate.agent,
        "vendor": seen.candidate.vendor,
        "there": seen.is_there(),
        "program": seen.program,
        "version": version,
        "access": access,
        "install": seen.candidate.install,
    })
}

const PROMPT: &str = "This is a test of the connection. Answer with the single word: ready\n";

fn test(
    context: &Context,
    workspace: &Workspace,
    settings: &Settings,
    args: &TestArgs,
) -> Result<Exit> {
    let agent = open(&args.name, &agents::unattended(workspace, settings))?;
    let millis = args.timeout.saturating_mul(1000);
    let request = Request {
        task: TaskId {
            epoch: 0,
            round: 0,
            slot: SlotId::new(Role::Engineer, 0),
            attempt: 1,
        },
        gaps: Vec::new(),
        prompt: PROMPT.into(),
        inputs: match agent.wants_assignment() {
            true => vec![(ASSIGNMENT_FILE.to_owned(), empty_assignment()?.into())],
            false => Vec::new(),
        },
        output_path: "answer.md".to_owned(),
        repo: None,
        limits: TaskLimits {
            idle_timeout_millis: millis,
            hard_timeout_millis: millis,
            output_bytes: 64 * 1024,
        },
    };
    let finished = runtime::block_on(async {
        let watch = Watch::default();
        let cancel = watch.cancel.clone();
        let run = agent.run(request, watch);
        tokio::pin!(run);
        tokio::select! {
            finished = &mut run => Ok(finished),
            _ = tokio::signal::ctrl_c() => {
                cancel.cancel();
                run.await;
                Err(Exit::Interrupted)
            }
        }
    });
    match finished? {
        Ok(finished) => Ok(told(context, settings, &args.name, &finished)),
        Err(interrupted) => Ok(interrupted),
    }
}

/// An assignment of nothing, so that an agent that works from one can answer.
fn empty_assignment() -> Result<String> {
    let assignment = Assignment {
        version: ASSIGNMENT_VERSION,
        role: Role::Engineer,
        round: 0,
        gaps: Vec::new(),
        decisions: Vec::new(),
        next_issue: None,
        spec: String::new(),
    };
    serde_json::to_string_pretty(&assignment).map_err(|error| {
        let message = format!("an assignment can't be written: {error}");
        Failure::new(Kind::Internal, message)
    })
}

fn told(context: &Context, settings: &Settings, name: &str, finished: &Finished) -> Exit {
    let usage = &finished.usage;
    let (answer, problem) = match &finished.result {
        Ok(output) => match output.text.as_deref().map(str::trim) {
            Some(text) if !text.is_empty() => (Some(text), None),
            _ => (None, Some("it ran and answered nothing".to_owned())),
        },
        Err(error) => (None, Some(error.message.clone())),
    };
    let screen = &context.screen;
    if screen.is_json() {
        json::print(&value!({
            "agent": name,
            "vendor": vendor_of(name, &settings.presets),
            "answers": problem.is_none(),
            "answer": answer,
            "problem": problem,
            "usage": usage,
        }));
    }
    match &problem {
        None => {
            let answer = plain::shortened(&plain::one_line(answer.unwrap_or_default()), 60);
            screen.line(&format!("{name} answers: {answer}"));
        }
        Some(problem) => screen.line(&format!(
            "{name} does not answer: {}",
            plain::clean(problem)
        )),
    }
    let seconds = usage.millis / 1000;
    let tenths = usage.millis % 1000 / 100;
    let mut used = format!("{seconds}.{tenths} s");
    if let (Some(input), Some(output)) = (usage.input_tokens, usage.output_tokens) {
        used += &format!(", {input} tokens in, {output} out");
    }
    if let Some(cost) = usage.cost_micros {
        used += &format!(", cost {}", gapless_domain::budget::Money(cost));
    }
    screen.line(&used);
    Exit::of_check(problem.is_none())
}
