//! `gapless` without a command: what is in this folder, and what to do next. Nothing is started or written.

use gapless_domain::{Delivery, End, Question};
use gapless_runner::{RunError, Session, SessionSummary};
use gapless_store::{SessionName, Summary};
use serde_json::{Value, json as value};

use crate::files::spec_search::likely_specs;
use crate::output::wording::list;
use crate::session_choice::{driver, likely_session, sessions};
use crate::views::session_state::{place, resume_command};
use crate::views::{delivery, questions};
use crate::workspace::quoted;
use crate::{
    Context, Exit, Failure, Result, Screen, SessionView, Settings, Tone, Workspace, agents, json,
    plain,
};

/// How wide a title is shown.
const WIDTH_OF_TITLE: usize = 60;

/// How many specs are named.
const MOST_SPECS: usize = 2;

/// A command that makes sense now.
struct Next {
    command: String,
    why: String,
}

/// What was found, in sentences, and the commands that make sense after it.
#[derive(Default)]
struct Advice {
    lines: Vec<String>,
    next: Vec<Next>,
}

impl Advice {
    fn of(line: impl Into<String>) -> Self {
        Self {
            lines: vec![line.into()],
            next: Vec::new(),
        }
    }

    fn then(&mut self, command: impl Into<String>, why: impl Into<String>) {
        let (command, why) = (command.into(), why.into());
        self.next.push(Next { command, why });
    }
}

/// What there is to work with in this folder.
struct Folder {
    sessions: Vec<Summary>,
    /// Files that look like specs and that no session is on.
    specs: Vec<String>,
    /// Agents that are installed.
    agents: Vec<String>,
    /// Whether gapless.toml names agents.
    names_agents: bool,
}

impl Folder {
    fn look(context: &Context, workspace: &Workspace) -> Result<Self> {
        let sessions = match workspace.has_database() {
            true => sessions(workspace)?,
            false => Vec::new(),
        };
        let settings = workspace.settings_for(&context.here.join("spec.md"))?;
        Ok(Self {
            specs: specs(context, workspace, &sessions),
            agents: agents(&settings),
            names_agents: !settings.agents.is_empty(),
            sessions,
        })
    }
}

