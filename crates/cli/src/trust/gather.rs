//! Gathers the claims behind what a command is about to use: agents with their definitions and providers, variables, the code
//! base, prompt templates and examples.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gapless_agents::{OpenContext, Reach, reach};
use gapless_domain::Role;
use gapless_store::SessionName;
use serde_json::Value;

use super::claim::{Claim, Subject};
use crate::output::wording::list;
use crate::{Settings, Workspace, agents};

/// Who named something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The user, on this command line or at this terminal; or it was found on this machine.
    User,
    /// The folder, at this place.
    Folder(String),
}

impl Origin {
    /// The log of a session.
    pub(crate) fn recorded_in(session: &str) -> Self {
        Origin::Folder(format!("recorded in session {session}"))
    }
}

/// Claims as they are gathered.
pub(crate) struct Gathering<'w> {
    workspace: &'w Workspace,
    settings: &'w Settings,
    /// The path of gapless.toml, for people.
    file: String,
    open: OpenContext,
    needed: Vec<Claim>,
    /// What the user named: nothing to ask, and something to remember.
    typed: Vec<Claim>,
    runs_programs: bool,
    sends: bool,
}

/// What was gathered.
#[derive(Default)]
pub(crate) struct Gathered {
    /// What the folder wants.
    pub(crate) needed: Vec<Claim>,
    /// What the user named.
    pub(crate) typed: Vec<Claim>,
}

impl<'w> Gathering<'w> {
    pub(crate) fn new(
        workspace: &'w Workspace,
        settings: &'w Settings,
        file: Option<&Path>,
    ) -> Self {
        let file = file.map_or_else(
            || "gapless.toml".to_owned(),
            |file| workspace.relative(file),
        );
        Self {
            workspace,
            settings,
            file,
            open: agents::unattended(workspace, settings),
            needed: Vec::new(),
            typed: Vec::new(),
            runs_programs: false,
            sends: false,
        }
    }

