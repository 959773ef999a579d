//! Owns the words of rolling back: who decides it, and what leads to it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Who decides that a round is undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RollbackMode {
    /// The user, always.
    #[default]
    Interactive,
    /// The first rollback of a round whose Engineer has nothing valid happens unasked, with adjustments from the analysis.
    AutoRetry,
    /// The user, and the cause is looked for from the first rollback on.
    Strict,
}

impl RollbackMode {
    pub const ALL: [RollbackMode; 3] = [
        RollbackMode::Interactive,
        RollbackMode::AutoRetry,
        RollbackMode::Strict,
    ];

    pub fn name(self) -> &'static str {
        match self {
            RollbackMode::Interactive => "interactive",
            RollbackMode::AutoRetry => "auto_retry",
            RollbackMode::Strict => "strict",
        }
    }
}

impl fmt::Display for RollbackMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a mode: interactive, auto_retry or strict")]
pub struct UnknownMode(String);

impl FromStr for RollbackMode {
    type Err = UnknownMode;

    fn from_str(name: &str) -> Result<Self, UnknownMode> {
        let known = Self::ALL.into_iter().find(|mode| mode.name() == name);
        known.ok_or_else(|| UnknownMode(name.to_owned()))
    }
}

/// What led to a rollback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RollbackTrigger {
    /// The user asked for it.
    #[default]
    User,
    /// A role had nothing valid after its retries.
    Exhausted,
    /// It was chosen at a divergence warning.
    Divergence,
}

impl RollbackTrigger {
    pub const ALL: [RollbackTrigger; 3] = [
        RollbackTrigger::User,
        RollbackTrigger::Exhausted,
        RollbackTrigger::Divergence,
    ];
}

impl RollbackTrigger {
    /// The name that scripts read.
    pub fn name(self) -> &'static str {
        match self {
            RollbackTrigger::User => "user",
            RollbackTrigger::Exhausted => "exhausted",
            RollbackTrigger::Divergence => "divergence",
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            RollbackTrigger::User => "asked for by the user",
            RollbackTrigger::Exhausted => "retries ran out",
            RollbackTrigger::Divergence => "chosen at a divergence warning",
        }
    }
}