pub(crate) fn run(context: &Context) -> Result<Exit> {
    let workspace = Workspace::to_make(context)?;
    let folder = Folder::look(context, &workspace)?;
    let mut advice = match likely_session(&folder.sessions) {
        Some(name) => session(context, &workspace, &name.parse()?, &folder.sessions),
        None => Advice::default(),
    };
    let starts = match folder.specs.first() {
        Some(spec) => start(&folder, spec),
        None if folder.sessions.is_empty() => first_steps(),
        None => Advice::default(),
    };
    advice.lines.extend(starts.lines);
    advice.next.extend(starts.next);
    match context.screen.is_json() {
        true => json::print(&document(&advice, &folder)),
        false => show(&context.screen, &advice, &folder),
    }
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

/// Where the likely session is, and how it goes on.
fn session(
    context: &Context,
    workspace: &Workspace,
    name: &SessionName,
    known: &[Summary],
) -> Advice {
    let others = others(name, known);
    let store = workspace.read().map_err(RunError::from);
    let opened = match store.and_then(|store| Session::open(store, name.as_str())) {
        Ok(opened) => opened,
        Err(error) => {
            let failure = Failure::from(error);
            let why = plain::one_line(&failure.message);
            let mut advice = Advice::of(format!("Session {name}{others} can't be read: {why}"));
            let all = workspace.command(context, "stats");
            advice.then(all, "says what the others come to");
            return advice;
        }
    };
    let state = opened.state();
    let source = state.kept.origin.as_ref().map(|origin| &origin.source_path);
    let source = source.map_or(String::new(), |source| plain::one_line(source));
    let waits = match (state.kept.ended, state.now.questions.is_empty()) {
        (None, false) => ", waiting for your answer",
        _ => "",
    };
    let mut advice = Advice::of(format!("Session {name} on {source}{others}"));
    advice.lines.push(format!("{}{waits}", place(state)));
    let view = SessionView {
        context,
        workspace,
        name,
        state,
    };
    let driven = driver(workspace, name).is_some();
    if driven {
        advice.lines.push("Another process drives it.".to_owned());
    }
    if let Some(question) = state.now.queue().first() {
        answer(view, question, &mut advice);
    }
    let status = view.command(&format!("status {name}"));
    match (state.kept.ended, state.now.questions.is_empty()) {
        (Some((end, _)), _) => ended(view, end, &mut advice),
        (None, _) if driven => advice.then(status, "says how far it is"),
        (None, true) => advice.then(resume_command(view), "goes on"),
        (None, false) => advice.then(resume_command(view), "asks you right here, and goes on"),
    }
    advice
}

/// Names the other sessions behind the name of one.
fn others(name: &SessionName, known: &[Summary]) -> String {
    let others = known.iter().map(|session| session.name.as_str());
    let others = list(others.filter(|other| *other != name.as_str()));
    match others.is_empty() {
        true => others,
        false => {
            let others = format!("(others: {others})");
            format!(" {}", plain::shortened(&others, WIDTH_OF_TITLE))
        }
    }
}

/// How a question is answered: by looking at it, and by one command.
fn answer(view: SessionView<'_>, question: &Question, advice: &mut Advice) {
    let (name, id) = (view.name, question.id);
    let title = plain::shortened(&question.title, WIDTH_OF_TITLE);
    let all = view.command(&format!("questions {name}"));
    advice.then(all, format!("shows {id}: {title}"));
    let needs_words = |label: &String| {
        let mut fields = question.fields.iter();
        fields.any(|field| field.needed_for.contains(label))
    };
    let mut offered = questions::offered(question);
    let ready = offered.find(|choice| choice.recommended && !needs_words(&choice.label));
    match ready {
        Some(choice) => {
            let text = plain::one_line(&choice.text);
            let command = questions::command(view, question, choice);
            advice.then(command, format!("takes what is recommended: {text}"));
        }
        None => {
            let labels = list(questions::offered(question).map(|choice| &choice.label));
            let answer = view.command(&format!("answer {name} {id} --option …"));
            advice.then(answer, format!("answers it: {labels}"));
        }
    }
}

fn ended(view: SessionView<'_>, end: End, advice: &mut Advice) {
    let name = view.name;
    if end != End::Abandoned {
        let delivered = delivery::delivered_file(view);
        let file = delivered.unwrap_or_else(|| view.file("spec.md"));
        let file = file.strip_prefix(&view.context.here).unwrap_or(&file);
        let file = plain::clean(&file.to_string_lossy());
        advice.lines.push(format!("Refined spec: {file}"));
        let diff = view.command(&format!("diff --session {name}"));
        advice.then(diff, "shows what changed in the spec");
        if view.state.kept.setup.delivery != Some(Delivery::InPlace {}) {
            let apply = view.command(&format!("apply {name}"));
            advice.then(apply, "writes it over your spec, after asking");
        }
    }
    let report = view.command(&format!("report {name}"));
    advice.then(report, "makes one page of the whole session");
    let reopen = view.command(&format!("reopen {name}"));
    advice.then(reopen, "takes it up again, to change or add something");
}

/// First steps in a folder without specs and sessions.
fn first_steps() -> Advice {
    let mut advice = Advice::of("There is no spec in this folder yet.");
    advice.then(
        "gapless demo",
        "shows a recorded session, in a folder of its own",
    );
    advice.then(
        "gapless init --template service",
        "writes a spec.md to fill in; also: api, cli, ui, library, data",
    );
    advice.then(
        "gapless run spec.md",
        "refines a spec, once you wrote what you know of it",
    );
    advice
}

/// How a session is started on a spec that is here.
fn start(folder: &Folder, spec: &str) -> Advice {
    let specs = &folder.specs;
    let is_new_here = folder.sessions.is_empty();
    let named = specs.iter().take(MOST_SPECS);
    let named = list(named.map(|spec| plain::one_line(spec)));
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
    let file = quoted(spec);
    let mut advice = Advice::of(format!("{named}{more} {what}."));
    if is_new_here {
        let why = "finds what it leaves out, by rules that need no model";
        advice.then(format!("gapless scan {file}"), why);
    }
    let run = format!("gapless run {file}");
    match folder.names_agents || !folder.agents.is_empty() {
        true => advice.then(run, "starts a session: agents close the gaps, you decide"),
        false => {
            let why = "starts a session that needs no key or model";
            advice.then(format!("{run} --agents offline"), why);
        }
    }
    advice
}

fn show(screen: &Screen, advice: &Advice, folder: &Folder) {
    screen.line("gapless refines a partial spec until its gaps are closed.");
    screen.line("");
    for line in &advice.lines {
        screen.line(line);
    }
    screen.line("Next:");
    let widest = |length: fn(&Next) -> usize| advice.next.iter().map(length).max().unwrap_or(0);
    let command = widest(|next| console::measure_text_width(&next.command));
    let why = widest(|next| console::measure_text_width(&next.why));
    for next in &advice.next {
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
    if !folder.specs.is_empty() && !folder.names_agents {
        screen.line(&match folder.agents.is_empty() {
            true => "No agent was found; `gapless agents` says what was looked for.".to_owned(),
            false => format!("Agents found: {}", list(&folder.agents)),
        });
    }
    screen.line("All commands: gapless --help");
}

fn document(advice: &Advice, folder: &Folder) -> Value {
    let next = advice
        .next
        .iter()
        .map(|next| value!({ "command": next.command, "why": next.why }));
    let sessions = folder.sessions.iter().map(|session| {
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
            "by_rules": summary.is_some_and(|summary| summary.by_rules),
        })
    });
    value!({
        "next": next.collect::<Vec<Value>>(),
        "sessions": sessions.collect::<Vec<Value>>(),
        "specs": folder.specs,
        "agents": folder.agents,
    })
}
