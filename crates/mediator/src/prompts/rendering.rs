//! The rendering of templates, and what every prompt is made from: the state, its texts and their budgets.

use std::sync::{Arc, LazyLock};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};

use gapless_domain::text::{MissingText, TextHash, Texts};
use gapless_session::state::State;
use gapless_spec::AssemblyError;

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
        .map_err(|error| template_error(name, &error))
}

/// The built-in templates, compiled once.
static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    if let Ok(syntax) = SyntaxConfig::builder().keep_trailing_newline(true).build() {
        environment.set_syntax(syntax);
    }
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    for (name, template) in TEMPLATES {
        // One that can't be compiled is missed, and named, where it is rendered.
        let _ = environment.add_template(name, template);
    }
    environment
});

fn template_error(name: &str, error: &minijinja::Error) -> PromptError {
    PromptError::Template {
        name: name.to_owned(),
        why: error.to_string(),
    }
}

/// Builds prompts for one state.
pub struct Prompts<'a> {
    pub state: &'a State,
    pub texts: &'a dyn Texts,
    /// How often the budgets are halved, since a longer prompt was too long for the agent.
    pub halvings: u32,
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

    pub(super) fn render(
        &self,
        name: &str,
        context: serde_json::Value,
    ) -> Result<String, PromptError> {
        let rendered = match self.state.kept.setup.prompts.get(name) {
            Some(hash) => {
                let template = self.text(hash)?;
                ENVIRONMENT.render_named_str(name, &template, Serde(context))
            }
            None => ENVIRONMENT
                .get_template(name)
                .and_then(|template| template.render(Serde(context))),
        };
        rendered.map_err(|error| template_error(name, &error))
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
