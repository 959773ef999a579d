//! `gapless` alone: what is in this folder, and what to do next in it. It starts nothing and makes nothing.

use std::path::Path;

use gapless_core::State;
use gapless_core::phase::End;
use gapless_core::question::Question;
use gapless_runner::{Session, SessionSummary};
use gapless_store::{SessionName, Summary};
use serde_json::{Value, json as value};

use crate::agents;
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::files::spec_search::likely_specs;
use crate::output::{Screen, Tone, json, plain};
use crate::session_choice::{driver, likely, sessions};
use crate::settings::Settings;
use crate::views::questions;
use crate::views::session_state::{place, resume_command};
use crate::workspace::{Workspace, quoted};

/// How wide a title is shown.
const WIDTH_OF_TITLE: usize = 60;

/// How many specs are named.
const MOST_SPECS: usize = 2;

/// A command that makes sense now.
struct Next {
    command: String,
    why: String,
}

impl Next {
    fn new(command: String, why: impl Into<String>) -> Self {
        let why = why.into();
        Self { command, why }
    }
}

/// What is there, in sentences, and what follows from it.
#[derive(Default)]
struct Found {
    lines: Vec<String>,
    next: Vec<Next>,
}

pub fn run(context: &Context) -> Result<Exit, Failure> {
    let workspace = Workspace::to_make(context)?;
    let known = match workspace.has_database() {
        true => sessions(&workspace)?,
        false => Vec::new(),
    };
    let place = context.here.join("spec.md");
    let settings = Settings::read(workspace.settings_of(&place).as_deref())?;
    let agents = agents(&settings);
    let specs = specs(context, &workspace, &known);
    let mut found = match likely(&known) {
        Some(name) => session(context, &workspace, &name.parse()?, &known),
        None => Found::default(),
    };
    let is_named = !settings.agents.is_empty();
    let starts = start(&specs, known.is_empty(), is_named || !agents.is_empty());
    found.lines.extend(starts.lines);
    found.next.extend(starts.next);
    let screen = &context.screen;
    if screen.is_json() {
        json::print(&document(&found.next, &known, &specs, &agents));
        return Ok(Exit::Done);
    }
    show(screen, &found, specs.is_empty(), is_named, &agents);
    Ok(Exit::Done)
}

/// The agents that can be seen without starting any.
fn agents(settings: &Settings) -> Vec<String> {
    let sightings = agents::look(settings).into_iter();
    let there = sightings.filter(|sighting| sighting.is_there());
    there.map(|sighting| sighting.candidate.agent).collect()
}

/// The files here that look like specs and that no session is on, as they are named on the command line.
fn specs(context: &Context, workspace: &Workspace, known: &[Summary]) -> Vec<String> {
    let folder = match context.workspace {
        Some(_) => workspace.root(),
        None => context.here.as_path(),
    };
    let taken: Vec<String> = known
        .iter()
        .filter_map(summary)
        .map(|summary| summary.source_path)
        .collect();
    let files = likely_specs(folder).into_iter();
    files
        .filter(|file| !taken.contains(&workspace.relative(file)))
        .map(|file| {
            let shown = file.strip_prefix(&context.here).unwrap_or(&file);
            shown.to_string_lossy().into_owned()
        })
        .collect()
}

fn summary(session: &Summary) -> Option<SessionSummary> {
    serde_json::from_str(&session.body).ok()
}

