//! Owns the configuration of a session as the user gives it: gapless.toml, then flags, each checked where it stands.

use std::collections::BTreeMap;
use std::path::Path;

use gapless_core::config::Config;
use serde_json::Value;
use toml::Spanned;
use toml::de::DeValue;

use crate::args::ConfigArgs;
use crate::failure::{Failure, Kind, nearest};
use crate::scan_settings::ScanSettings;
use crate::toml_file::TomlFile;

/// The keys of the `[agents]` table.
const AGENT_KEYS: [&str; 5] = ["engineer", "reviewer", "analyst", "final_review", "all"];

/// What gapless.toml says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    values: Vec<(&'static str, Value)>,
    /// Agents by role, and `all`.
    pub agents: BTreeMap<String, String>,
    /// What the scan goes by.
    pub scan: ScanSettings,
}

impl Settings {
    pub fn read(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else {
            return Ok(Self::default());
        };
        let file = TomlFile::read(path, Kind::Config)?;
        let mut settings = Self::default();
        // Only to check: each key alone, so that a value out of range is told with its own line.
        let mut checked = Config::default();
        for (key, value) in file.table()? {
            let at = key.span().start;
            let name = key.get_ref().as_ref();
            if name == "agents" {
                settings.agents = agents(&file, &value)?;
                continue;
            }
            if name == "scan" {
                settings.scan = ScanSettings::read(&file, &value)?;
                continue;
            }
            let Some(name) = Config::KEYS.into_iter().find(|known| *known == name) else {
                let mut known = Config::KEYS.to_vec();
                known.extend(["agents", "scan"]);
                return Err(file.unknown(at, "key", name, &known));
            };
            let json = plain(&value).ok_or_else(|| file.wrong_type(name, wanted(name), &value))?;
            set(&mut checked, name, &json).map_err(|wrong| match wrong {
                Wrong::Type => file.wrong_type(name, wanted(name), &value),
                Wrong::Range(why) => file.fault(at, why).hint("change it, or leave it out"),
            })?;
            settings.values.push((name, json));
        }
        Ok(settings)
    }

    /// The configuration with the file's keys and the flags put over `base`.
    pub fn config(&self, base: Config, flags: &ConfigArgs) -> Result<Config, Failure> {
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
                let hint = match nearest(key, Config::KEYS) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("known are {}", Config::KEYS.join(", ")),
                };
                let message = format!("--set: there is no key `{key}`");
                return Err(Failure::new(Kind::Config, message).hint(hint));
            }
            // A word needs no quotes: the shell took them off already.
            let value = serde_json::from_str(text.trim()).unwrap_or_else(|_| text.trim().into());
            set(&mut config, key, &value).map_err(|wrong| wrong.of_flag(key))?;
        }
        Ok(config)
    }
}

/// Sets a budget, or takes it away: `tokens=200000`, `cost=5`, `time=2h`, `time=none`.
fn set_budget(config: &mut Config, what: &str, amount: &str) -> Result<(), Failure> {
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

fn agents(
    file: &TomlFile,
    value: &Spanned<DeValue<'_>>,
) -> Result<BTreeMap<String, String>, Failure> {
    let Some(table) = value.get_ref().as_table() else {
        return Err(file.wrong_type("agents", "a table, [agents]", value));
    };
    let mut agents = BTreeMap::new();
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        if !AGENT_KEYS.contains(&name) {
            return Err(file.unknown(key.span().start, "agent key", name, &AGENT_KEYS));
        }
        agents.insert(name.to_owned(), file.string(name, value)?);
    }
    Ok(agents)
}

enum Wrong {
    Type,
    Range(String),
}

impl Wrong {
    fn of_flag(self, key: &str) -> Failure {
        let message = match self {
            Wrong::Type => format!("`{key}` must be {}", wanted(key)),
            Wrong::Range(why) => why,
        };
        Failure::new(Kind::Config, message).hint("see `gapless init` for the keys and ranges")
    }
}

fn wanted(key: &str) -> &'static str {
    match key {
        "critical_override" | "auto_extend" | "enable_semantic_check" => "true or false",
        "validation" => "\"tolerant\" or \"strict\"",
        "budget_cost" => "an amount, like 2.5",
        "budget_time" => "a length of time, like \"2h 30m\"",
        _ => "a whole number",
    }
}

