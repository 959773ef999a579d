//! How an agent is named (`human`, `offline`, `replay:<folder>`, `cmd:<command line>`, `anthropic:<model>`, a preset's name) and
//! opened by its name. Opening checks only what can't get better by itself; whether a program is there is seen when it runs.

use std::path::PathBuf;
use std::sync::Arc;

use crate::command::CommandAgent;
use crate::human::Human;
use crate::offline::Offline;
use crate::open_context::Opened;
use crate::preset::PresetAgent;
use crate::scheme::Scheme;
use crate::{Agent, OpenContext, OpenError, Presets, Replay, http};

/// What an agent's name means.
enum Form<'s> {
    /// With what comes after the colon.
    Scheme(Scheme, &'s str),
    /// A provider of gapless.toml, and the model.
    Provider(&'s str, &'s str),
    Preset,
    Unknown,
}

fn form_of<'s>(spec: &'s str, context: &OpenContext) -> Form<'s> {
    let (name, rest) = match spec.split_once(':') {
        Some((name, rest)) => (name.trim(), Some(rest)),
        None => (spec.trim(), None),
    };
    let scheme = Scheme::named(name).filter(|scheme| scheme.takes_more() == rest.is_some());
    match (scheme, rest) {
        (Some(scheme), rest) => Form::Scheme(scheme, rest.unwrap_or_default()),
        (None, Some(model)) if context.providers.is_configured(name) => Form::Provider(name, model),
        _ if context.presets.meant_by(spec).is_some() => Form::Preset,
        _ => Form::Unknown,
    }
}

/// Opens the agent that `spec` names.
pub fn open(spec: &str, context: &OpenContext) -> Result<Arc<dyn Agent>, OpenError> {
    match form_of(spec, context) {
        Form::Scheme(scheme, rest) => return open_scheme(scheme, spec, rest, context),
        Form::Provider(_, model) => return http::open(spec, model, context),
        Form::Preset | Form::Unknown => {}
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

/// What an agent does outside of gapless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// Nothing: it is built in, or is the person at the terminal, or there is no such agent.
    Nothing,
    /// It reads the documents of this folder.
    Folder(PathBuf),
    /// It runs this command line.
    Command(String),
    /// It starts the program of this preset.
    Preset(String),
    /// It sends prompts to this provider.
    Provider(String),
}

/// What the agent that `spec` names does outside of gapless. Nothing is opened.
pub fn reach(spec: &str, context: &OpenContext) -> Reach {
    match form_of(spec, context) {
        Form::Scheme(scheme, rest) => match scheme {
            Scheme::Human | Scheme::Offline => Reach::Nothing,
            Scheme::Replay => Reach::Folder(context.base.join(rest.trim())),
            Scheme::Command => Reach::Command(rest.trim().to_owned()),
            Scheme::Anthropic | Scheme::OpenAi | Scheme::Gemini | Scheme::Ollama => {
                Reach::Provider(scheme.name().to_owned())
            }
        },
        Form::Provider(name, _) => Reach::Provider(name.to_owned()),
        Form::Preset => match context.presets.name_meant_by(spec) {
            Some(name) => Reach::Preset(name.to_owned()),
            None => Reach::Nothing,
        },
        Form::Unknown => Reach::Nothing,
    }
}

/// Opens an agent of a scheme; `rest` is what comes after the colon of its name.
fn open_scheme(scheme: Scheme, spec: &str, rest: &str, context: &OpenContext) -> Opened {
    Ok(match scheme {
        Scheme::Human => Arc::new(Human::new(spec, &context.person)),
        Scheme::Offline => Arc::new(Offline),
        Scheme::Replay => Arc::new(Replay::from_folder(spec, rest, context)?),
        Scheme::Command => Arc::new(CommandAgent::parse(spec, rest, context)?),
        Scheme::Anthropic | Scheme::OpenAi | Scheme::Gemini | Scheme::Ollama => {
            http::open(spec, rest, context)?
        }
    })
}

/// True where a provider of gapless.toml may have this name: an agent is named after it, so that no other form of agent
/// may be.
pub fn is_free_for_provider(name: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_taken = Scheme::named(name).is_some();
    !name.is_empty() && name.bytes().all(is_word) && (!is_taken || http::is_known(name))
}

/// Every form in which an agent can be named.
fn known_forms(presets: &Presets) -> Vec<String> {
    let schemes = Scheme::ALL.iter().map(|scheme| scheme.form().to_owned());
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
