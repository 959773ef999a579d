//! The words of rolling back: who decides it, and what leads to it.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::named;

/// Who decides that a round is undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::Display, strum::IntoStaticStr, strum::VariantNames, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum RollbackMode {
    /// The user, always.
    #[default]
    Interactive,
    /// The first rollback of a round whose Engineer has nothing valid happens unasked, with adjustments from the analysis.
    AutoRetry,
    /// The user, and the cause is looked for from the first rollback on.
    Strict,
}

named!(RollbackMode);

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

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum RollbackTrigger {
    /// The user asked for it.
    #[default]
    User,
    /// A role had nothing valid after its retries.
    Exhausted,
    /// It was chosen at a divergence warning.
    Divergence,
    /// The user took back an answer or a command.
    Undo,
}

named!(RollbackTrigger);

impl RollbackTrigger {
    pub fn words(self) -> &'static str {
        match self {
            RollbackTrigger::User => "asked for by the user",
            RollbackTrigger::Exhausted => "retries ran out",
            RollbackTrigger::Divergence => "chosen at a divergence warning",
            RollbackTrigger::Undo => "taken back by the user",
        }
    }
}
