//! Owns how an agent is named (`human`, `offline`, `replay:<folder>`, `cmd:<command line>`, `anthropic:<model>`, a preset's name) and
//! opened by its name. Opening checks only what can't get better by itself; whether a program is there is seen when it runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gapless_domain::text::comma_list;

use crate::agent::Agent;
use crate::command::CommandAgent;
use crate::http::{self, Providers};
use crate::human::{Human, Person};
use crate::offline::{OFFLINE, Offline};
use crate::preset::{PresetAgent, Presets};
use crate::replay::Replay;

/// What opening an agent needs to know of its surroundings.
#[derive(Debug, Clone)]
pub struct OpenContext {
    /// The folder that relative replay folders and relative programs are found from.
    pub base: PathBuf,
    /// How the person who runs gapless is reached.
    pub person: Person,
    /// Who serves models over HTTP.
    pub providers: Providers,
    /// Programs that are agents, built-in ones and the user's own.
    pub presets: Arc<Presets>,
    /// Variables that programs get beside the usual ones; `*` stands for anything at either end.
    pub pass: Vec<String>,
}

impl OpenContext {
    /// A folder where nobody sits at a terminal.
    pub fn unattended(base: &Path) -> Self {
        Self {
            base: base.to_owned(),
            person: Person {
                drafts: base.join(".gapless/drafts"),
                editors: Vec::new(),
                terminal: None,
            },
            providers: Providers::default(),
            presets: Arc::default(),
            pass: Vec::new(),
        }
    }
}

/// Why an agent could not be opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    #[error("`{spec}` is not an agent{}; known are {}", did_you_mean(.nearest.as_deref()), listed(.known))]
    Unknown {
        spec: String,
        nearest: Option<String>,
        /// How agents are written.
        known: Vec<String>,
    },
    #[error("`replay:` names no folder (replay:<folder>)")]
    NoFolderNamed,
    #[error("there is no folder `{}` to replay", .path.display())]
    FolderMissing { path: PathBuf },
    #[error("`{}` is not a folder, so it can't be replayed", .path.display())]
    NotAFolder { path: PathBuf },
    #[error("the folder `{}` can't be read: {reason}", .path.display())]
    FolderUnreadable { path: PathBuf, reason: String },
    #[error("`cmd:` names no program (cmd:<command line>)")]
    NoCommand,
    #[error("a quote is left open in the command line `{line}`")]
    OpenQuote { line: String },
    #[error(transparent)]
    Http(#[from] http::NotOpened),
}

pub(crate) type Opened = Result<Arc<dyn Agent>, OpenError>;

struct Scheme {
    name: &'static str,
    /// How it is written; one without a colon takes nothing behind its name.
    form: &'static str,
    /// Takes the whole name, and what comes after its colon.
    open: fn(&str, &str, &OpenContext) -> Opened,
}

const SCHEMES: [Scheme; 8] = [
    Scheme {
        name: "human",
        form: "human",
        open: |spec, _, context| Ok(Arc::new(Human::new(spec, &context.person))),
    },
    Scheme {
        name: OFFLINE,
        form: OFFLINE,
        open: |_, _, _| Ok(Arc::new(Offline)),
    },
    Scheme {
        name: "replay",
        form: "replay:<folder>",
        open: |spec, folder, context| Ok(Arc::new(Replay::from_folder(spec, folder, context)?)),
    },
    Scheme {
        name: "cmd",
        form: "cmd:<command line>",
        open: |spec, line, context| Ok(Arc::new(CommandAgent::parse(spec, line, context)?)),
    },
    Scheme {
        name: "anthropic",
        form: "anthropic:<model>",
        open: http::open,
    },
    Scheme {
        name: "openai",
        form: "openai:<model>",
        open: http::open,
    },
    Scheme {
        name: "gemini",
        form: "gemini:<model>",
        open: http::open,
    },
    Scheme {
        name: "ollama",
        form: "ollama:<model>",
        open: http::open,
    },
];

/// True where a name is a scheme's own.
pub(crate) fn is_taken(name: &str) -> bool {
    SCHEMES.iter().any(|scheme| scheme.name == name) || matches!(name, "auto" | "none")
}

/// Opens the agent that `spec` names.
pub fn open(spec: &str, context: &OpenContext) -> Result<Arc<dyn Agent>, OpenError> {
    let (name, rest) = match spec.split_once(':') {
        Some((name, rest)) => (name, Some(rest)),
        None => (spec, None),
    };
    let scheme = SCHEMES
        .iter()
        .find(|scheme| scheme.name == name.trim() && scheme.form.contains(':') == rest.is_some());
    if let Some(scheme) = scheme {
        return (scheme.open)(spec, rest.unwrap_or_default(), context);
    }
    if rest.is_some() && context.providers.is_configured(name.trim()) {
        return http::open(spec, rest.unwrap_or_default(), context);
    }
    if let Some((definition, model)) = context.presets.meant_by(spec) {
        let agent = PresetAgent::new(spec, definition, model, context);
        return Ok(Arc::new(agent));
    }
    let known = known_forms(&context.presets);
    Err(OpenError::Unknown {
        spec: spec.to_owned(),
        nearest: nearest_form(spec, &known),
        known,
    })
}

/// True where a provider of gapless.toml may have this name: an agent is named after it, so that no other form of agent
/// may be.
pub fn is_free_for_provider(name: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_taken = SCHEMES.iter().any(|scheme| scheme.name == name);
    !name.is_empty() && name.bytes().all(is_word) && (!is_taken || http::is_known(name))
}

/// Every form in which an agent can be named.
pub fn known_forms(presets: &Presets) -> Vec<String> {
    let schemes = SCHEMES.iter().map(|scheme| scheme.form.to_owned());
    presets.forms().into_iter().chain(schemes).collect()
}

fn nearest_form(spec: &str, known: &[String]) -> Option<String> {
    const ALIKE: f64 = 0.5;
    let name_of = |form: &str| form.split(':').next().unwrap_or(form).trim().to_lowercase();
    let (name, has_rest) = (name_of(spec), spec.contains(':'));
    known
        .iter()
        .map(|form| {
            let likeness = strsim::normalized_damerau_levenshtein(&name, &name_of(form));
            // Of two forms of one agent, the one that is written like it.
            (likeness, form.contains(':') == has_rest, form)
        })
        .filter(|(likeness, ..)| *likeness >= ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
        .map(|(_, _, form)| form.clone())
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |form| format!(" (did you mean `{form}`?)"))
}

fn listed(forms: &[String]) -> String {
    comma_list(forms.iter().map(|form| format!("`{form}`")))
}
