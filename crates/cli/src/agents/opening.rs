//! What agents are opened with: presets, providers, the environment, and the person with their editors and terminal.

use std::path::PathBuf;
use std::sync::Arc;

use gapless_agents::{OpenContext, Person, Providers, Supervisor};
use gapless_store::SessionName;

use crate::{Context, Settings, Workspace};

/// What agents are opened with when no person can be asked.
pub(crate) fn unattended(workspace: &Workspace, settings: &Settings) -> OpenContext {
    OpenContext {
        providers: Providers::new(settings.http.clone()),
        presets: Arc::clone(&settings.presets),
        pass: settings.environment.clone(),
        supervisor: Supervisor::of_this_program(),
        protected: protected(workspace, settings),
        ..OpenContext::unattended(workspace.root())
    }
}

/// The folders that only gapless itself may write to: that of the workspace, and that of the user's own state.
fn protected(workspace: &Workspace, settings: &Settings) -> Vec<PathBuf> {
    if !settings.sandbox {
        return Vec::new();
    }
    let named = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let named = named.filter(|folder| folder.is_absolute());
    let usual = || Some(std::env::home_dir()?.join(".local/state"));
    let state = named.or_else(usual).map(|folder| folder.join("gapless"));
    [Some(workspace.gapless()), state]
        .into_iter()
        .flatten()
        .collect()
}

/// What the agents of a session are opened with.
pub(crate) fn attended(
    context: &Context,
    workspace: &Workspace,
    session: &SessionName,
    settings: &Settings,
) -> OpenContext {
    OpenContext {
        person: Person {
            drafts: workspace.folder(session).root().join("drafts"),
            editors: editors(|name| std::env::var(name).ok()),
            terminal: context.terminal.clone(),
        },
        ..unattended(workspace, settings)
    }
}

/// The person's own editors, or the usual ones.
fn editors(variable: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let own: Vec<String> = ["VISUAL", "EDITOR"]
        .into_iter()
        .filter_map(variable)
        .filter(|line| !line.trim().is_empty())
        .collect();
    let usual: &[&str] = match cfg!(windows) {
        true => &["notepad"],
        false => &["sensible-editor", "editor", "nano", "vim", "vi"],
    };
    match own.is_empty() {
        true => usual.iter().map(|line| (*line).to_owned()).collect(),
        false => own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ones_own_editor_goes_before_the_usual_ones() {
        let with = |visual: &str, editor: &str| {
            let (visual, editor) = (visual.to_owned(), editor.to_owned());
            editors(|name| match name {
                "VISUAL" => Some(visual.clone()),
                "EDITOR" => Some(editor.clone()),
                _ => None,
            })
        };
        assert_eq!(with("code --wait", "ed"), ["code --wait", "ed"]);
        assert_eq!(with(" ", "ed"), ["ed"]);
        assert_eq!(with("", ""), editors(|_| None));
        assert!(!editors(|_| None).is_empty());
    }
}
