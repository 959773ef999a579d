//! Settings: gapless.toml, and the flags that win over it. Errors name the line or the flag.

mod models;
mod scan;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gapless_agents::{Definition, HttpSettings, Presets};
use gapless_domain::Config;
use gapless_domain::parameters::{accepted_by, must_be};
use gapless_domain::setting::Accepts;
use serde::Deserialize;
use serde_json::Value;
use toml::Spanned;
use toml::de::DeValue;

use crate::files::brought;
use crate::files::toml::{TomlFile, to_json};
use crate::spelling::did_you_mean_one_of;
use crate::{ConfigArgs, Failure, Kind, Result};
use models::{prices, providers, roles};

pub(crate) use scan::{CountsFrom, ScanSettings};

/// The keys of the `[agents]` table: agents by role first.
const AGENT_KEYS: [&str; 10] = [
    "engineer",
    "reviewer",
    "analyst",
    "editor",
    "final_review",
    "all",
    "fallback",
    "environment",
    "repo",
    "sandbox",
];

/// The tables beside the keys.
const TABLES: [&str; 6] = ["agents", "agent", "providers", "roles", "prices", "scan"];

/// The settings of gapless.toml.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    values: Vec<(&'static str, Value)>,
    /// Agents by role, and `all`.
    pub(crate) agents: BTreeMap<String, String>,
    /// Models over HTTP. They belong to the machine, not to a session, and are in no log.
    pub(crate) http: HttpSettings,
    /// Agents that take over from one that cannot run.
    pub(crate) fallback: Vec<String>,
    /// Variables that programs get beside the usual ones.
    pub(crate) environment: Vec<String>,
    /// The code base, from the folder of the file.
    pub(crate) repo: Option<PathBuf>,
    /// Whether programs are kept from writing to `.gapless`.
    pub(crate) sandbox: bool,
    /// The built-in programs that are agents, and those of `[agent.NAME]`.
    pub(crate) presets: Arc<Presets>,
    /// The tables `[agent.NAME]` as they are written.
    pub(crate) own_agents: BTreeMap<String, Value>,
    pub(crate) scan: ScanSettings,
}

impl Settings {
    /// Reads a file; a link may not lead out of the workspace `root`, nor out of the folder of a file above it.
    pub(crate) fn read(path: Option<&Path>, root: &Path) -> Result<Self> {
        let Some(path) = path else {
            return Ok(Self::default());
        };
        let inside = match path.starts_with(root) {
            true => root,
            false => path.parent().unwrap_or(root),
        };
        Self::of_text(path, brought::read(path, inside, Kind::Config)?)
    }

    /// Reads a text as that of the file at `path`.
    pub fn of_text(path: &Path, text: String) -> Result<Self> {
        Self::of_file(path, &TomlFile::of(path, text, Kind::Config))
    }

    fn of_file(path: &Path, file: &TomlFile) -> Result<Self> {
        let mut settings = Self::default();
        // Only to check: each key alone, so that a value out of range is told with its own line.
        let mut checked = Config::default();
        for (key, value) in file.table()? {
            let at = key.span().start;
            let name = key.get_ref().as_ref();
            let http = &mut settings.http;
            match name {
                "agents" => {
                    settings.read_agents(file, &value)?;
                    let folder = path.parent().unwrap_or(Path::new(""));
                    settings.repo = settings.repo.map(|repo| folder.join(repo));
                }
                "agent" => {
                    settings.presets = Arc::new(own_agents(file, &value)?);
                    settings.own_agents = tables_as_json(&value);
                }
                "providers" => http.providers = providers(file, &value)?,
                "roles" => http.roles = roles(file, &value)?,
                "prices" => http.prices = prices(file, &value)?,
                "scan" => settings.scan = ScanSettings::read(file, &value)?,
                _ => {}
            }
            if TABLES.contains(&name) {
                continue;
            }
            let Some(name) = Config::KEYS.into_iter().find(|known| *known == name) else {
                let known: Vec<&str> = Config::KEYS.into_iter().chain(TABLES).collect();
                return Err(file.unknown(at, "key", name, &known));
            };
            let json =
                to_json(&value).ok_or_else(|| file.wrong_type(name, &must_be(name), &value))?;
            set(&mut checked, name, &json).map_err(|wrong| match wrong {
                Wrong::Type => file.wrong_type(name, &must_be(name), &value),
                Wrong::Value(why) => file.fault(at, why).hint("change it, or leave it out"),
            })?;
            settings.values.push((name, json));
        }
        Ok(settings)
    }

