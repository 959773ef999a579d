//! Opens agents that are models on a loopback server, with keys and addresses of the test's own.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use gapless_agents::{
    Agent, HttpSettings, OpenContext, OpenError, ProviderSettings, Providers, Style, open,
};
use gapless_loopback::Loopback;

/// Keys that must be seen nowhere.
pub const KEYS: [(&str, &str); 4] = [
    ("ANTHROPIC_API_KEY", "canary-anthropic-5d1f"),
    ("OPENAI_API_KEY", "canary-openai-77ab"),
    ("GEMINI_API_KEY", "canary-gemini-90c2"),
    ("MINE_KEY", "canary-mine-31e8"),
];

/// Every backend, with the style that it speaks where it is not its own.
pub const BACKENDS: [&str; 6] = [
    "anthropic:test",
    "openai:test",
    "gemini:test",
    "ollama:test",
    "mine:test",
    "responses:test",
];

pub fn settings(server: &str) -> HttpSettings {
    let provider = |style, key_env: Option<&str>| ProviderSettings {
        base_url: Some(format!("{server}/v1")),
        key_env: key_env.map(str::to_owned),
        style,
        ..ProviderSettings::default()
    };
    HttpSettings {
        providers: BTreeMap::from([
            ("mine".to_owned(), provider(None, Some("MINE_KEY"))),
            (
                "responses".to_owned(),
                provider(Some(Style::OpenAiResponses), None),
            ),
        ]),
        ..HttpSettings::default()
    }
}

/// Everyone who serves models, all of them at one address.
pub fn providers_at(server: &str, settings: HttpSettings) -> Providers {
    let server = server.to_owned();
    Providers::with_environment(settings, move |name| {
        let key = KEYS.iter().find(|(variable, _)| *variable == name);
        match name {
            "ANTHROPIC_BASE_URL" | "GEMINI_BASE_URL" | "OLLAMA_HOST" => Some(server.clone()),
            "OPENAI_BASE_URL" => Some(format!("{server}/v1")),
            _ => key.map(|(_, value)| (*value).to_owned()),
        }
    })
}

pub fn open_with(providers: Providers, spec: &str) -> Result<Arc<dyn Agent>, OpenError> {
    let context = OpenContext {
        providers,
        ..OpenContext::unattended(Path::new("/"))
    };
    open(spec, &context)
}

/// Opens an agent whose provider is `server`.
pub fn model(server: &Loopback, spec: &str) -> Arc<dyn Agent> {
    let url = server.url();
    open_with(providers_at(&url, settings(&url)), spec).unwrap()
}
