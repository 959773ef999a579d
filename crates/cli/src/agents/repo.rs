//! The code base that agents may look at.

use std::path::PathBuf;

use gapless_agents::open;
use gapless_domain::Role;

use super::choice::{AgentsByRole, NONE};
use super::opening::unattended;
use crate::{AgentArgs, Context, Failure, Kind, Result, Settings, Workspace};

/// Finds the code base: the one that is named, else the session's own; `none` takes it away.
pub(crate) fn repo(
    context: &Context,
    workspace: &Workspace,
    flags: &AgentArgs,
    settings: &Settings,
    own: Option<&str>,
    agents: &AgentsByRole,
) -> Result<Option<String>> {
    let named = match &flags.repo {
        Some(named) if named.as_os_str() == NONE => return Ok(None),
        Some(named) => Some(context.resolve(named)),
        None => settings.repo.clone(),
    };
    let Some(folder) = named.or_else(|| own.map(PathBuf::from)) else {
        return Ok(None);
    };
    let folder = match folder.canonicalize() {
        Ok(real) if real.is_dir() => real,
        _ => {
            let message = format!("there is no code base in {}", folder.display());
            return Err(Failure::new(Kind::Agent, message)
                .hint("name its folder with --repo, or `--repo none` to go on without it"));
        }
    };
    if let Some(engineer) = agents.get(&Role::Engineer)
        && let Ok(agent) = open(engineer, &unattended(workspace, settings))
        && !agent.reads_files()
    {
        context.screen.note(&format!(
            "! the Engineer's agent `{engineer}` can't read files, so it can't look at {}",
            folder.display()
        ));
    }
    Ok(Some(folder.to_string_lossy().into_owned()))
}
