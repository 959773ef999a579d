//! `gapless questions`: what waits for the user, with the command for each option, or as a form for others.

use std::path::{Path, PathBuf};

use clap::Args;
use gapless_domain::{Person, comma_list};
use gapless_store::{Expected, write_out};
use gapless_views::form::{Form, form};
use serde_json::json as value;

use crate::views::{questions, session_json};
use crate::{
    Context, Exit, Failure, Kind, OpenSession, Result, delivery_target, json, open_session, plain,
};

#[derive(Debug, Args)]
pub(crate) struct QuestionsArgs {
    /// The session (default: the only one, else the last one worked on)
    name: Option<String>,
    /// Write everything that waits as a form into FILE, in markdown, to send to others; `-` writes it to stdout
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
    /// Only what waits for this owner
    #[arg(long, value_name = "NAME")]
    owner: Option<Person>,
    /// Write the form also where FILE exists; what was there is kept as FILE.bak
    #[arg(long, requires = "export")]
    force: bool,
}

impl QuestionsArgs {
    pub(crate) fn replaces_a_file(&self) -> bool {
        self.force
    }
}

pub(crate) fn run(context: &Context, args: &QuestionsArgs) -> Result<Exit> {
    let opened = open_session(context, args.name.as_deref())?;
    if let Some(file) = &args.export {
        return export(context, &opened, args, file);
    }
    let view = opened.view(context);
    let mut pending = opened.state().now.queue();
    if let Some(owner) = &args.owner {
        pending.retain(|question| {
            let (owners, _) = view.state.ownership_of_question(question);
            owners.iter().any(|one| one.is(owner))
        });
    }
    let screen = &context.screen;
    if screen.is_json() {
        let items = pending.into_iter();
        let items = items.map(|question| session_json::question(view, question));
        json::print_items(view.name.as_str(), items);
        return Ok(Exit::Done);
    }
    if pending.is_empty() {
        screen.line(&nothing_waits(args));
    }
    for question in pending {
        screen.lines(questions::with_commands(view, question));
    }
    Ok(Exit::Done)
}

fn nothing_waits(args: &QuestionsArgs) -> String {
    match &args.owner {
        Some(owner) => format!("No question waits for {owner}."),
        None => "No question waits.".to_owned(),
    }
}

fn export(
    context: &Context,
    opened: &OpenSession,
    args: &QuestionsArgs,
    file: &Path,
) -> Result<Exit> {
    let (state, store) = (opened.state(), opened.session.store());
    let (name, now) = (opened.name.as_str(), context.clock.now());
    let form = form(state, store, name, args.owner.as_ref(), now);
    if form.questions.is_empty() {
        return Err(nothing_to_ask(context, opened, args));
    }
    let is_stdout = file.as_os_str() == "-";
    let place = match is_stdout {
        true => None,
        false => Some(write(context, opened, args, file, &form)?),
    };
    let screen = &context.screen;
    if screen.is_json() {
        json::print(&value!({
            "session": name,
            "path": place.as_ref().map(|(path, _)| path),
            "backup": place.as_ref().and_then(|(_, backup)| backup.as_ref()),
            "questions": form.questions.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "owners": form.owners,
            "bytes": form.text.len(),
            "text": is_stdout.then_some(&form.text),
        }));
        return Ok(Exit::Done);
    }
    let Some((path, backup)) = place else {
        screen.line(form.text.trim_end());
        return Ok(Exit::Done);
    };
    let count = match form.questions.len() {
        1 => "1 question".to_owned(),
        count => format!("{count} questions"),
    };
    let owners = match form.owners.is_empty() {
        true => String::new(),
        false => format!(", for {}", comma_list(&form.owners)),
    };
    let shown = |path: &Path| plain::clean(&path.to_string_lossy());
    screen.line(&plain::one_line(&format!(
        "Form: {} ({count}{owners})",
        shown(&path)
    )));
    if let Some(backup) = backup {
        screen.line(&format!("What stood there: {}", shown(&backup)));
    }
    let take = crate::workspace::quoted(&file.to_string_lossy());
    let take = opened
        .view(context)
        .command(&format!("answer --form {take}"));
    screen.line(&format!(
        "Take it back, whole or in parts, with: {}",
        screen.paint(crate::Tone::Info, take)
    ));
    Ok(Exit::Done)
}

fn nothing_to_ask(context: &Context, opened: &OpenSession, args: &QuestionsArgs) -> Failure {
    let waiting = nothing_waits(args);
    let message = format!("{} No form was written.", waiting);
    let status = opened
        .view(context)
        .command(&format!("status {}", opened.name));
    let failure = Failure::new(Kind::Session, message).exiting(Exit::Unmet);
    if args.owner.is_none() {
        return failure.hint(format!("`{status}` says where the session is"));
    }
    let owners = opened.state().kept.ownership.values();
    let owners: std::collections::BTreeSet<&Person> =
        owners.filter_map(|one| one.owner.as_ref()).collect();
    failure.hint(match owners.is_empty() {
        true => {
            "no gap has an owner; `gapless gap assign GAP --owner NAME` gives it one".to_owned()
        }
        false => format!("gaps have these owners: {}", comma_list(owners)),
    })
}

/// Writes the form where the user wants it: never through a link, and over another file only where that was asked for.
fn write(
    context: &Context,
    opened: &OpenSession,
    args: &QuestionsArgs,
    named: &Path,
    form: &Form,
) -> Result<(PathBuf, Option<PathBuf>)> {
    let root = opened.workspace.root();
    let origin = opened.state().kept.origin.as_ref();
    let spec = origin.map_or(root.to_owned(), |origin| root.join(&origin.source_path));
    let refused = |why: &str| {
        let message = format!("--export: {} {why}", named.display());
        Failure::new(Kind::Usage, message)
    };
    let given = context.resolve(named);
    if given.is_symlink() {
        return Err(
            refused("is a link").hint("name another file: a form is written through no link")
        );
    }
    let instead = "name another file for the form";
    let checked = delivery_target::check_file_of(
        "--export",
        context,
        &opened.workspace,
        &spec,
        named,
        instead,
    )?;
    let file = PathBuf::from(checked);
    if file.exists() && !args.force {
        return Err(refused("exists").hint("name another file, or write over it with --force"));
    }
    let written = write_out(&file, &form.text, Expected::NoLink).map_err(|error| {
        let message = format!("the form can't be written to {}: {error}", file.display());
        Failure::new(Kind::Folder, message).hint("name a file elsewhere with --export")
    })?;
    Ok((written.file, written.backup))
}