    pub(crate) fn settings(&self) -> &'w Settings {
        self.settings
    }

    /// The place of a key of gapless.toml.
    pub(crate) fn key(&self, key: &str) -> String {
        format!("{}, {key}", self.file)
    }

    fn add(&mut self, origin: &Origin, claim: impl FnOnce(&str) -> Claim) {
        let (claims, claim) = match origin {
            Origin::User => (&mut self.typed, claim("named by you")),
            Origin::Folder(place) => (&mut self.needed, claim(place)),
        };
        if !claims.iter().any(|known| known.hash() == claim.hash()) {
            claims.push(claim);
        }
    }

    fn of_file(&mut self, key: &str, claim: impl FnOnce(&str) -> Claim) {
        let origin = Origin::Folder(self.key(key));
        self.add(&origin, claim);
    }

    /// An agent, and what it does: "as the Engineer".
    pub(crate) fn agent(&mut self, name: &str, task: &str, origin: &Origin) {
        let agent =
            |what: String| move |place: &str| Claim::new(Subject::Agent, &what, place, name.trim());
        match reach(name, &self.open) {
            Reach::Nothing => {}
            Reach::Folder(folder) => {
                if self.is_outside(&folder) {
                    let what = format!("reads documents in `{}` {task}", folder.display());
                    self.add(origin, agent(what));
                }
            }
            Reach::Command(line) => {
                self.runs_programs = true;
                self.add(origin, agent(format!("runs `{line}` {task}")));
            }
            Reach::Preset(preset) => {
                self.runs_programs = true;
                self.add(origin, agent(format!("starts the agent `{name}` {task}")));
                self.definition(&preset);
            }
            Reach::Provider(provider) => {
                self.sends = true;
                let what = format!("sends the spec to the model `{name}` {task}");
                self.add(origin, agent(what));
                self.provider(&provider);
            }
        }
    }

    /// The agents of roles, each once; `origin_of` says who named one for a role.
    pub(crate) fn agents(
        &mut self,
        agents: &BTreeMap<Role, String>,
        origin_of: impl Fn(Role, &str) -> Origin,
    ) {
        let names: BTreeSet<&String> = agents.values().collect();
        for name in names {
            let roles = agents.iter().filter(|(_, agent)| *agent == name);
            let roles: Vec<Role> = roles.map(|(role, _)| *role).collect();
            let task = format!("as the {}", list(&roles));
            if let Some(role) = roles.first() {
                self.agent(name, &task, &origin_of(*role, name));
            }
        }
    }

    /// The table of an agent of gapless.toml, and those that it is like.
    pub(crate) fn definition(&mut self, name: &str) {
        let Some(table) = self.settings.own_agents.get(name) else {
            return;
        };
        let resolved = self.settings.presets.get(name);
        let program = resolved.and_then(|definition| definition.program.as_deref());
        let mut what = format!(
            "defines the agent `{name}`, which starts `{}`",
            program.unwrap_or("?")
        );
        const HARMLESS: [&str; 9] = [
            "program",
            "vendor",
            "install",
            "keys",
            "signed_in",
            "output",
            "patience_seconds",
            "files_beside",
            "context_tokens",
        ];
        for (key, value) in table.as_object().into_iter().flatten() {
            if !HARMLESS.contains(&key.as_str()) {
                what += &format!(", {key} {}", in_words(value));
            }
        }
        let content = format!("{name}\0{table}");
        self.of_file(&format!("agent.{name}"), |place| {
            Claim::new(Subject::Definition, &what, place, &content)
        });
        if let Some(like) = table["like"].as_str().filter(|like| *like != name) {
            self.definition(like);
        }
    }

    /// The table of a provider of gapless.toml, if it says where to send something, or which key to send.
    pub(crate) fn provider(&mut self, name: &str) {
        let Some(settings) = self.settings.http.providers.get(name) else {
            return;
        };
        let (url, key) = (settings.base_url.as_deref(), settings.key_env.as_deref());
        let what = match (url, key) {
            (None, None) => return,
            (Some(url), Some(key)) => {
                format!("sends what is for `{name}` to {url}, with the key in {key}")
            }
            (Some(url), None) => format!("sends what is for `{name}` to {url}"),
            (None, Some(key)) => format!("sends `{name}` the key in {key}"),
        };
        let content = format!(
            "{name}\0{url:?}\0{key:?}\0{:?}",
            settings.style.map(|style| style.name())
        );
        self.of_file(&format!("providers.{name}"), |place| {
            Claim::new(Subject::Provider, &what, place, &content)
        });
    }

    /// The variables that programs get.
    pub(crate) fn environment(&mut self) {
        let variables = &self.settings.environment;
        if variables.is_empty() {
            return;
        }
        let names: Vec<String> = variables.iter().map(|name| format!("`{name}`")).collect();
        let what = format!(
            "gives programs these variables of yours: {}",
            names.join(", ")
        );
        let content = variables.join("\0");
        self.of_file("agents.environment", |place| {
            Claim::new(Subject::Environment, &what, place, &content)
        });
    }

    /// The code base that agents may look at.
    pub(crate) fn repo(&mut self, folder: &Path, origin: &Origin) {
        if !self.is_outside(folder) {
            return;
        }
        let folder = real(folder).to_string_lossy().into_owned();
        let what = format!("lets agents read `{folder}`");
        self.add(origin, |place| {
            Claim::new(Subject::Repo, &what, place, &folder)
        });
    }

    pub(crate) fn templates(&mut self, prompts: &BTreeMap<String, String>) {
        for (name, text) in prompts {
            let origin = Origin::Folder(format!(".gapless/prompts/{name}.md"));
            let what = format!(
                "puts {} characters in place of the prompt `{name}`",
                text.chars().count()
            );
            let content = format!("{name}\0{text}");
            self.add(&origin, |place| {
                Claim::new(Subject::Template, &what, place, &content)
            });
        }
    }

    pub(crate) fn examples(&mut self, session: &SessionName, examples: &BTreeMap<Role, String>) {
        // An empty one only takes the built-in one away.
        for (role, text) in examples.iter().filter(|(_, text)| !text.is_empty()) {
            let path = format!("examples/{}.md", role.stem());
            let path = self.workspace.folder(session).root().join(path);
            let origin = Origin::Folder(self.workspace.relative(&path));
            let what = format!(
                "puts {} characters in place of the example for the {role}",
                text.chars().count()
            );
            let content = format!("{}\0{text}", role.stem());
            self.add(&origin, |place| {
                Claim::new(Subject::Example, &what, place, &content)
            });
        }
    }

    /// Whether an agent that was gathered runs a program.
    pub(crate) fn runs_programs(&self) -> bool {
        self.runs_programs
    }

    /// Whether an agent that was gathered gets prompts: the templates are nothing to the others.
    pub(crate) fn uses_prompts(&self) -> bool {
        self.runs_programs || self.sends
    }

    pub(crate) fn finish(self) -> Gathered {
        Gathered {
            needed: self.needed,
            typed: self.typed,
        }
    }

    fn is_outside(&self, folder: &Path) -> bool {
        !real(folder).starts_with(real(self.workspace.root()))
    }
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// A value of a table, for people.
fn in_words(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{text}`"),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            let words: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            format!("`{}`", words.join(" "))
        }
        other => format!("`{other}`"),
    }
}
