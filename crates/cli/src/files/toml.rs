//! TOML files that people write. Errors name the file and the line.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use gapless_domain::parameters::one_of;
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::spelling::did_you_mean_one_of;
use crate::{Failure, Kind, Result};

pub(crate) struct TomlFile {
    path: PathBuf,
    text: String,
    kind: Kind,
}

impl TomlFile {
    /// Reads a file; its errors are of this kind.
    pub(crate) fn read(path: &Path, kind: Kind) -> Result<Self> {
        let text = fs::read_to_string(path).map_err(|error| {
            Failure::unreadable(kind, path, &error)
                .hint("check the path, who may read it, and that it is UTF-8")
        })?;
        Ok(Self::of(path, text, kind))
    }

    /// A text as that of the file at `path`.
    pub(crate) fn of(path: &Path, text: String, kind: Kind) -> Self {
        Self {
            path: path.to_owned(),
            text,
            kind,
        }
    }

    pub(crate) fn table(&self) -> Result<DeTable<'_>> {
        DeTable::parse(&self.text)
            .map(Spanned::into_inner)
            .map_err(|error| {
                let at = error.span().map_or(0, |span| span.start);
                self.fault(at, error.message())
                    .hint("it is no TOML as it stands")
            })
    }

    /// An error at a byte of the file.
    pub(crate) fn fault(&self, at: usize, what: impl Display) -> Failure {
        let line = 1 + self.text.as_bytes()[..at.min(self.text.len())]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        let message = format!("{}, line {line}: {what}", self.path.display());
        Failure::new(self.kind, message)
    }

    pub(crate) fn unknown(&self, at: usize, what: &str, name: &str, known: &[&str]) -> Failure {
        self.fault(at, format_args!("there is no {what} `{name}`"))
            .hint(did_you_mean_one_of(name, known))
    }

    /// The table of a value; `wanted` says what it must be: "a table, [agents]".
    pub(crate) fn table_of<'v, 't>(
        &self,
        key: &str,
        wanted: &str,
        value: &'v Spanned<DeValue<'t>>,
    ) -> Result<&'v DeTable<'t>> {
        let table = value.get_ref().as_table();
        table.ok_or_else(|| self.wrong_type(key, wanted, value))
    }

    /// The text of a value; an error if it is of another type.
    pub(crate) fn string(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<String> {
        let text = value.get_ref().as_str().map(str::to_owned);
        text.ok_or_else(|| self.wrong_type(key, "a text in quotes", value))
    }

    /// The texts of a list; an error if it is of another type.
    pub(crate) fn strings(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<Vec<String>> {
        let wrong = || self.wrong_type(key, "a list of texts in quotes", value);
        let list = value.get_ref().as_array().ok_or_else(wrong)?;
        let texts = list.iter().map(|one| one.get_ref().as_str());
        texts
            .map(|text| text.map(str::to_owned).ok_or_else(wrong))
            .collect()
    }

    /// Whether a value is `true`; an error if it is of another type.
    pub(crate) fn boolean(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<bool> {
        let found = value.get_ref().as_bool();
        found.ok_or_else(|| self.wrong_type(key, "true or false", value))
    }

    /// The text of a value that must be one of these words; whether it is, is the caller's to check.
    pub(crate) fn word(
        &self,
        key: &str,
        known: &[&str],
        value: &Spanned<DeValue<'_>>,
    ) -> Result<String> {
        let text = value.get_ref().as_str().map(str::to_owned);
        text.ok_or_else(|| self.wrong_type(key, &one_of(known), value))
    }

    /// What one of the known words stands for.
    pub(crate) fn one_of<T>(
        &self,
        key: &str,
        known: &[&str],
        value: &Spanned<DeValue<'_>>,
        named: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T> {
        let text = self.word(key, known, value)?;
        named(&text).ok_or_else(|| {
            let what = format!("`{key}` is \"{text}\"; it must be {}", one_of(known));
            self.fault(value.span().start, what)
                .hint("change it, or leave it out")
        })
    }

    /// The error for a value of the wrong type.
    pub(crate) fn wrong_type(
        &self,
        key: &str,
        wanted: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Failure {
        let found = value.get_ref().type_str();
        let article = match found.starts_with(['a', 'e', 'i', 'o', 'u']) {
            true => "an",
            false => "a",
        };
        let what = format!("`{key}` must be {wanted}; this is {article} {found}");
        self.fault(value.span().start, what)
            .hint(format!("write {key} = … with {wanted}"))
    }
}

/// Converts a value that is no table and no date to JSON.
pub(crate) fn to_json(value: &Spanned<DeValue<'_>>) -> Option<Value> {
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
        DeValue::Array(list) => list.iter().map(to_json).collect(),
        _ => None,
    }
}