/// Where the session stands that is most likely meant, and how it goes on.
fn session(
    context: &Context,
    workspace: &Workspace,
    name: &SessionName,
    known: &[Summary],
) -> Found {
    let here = workspace.arguments_from(context);
    let mut found = Found::default();
    let others = known.iter().map(|session| session.name.as_str());
    let others: Vec<&str> = others.filter(|other| *other != name.as_str()).collect();
    let others = match others.is_empty() {
        true => String::new(),
        false => format!(
            " {}",
            plain::shortened(&format!("(others: {})", others.join(", ")), WIDTH_OF_TITLE)
        ),
    };
    let opened = workspace
        .read()
        .and_then(|store| Ok(Session::open(store, name.as_str())?));
    let opened = match opened {
        Ok(opened) => opened,
        Err(failure) => {
            found.lines.push(format!(
                "Session {name}{others} can't be read: {}",
                plain::one_line(&failure.message)
            ));
            let all = format!("gapless stats{here}");
            found
                .next
                .push(Next::new(all, "says what the others come to"));
            return found;
        }
    };
    let state = opened.state();
    let source = state.kept.origin.as_ref().map(|origin| &origin.source_path);
    let source = source.map_or(String::new(), |source| plain::one_line(source));
    found
        .lines
        .push(format!("Session {name} on {source}{others}"));
    let waits = match (state.kept.ended, state.now.questions.is_empty()) {
        (None, false) => ", waiting for your answer",
        _ => "",
    };
    found.lines.push(format!("{}{waits}", place(state)));
    let driven = driver(workspace, name).is_some();
    if driven {
        found.lines.push("Another process drives it.".to_owned());
    }
    if let Some(question) = state.now.queue().first() {
        found
            .next
            .extend(answers(context, workspace, name, question));
    }
    match state.kept.ended {
        Some((end, _)) => ended(context, workspace, name, end, &mut found),
        None if driven => found.next.push(Next::new(
            format!("gapless status {name}{here}"),
            "says how far it is",
        )),
        None => found.next.push(go_on(context, workspace, name, state)),
    }
    found
}

/// How a question is answered: by looking at it, and by one command.
fn answers(
    context: &Context,
    workspace: &Workspace,
    name: &SessionName,
    question: &Question,
) -> [Next; 2] {
    let here = workspace.arguments_from(context);
    let title = plain::shortened(&question.title, WIDTH_OF_TITLE);
    let look = Next::new(
        format!("gapless questions {name}{here}"),
        format!("shows {}: {title}", question.id),
    );
    let needs_words = |label: &String| {
        let mut fields = question.fields.iter();
        fields.any(|field| field.needed_for.contains(label))
    };
    let mut offered = questions::offered(question);
    let ready = offered.find(|choice| choice.recommended && !needs_words(&choice.label));
    let take = match ready {
        Some(choice) => Next::new(
            questions::command(context, workspace, name.as_str(), question, choice),
            format!(
                "takes what is recommended: {}",
                plain::one_line(&choice.text)
            ),
        ),
        None => {
            let labels = questions::offered(question).map(|choice| choice.label.as_str());
            let labels: Vec<&str> = labels.collect();
            Next::new(
                format!("gapless answer {name} {} --option …{here}", question.id),
                format!("answers it: {}", labels.join(", ")),
            )
        }
    };
    [look, take]
}

fn go_on(context: &Context, workspace: &Workspace, name: &SessionName, state: &State) -> Next {
    let command = resume_command(context, workspace, name.as_str(), state);
    let why = match state.now.questions.is_empty() {
        true => "goes on",
        false => "asks you right here, and goes on",
    };
    Next::new(command, why)
}

fn ended(
    context: &Context,
    workspace: &Workspace,
    name: &SessionName,
    end: End,
    found: &mut Found,
) {
    let here = workspace.arguments_from(context);
    if end != End::Abandoned {
        let file = workspace.folder(name).root().join("spec.md");
        let file = shown(&file, &context.here);
        found.lines.push(format!("Refined spec: {file}"));
        found.next.push(Next::new(
            format!("gapless diff --session {name}{here}"),
            "shows what changed in the spec",
        ));
    }
    found.next.push(Next::new(
        format!("gapless report {name}{here}"),
        "makes one page of the whole session",
    ));
}

fn shown(path: &Path, here: &Path) -> String {
    let path = path.strip_prefix(here).unwrap_or(path);
    plain::clean(&path.to_string_lossy())
}

