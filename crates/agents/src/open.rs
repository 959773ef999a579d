//! How an agent is named (`human`, `offline`, `replay:<folder>`, `cmd:<command line>`, `anthropic:<model>`, a preset's name) and
//! opened by its name. Opening checks only what can't get better by itself; whether a program is there is seen when it runs.

use std::sync::Arc;

use crate::command::CommandAgent;
use crate::human::Human;
use crate::offline::Offline;
use crate::open_context::Opened;
use crate::preset::PresetAgent;
use crate::scheme::Scheme;
use crate::{Agent, OpenContext, OpenError, Presets, Replay, http};

/// Opens the agent that `spec` names.
pub fn open(spec: &str, context: &OpenContext) -> Result<Arc<dyn Agent>, OpenError> {
    let (name, rest) = match spec.split_once(':') {
        Some((name, rest)) => (name, Some(rest)),
        None => (spec, None),
    };
    let scheme = Scheme::named(name.trim());
    if let Some(scheme) = scheme.filter(|scheme| scheme.takes_more() == rest.is_some()) {
        return open_scheme(scheme, spec, rest.unwrap_or_default(), context);
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
