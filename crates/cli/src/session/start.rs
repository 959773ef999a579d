//! Starting a session. Whatever can be refused is refused before anything is written.

use std::path::Path;

use gapless_domain::TextMap;
use gapless_mediator::{Incoming, Input, Start, handle};
use gapless_runner::AgentSource;
use gapless_session::State;
use gapless_store::{SessionName, Store};

use super::locked::LockedSession;
use crate::{AnswerSources, Context, Exit, Failure, Kind, Result, Workspace, delivery_grant};

/// Starts a session and runs it.
pub(crate) fn start(
    context: &Context,
    workspace: &Workspace,
    name: &SessionName,
    start: Start,
    agents: &mut dyn AgentSource,
    answers: AnswerSources,
) -> Result<Exit> {
    let (source, delivery) = (start.source_path.clone(), start.met.delivery.clone());
    let start = Incoming::Start(Box::new(start));
    refuse_early(context, start.clone())?;
    refuse_existing(workspace, name)?;
    let mut locked = LockedSession::open(context, workspace, name)?;
    // Another process may have started it since it was looked for.
    if locked.session.state().is_started() {
        return Err(exists(name, &[name.as_str()]));
    }
    locked.feed(context, start)?;
    if let Some(delivery) = delivery
        && delivery_grant::is_needed(workspace, &source, &delivery)
    {
        // The session has an id once its log begins.
        locked.session.commit()?;
        let id = locked.session.id()?;
        let remembered = delivery_grant::remember(workspace, id.as_deref(), &source, &delivery);
        // What nobody asked for is no reason to refuse: the end says what could not be written.
        if delivery.is_asked_for() {
            remembered?;
        }
    }
    locked.run(context, agents, answers)
}

/// Refuses what the core refuses, before there is a folder or a database.
pub(crate) fn refuse_early(context: &Context, what: Incoming) -> Result<()> {
    let at = context.clock.now();
    match handle(&State::default(), Input { at, what }, &TextMap::default()) {
        Ok(_) => Ok(()),
        Err(refusal) => Err(Failure::of_start(&refusal)),
    }
}

/// Refuses a name that another session has.
pub(crate) fn refuse_existing(workspace: &Workspace, name: &SessionName) -> Result<()> {
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
    let message = format!("there is a session `{name}` already");
    Failure::new(Kind::Session, message).hint(format!(
        "go on with it: gapless resume {name}, or gapless reopen {name} where it has ended; or start another one: --name {other}"
    ))
}

/// The file's stem as a name: lowercase, with `-` for everything that a name can't have.
pub(crate) fn default_name(spec: &Path) -> Result<SessionName> {
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
        let message = format!("no session name can be made of `{stem}`");
        Failure::new(Kind::Usage, message).hint("give one with --name")
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
