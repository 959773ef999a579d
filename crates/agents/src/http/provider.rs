//! Who serves models: the four that are known by name and those of gapless.toml, with their addresses, keys and
//! limits. Keys come from the environment and from nowhere else.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use gapless_domain::Role;
use reqwest::Url;
use serde_json::Number;

use super::gate::Gate;
use super::prices::Price;
use super::secret::Secret;
use super::wire::Style;
use crate::Endpoint;

/// How many requests are under way at once, where nothing else is set.
const AT_ONCE: u32 = 4;

const OLLAMA_PORT: u16 = 11434;

/// What gapless.toml says of models over HTTP.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HttpSettings {
    pub providers: BTreeMap<String, ProviderSettings>,
    pub roles: BTreeMap<Role, RoleSettings>,
    /// Prices by agent, before those that gapless knows.
    pub prices: BTreeMap<String, Price>,
}

/// A table `[providers.<name>]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProviderSettings {
    pub base_url: Option<String>,
    /// The environment variable with the key.
    pub key_env: Option<String>,
    pub style: Option<Style>,
    pub concurrency: Option<u32>,
    pub requests_per_minute: Option<u32>,
    /// How many tokens a prompt and its answer may have together.
    pub context_tokens: Option<u32>,
}

/// A table `[roles.<role>]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RoleSettings {
    pub temperature: Option<Number>,
    pub max_output_tokens: Option<u32>,
}

/// Why no model of a provider can be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotOpened {
    #[error("`{provider}:` names no model ({provider}:<model>)")]
    NoModel { provider: String },
    #[error("there is no key for {provider}: the environment variable {} is not set", .variables.join(" or "))]
    NoKey {
        provider: String,
        variables: Vec<String>,
    },
    #[error("[providers.{provider}] has no base_url")]
    NoBaseUrl { provider: String },
    #[error("the base URL of {provider} can't be used: {why}")]
    BadBaseUrl { provider: String, why: String },
    #[error("no client could be set up: {why}")]
    NoClient { why: String },
}

impl NotOpened {
    /// What the user can do.
    pub fn hint(&self) -> String {
        match self {
            NotOpened::NoModel { provider } => format!("like `{provider}:its-model`"),
            NotOpened::NoKey { variables, .. } => {
                let variable = variables.first().map_or("", String::as_str);
                format!(
                    "export {variable}=… in the shell that gapless runs in; keys stand in no file of gapless"
                )
            }
            NotOpened::NoBaseUrl { .. } => {
                "add base_url = \"https://…\" to that table of gapless.toml".to_owned()
            }
            NotOpened::BadBaseUrl { .. } => "write it like https://host/v1".to_owned(),
            NotOpened::NoClient { .. } => "check the certificates of this machine".to_owned(),
        }
    }
}

struct Known {
    name: &'static str,
    base_url: &'static str,
    base_variable: &'static str,
    key_variables: &'static [&'static str],
    key_is_needed: bool,
    style: Style,
    /// The model that `auto` takes; none where there is no telling which are there.
    usual_model: Option<&'static str>,
    /// What every current model of theirs takes in.
    context_tokens: Option<u32>,
}

const KNOWN: [Known; 4] = [
    Known {
        name: "anthropic",
        base_url: "https://api.anthropic.com",
        base_variable: "ANTHROPIC_BASE_URL",
        key_variables: &["ANTHROPIC_API_KEY"],
        key_is_needed: true,
        style: Style::Anthropic,
        usual_model: Some("claude-sonnet-5"),
        context_tokens: Some(200_000),
    },
    Known {
        name: "openai",
        base_url: "https://api.openai.com/v1",
        base_variable: "OPENAI_BASE_URL",
        key_variables: &["OPENAI_API_KEY"],
        key_is_needed: true,
        style: Style::OpenAiChat,
        usual_model: Some("gpt-5.4"),
        context_tokens: Some(128_000),
    },
    Known {
        name: "gemini",
        base_url: "https://generativelanguage.googleapis.com",
        base_variable: "GEMINI_BASE_URL",
        key_variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        key_is_needed: true,
        style: Style::Gemini,
        usual_model: Some("gemini-3.1-pro"),
        context_tokens: Some(1_000_000),
    },
    Known {
        name: "ollama",
        base_url: "http://127.0.0.1:11434",
        base_variable: "OLLAMA_HOST",
        key_variables: &["OLLAMA_API_KEY"],
        key_is_needed: false,
        style: Style::Ollama,
        usual_model: None,
        context_tokens: None,
    },
];

/// A provider that `auto` can take: the agent's name, whose model it is, and the variables of which one must be set.
pub(crate) struct Usual {
    pub agent: String,
    pub provider: &'static str,
    pub keys: &'static [&'static str],
}