/// How a session is started: on a spec that is here, else by getting to know gapless.
fn start(specs: &[String], is_new_here: bool, has_agents: bool) -> Found {
    let mut found = Found::default();
    let Some(first) = specs.first() else {
        if is_new_here {
            found
                .lines
                .push("There is no spec in this folder yet.".to_owned());
            found.next = vec![
                Next::new(
                    "gapless demo".to_owned(),
                    "shows a recorded session, in a folder of its own",
                ),
                Next::new(
                    "gapless init --template service".to_owned(),
                    "writes a spec.md to fill in; also: api, cli, ui, library, data",
                ),
                Next::new(
                    "gapless run spec.md".to_owned(),
                    "refines a spec, once you wrote what you know of it",
                ),
            ];
        }
        return found;
    };
    let named: Vec<String> = specs
        .iter()
        .take(MOST_SPECS)
        .map(|spec| plain::one_line(spec))
        .collect();
    let more = match specs.len().saturating_sub(MOST_SPECS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let what = match (specs.len(), is_new_here) {
        (1, true) => "looks like a spec",
        (1, false) => "has no session yet",
        (_, true) => "look like specs",
        (_, false) => "have no session yet",
    };
    found
        .lines
        .push(format!("{}{more} {what}.", named.join(", ")));
    let file = quoted(first);
    if is_new_here {
        found.next.push(Next::new(
            format!("gapless scan {file}"),
            "finds what it leaves out, by rules that need no model",
        ));
    }
    found.next.push(match has_agents {
        true => Next::new(
            format!("gapless run {file}"),
            "starts a session: agents close the gaps, you decide",
        ),
        false => Next::new(
            format!("gapless run {file} --agents offline"),
            "starts a session that needs no key or model",
        ),
    });
    found
}

fn show(screen: &Screen, found: &Found, no_specs: bool, is_named: bool, agents: &[String]) {
    screen.line("gapless refines a partial spec until its gaps are closed.");
    screen.line("");
    for line in &found.lines {
        screen.line(line);
    }
    screen.line("Next:");
    let widest = |length: fn(&Next) -> usize| found.next.iter().map(length).max().unwrap_or(0);
    let command = widest(|next| console::measure_text_width(&next.command));
    let why = widest(|next| console::measure_text_width(&next.why));
    for next in &found.next {
        let painted = screen.paint(Tone::Info, &next.command);
        match command + why + 5 <= screen.width() {
            true => {
                let gap = " ".repeat(command - console::measure_text_width(&next.command));
                screen.line(&format!("  {painted}{gap}   {}", next.why));
            }
            false => {
                screen.line(&format!("  {painted}"));
                screen.line(&format!("      {}", next.why));
            }
        }
    }
    screen.line("");
    if !no_specs && !is_named {
        screen.line(&match agents.is_empty() {
            true => "No agent was found; `gapless agents` says what was looked for.".to_owned(),
            false => format!("Agents found: {}", agents.join(", ")),
        });
    }
    screen.line("All commands: gapless --help");
}

fn document(next: &[Next], known: &[Summary], specs: &[String], agents: &[String]) -> Value {
    let next = next
        .iter()
        .map(|next| value!({ "command": next.command, "why": next.why }));
    let sessions = known.iter().map(|session| {
        let summary = summary(session);
        let summary = summary.as_ref();
        value!({
            "session": session.name,
            "updated_at": session.updated_at.to_string(),
            "source": summary.map(|summary| &summary.source_path),
            "phase": summary.map(|summary| summary.phase),
            "round": summary.map(|summary| summary.round),
            "paused": summary.map(|summary| summary.paused),
            "waiting": summary.map(|summary| summary.waiting),
            "end": summary.and_then(|summary| summary.ended),
        })
    });
    value!({
        "next": next.collect::<Vec<Value>>(),
        "sessions": sessions.collect::<Vec<Value>>(),
        "specs": specs,
        "agents": agents,
    })
}
