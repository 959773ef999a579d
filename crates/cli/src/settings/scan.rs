//! Settings for the scan: `[scan]` and `[scan.rules]`.

use clap::ValueEnum;
use gapless_domain::Severity;
use gapless_scan::{Rules, SettingError, rules};
use toml::Spanned;
use toml::de::DeValue;

use crate::Result;
use crate::files::toml::TomlFile;

const KEYS: [&str; 3] = ["discover", "fail_on", "rules"];
const COUNTS_FROM: [&str; 5] = ["critical", "high", "medium", "low", "never"];
const RULE_SETTINGS: [&str; 5] = ["off", "low", "medium", "high", "critical"];

/// From which severity on a finding counts: fails the scan, or becomes a gap of a new session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum CountsFrom {
    Never,
    Critical,
    #[default]
    High,
    Medium,
    Low,
}

impl CountsFrom {
    pub(crate) fn severity(self) -> Option<Severity> {
        match self {
            CountsFrom::Never => None,
            CountsFrom::Critical => Some(Severity::Critical),
            CountsFrom::High => Some(Severity::High),
            CountsFrom::Medium => Some(Severity::Medium),
            CountsFrom::Low => Some(Severity::Low),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        self.severity().map_or("never", Severity::name)
    }
}

/// The scan's part of gapless.toml.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ScanSettings {
    pub(crate) rules: Rules,
    pub(crate) fail_on: Option<CountsFrom>,
    /// From which severity on a finding is a gap of a new session.
    pub(crate) discover: Option<CountsFrom>,
}

impl ScanSettings {
    pub(crate) fn read(file: &TomlFile, value: &Spanned<DeValue<'_>>) -> Result<Self> {
        let mut settings = Self::default();
        for (key, value) in file.table_of("scan", "a table, [scan]", value)? {
            match key.get_ref().as_ref() {
                key @ ("fail_on" | "discover") => {
                    let named = |name: &str| CountsFrom::from_str(name, true).ok();
                    let from = file.one_of(key, &COUNTS_FROM, value, named)?;
                    match key {
                        "fail_on" => settings.fail_on = Some(from),
                        _ => settings.discover = Some(from),
                    }
                }
                "rules" => settings.rules = rules_of(file, value)?,
                name => return Err(file.unknown(key.span().start, "scan key", name, &KEYS)),
            }
        }
        Ok(settings)
    }
}

fn rules_of(file: &TomlFile, value: &Spanned<DeValue<'_>>) -> Result<Rules> {
    let mut set = Rules::default();
    for (key, value) in file.table_of("rules", "a table, [scan.rules]", value)? {
        let name = key.get_ref().as_ref();
        if rules::by_id(name).is_none() {
            let known: Vec<&str> = rules::ALL.iter().map(|rule| rule.id).collect();
            return Err(file.unknown(key.span().start, "rule", name, &known));
        }
        let wanted = file.word(name, &RULE_SETTINGS, value)?;
        set.set(name, &wanted).map_err(|error: SettingError| {
            file.fault(value.span().start, error).hint(format!(
                "write {name} = \"off\", or the severity that its findings shall have"
            ))
        })?;
    }
    Ok(set)
}