pub(crate) fn usual() -> impl Iterator<Item = Usual> {
    KNOWN.iter().filter_map(|known| {
        Some(Usual {
            agent: format!("{}:{}", known.name, known.usual_model?),
            provider: known.name,
            keys: known.key_variables,
        })
    })
}

/// True where a provider needs no table in gapless.toml.
pub(crate) fn is_known(name: &str) -> bool {
    KNOWN.iter().any(|known| known.name == name)
}

type Environment = Box<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// Everyone who serves models; all agents of a process share it, and so its limits.
#[derive(Clone)]
pub struct Providers(Arc<Inner>);

struct Inner {
    settings: HttpSettings,
    environment: Environment,
    gates: Mutex<BTreeMap<String, Arc<Gate>>>,
}

impl Providers {
    /// With keys and addresses from the environment of this process.
    pub fn new(settings: HttpSettings) -> Self {
        Self::with_environment(settings, |name| std::env::var(name).ok())
    }

    /// With keys and addresses from `variable`.
    pub fn with_environment(
        settings: HttpSettings,
        variable: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(Inner {
            settings,
            environment: Box::new(variable),
            gates: Mutex::default(),
        }))
    }

    /// True where gapless.toml has a table for this provider.
    pub(crate) fn is_configured(&self, name: &str) -> bool {
        self.0.settings.providers.contains_key(name)
    }

    pub(super) fn settings(&self) -> &HttpSettings {
        &self.0.settings
    }

    fn variable(&self, name: &str) -> Option<String> {
        let value = (self.0.environment)(name)?;
        (!value.trim().is_empty()).then(|| value.trim().to_owned())
    }

    pub(super) fn provider(&self, name: &str) -> Result<Provider, NotOpened> {
        let own = self.0.settings.providers.get(name);
        let own = own.cloned().unwrap_or_default();
        let known = KNOWN.iter().find(|known| known.name == name);
        let style = own.style.or(known.map(|known| known.style));
        let style = style.unwrap_or(Style::OpenAiChat);
        let base = known
            .and_then(|known| self.variable(known.base_variable))
            .or(own.base_url)
            .or_else(|| known.map(|known| known.base_url.to_owned()))
            .ok_or_else(|| NotOpened::NoBaseUrl {
                provider: name.to_owned(),
            })?;
        let base = parse_base(name, style, &base)?;
        let (variables, is_needed) = match (own.key_env, known) {
            (Some(variable), _) => (vec![variable], true),
            (None, Some(known)) => {
                let variables = known.key_variables.iter().map(|name| (*name).to_owned());
                (variables.collect(), known.key_is_needed)
            }
            (None, None) => (Vec::new(), false),
        };
        let key = variables.iter().find_map(|name| {
            let secret = Secret::new(&self.variable(name)?)?;
            Some((name.clone(), secret))
        });
        let (key_variable, key) = key.unzip();
        if is_needed && key.is_none() {
            return Err(NotOpened::NoKey {
                provider: name.to_owned(),
                variables,
            });
        }
        let mut gates = self.0.gates.lock().unwrap_or_else(PoisonError::into_inner);
        let gate = gates.entry(name.to_owned()).or_insert_with(|| {
            let at_once = own.concurrency.unwrap_or(AT_ONCE);
            Arc::new(Gate::new(at_once, own.requests_per_minute))
        });
        Ok(Provider {
            name: name.to_owned(),
            style,
            base,
            key,
            key_variable,
            key_variables: variables,
            others: self.other_keys(),
            gate: Arc::clone(gate),
            is_vendor: known.is_some(),
            context_tokens: own
                .context_tokens
                .or(known.and_then(|known| known.context_tokens)),
        })
    }

    /// Every key that there is, so that none is shown wherever it comes from.
    fn other_keys(&self) -> Vec<Secret> {
        let known = KNOWN.iter().flat_map(|known| known.key_variables.iter());
        let own = self.0.settings.providers.values();
        let own = own.filter_map(|settings| settings.key_env.as_deref());
        let names = known.copied().chain(own);
        let values = names.filter_map(|name| self.variable(name));
        values.filter_map(|value| Secret::new(&value)).collect()
    }
}

impl Default for Providers {
    fn default() -> Self {
        Self::new(HttpSettings::default())
    }
}

impl fmt::Debug for Providers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Providers").field(&self.0.settings).finish()
    }
}

