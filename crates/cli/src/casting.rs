//! Owns who plays which role: flags, then gapless.toml, and the defaults. Names are kept as they are found from the
//! workspace root, so that a session goes on from whichever folder it is resumed in.

use std::collections::BTreeMap;
use std::path::Path;

use gapless_agents::{OpenContext, Person, Providers, Reports, open};
use gapless_core::State;
use gapless_core::task::Role;
use gapless_runner::AgentSource;
use gapless_store::SessionName;

use crate::args::AgentArgs;
use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::settings::Settings;
use crate::workspace::Workspace;

pub const HOW_TO_NAME: &str = "name them with --agents, or --engineer and --reviewer, or in [agents] of gapless.toml: \
     `human` is you, in your editor; `cmd:<command line>` gets the prompt on stdin and writes its document to stdout; \
     `replay:<folder>` feeds recorded documents back; `anthropic:<model>`, `openai:<model>`, `gemini:<model>` and \
     `ollama:<model>` are models over HTTP";

const NONE: &str = "none";

type Cast = BTreeMap<Role, String>;

/// What to say of budgets that can't be used up, since no agent of the session reports what they count.
pub fn idle_budgets(state: &State, agents: &mut dyn AgentSource) -> Option<String> {
    let setup = &state.kept.setup;
    let (tokens, cost) = (setup.config.budget_tokens, setup.config.budget_cost);
    if state.kept.ended.is_some() || (tokens.is_none() && cost.is_none()) {
        return None;
    }
    let mut told = Reports::default();
    for name in setup.agents.values() {
        // One that can't be opened is another matter, and asked about.
        let reports = agents.agent(name).ok()?.reports();
        told.tokens |= reports.tokens;
        told.cost |= reports.cost;
    }
    let idle = (
        tokens.is_some() && !told.tokens,
        cost.is_some() && !told.cost,
    );
    let what = match idle {
        (true, true) => "tokens and cost",
        (true, false) => "tokens",
        (false, true) => "cost",
        (false, false) => return None,
    };
    Some(format!(
        "! no agent of this session reports {what}, so that budget holds nothing; `--budget time=…` does"
    ))
}

/// The agents of a new session.
pub fn cast(
    context: &Context,
    workspace: &Workspace,
    flags: &AgentArgs,
    settings: &Settings,
) -> Result<Cast, Failure> {
    let flag = |name: &Option<String>| {
        name.as_deref()
            .map(|name| anchored(name, &context.here, workspace.root()))
    };
    let all = flag(&flags.agents);
    let set = |key: &str| settings.agents.get(key).cloned();
    let pick = |own: &Option<String>, key: &str| {
        flag(own)
            .or_else(|| all.clone())
            .or_else(|| set(key))
            .or_else(|| set("all"))
            .filter(|name| name.trim() != "auto")
    };
    let mut cast = Cast::new();
    for (role, own, key) in [
        (Role::Engineer, &flags.engineer, "engineer"),
        (Role::Reviewer, &flags.reviewer, "reviewer"),
    ] {
        let name = pick(own, key).ok_or_else(|| {
            let message =
                format!("no agent is named for the {role}, and this version finds none by itself");
            Failure::new(Kind::Agent, message).hint(HOW_TO_NAME)
        })?;
        cast.insert(role, name);
    }
    match flag(&flags.analyst).or_else(|| set("analyst")) {
        Some(name) if name.trim() == NONE => {}
        Some(name) => {
            cast.insert(Role::Analyst, name);
        }
        None => default_analyst(&at(workspace, settings), &mut cast)?,
    }
    if let Some(name) = set("final_review") {
        cast.insert(Role::FinalReviewer, name);
    }
    for name in cast.values() {
        open(name, &at(workspace, settings))?;
    }
    Ok(cast)
}

