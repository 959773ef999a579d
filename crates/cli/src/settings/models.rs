//! Settings for models over HTTP: `[providers.…]`, `[roles.…]` and `[prices."…"]`. API keys are never among them: a provider
//! names the environment variable that has its key.

use std::collections::BTreeMap;
use std::fmt::Display;

use gapless_agents::{Price, ProviderSettings, RoleSettings, Style, is_free_for_provider};
use gapless_domain::Role;
use serde_json::{Map, Number, Value};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::files::toml::{TomlFile, to_json};
use crate::{Failure, Result};

const PROVIDER_KEYS: [&str; 6] = [
    "base_url",
    "key_env",
    "style",
    "concurrency",
    "requests_per_minute",
    "context_tokens",
];
const ROLE_KEYS: [&str; 2] = ["temperature", "max_output_tokens"];
const PRICE_KEYS: [&str; 3] = ["input", "output", "cached"];

const MOST_AT_ONCE: u32 = 64;
const MOST_PER_MINUTE: u32 = 100_000;
const MOST_TOKENS: u32 = 1_000_000;
const MOST_CONTEXT: u32 = 100_000_000;
const HOTTEST: f64 = 2.0;

type Key<'a> = Spanned<DeString<'a>>;
type Entry<'a> = Spanned<DeValue<'a>>;

pub(crate) fn providers(
    file: &TomlFile,
    value: &Entry<'_>,
) -> Result<BTreeMap<String, ProviderSettings>> {
    let mut providers = BTreeMap::new();
    for (key, value) in file.table_of("providers", "tables, [providers.…]", value)? {
        let name = key.get_ref().as_ref();
        if !is_free_for_provider(name) {
            let what = format!("`{name}` can't be the name of a provider");
            return Err(file
                .fault(key.span().start, what)
                .hint("take letters, digits, `-` and `_`, and no name that other agents go by"));
        }
        providers.insert(name.to_owned(), provider(file, name, value)?);
    }
    Ok(providers)
}

fn provider(file: &TomlFile, name: &str, value: &Entry<'_>) -> Result<ProviderSettings> {
    let mut settings = ProviderSettings::default();
    for (key, value) in table(file, &format!("providers.{name}"), value)? {
        let at = key.span().start;
        match key.get_ref().as_ref() {
            "base_url" => settings.base_url = Some(file.string("base_url", value)?),
            "key_env" => {
                let variable = file.string("key_env", value)?;
                if !is_variable(&variable) {
                    // It is not repeated: someone may have put the key itself here.
                    return Err(file
                        .fault(at, "`key_env` is no name of an environment variable")
                        .hint("write the variable's name, like key_env = \"MY_API_KEY\"; the key itself belongs in the environment"));
                }
                settings.key_env = Some(variable);
            }
            "style" => {
                let known = Style::ALL.map(Style::name);
                settings.style = Some(file.one_of("style", &known, value, Style::named)?);
            }
            "concurrency" => settings.concurrency = Some(whole(file, key, value, MOST_AT_ONCE)?),
            "requests_per_minute" => {
                settings.requests_per_minute = Some(whole(file, key, value, MOST_PER_MINUTE)?);
            }
            "context_tokens" => {
                settings.context_tokens = Some(whole(file, key, value, MOST_CONTEXT)?);
            }
            other => return Err(file.unknown(at, "key of a provider", other, &PROVIDER_KEYS)),
        }
    }
    Ok(settings)
}

fn is_variable(text: &str) -> bool {
    let first_fits = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_word = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    // Keys are words too, but of mixed cases.
    let one_case = !text.bytes().any(|b| b.is_ascii_lowercase())
        || !text.bytes().any(|b| b.is_ascii_uppercase());
    first_fits && is_word && one_case
}

pub(crate) fn roles(file: &TomlFile, value: &Entry<'_>) -> Result<BTreeMap<Role, RoleSettings>> {
    let mut roles = BTreeMap::new();
    for (key, value) in file.table_of("roles", "tables, [roles.…]", value)? {
        let name = key.get_ref().as_ref();
        let role = Role::ALL.into_iter().find(|role| role.stem() == name);
        let role = role.ok_or_else(|| {
            file.unknown(key.span().start, "role", name, &Role::ALL.map(Role::stem))
        })?;
        let mut settings = RoleSettings::default();
        for (key, value) in table(file, &format!("roles.{name}"), value)? {
            match key.get_ref().as_ref() {
                "temperature" => settings.temperature = Some(temperature(file, key, value)?),
                "max_output_tokens" => {
                    settings.max_output_tokens = Some(whole(file, key, value, MOST_TOKENS)?);
                }
                other => {
                    let at = key.span().start;
                    return Err(file.unknown(at, "key of a role", other, &ROLE_KEYS));
                }
            }
        }
        roles.insert(role, settings);
    }
    Ok(roles)
}

pub(crate) fn prices(file: &TomlFile, value: &Entry<'_>) -> Result<BTreeMap<String, Price>> {
    let mut prices = BTreeMap::new();
    for (key, value) in file.table_of("prices", "tables, [prices.…]", value)? {
        let agent = key.get_ref().as_ref();
        let at = key.span().start;
        let mut row = Map::new();
        for (key, value) in table(file, &format!("prices.\"{agent}\""), value)? {
            let name = key.get_ref().as_ref();
            if !PRICE_KEYS.contains(&name) {
                return Err(file.unknown(key.span().start, "price", name, &PRICE_KEYS));
            }
            row.insert(name.to_owned(), to_json(value).unwrap_or(Value::Null));
        }
        let price = serde_json::from_value(Value::Object(row)).map_err(|error| {
            file.fault(at, format_args!("the price of `{agent}`: {error}"))
                .hint("write input, output and, if you like, cached: amounts per million tokens")
        })?;
        prices.insert(agent.to_owned(), price);
    }
    Ok(prices)
}

fn table<'a, 'b>(file: &TomlFile, name: &str, value: &'a Entry<'b>) -> Result<&'a DeTable<'b>> {
    file.table_of(name, &format!("a table, [{name}]"), value)
}

fn whole(file: &TomlFile, key: &Key<'_>, value: &Entry<'_>, most: u32) -> Result<u32> {
    let range = format!("from 1 to {most}");
    let number = to_json(value).and_then(|value| value.as_i64());
    let wrong = || file.wrong_type(key.get_ref(), &format!("a whole number {range}"), value);
    let number = number.ok_or_else(wrong)?;
    let fitting = u32::try_from(number).ok();
    let fitting = fitting.filter(|number| (1..=most).contains(number));
    fitting.ok_or_else(|| out_of_range(file, key, number, &range))
}

fn temperature(file: &TomlFile, key: &Key<'_>, value: &Entry<'_>) -> Result<Number> {
    let range = format!("from 0 to {HOTTEST}");
    let Some(Value::Number(number)) = to_json(value) else {
        return Err(file.wrong_type(key.get_ref(), &format!("a number {range}"), value));
    };
    let fits = |n: f64| (0.0..=HOTTEST).contains(&n);
    match number.as_f64().is_some_and(fits) {
        true => Ok(number),
        false => Err(out_of_range(file, key, number, &range)),
    }
}

fn out_of_range(file: &TomlFile, key: &Key<'_>, number: impl Display, range: &str) -> Failure {
    let name = key.get_ref();
    let what = format!("`{name}` is {number}; it must be {range}");
    file.fault(key.span().start, what)
        .hint("change it, or leave it out")
}