fn parse_base(name: &str, style: Style, text: &str) -> Result<Url, NotOpened> {
    let bad = |why: &str| NotOpened::BadBaseUrl {
        provider: name.to_owned(),
        why: why.to_owned(),
    };
    let text = text.trim().trim_end_matches('/');
    // Ollama's own variable may be only a host, a port, or the address that a server listens at.
    let (text, port) = match style == Style::Ollama && !text.contains("://") {
        true => {
            let host = match text.strip_prefix(':') {
                Some(port) => format!("127.0.0.1:{port}"),
                None => text.to_owned(),
            };
            (format!("http://{host}"), Some(OLLAMA_PORT))
        }
        false => (text.to_owned(), None),
    };
    let mut url = Url::parse(&text).map_err(|error| bad(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return Err(bad("it is no http address"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(bad(
            "it has a user or password in it; keys come from the environment",
        ));
    }
    if let (Some(port), None) = (port, url.port()) {
        let _ = url.set_port(Some(port));
    }
    if style == Style::Ollama && url.host_str() == Some("0.0.0.0") {
        let _ = url.set_host(Some("127.0.0.1"));
    }
    // Some write it with the version, which the path has.
    if style == Style::Anthropic
        && let Some(path) = url.path().strip_suffix("/v1").map(str::to_owned)
    {
        url.set_path(&path);
    }
    Ok(url)
}

/// One who serves models.
#[derive(Debug, Clone)]
pub(super) struct Provider {
    pub(super) name: String,
    pub(super) style: Style,
    pub(super) base: Url,
    pub(super) key: Option<Secret>,
    /// The variable that the key is from.
    key_variable: Option<String>,
    key_variables: Vec<String>,
    others: Vec<Secret>,
    pub(super) gate: Arc<Gate>,
    pub(super) is_vendor: bool,
    /// How many tokens a prompt and its answer may have together.
    pub(super) context_tokens: Option<u32>,
}

impl Provider {
    /// Where it is, as people read it.
    pub(super) fn place(&self) -> String {
        format!("{} ({})", self.name, self.address())
    }

    /// The address without its path: `https://api.openai.com`.
    pub(super) fn address(&self) -> String {
        let host = self.base.host_str().unwrap_or("");
        let port = self.base.port();
        let port = port.map_or(String::new(), |port| format!(":{port}"));
        format!("{}://{host}{port}", self.base.scheme())
    }

    pub(super) fn endpoint(&self) -> Endpoint {
        let mut url = self.base.clone();
        // What stands before the host may be a password.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        url.set_query(None);
        Endpoint {
            url: url.to_string(),
            key_variable: self.key_variable.clone(),
        }
    }

    pub(super) fn is_here(&self) -> bool {
        let host = self.base.host_str().unwrap_or("");
        matches!(host, "localhost" | "127.0.0.1" | "[::1]")
    }

    /// What to do about a key that is refused or missing, with its variable and where it was sent.
    pub(super) fn key_help(&self) -> String {
        let address = self.address();
        match (&self.key_variable, self.key_variables.as_slice()) {
            (Some(variable), _) => {
                format!("check {variable} in the environment, and that it is a key for {address}")
            }
            (None, []) => {
                format!("{address} wants a key: name its variable as key_env in gapless.toml")
            }
            (None, variables) => {
                let variables = variables.join(" or ");
                format!("{address} wants a key: set {variables} in the environment")
            }
        }
    }

    /// What to do where the key is known and may not do what was asked.
    pub(super) fn permission_help(&self) -> String {
        let address = self.address();
        match &self.key_variable {
            Some(variable) => format!(
                "check what the account of the key in {variable} may use at {address}, and the name of the model"
            ),
            None => self.key_help(),
        }
    }

    /// A message or a document without any key.
    pub(super) fn hidden_in(&self, text: String) -> String {
        let keys = self.key.iter().chain(&self.others);
        keys.fold(text, |text, key| key.hidden_in(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_urls_are_taken_as_people_write_them() {
        let cases = [
            (Style::Ollama, "localhost", "http://localhost:11434/"),
            (Style::Ollama, "0.0.0.0:1234", "http://127.0.0.1:1234/"),
            (Style::Ollama, ":99", "http://127.0.0.1:99/"),
            (
                Style::Ollama,
                "https://models.example",
                "https://models.example/",
            ),
            (
                Style::Anthropic,
                "https://proxy.example/v1/",
                "https://proxy.example/",
            ),
            (
                Style::OpenAiChat,
                "http://10.0.0.1:8000/v1/",
                "http://10.0.0.1:8000/v1",
            ),
        ];
        for (style, text, expected) in cases {
            assert_eq!(parse_base("x", style, text).unwrap().as_str(), expected);
        }
        for text in ["", "host/v1", "ftp://host", "https://user:pw@host/v1"] {
            assert!(parse_base("x", Style::OpenAiChat, text).is_err(), "{text}");
        }
    }
}
