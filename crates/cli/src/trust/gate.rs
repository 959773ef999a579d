//! The gate before anything runs: claims that nobody allowed are shown and asked for, once. Without a terminal they are refused.

use std::io;
use std::path::Path;

use super::claim::Claim;
use super::gather::Gathered;
use super::grants::Grants;
use crate::workspace::quoted;
use crate::{Context, Failure, Kind, Result, Tone, Workspace};

/// Lets a command go on if everything that the folder wants is allowed, and remembers what the user named. `spec` is given to
/// `gapless trust` where another gapless.toml may be meant without it.
pub(crate) fn require(
    context: &Context,
    workspace: &Workspace,
    gathered: &Gathered,
    spec: Option<&Path>,
) -> Result<()> {
    let mut grants = match Grants::of(workspace) {
        Ok(grants) => grants,
        // Nobody needs a place for what nobody asks.
        Err(_) if gathered.needed.is_empty() => return Ok(()),
        Err(failure) => return Err(failure),
    };
    let is_typed = |claim: &Claim| {
        let mut typed = gathered.typed.iter();
        typed.any(|typed| typed.hash() == claim.hash())
    };
    let missing = gathered.needed.iter();
    let missing = missing.filter(|claim| !grants.has(claim) && !is_typed(claim));
    let missing: Vec<Claim> = missing.cloned().collect();
    if !missing.is_empty() {
        if context.terminal.is_none() || context.screen.is_json() {
            return Err(refused(
                &grants,
                &missing,
                &command(context, workspace, spec),
            ));
        }
        if !allow(context, &mut grants, &missing)? {
            let message = "this folder is not trusted: you have not allowed what it wants";
            return Err(Failure::new(Kind::Trust, message)
                .hint("name agents yourself, as with --agents offline"));
        }
    }
    remember_in(context, &mut grants, gathered);
    Ok(())
}

/// Remembers what the user named, and asks for nothing: for commands that start nothing themselves.
pub(crate) fn remember(context: &Context, workspace: &Workspace, gathered: &Gathered) {
    // Without a place to remember it, the command that starts something asks.
    if let Ok(mut grants) = Grants::of(workspace) {
        remember_in(context, &mut grants, gathered);
    }
}

/// The command that allows what is missing, for the current folder.
fn command(context: &Context, workspace: &Workspace, spec: Option<&Path>) -> String {
    let found = context.workspace.is_none()
        && Workspace::to_make(context).is_ok_and(|found| found == *workspace);
    let command = match found {
        true => "gapless trust".to_owned(),
        false => workspace.command(context, "trust"),
    };
    let settings_here = workspace.settings_of(&context.here.join("spec.md"));
    match spec.filter(|spec| workspace.settings_of(spec) != settings_here) {
        Some(spec) => format!("{command} {}", quoted(&spec.to_string_lossy())),
        None => command,
    }
}

/// Remembers what the user named, so that going on with it needs no question. If that can't be written, it is asked then.
fn remember_in(context: &Context, grants: &mut Grants, gathered: &Gathered) {
    if let Err(failure) = grants.add(&gathered.typed) {
        let text = format!(
            "! `gapless resume` will ask about these agents: {}",
            failure.message
        );
        context.screen.note(&text);
    }
}

/// Shows claims, and allows them if the user says so. False if they were not allowed.
pub(crate) fn allow(context: &Context, grants: &mut Grants, missing: &[Claim]) -> Result<bool> {
    show(context, grants, missing);
    match agreed(context)? {
        true => grants.add(missing).map(|()| true),
        false => Ok(false),
    }
}

fn show(context: &Context, grants: &Grants, missing: &[Claim]) {
    let screen = &context.screen;
    let head = match grants.is_empty() {
        true => "Files in this folder, perhaps by somebody else, would make gapless do this:",
        false => {
            "This folder has changed since you trusted it, and would now make gapless do this too:"
        }
    };
    screen.line(&screen.paint(Tone::Strong, head));
    for line in lines(grants, missing) {
        screen.line(&line);
    }
}

fn lines(grants: &Grants, missing: &[Claim]) -> Vec<String> {
    let mut lines = Vec::new();
    for claim in missing {
        lines.push(format!("  - {}", claim.line()));
        if let Some(before) = grants.before(claim) {
            lines.push(format!("    before: {before}"));
        }
    }
    lines
}

/// Asks the person at the terminal; nothing typed means no.
fn agreed(context: &Context) -> Result<bool> {
    context.screen.prompt("Allow this? [y/N] ");
    let mut typed = String::new();
    let read = io::stdin().read_line(&mut typed);
    read.map_err(|error| Failure::new(Kind::Trust, format!("no answer can be read: {error}")))?;
    let typed = typed.trim().to_lowercase();
    Ok(matches!(typed.as_str(), "y" | "yes"))
}

fn refused(grants: &Grants, missing: &[Claim], command: &str) -> Failure {
    let what = match grants.is_empty() {
        true => "this folder is not trusted",
        false => "this folder has changed since you trusted it",
    };
    let message = format!(
        "{what}: its files would make gapless do the following, which you have not allowed\n{}",
        lines(grants, missing).join("\n")
    );
    Failure::new(Kind::Trust, message).hint(format!(
        "if you want all of this, allow it once with the command below (in a script, add --yes), and call again; \
         else name agents yourself, as with --agents offline\n  {command}"
    ))
}