    fn read_agents(&mut self, file: &TomlFile, value: &Spanned<DeValue<'_>>) -> Result<()> {
        for (key, value) in file.table_of("agents", "a table, [agents]", value)? {
            let name = key.get_ref().as_ref();
            match name {
                "fallback" => self.fallback = file.strings(name, value)?,
                "environment" => self.environment = file.strings(name, value)?,
                "repo" => self.repo = Some(file.string(name, value)?.into()),
                "sandbox" => self.sandbox = file.boolean(name, value)?,
                _ if AGENT_KEYS.contains(&name) => {
                    self.agents
                        .insert(name.to_owned(), file.string(name, value)?);
                }
                _ => return Err(file.unknown(key.span().start, "agent key", name, &AGENT_KEYS)),
            }
        }
        Ok(())
    }

    /// The configuration with the file's keys and the flags put over `base`.
    pub fn config(&self, base: Config, flags: &ConfigArgs) -> Result<Config> {
        let mut config = base;
        for (key, value) in &self.values {
            set(&mut config, key, value).map_err(|wrong| wrong.of_flag(key))?;
        }
        let named = [
            ("gaps_per_round", flags.gaps_per_round),
            ("parallel_engineers", flags.parallel_engineers),
            ("max_retries", flags.max_retries),
            ("max_rounds", flags.max_rounds),
        ];
        for (key, value) in named {
            if let Some(value) = value {
                set(&mut config, key, &value.into()).map_err(|wrong| wrong.of_flag(key))?;
            }
        }
        for (what, amount) in &flags.budget {
            set_budget(&mut config, what, amount)?;
        }
        for (key, text) in &flags.set {
            if !Config::KEYS.contains(&key.as_str()) {
                let message = format!("--set: there is no key `{key}`");
                return Err(Failure::new(Kind::Config, message)
                    .hint(did_you_mean_one_of(key, &Config::KEYS)));
            }
            // A word needs no quotes: the shell took them off already.
            let value = serde_json::from_str(text.trim()).unwrap_or_else(|_| text.trim().into());
            set(&mut config, key, &value).map_err(|wrong| wrong.of_flag(key))?;
        }
        Ok(config)
    }
}

/// Sets a budget, or takes it away: `tokens=200000`, `cost=5`, `time=2h`, `time=none`.
fn set_budget(config: &mut Config, what: &str, amount: &str) -> Result<()> {
    match (what, amount) {
        ("tokens", "none") => config.budget_tokens = None,
        ("cost", "none") => config.budget_cost = None,
        ("time", "none") => config.budget_time = None,
        ("tokens" | "cost" | "time", _) => {
            let key = format!("budget_{what}");
            let value = serde_json::from_str(amount).unwrap_or_else(|_| amount.into());
            set(config, &key, &value).map_err(|wrong| wrong.of_flag(&key))?;
        }
        _ => {
            let message = format!("--budget: there is no budget `{what}`");
            return Err(Failure::new(Kind::Config, message)
                .hint("write tokens=200000, cost=5 or time=2h; `none` takes one away"));
        }
    }
    Ok(())
}

