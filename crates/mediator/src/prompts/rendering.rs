//! The rendering of templates, and what every prompt is made from: the state, its texts and their budgets.

use std::sync::{Arc, LazyLock};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, ErrorKind, UndefinedBehavior};
use serde_json::Value;

use gapless_domain::{MissingText, TaskId, TextHash, Texts};
use gapless_session::state::State;
use gapless_spec::AssemblyError;

use super::material::{mark_of, material, without_mark};
use super::templates::TEMPLATES;

/// Why a prompt can't be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    #[error(transparent)]
    MissingText(#[from] MissingText),
    #[error("prompt template `{name}`: {why}")]
    Template { name: String, why: String },
    #[error("the refined spec cannot be assembled: {0}")]
    Spec(gapless_spec::SpecError),
}

impl From<AssemblyError> for PromptError {
    fn from(error: AssemblyError) -> Self {
        match error {
            AssemblyError::MissingText(missing) => PromptError::MissingText(missing),
            AssemblyError::Spec(why) => PromptError::Spec(why),
        }
    }
}

/// A rough count of tokens: four bytes each.
pub fn estimated_tokens(text: &str) -> usize {
    text.len().div_ceil(4)
}

/// Checks that a template can be parsed.
pub fn check_template(name: &str, template: &str) -> Result<(), PromptError> {
    ENVIRONMENT
        .template_from_named_str(name, template)
        .map(|_| ())
        .map_err(|error| template_error(name, error))
}

/// How many steps a template of the user's may take.
const MOST_STEPS: u64 = 2_000_000;

/// How long a prompt from a template of the user's may be, in bytes. No model reads a tenth of it.
const LONGEST_PROMPT: usize = 64 * 1024 * 1024;

/// The same for templates of the user's, with the limit on their steps.
static LIMITED: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = ENVIRONMENT.clone();
    environment.set_fuel(Some(MOST_STEPS));
    environment
});

/// Renders a template of the user's within its limits.
fn render_limited(name: &str, template: &str, context: Value) -> Result<String, PromptError> {
    let template = LIMITED
        .template_from_named_str(name, template)
        .map_err(|error| template_error(name, error))?;
    let mut bytes = vec![0; LONGEST_PROMPT];
    let mut room = bytes.as_mut_slice();
    let done = template.render_captured_to(Serde(context), &mut room);
    let written = LONGEST_PROMPT - room.len();
    if let Err(error) = done {
        return Err(match error.kind() {
            ErrorKind::WriteFailure => template_error(
                name,
                format!("it writes more than {LONGEST_PROMPT} bytes, the limit of a prompt"),
            ),
            ErrorKind::OutOfFuel => template_error(
                name,
                format!("it takes more than {MOST_STEPS} steps, the limit of a template"),
            ),
            _ => template_error(name, error),
        });
    }
    let text = String::from_utf8_lossy(&bytes[..written]);
    Ok(text.into_owned())
}

/// The built-in templates, compiled once.
static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    if let Ok(syntax) = SyntaxConfig::builder().keep_trailing_newline(true).build() {
        environment.set_syntax(syntax);
    }
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    environment.add_filter("material", material);
    for (name, template) in TEMPLATES {
        // One that can't be compiled is missed, and named, where it is rendered.
        let _ = environment.add_template(name, template);
    }
    environment
});

fn template_error(name: &str, why: impl ToString) -> PromptError {
    PromptError::Template {
        name: name.to_owned(),
        why: why.to_string(),
    }
}

/// Builds the prompts of one task.
pub struct Prompts<'a> {
    pub state: &'a State,
    pub texts: &'a dyn Texts,
    /// How often the budgets are halved, since a longer prompt was too long for the agent.
    pub halvings: u32,
    /// The mark of the lines around quoted texts.
    mark: String,
}

impl<'a> Prompts<'a> {
    pub fn new(state: &'a State, texts: &'a dyn Texts, task: &TaskId, halvings: u32) -> Self {
        let seed = state.kept.origin.as_ref().map_or(0, |origin| origin.seed);
        Self {
            state,
            texts,
            halvings,
            mark: mark_of(seed, task),
        }
    }
}

impl Prompts<'_> {
    /// What is left of a budget.
    pub(super) fn within(&self, budget: usize) -> usize {
        budget.checked_shr(self.halvings).unwrap_or(0)
    }

    /// The refined spec; where it can't be assembled, the source, so that a session goes on.
    pub(crate) fn refined(&self) -> Result<String, PromptError> {
        match gapless_spec::assemble(self.state, self.texts) {
            Err(AssemblyError::Spec(_)) => Ok(self.source()?.to_string()),
            assembled => Ok(assembled?),
        }
    }

    /// The spec with what was accepted, without what is left open.
    pub(crate) fn accepted_so_far(&self) -> Result<String, PromptError> {
        match gapless_spec::accepted_so_far(self.state, self.texts) {
            Err(AssemblyError::Spec(_)) => Ok(self.source()?.to_string()),
            refined => Ok(refined?.text),
        }
    }

    pub(super) fn render(&self, name: &str, context: Value) -> Result<String, PromptError> {
        self.render_around(name, context, &[])
    }

    /// Renders a template around parts of the same prompt that are rendered already. The mark is taken out of everything
    /// but these.
    pub(super) fn render_around(
        &self,
        name: &str,
        mut context: Value,
        rendered: &[(&str, &str)],
    ) -> Result<String, PromptError> {
        without_mark(&mut context, &self.mark);
        context["mark"] = self.mark.as_str().into();
        for (key, text) in rendered {
            context[*key] = (*text).into();
        }
        if let Some(hash) = self.state.kept.setup.prompts.get(name) {
            return render_limited(name, &self.text(hash)?, context);
        }
        ENVIRONMENT
            .get_template(name)
            .and_then(|template| template.render(Serde(context)))
            .map_err(|error| template_error(name, error))
    }

    pub(super) fn text(&self, hash: &TextHash) -> Result<Arc<str>, PromptError> {
        Ok(self.texts.require(hash)?)
    }

    pub(super) fn source(&self) -> Result<Arc<str>, PromptError> {
        match &self.state.kept.origin {
            Some(origin) => self.text(&origin.source),
            None => Ok(Arc::from("")),
        }
    }
}