/// The agents of a session that goes on: its own, but for the roles that flags name.
pub fn recast(
    context: &Context,
    workspace: &Workspace,
    flags: &AgentArgs,
    own: &Cast,
    settings: &Settings,
) -> Result<Cast, Failure> {
    let flag = |name: &Option<String>| {
        name.as_deref()
            .map(|name| anchored(name, &context.here, workspace.root()))
    };
    let mut cast = own.clone();
    let all = flag(&flags.agents);
    if let Some(name) = flag(&flags.engineer).or_else(|| all.clone()) {
        cast.insert(Role::Engineer, name);
    }
    if let Some(name) = flag(&flags.reviewer).or(all) {
        cast.insert(Role::Reviewer, name);
    }
    match flag(&flags.analyst) {
        Some(name) if name.trim() == NONE => {
            cast.remove(&Role::Analyst);
        }
        Some(name) => {
            cast.insert(Role::Analyst, name);
        }
        // An Analyst that is the Engineer's agent by default follows it.
        None if own.contains_key(&Role::Analyst)
            && own.get(&Role::Analyst) == own.get(&Role::Engineer)
            && own.get(&Role::Engineer) != cast.get(&Role::Engineer) =>
        {
            cast.remove(&Role::Analyst);
            default_analyst(&at(workspace, settings), &mut cast)?;
        }
        None => {}
    }
    // What the session had is opened when it is needed: an agent that is gone is a question then, not an error here.
    for (role, name) in &cast {
        if own.get(role) != Some(name) {
            open(name, &at(workspace, settings))?;
        }
    }
    Ok(cast)
}

fn default_analyst(context: &OpenContext, cast: &mut Cast) -> Result<(), Failure> {
    if let Some(name) = cast.get(&Role::Engineer).cloned()
        && open(&name, context)?.plays(Role::Analyst)
    {
        cast.insert(Role::Analyst, name);
    }
    Ok(())
}

/// What agents are opened with to see whether they can be.
fn at(workspace: &Workspace, settings: &Settings) -> OpenContext {
    OpenContext {
        providers: Providers::new(settings.http.clone()),
        ..OpenContext::unattended(workspace.root())
    }
}

/// What the agents of a session are opened with.
pub fn attended(
    context: &Context,
    workspace: &Workspace,
    session: &SessionName,
    settings: &Settings,
) -> OpenContext {
    OpenContext {
        providers: Providers::new(settings.http.clone()),
        base: workspace.root().to_owned(),
        person: Person {
            drafts: workspace.folder(session).root().join("drafts"),
            editors: editors(|name| std::env::var(name).ok()),
            terminal: context.terminal.clone(),
        },
    }
}

/// The person's own editors, else those that are usual.
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

/// An agent's name with the path in it turned from one that is found from `here` into one found from `root`.
fn anchored(name: &str, here: &Path, root: &Path) -> String {
    if here == root {
        return name.to_owned();
    }
    let turned = |path: &str| {
        let joined = here.join(path);
        let real = joined.canonicalize().unwrap_or(joined);
        let inside = real.strip_prefix(root).ok().map(Path::to_owned);
        match inside {
            // A relative program needs a separator, or it would be looked for on PATH.
            Some(inside) => Path::new(".").join(inside),
            None => real,
        }
        .to_string_lossy()
        .into_owned()
    };
    match name.split_once(':') {
        Some(("replay", folder)) if !folder.trim().is_empty() => {
            format!("replay:{}", turned(folder.trim()))
        }
        Some(("cmd", line)) => match shlex::split(line) {
            Some(words)
                if words.first().is_some_and(|program| {
                    program.contains('/') && !Path::new(program).is_absolute()
                }) =>
            {
                let program = turned(&words[0]);
                let words =
                    std::iter::once(program.as_str()).chain(words[1..].iter().map(String::as_str));
                match shlex::try_join(words) {
                    Ok(line) => format!("cmd:{line}"),
                    Err(_) => name.to_owned(),
                }
            }
            _ => name.to_owned(),
        },
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_turned_to_the_workspace_root() {
        let (here, root) = (Path::new("/w/specs"), Path::new("/w"));
        let cases = [
            ("replay:recorded", "replay:./specs/recorded"),
            ("replay:/x/y", "replay:/x/y"),
            ("cmd:./agent.sh 'a b'", "cmd:./specs/./agent.sh 'a b'"),
            ("cmd:claude -p", "cmd:claude -p"),
            ("cmd:/bin/sh x", "cmd:/bin/sh x"),
            ("human", "human"),
        ];
        for (name, expected) in cases {
            assert_eq!(anchored(name, here, root), expected);
            assert_eq!(anchored(name, root, root), name);
        }
    }

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