/// The agents of `[agent.NAME]` beside the built-in ones.
fn own_agents(file: &TomlFile, value: &Spanned<DeValue<'_>>) -> Result<Presets> {
    let table = file.table_of("agent", "a table for each agent, [agent.NAME]", value)?;
    let mut definitions = Vec::new();
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        file.table_of(name, "a table, [agent.NAME]", value)?;
        let deserializer = toml::de::ValueDeserializer::from(value.clone());
        let definition = Definition::deserialize(deserializer).map_err(|error| {
            let at = error.span().map_or(key.span().start, |span| span.start);
            file.fault(at, format_args!("agent `{name}`: {}", error.message()))
                .hint("docs/agents.md says what an agent of your own can have")
        })?;
        definitions.push((name.to_owned(), definition));
    }
    let mut presets = Presets::default();
    presets.add_all(definitions).map_err(|(name, bad)| {
        let named = table.iter().find(|(key, _)| key.get_ref().as_ref() == name);
        let at = named.map_or(value.span().start, |(key, _)| key.span().start);
        file.fault(at, format_args!("agent `{name}`: {bad}"))
            .hint("docs/agents.md says what an agent of your own can have")
    })?;
    Ok(presets)
}

/// The tables of a table as JSON, by name.
fn tables_as_json(value: &Spanned<DeValue<'_>>) -> BTreeMap<String, Value> {
    let deserializer = toml::de::ValueDeserializer::from(value.clone());
    BTreeMap::deserialize(deserializer).unwrap_or_default()
}

/// Why a key can't be set.
enum Wrong {
    /// The value is of another type.
    Type,
    /// The value is of the right type and out of range.
    Value(String),
}

impl Wrong {
    fn of_flag(self, key: &str) -> Failure {
        let message = match self {
            Wrong::Type => format!("`{key}` must be {}", must_be(key)),
            Wrong::Value(why) => why,
        };
        Failure::new(Kind::Config, message).hint("see `gapless init` for the keys and ranges")
    }

    fn of_value(key: &str, value: &Value) -> Self {
        let fits = match accepted_by(key).0 {
            Accepts::Money | Accepts::Span => value.is_string() || value.is_number(),
            Accepts::OneOf(_) => value.is_string(),
            Accepts::Number => value.is_number(),
            Accepts::Switch | Accepts::Texts => false,
        };
        match fits {
            true => Wrong::Value(format!("`{key}` is {value}; it must be {}", must_be(key))),
            false => Wrong::Type,
        }
    }
}

