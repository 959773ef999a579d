//! Severity and its weight. Weights are whole numbers; nothing here is ever a float.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::named;

/// How much a gap or an issue matters, least first so that `max` gives the graver one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[derive(strum::Display, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum Severity {
    Low,
    Medium,
    High,
    Critical,
}

named!(Severity);

impl Severity {
    /// All severities, gravest first, as documents list them.
    pub const GRAVEST_FIRST: [Severity; 4] = [
        Severity::Critical,
        Severity::High,
        Severity::Medium,
        Severity::Low,
    ];

    pub fn weight(self) -> i64 {
        match self {
            Severity::Critical => 16,
            Severity::High => 4,
            Severity::Medium => 2,
            Severity::Low => 1,
        }
    }

    /// True for CRITICAL and HIGH: the issues that hold a gap, the gaps that hold an end.
    pub fn holds(self) -> bool {
        self >= Severity::High
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a severity (CRITICAL, HIGH, MEDIUM or LOW)")]
pub struct NotASeverity(pub String);

impl FromStr for Severity {
    type Err = NotASeverity;

    fn from_str(text: &str) -> Result<Self, NotASeverity> {
        Severity::GRAVEST_FIRST
            .into_iter()
            .find(|s| s.name().eq_ignore_ascii_case(text.trim()))
            .ok_or_else(|| NotASeverity(text.to_owned()))
    }
}
