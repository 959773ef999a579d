//! `gapless apply`: writes the refined spec over the spec that the session started from, after showing the difference.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;
use gapless_domain::line_diff::Mark;
use gapless_domain::{End, TextHash};
use gapless_runner::RunError;
use gapless_session::State;
use gapless_spec::{assemble, limitations};
use gapless_store::{Expected, WriteOutError, WrittenOut, write_out};
use serde_json::{Value, json as value};

use crate::askers::keyboard::Keyboard;
use crate::output::pager::{self, PagerArgs};
use crate::output::spec_diff::{DiffFormArgs, SpecDiff};
use crate::output::wording::count;
use crate::views::session_end;
use crate::{
    Context, Exit, Failure, Kind, OpenSession, Result, SessionView, json, open_session, plain,
    runtime,
};

#[derive(Debug, Args)]
pub(crate) struct ApplyArgs {
    /// The session (default: the only one, else the last one worked on)
    name: Option<String>,
    /// Show the difference and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Write without asking
    #[arg(long, conflicts_with = "dry_run")]
    yes: bool,
    /// Also of a session that has not ended
    #[arg(long)]
    now: bool,
    #[command(flatten)]
    form: DiffFormArgs,
    #[command(flatten)]
    pager: PagerArgs,
}

/// The user's spec, and what is to stand there.
struct Spec {
    file: PathBuf,
    now: String,
    refined: String,
    /// What may be written over: what the session started from, and what it made of it before.
    known: Vec<TextHash>,
}

pub(crate) fn run(context: &Context, args: &ApplyArgs) -> Result<Exit> {
    let opened = open_session(context, args.name.as_deref())?;
    let view = opened.view(context);
    let spec = read(&opened)?;
    let names = [
        plain::clean(&shown(context, &spec.file)),
        "refined".to_owned(),
    ];
    let diff = SpecDiff::new(names, &spec.now, &spec.refined, args.form);
    let screen = &context.screen;
    let document = |written: Option<&WrittenOut>| {
        let backup = written.and_then(|written| written.backup.as_ref());
        value!({
            "session": opened.name.as_str(),
            "path": spec.file,
            "is_refined": diff.is_empty() || written.is_some(),
            "written": written.is_some(),
            "backup": backup,
            "added": diff.count(Mark::Added),
            "removed": diff.count(Mark::Removed),
            "diff": diff.unified(),
        })
    };
    if diff.is_empty() {
        let file = shown(context, &spec.file);
        screen.line(&format!("{file} is the refined spec already."));
        return Ok(done(context, &document(None)));
    }
    check(view, &spec, args)?;
    let asks = !args.dry_run && !args.yes;
    if asks && context.terminal.is_none() {
        return Err(needs_yes(view));
    }
    // As a document has it, nobody needs it twice.
    if asks || !screen.is_json() {
        pager::show(context, args.pager, &diff.lines(screen, args.form));
    }
    session_end::remark_by_rules(screen, opened.state());
    if args.dry_run {
        return Ok(done(context, &document(None)));
    }
    let answer = match asks {
        true => ask(context, &spec.file)?,
        false => Answer::Yes,
    };
    if answer != Answer::Yes {
        let file = shown(context, &spec.file);
        screen.line(&format!("Nothing was written: {file} is as it was."));
        done(context, &document(None));
        return Ok(match answer {
            Answer::Interrupted => Exit::Interrupted,
            Answer::Yes | Answer::No => Exit::Unmet,
        });
    }
    let written = write_out(&spec.file, &spec.refined, Expected::OneOf(&spec.known))
        .map_err(|error| cannot_write(view, &spec.file, &error))?;
    let file = shown(context, &written.file);
    screen.line(&format!("Written to:   {file}"));
    if let Some(backup) = &written.backup {
        screen.line(&format!("Kept before:  {}", shown(context, backup)));
    }
    Ok(done(context, &document(Some(&written))))
}

fn done(context: &Context, document: &Value) -> Exit {
    if context.screen.is_json() {
        json::print(document);
    }
    Exit::Done
}

/// A path as it is said: from the current folder if it is below it.
fn shown(context: &Context, file: &Path) -> String {
    let here = context.here.canonicalize();
    let here = here.as_deref().unwrap_or(&context.here);
    let file = file.strip_prefix(here).unwrap_or(file);
    plain::one_line(&file.to_string_lossy())
}

