//! `gapless demo`: replays a recorded session, slowly enough to watch in a terminal.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use gapless_agents::{Agent, BoxFuture, Finished, Replay, Request, Watch};
use gapless_domain::{Delivery, Role, TextHash};
use gapless_mediator::{RunSettings, Start};
use gapless_runner::Opener;
use gapless_store::SessionName;

use crate::workspace::quoted;
use crate::{
    AnswerSources, AnswersFile, Context, Exit, Failure, Kind, Result, Settings, Tone, Workspace,
    agents, session,
};

const SPEC: &str = include_str!("../../demo/spec.md");
const ANSWERS: &str = include_str!("../../demo/answers.toml");
const SESSION: &str = "waybill";
const AGENT: &str = "replay:recorded";

macro_rules! recorded {
    ($($path:literal),* $(,)?) => {
        [$(($path, include_str!(concat!("../../demo/recorded/", $path)))),*]
    };
}

const RECORDED: [(&str, &str); 20] = recorded![
    "round_001/engineer.md",
    "round_001/reviewer.md",
    "round_002/engineer.md",
    "round_002/engineer-GAP-RET-001.md",
    "round_002/reviewer.md",
    "round_003/attempts/engineer-1.md",
    "round_003/engineer.md",
    "round_003/reviewer.md",
    "round_004/engineer.md",
    "round_004/reviewer.md",
    "round_005/engineer.md",
    "round_005/reviewer.md",
    "round_006/attempts/engineer-GAP-OPS-001-1.md",
    "round_006/attempts/reviewer-GAP-OPS-001-1.md",
    "round_006/engineer.md",
    "round_006/reviewer.md",
    "round_006/final_review.md",
    "round_007/engineer.md",
    "round_007/reviewer.md",
    "round_007/final_review.md",
];

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// The folder to run it in, which must be empty (default: a new temporary one)
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

pub(crate) fn run(context: &Context, args: &DemoArgs) -> Result<Exit> {
    let folder = folder(context, args.dir.as_deref())?;
    lay_out(&folder).map_err(|error| unwritable(&folder, &error))?;
    let screen = &context.screen;
    screen.line(&screen.paint(
        Tone::Faint,
        "A recorded session on the spec of a webhook service: the agents' documents and the user's answers\n\
         are played back, everything else happens as in any session.\n",
    ));
    let workspace = Workspace::at(&folder);
    let files = RECORDED.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let agent = Paced {
        replay: Replay::from_files(AGENT, BTreeMap::from(files)),
        pace: match screen.is_terminal() {
            true => Duration::from_millis(380),
            false => Duration::ZERO,
        },
    };
    let name: SessionName = SESSION.parse()?;
    let context_of_agents = agents::attended(context, &workspace, &name, &Settings::default());
    let mut opener = Opener::new(context_of_agents).with(AGENT, Arc::new(agent));
    let answers = AnswerSources::with_answers(AnswersFile::read(&folder.join("answers.toml"))?);
    let start = Start {
        name: SESSION.to_owned(),
        source_path: "spec.md".to_owned(),
        source: SPEC.to_owned(),
        found: Vec::new(),
        met: RunSettings {
            agents: [Role::Engineer, Role::Reviewer]
                .map(|role| (role, AGENT.to_owned()))
                .into(),
            source_now: Some(TextHash::of(SPEC)),
            delivery: Some(Delivery::Beside {}),
            ..RunSettings::default()
        },
    };
    let exit = session::start(context, &workspace, &name, start, &mut opener, answers)?;
    what_next(context, &folder);
    Ok(exit)
}

fn folder(context: &Context, named: Option<&Path>) -> Result<PathBuf> {
    let Some(named) = named else {
        return tempfile::Builder::new()
            .prefix("gapless-demo-")
            .tempdir()
            .map(tempfile::TempDir::keep)
            .map_err(|error| {
                let message = format!("no temporary folder could be made: {error}");
                Failure::new(Kind::Folder, message).hint("name an empty folder with --dir")
            });
    };
    let folder = context.resolve(named);
    fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, &error))?;
    let mut entries = fs::read_dir(&folder).map_err(|error| unwritable(&folder, &error))?;
    if entries.next().is_some() {
        let message = format!("{} is not empty", named.display());
        return Err(Failure::new(Kind::Folder, message).hint("name a folder of its own"));
    }
    Ok(folder.canonicalize().unwrap_or(folder))
}

fn unwritable(folder: &Path, error: &std::io::Error) -> Failure {
    let message = format!("{} can't be written: {error}", folder.display());
    Failure::new(Kind::Folder, message).hint("name another folder with --dir")
}

fn lay_out(folder: &Path) -> std::io::Result<()> {
    fs::write(folder.join("spec.md"), SPEC)?;
    fs::write(folder.join("answers.toml"), ANSWERS)?;
    for (path, text) in RECORDED {
        let file = folder.join("recorded").join(path);
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(file, text)?;
    }
    Ok(())
}

fn what_next(context: &Context, folder: &Path) {
    let screen = &context.screen;
    let command = |text: &str| format!("  {}", screen.paint(Tone::Info, text));
    screen.line("\nLook around:");
    screen.line(&command(&format!(
        "cd {}",
        quoted(&folder.to_string_lossy())
    )));
    screen.line(&command("gapless status"));
    screen.line(&command("gapless show 6 final_review"));
    screen.line(&command("gapless diff"));
    screen.line("Or answer the questions yourself:");
    screen.line(&command(
        "gapless run spec.md --name mine --agents replay:recorded",
    ));
}

/// A replay that takes its time.
struct Paced {
    replay: Replay,
    pace: Duration,
}

impl Agent for Paced {
    fn name(&self) -> &str {
        self.replay.name()
    }

    fn plays(&self, role: Role) -> bool {
        self.replay.plays(role)
    }

    fn run(&self, request: Request, watch: Watch) -> BoxFuture<'_, Finished> {
        Box::pin(async move {
            tokio::select! {
                () = watch.cancel.cancelled() => {}
                () = tokio::time::sleep(self.pace) => {}
            }
            self.replay.run(request, watch).await
        })
    }
}
