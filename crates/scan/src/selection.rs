//! Which rules run and how severe their findings are: the defaults, and what a project sets.

use std::collections::BTreeMap;

use gapless_domain::Severity;

use crate::Rule;
use crate::rules::{self, by_id};

/// What a project sets for a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    Off,
    Severity(Severity),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    #[error("there is no rule `{0}`")]
    UnknownRule(String),
    #[error(
        "`{0}` is no setting of a rule (\"off\", \"low\", \"medium\", \"high\" or \"critical\")"
    )]
    UnknownSetting(String),
}

/// The rules as a project has them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    settings: BTreeMap<&'static str, Setting>,
}

impl Rules {
    /// Every rule with its severity, also those that are off unless a project sets them.
    pub fn all() -> Self {
        let off = rules::OFF.into_iter().filter_map(by_id);
        Self {
            settings: off
                .map(|rule| (rule.id, Setting::Severity(rule.severity)))
                .collect(),
        }
    }

    /// Sets a rule by the words of gapless.toml: `off`, or a severity.
    pub fn set(&mut self, rule: &str, setting: &str) -> Result<(), SettingError> {
        let known = by_id(rule).ok_or_else(|| SettingError::UnknownRule(rule.to_owned()))?;
        let setting = match setting.trim() {
            off if off.eq_ignore_ascii_case("off") => Setting::Off,
            severity => Setting::Severity(
                severity
                    .parse()
                    .map_err(|_| SettingError::UnknownSetting(severity.to_owned()))?,
            ),
        };
        self.settings.insert(known.id, setting);
        Ok(())
    }

    /// What was set, as [`Rules::set`] takes it.
    pub fn set_ones(&self) -> BTreeMap<String, String> {
        let settings = self.settings.iter();
        let named = settings.map(|(rule, setting)| {
            let setting = match setting {
                Setting::Off => "off",
                Setting::Severity(severity) => severity.name(),
            };
            ((*rule).to_owned(), setting.to_owned())
        });
        named.collect()
    }

    /// The severity of what a rule says; `None` where it is off.
    pub fn severity_of(&self, rule: &Rule) -> Option<Severity> {
        match self.settings.get(rule.id) {
            Some(Setting::Off) => None,
            Some(Setting::Severity(severity)) => Some(*severity),
            None => (!rules::OFF.contains(&rule.id)).then_some(rule.severity),
        }
    }

    /// The rules that speak, each with its severity.
    pub fn active(&self) -> impl Iterator<Item = (&'static Rule, Severity)> {
        rules::ALL
            .into_iter()
            .filter_map(|rule| Some((rule, self.severity_of(rule)?)))
    }
}