/// Sets one key, if the value is of its type and in its range.
fn set(config: &mut Config, key: &str, value: &Value) -> Result<(), Wrong> {
    let mut all = serde_json::to_value(&*config).map_err(|_| Wrong::Type)?;
    if value.is_null() {
        return Err(Wrong::Type);
    }
    all[key] = value.clone();
    let changed: Config = serde_json::from_value(all).map_err(|_| Wrong::of_value(key, value))?;
    changed
        .check()
        .map_err(|error| Wrong::Value(error.to_string()))?;
    *config = changed;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Settings> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gapless.toml");
        std::fs::write(&path, text).unwrap();
        Settings::read(Some(&path), folder.path()).map_err(|mut failure| {
            let folder = format!("{}/", folder.path().display());
            failure.message = failure.message.replace(&folder, "");
            failure
        })
    }

    fn refused(text: &str) -> String {
        let failure = read(text).unwrap_err();
        format!("{} ({})", failure.message, failure.hint.unwrap_or_default())
    }

    #[test]
    fn a_wrong_key_is_told_with_its_line() {
        insta::assert_snapshot!([
            refused("# a comment\n\ngap_per_round = 3\n"),
            refused("max_retries = 2\ngaps_per_round = \"three\"\n"),
            refused("gaps_per_round = 11\n"),
            refused("gaps_per_round = -1\n"),
            refused("rollback_mode = \"foo\"\n"),
            refused("rollback_mode = 3\n"),
            refused("validation = \"lax\"\n"),
            refused("max_retries = 1.5\n"),
            refused("budget_time = \"soon\"\n"),
            refused("budget_cost = -1\n"),
            refused("budget_tokens = -1\n"),
            refused("auto_extend = 1\n"),
            refused("vague_words = [\"some\", 3]\n"),
            refused("vague_words = \"some\"\n"),
            refused("gaps_per_round = [3]\n"),
            refused("max_rounds = \n"),
        ].join("\n"), @r#"
        gapless.toml, line 3: there is no key `gap_per_round` (did you mean `gaps_per_round`?)
        gapless.toml, line 2: `gaps_per_round` must be a whole number from 1 to 10; this is a string (write gaps_per_round = … with a whole number from 1 to 10)
        gapless.toml, line 1: `gaps_per_round` is 11; it must be from 1 to 10 (change it, or leave it out)
        gapless.toml, line 1: `gaps_per_round` is -1; it must be a whole number from 1 to 10 (change it, or leave it out)
        gapless.toml, line 1: `rollback_mode` is "foo"; it must be "interactive", "auto_retry" or "strict" (change it, or leave it out)
        gapless.toml, line 1: `rollback_mode` must be "interactive", "auto_retry" or "strict"; this is an integer (write rollback_mode = … with "interactive", "auto_retry" or "strict")
        gapless.toml, line 1: `validation` is "lax"; it must be "tolerant" or "strict" (change it, or leave it out)
        gapless.toml, line 1: `max_retries` is 1.5; it must be a whole number from 0 to 5 (change it, or leave it out)
        gapless.toml, line 1: `budget_time` is "soon"; it must be a length of time, in seconds or like "2h 30m" (change it, or leave it out)
        gapless.toml, line 1: `budget_cost` is -1; it must be an amount of at least 0, like 2.5 (change it, or leave it out)
        gapless.toml, line 1: `budget_tokens` is -1; it must be a whole number of at least 0, like 200000 (change it, or leave it out)
        gapless.toml, line 1: `auto_extend` must be true or false; this is an integer (write auto_extend = … with true or false)
        gapless.toml, line 1: `vague_words` must be a list of texts, like ["as needed", "some"]; this is an array (write vague_words = … with a list of texts, like ["as needed", "some"])
        gapless.toml, line 1: `vague_words` must be a list of texts, like ["as needed", "some"]; this is a string (write vague_words = … with a list of texts, like ["as needed", "some"])
        gapless.toml, line 1: `gaps_per_round` must be a whole number from 1 to 10; this is an array (write gaps_per_round = … with a whole number from 1 to 10)
        gapless.toml, line 1: string values must be quoted, expected literal string (it is no TOML as it stands)
        "#);
    }

    #[test]
    fn a_wrong_table_is_told_with_its_line() {
        insta::assert_snapshot!([
            refused("[scan]\nfail_on = 3\n"),
            refused("[roles.engineer]\ntemperature = \"hot\"\n"),
            refused("[agents]\nenginer = \"cmd:x\"\n"),
            refused("[agents]\nengineer = 3\n"),
            refused("agents = 3\n"),
            refused("[scan]\nfail = \"high\"\n"),
            refused("[scan]\nfail_on = \"grave\"\n"),
            refused("[scan.rules]\nplaceholders = \"off\"\n"),
            refused("[scan.rules]\nplaceholder = \"loud\"\n"),
            refused("[scan.rules]\nplaceholder = false\n"),
            refused("providers = 3\n"),
            refused("[providers.cmd]\nbase_url = \"http://x\"\n"),
            refused("[providers.mine]\napi_key = \"sk-canary\"\n"),
            refused("[providers.mine]\nkey_env = \"sk-canary\"\n"),
            refused("[providers.mine]\nkey_env = \"skCANARY7\"\n"),
            refused("[providers.mine]\nstyle = \"openai\"\n"),
            refused("[providers.openai]\nconcurrency = 0\n"),
            refused("[roles.enginer]\n"),
            refused("[roles.engineer]\ntemperature = 3\n"),
            refused("[roles.engineer]\nmax_output_tokens = \"many\"\n"),
            refused("[prices.\"mine:x\"]\ninput = 1\n"),
            refused("[prices.\"mine:x\"]\ninptu = 1\n"),
            refused("[agents]\nfallback = \"codex\"\n"),
            refused("[agents]\nenvironment = [1]\n"),
            refused("agent = 3\n"),
            refused("[agent]\nmine = 3\n"),
            refused("[agent.mine]\nprogram = \"x\"\n\n[agent.mine.output]\nfrom = \"json\"\n"),
            refused("[agent.a]\nlike = \"b\"\n[agent.b]\nlike = \"a\"\n"),
        ].join("\n"), @r#"
        gapless.toml, line 2: `fail_on` must be "critical", "high", "medium", "low" or "never"; this is an integer (write fail_on = … with "critical", "high", "medium", "low" or "never")
        gapless.toml, line 2: `temperature` must be a number from 0 to 2; this is a string (write temperature = … with a number from 0 to 2)
        gapless.toml, line 2: there is no agent key `enginer` (did you mean `engineer`?)
        gapless.toml, line 2: `engineer` must be a text in quotes; this is an integer (write engineer = … with a text in quotes)
        gapless.toml, line 1: `agents` must be a table, [agents]; this is an integer (write agents = … with a table, [agents])
        gapless.toml, line 2: there is no scan key `fail` (did you mean `fail_on`?)
        gapless.toml, line 2: `fail_on` is "grave"; it must be "critical", "high", "medium", "low" or "never" (change it, or leave it out)
        gapless.toml, line 2: there is no rule `placeholders` (did you mean `placeholder`?)
        gapless.toml, line 2: `loud` is no setting of a rule ("off", "low", "medium", "high" or "critical") (write placeholder = "off", or the severity that its findings shall have)
        gapless.toml, line 2: `placeholder` must be "off", "low", "medium", "high" or "critical"; this is a boolean (write placeholder = … with "off", "low", "medium", "high" or "critical")
        gapless.toml, line 1: `providers` must be tables, [providers.…]; this is an integer (write providers = … with tables, [providers.…])
        gapless.toml, line 1: `cmd` can't be the name of a provider (take letters, digits, `-` and `_`, and no name that other agents go by)
        gapless.toml, line 2: there is no key of a provider `api_key` (known are base_url, key_env, style, concurrency, requests_per_minute, context_tokens)
        gapless.toml, line 2: `key_env` is no name of an environment variable (write the variable's name, like key_env = "MY_API_KEY"; the key itself belongs in the environment)
        gapless.toml, line 2: `key_env` is no name of an environment variable (write the variable's name, like key_env = "MY_API_KEY"; the key itself belongs in the environment)
        gapless.toml, line 2: `style` is "openai"; it must be "anthropic", "openai-chat", "openai-responses", "gemini" or "ollama" (change it, or leave it out)
        gapless.toml, line 2: `concurrency` is 0; it must be from 1 to 64 (change it, or leave it out)
        gapless.toml, line 1: there is no role `enginer` (did you mean `engineer`?)
        gapless.toml, line 2: `temperature` is 3; it must be from 0 to 2 (change it, or leave it out)
        gapless.toml, line 2: `max_output_tokens` must be a whole number from 1 to 1000000; this is a string (write max_output_tokens = … with a whole number from 1 to 1000000)
        gapless.toml, line 1: the price of `mine:x`: missing field `output` (write input, output and, if you like, cached: amounts per million tokens)
        gapless.toml, line 2: there is no price `inptu` (did you mean `input`?)
        gapless.toml, line 2: `fallback` must be a list of texts in quotes; this is a string (write fallback = … with a list of texts in quotes)
        gapless.toml, line 2: `environment` must be a list of texts in quotes; this is an array (write environment = … with a list of texts in quotes)
        gapless.toml, line 1: `agent` must be a table for each agent, [agent.NAME]; this is an integer (write agent = … with a table for each agent, [agent.NAME])
        gapless.toml, line 2: `mine` must be a table, [agent.NAME]; this is an integer (write mine = … with a table, [agent.NAME])
        gapless.toml, line 5: agent `mine`: unknown field `from`, expected one of `form`, `text`, `restart`, `end`, `log`, `error`, `words`, `limits`, `usage` (docs/agents.md says what an agent of your own can have)
        gapless.toml, line 1: agent `a`: `like` names `b`, which is no agent that is defined (known are claude, codex, gemini, opencode) (docs/agents.md says what an agent of your own can have)
        "#);
    }

    #[test]
    fn every_key_says_what_it_must_be_from_the_file_and_from_flags() {
        let wrong = [
            "\"foo\"",
            "-1",
            "1.5",
            "100000000000",
            "true",
            "[3]",
            "\"\"",
        ];
        for key in Config::KEYS {
            let says = |failure: &Failure| {
                let (_, range) = accepted_by(key);
                let range = range.map(|(least, most)| format!("from {least} to {most}"));
                let said = &failure.message;
                said.contains(&must_be(key)) || range.is_some_and(|range| said.contains(&range))
            };
            let mut refused = 0;
            for value in wrong {
                if let Err(failure) = read(&format!("{key} = {value}\n")) {
                    assert!(says(&failure), "{key} = {value}: {}", failure.message);
                    refused += 1;
                }
                let flags = ConfigArgs {
                    set: vec![(key.to_owned(), value.to_owned())],
                    ..ConfigArgs::default()
                };
                if let Err(failure) = Settings::default().config(Config::default(), &flags) {
                    assert!(says(&failure), "--set {key}={value}: {}", failure.message);
                    refused += 1;
                }
            }
            assert!(refused >= 8, "{key} takes nearly anything");
        }
    }

    #[test]
    fn models_over_http_are_read() {
        let settings = read(
            "[providers.mine]\nbase_url = \"http://gpu:8000/v1\"\nkey_env = \"MINE_KEY\"\nstyle = \"openai-responses\"\n\
             [providers.openai]\nconcurrency = 2\nrequests_per_minute = 30\n\
             [roles.reviewer]\ntemperature = 0.2\nmax_output_tokens = 9000\n\
             [prices.\"mine:*\"]\ninput = 0.5\noutput = 2\n",
        );
        insta::assert_debug_snapshot!(settings.unwrap().http);
    }

    #[test]
    fn agents_of_ones_own_may_build_on_each_other_in_any_order() {
        let settings = read(
            "[agents]\nengineer = \"a\"\nfallback = [\"b:x\", \"human\"]\nenvironment = [\"MY_*\"]\nrepo = \"code\"\n\
             [agent.a]\nlike = \"b\"\n[agent.b]\nlike = \"codex\"\nmodel = \"m\"\n",
        )
        .unwrap();
        let names: Vec<&str> = settings.presets.names().skip(4).collect();
        assert_eq!(names, ["b", "a"]);
        assert_eq!(
            settings.presets.get("a").unwrap().model.as_deref(),
            Some("m")
        );
        assert_eq!(settings.fallback, ["b:x", "human"]);
        assert_eq!(settings.environment, ["MY_*"]);
        assert!(settings.repo.unwrap().ends_with("code"));
    }

    #[test]
    fn flags_win_over_the_file() {
        let settings = read("gaps_per_round = 5\nmax_rounds = 12\n").unwrap();
        let flags = ConfigArgs {
            gaps_per_round: Some(2),
            set: [("auto_extend", "true"), ("validation", "strict")]
                .map(|(key, value)| (key.to_owned(), value.to_owned()))
                .into(),
            ..ConfigArgs::default()
        };
        let config = settings.config(Config::default(), &flags).unwrap();
        assert_eq!(
            (config.gaps_per_round, config.max_rounds, config.auto_extend),
            (2, Some(12), true)
        );
        assert_eq!(
            config.validation,
            gapless_domain::config::Strictness::Strict
        );
    }

    #[test]
    fn vague_words_are_a_list_in_the_file_and_in_flags() {
        let settings = read("vague_words = [\"somehow\", \"as it were\"]\n").unwrap();
        let words = |flags: &ConfigArgs| {
            let config = settings.config(Config::default(), flags).unwrap();
            config.vague_words()
        };
        assert_eq!(words(&ConfigArgs::default()), ["somehow", "as it were"]);
        let flags = ConfigArgs {
            set: vec![("vague_words".to_owned(), "[]".to_owned())],
            ..ConfigArgs::default()
        };
        assert_eq!(words(&flags), [""; 0]);
        let usual = Config::default().vague_words();
        assert!(usual.contains(&"as needed".to_owned()));
    }
}