fn plain(value: &Spanned<DeValue<'_>>) -> Option<Value> {
    match value.get_ref() {
        DeValue::Boolean(value) => Some((*value).into()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .ok()
            .map(Value::from),
        DeValue::Float(number) => {
            let number: f64 = number.as_str().replace('_', "").parse().ok()?;
            Some(number.into())
        }
        DeValue::String(text) => Some(text.as_ref().into()),
        _ => None,
    }
}

/// Sets one key, where the value is of its type and in its range.
fn set(config: &mut Config, key: &str, value: &Value) -> Result<(), Wrong> {
    let mut all = serde_json::to_value(&*config).map_err(|_| Wrong::Type)?;
    if value.is_null() {
        return Err(Wrong::Type);
    }
    all[key] = value.clone();
    let changed: Config = serde_json::from_value(all).map_err(|_| match value.as_i64() {
        Some(number) if wanted(key) == "a whole number" => {
            Wrong::Range(format!("`{key}` is {number}, which is out of its range"))
        }
        _ => Wrong::Type,
    })?;
    changed
        .check()
        .map_err(|error| Wrong::Range(error.to_string()))?;
    *config = changed;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Settings, Failure> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gapless.toml");
        std::fs::write(&path, text).unwrap();
        Settings::read(Some(&path)).map_err(|mut failure| {
            let folder = format!("{}/", folder.path().display());
            failure.message = failure.message.replace(&folder, "");
            failure
        })
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let told = |text: &str| {
            let failure = read(text).unwrap_err();
            format!("{} ({})", failure.message, failure.hint.unwrap_or_default())
        };
        insta::assert_snapshot!([
            told("# a comment\n\ngap_per_round = 3\n"),
            told("max_retries = 2\ngaps_per_round = \"three\"\n"),
            told("gaps_per_round = 11\n"),
            told("gaps_per_round = -1\n"),
            told("auto_extend = 1\n"),
            told("[agents]\nenginer = \"cmd:x\"\n"),
            told("[agents]\nengineer = 3\n"),
            told("agents = 3\n"),
            told("[scan]\nfail = \"high\"\n"),
            told("[scan]\nfail_on = \"grave\"\n"),
            told("[scan.rules]\nplaceholders = \"off\"\n"),
            told("[scan.rules]\nplaceholder = \"loud\"\n"),
            told("[scan.rules]\nplaceholder = false\n"),
            told("max_rounds = \n"),
        ].join("\n"), @r#"
        gapless.toml, line 3: there is no key `gap_per_round` (did you mean `gaps_per_round`?)
        gapless.toml, line 2: `gaps_per_round` must be a whole number; this is a string (write gaps_per_round = … with a whole number)
        gapless.toml, line 1: `gaps_per_round` is 11; it must be from 1 to 10 (change it, or leave it out)
        gapless.toml, line 1: `gaps_per_round` is -1, which is out of its range (change it, or leave it out)
        gapless.toml, line 1: `auto_extend` must be true or false; this is an integer (write auto_extend = … with true or false)
        gapless.toml, line 2: there is no agent key `enginer` (did you mean `engineer`?)
        gapless.toml, line 2: `engineer` must be a text in quotes; this is an integer (write engineer = … with a text in quotes)
        gapless.toml, line 1: `agents` must be a table, [agents]; this is an integer (write agents = … with a table, [agents])
        gapless.toml, line 2: there is no scan key `fail` (did you mean `fail_on`?)
        gapless.toml, line 2: `grave` is nothing that `fail_on` can be (write "critical", "high", "medium", "low" or "never")
        gapless.toml, line 2: there is no rule `placeholders` (did you mean `placeholder`?)
        gapless.toml, line 2: `loud` is no setting of a rule ("off", "low", "medium", "high" or "critical") (write placeholder = "off", or the severity that its findings shall have)
        gapless.toml, line 2: `placeholder` must be a text in quotes; this is a boolean (write placeholder = … with a text in quotes)
        gapless.toml, line 1: string values must be quoted, expected literal string (it is no TOML as it stands)
        "#);
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
        assert_eq!(config.validation, gapless_core::read::Mode::Strict);
    }
}
