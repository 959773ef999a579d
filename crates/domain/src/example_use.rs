//! What is recorded of an example in a prompt.

use serde::{Deserialize, Serialize};

use crate::{RetryReason, listed};

/// Where an example comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::VariantArray)]
pub enum Tier {
    /// Built in, or the session's own in its place.
    Canonical,
    /// A valid output of an earlier round of this session.
    Session,
    /// The bare form.
    Template,
}

listed!(Tier);

impl Tier {
    pub fn number(self) -> u32 {
        match self {
            Tier::Canonical => 1,
            Tier::Session => 2,
            Tier::Template => 3,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Tier::Canonical => "Tier 1 (canonical)",
            Tier::Session => "Tier 2 (session)",
            Tier::Template => "Tier 3 (template)",
        }
    }
}

/// What is recorded of an example in a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExampleUse {
    pub tier: Tier,
    /// For people: `built in`, `round 2, GAP-API-001`.
    pub source: String,
    pub characters: u32,
    /// Counted where the example is near its budget, else estimated.
    pub tokens: u32,
    /// How many characters it had before it was cut to its budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated_from: Option<u32>,
    /// What the retry answers; none in a first prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryReason>,
}

impl ExampleUse {
    pub fn is_of_retry(&self) -> bool {
        self.retry.is_some()
    }
}