fn read(opened: &OpenSession) -> Result<Spec> {
    let state = opened.state();
    if let Some((End::Abandoned, _)) = state.kept.ended {
        let message = format!("{} was abandoned and has no refined spec", opened.name);
        return Err(Failure::new(Kind::Refused, message)
            .hint("`gapless spec` prints how far it had come")
            .exiting(Exit::Unmet));
    }
    let Some(origin) = &state.kept.origin else {
        let message = format!("{} has not begun", opened.name);
        return Err(Failure::new(Kind::Session, message).hint("start it again: gapless run SPEC"));
    };
    let file = opened.workspace.root().join(&origin.source_path);
    let now = fs::read_to_string(&file).map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            let message = format!("there is no spec at {} any more", file.display());
            Failure::new(Kind::Spec, message)
                .hint("write the refined spec to a file: gapless spec > FILE")
        }
        _ => Failure::unreadable(Kind::Spec, &file, &error),
    })?;
    Ok(Spec {
        refined: assemble(state, opened.session.store()).map_err(RunError::from)?,
        known: state.known_specs(),
        file,
        now,
    })
}

/// Refuses a spec that was edited since the session started, and a session that goes on.
fn check(view: SessionView<'_>, spec: &Spec, args: &ApplyArgs) -> Result<()> {
    let is_changed = !spec.known.contains(&TextHash::of(&spec.now));
    if args.dry_run {
        if is_changed {
            let file = shown(view.context, &spec.file);
            let text = format!(
                "! {file} has changed since the session started: it would not be written over"
            );
            view.screen().note(&text);
        }
        return Ok(());
    }
    if is_changed {
        return Err(changed(view, &spec.file));
    }
    if view.state.kept.ended.is_some() || args.now {
        return Ok(());
    }
    let left = open(view.state);
    let message = format!("{} has not ended: {left}", view.name);
    let go_on = view.command(&format!("resume {}", view.name));
    let anyway = view.command(&format!("apply {} --now", view.name));
    Err(Failure::new(Kind::Refused, message)
        .hint(format!(
            "go on with it: {go_on}; or write what is refined so far: {anyway}"
        ))
        .exiting(Exit::Unmet))
}

fn open(state: &State) -> String {
    match limitations(state).len() {
        0 => "its final review is still to come".to_owned(),
        left => format!("{} left open", count(left, "matter")),
    }
}

fn changed(view: SessionView<'_>, file: &Path) -> Failure {
    let file = shown(view.context, file);
    let message = format!("{file} has changed since the session started");
    let (name, command) = (view.name, |words: String| view.command(&words));
    let diff = command(format!("diff --session {name}"));
    let print = command(format!("spec {name}"));
    Failure::new(Kind::Refused, message)
        .hint(format!(
            "nothing was written; take your changes over by hand: {diff} shows those of the session, {print} > FILE writes \
             the refined spec elsewhere"
        ))
        .exiting(Exit::Unmet)
}

fn needs_yes(view: SessionView<'_>) -> Failure {
    let message = "this writes over your spec, and without a terminal nobody can be asked";
    let name = view.name;
    let yes = view.command(&format!("apply {name} --yes"));
    let dry_run = view.command(&format!("apply {name} --dry-run"));
    Failure::new(Kind::Usage, message).hint(format!("look at it: {dry_run}; write it: {yes}"))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    Interrupted,
}

/// Asks the person at the terminal; nothing typed means no.
fn ask(context: &Context, file: &Path) -> Result<Answer> {
    let file = shown(context, file);
    let text = format!("Write this over {file}? The old one is kept beside it as .bak [y/N] ");
    context.screen.prompt(&text);
    // The pager had Ctrl-C, and it is no longer the system's to end this process by it.
    let typed = runtime::block_on(async {
        let keyboard = Keyboard::here();
        tokio::select! {
            line = keyboard.line() => Some(line.unwrap_or_default()),
            _ = tokio::signal::ctrl_c() => None,
        }
    })?;
    let Some(typed) = typed else {
        context.screen.line("");
        return Ok(Answer::Interrupted);
    };
    Ok(match typed.trim().to_lowercase().as_str() {
        "y" | "yes" => Answer::Yes,
        _ => Answer::No,
    })
}

fn cannot_write(view: SessionView<'_>, file: &Path, error: &WriteOutError) -> Failure {
    if matches!(error, WriteOutError::Changed) {
        return changed(view, file);
    }
    let message = format!("{} can't be written: {error}", file.display());
    let print = view.command(&format!("spec {}", view.name));
    Failure::new(Kind::Folder, message).hint(format!(
        "your spec is as it was; write it elsewhere: {print} > FILE"
    ))
}
