//! Owns what gapless.toml says to the scan: `[scan]` with `fail_on`, and `[scan.rules]`.

use clap::ValueEnum;
use gapless_core::severity::Severity;
use gapless_scan::{Rules, SettingError, rules};
use toml::Spanned;
use toml::de::DeValue;

use crate::failure::Failure;
use crate::toml_file::TomlFile;

const KEYS: [&str; 2] = ["fail_on", "rules"];

/// From which severity on a finding fails the scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum FailOn {
    Never,
    Critical,
    #[default]
    High,
    Medium,
    Low,
}

impl FailOn {
    pub fn severity(self) -> Option<Severity> {
        match self {
            FailOn::Never => None,
            FailOn::Critical => Some(Severity::Critical),
            FailOn::High => Some(Severity::High),
            FailOn::Medium => Some(Severity::Medium),
            FailOn::Low => Some(Severity::Low),
        }
    }

    pub fn name(self) -> &'static str {
        self.severity().map_or("never", Severity::name)
    }
}

/// The scan's part of gapless.toml.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScanSettings {
    pub rules: Rules,
    pub fail_on: Option<FailOn>,
}

impl ScanSettings {
    pub fn read(file: &TomlFile, value: &Spanned<DeValue<'_>>) -> Result<Self, Failure> {
        let Some(table) = value.get_ref().as_table() else {
            return Err(file.wrong_type("scan", "a table, [scan]", value));
        };
        let mut settings = Self::default();
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "fail_on" => {
                    let name = file.string("fail_on", value)?;
                    let known = FailOn::from_str(&name, true).map_err(|_| {
                        let message = format!("`{name}` is nothing that `fail_on` can be");
                        file.fault(value.span().start, message)
                            .hint("write \"critical\", \"high\", \"medium\", \"low\" or \"never\"")
                    })?;
                    settings.fail_on = Some(known);
                }
                "rules" => settings.rules = rules_of(file, value)?,
                name => return Err(file.unknown(key.span().start, "scan key", name, &KEYS)),
            }
        }
        Ok(settings)
    }
}

fn rules_of(file: &TomlFile, value: &Spanned<DeValue<'_>>) -> Result<Rules, Failure> {
    let Some(table) = value.get_ref().as_table() else {
        return Err(file.wrong_type("rules", "a table, [scan.rules]", value));
    };
    let mut set = Rules::default();
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        if rules::by_id(name).is_none() {
            let known: Vec<&str> = rules::ALL.iter().map(|rule| rule.id).collect();
            return Err(file.unknown(key.span().start, "rule", name, &known));
        }
        let wanted = file.string(name, value)?;
        set.set(name, &wanted).map_err(|error: SettingError| {
            file.fault(value.span().start, error).hint(format!(
                "write {name} = \"off\", or the severity that its findings shall have"
            ))
        })?;
    }
    Ok(set)
}
