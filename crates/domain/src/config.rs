//! Owns the parameters of a session: their names, defaults and ranges. Where a default depends on the inventory it is
//! computed once discovery is over, and logged.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::budget::{Money, Span};
use crate::rollback::RollbackMode;
use crate::words::phrases;

/// How strictly documents are read: the canonical forms only, or their accepted variants too, each with a warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strictness {
    #[default]
    Tolerant,
    Strict,
}

impl Strictness {
    pub const ALL: [Strictness; 2] = [Strictness::Tolerant, Strictness::Strict];

    pub fn name(self) -> &'static str {
        match self {
            Strictness::Tolerant => "tolerant",
            Strictness::Strict => "strict",
        }
    }
}

const VAGUE_WORDS: &str = include_str!("words/vague_words.txt");

/// The vague words that hold where the user names no others.
pub fn default_vague_words() -> Vec<String> {
    phrases(VAGUE_WORDS).map(str::to_owned).collect()
}

/// What the user can set. `None` means: computed from the initial inventory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    pub gaps_per_round: u32,
    pub parallel_engineers: u32,
    pub validation: Strictness,
    pub max_retries: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stall_threshold: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub divergence_threshold: Option<u32>,
    pub critical_override: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_rounds: Option<u32>,
    pub hard_limit: u32,
    pub auto_extend: bool,
    pub rollback_mode: RollbackMode,
    pub max_rollbacks_session: u32,
    /// From this many rollbacks of a round on, the cause is looked for.
    pub rollback_analysis_threshold: u32,
    pub backup_retention_rounds: u32,
    /// For how many days a cold archive is kept.
    pub archive_retention_days: u32,
    pub idle_timeout_seconds: u64,
    pub hard_timeout_seconds: u64,
    pub output_limit_bytes: u64,
    /// How much of earlier decisions may stand in a prompt, in estimated tokens.
    pub decision_tokens: u32,
    /// How much of the refined spec may stand in a prompt, in estimated tokens.
    pub spec_tokens: u32,
    /// So many DISAGREEs block a round until the user accepts a justification.
    pub disagree_round_limit: u32,
    /// The share of a round's due CRITICAL and HIGH issues, in percent, above which DISAGREEs are a warning.
    pub disagree_round_share: u32,
    /// The same over three rounds, as a systematic alert.
    pub disagree_session_share: u32,
    /// So many unanswered HIGH issues in a round are a warning.
    pub unaddressed_high_threshold: u32,
    pub unaddressed_critical_threshold: u32,
    /// So often the same concern is systematic.
    pub pattern_threshold: u32,
    /// The share of a concern's keywords, in percent, that a change must have to answer it.
    pub semantic_overlap_minimum: u32,
    pub enable_semantic_check: bool,
    /// How many tokens agents may use before the session rests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget_cost: Option<Money>,
    /// How long agents may be at work before the session rests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget_time: Option<Span>,
    /// How long the example in a retry's prompt may be, in tokens; 0 means none.
    pub retry_example_tokens: u32,
    /// How long the example in a first prompt may be, in tokens; 0 means none.
    pub initial_example_tokens: u32,
    /// What counts as vague in a proposal; `None` means the built-in list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vague_words: Option<Vec<String>>,
    /// So many vague words in a thousand are too many.
    pub vague_per_thousand: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            gaps_per_round: 3,
            parallel_engineers: 1,
            validation: Strictness::Tolerant,
            max_retries: 2,
            stall_threshold: None,
            divergence_threshold: None,
            critical_override: true,
            max_rounds: None,
            hard_limit: 50,
            auto_extend: false,
            rollback_mode: RollbackMode::Interactive,
            max_rollbacks_session: 7,
            rollback_analysis_threshold: 2,
            backup_retention_rounds: 3,
            archive_retention_days: 30,
            idle_timeout_seconds: 300,
            hard_timeout_seconds: 1800,
            output_limit_bytes: 4 * 1024 * 1024,
            decision_tokens: 1500,
            spec_tokens: 6000,
            disagree_round_limit: 5,
            disagree_round_share: 50,
            disagree_session_share: 40,
            unaddressed_high_threshold: 2,
            unaddressed_critical_threshold: 1,
            pattern_threshold: 3,
            semantic_overlap_minimum: 30,
            enable_semantic_check: true,
            budget_tokens: None,
            budget_cost: None,
            budget_time: None,
            retry_example_tokens: 2000,
            initial_example_tokens: 1000,
            vague_words: None,
            vague_per_thousand: 8,
        }
    }
}

/// A value outside its range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{key}` is {value}; it must be from {least} to {most}")]
pub struct OutOfRange {
    pub key: &'static str,
    pub value: u64,
    pub least: u64,
    pub most: u64,
}

impl Config {
    /// The keys that can be set, for error messages.
    pub const KEYS: [&'static str; 35] = [
        "gaps_per_round",
        "parallel_engineers",
        "validation",
        "max_retries",
        "stall_threshold",
        "divergence_threshold",
        "critical_override",
        "max_rounds",
        "hard_limit",
        "auto_extend",
        "rollback_mode",
        "max_rollbacks_session",
        "rollback_analysis_threshold",
        "backup_retention_rounds",
        "archive_retention_days",
        "idle_timeout_seconds",
        "hard_timeout_seconds",
        "output_limit_bytes",
        "decision_tokens",
        "spec_tokens",
        "disagree_round_limit",
        "disagree_round_share",
        "disagree_session_share",
        "unaddressed_high_threshold",
        "unaddressed_critical_threshold",
        "pattern_threshold",
        "semantic_overlap_minimum",
        "enable_semantic_check",
        "budget_tokens",
        "budget_cost",
        "budget_time",
        "retry_example_tokens",
        "initial_example_tokens",
        "vague_words",
        "vague_per_thousand",
    ];

    /// Every number that has a range: its key, its value where it is set, and the least and most it may be.
    fn bounded(&self) -> Vec<(&'static str, Option<u64>, u64, u64)> {
        vec![
            ("gaps_per_round", Some(self.gaps_per_round.into()), 1, 10),
            (
                "parallel_engineers",
                Some(self.parallel_engineers.into()),
                1,
                4,
            ),
            ("max_retries", Some(self.max_retries.into()), 0, 5),
            (
                "stall_threshold",
                self.stall_threshold.map(u64::from),
                1,
                9999,
            ),
            (
                "divergence_threshold",
                self.divergence_threshold.map(u64::from),
                1,
                9999,
            ),
            ("max_rounds", self.max_rounds.map(u64::from), 1, 9999),
            ("hard_limit", Some(self.hard_limit.into()), 1, 9999),
            (
                "max_rollbacks_session",
                Some(self.max_rollbacks_session.into()),
                0,
                10,
            ),
            (
                "rollback_analysis_threshold",
                Some(self.rollback_analysis_threshold.into()),
                1,
                10,
            ),
            (
                "backup_retention_rounds",
                Some(self.backup_retention_rounds.into()),
                1,
                5,
            ),
            (
                "archive_retention_days",
                Some(self.archive_retention_days.into()),
                0,
                36_500,
            ),
            (
                "idle_timeout_seconds",
                Some(self.idle_timeout_seconds),
                1,
                86_400,
            ),
            (
                "hard_timeout_seconds",
                Some(self.hard_timeout_seconds),
                1,
                86_400,
            ),
            (
                "output_limit_bytes",
                Some(self.output_limit_bytes),
                1024,
                1 << 30,
            ),
            (
                "decision_tokens",
                Some(self.decision_tokens.into()),
                100,
                100_000,
            ),
            ("spec_tokens", Some(self.spec_tokens.into()), 100, 1_000_000),
            (
                "disagree_round_limit",
                Some(self.disagree_round_limit.into()),
                1,
                1000,
            ),
            (
                "disagree_round_share",
                Some(self.disagree_round_share.into()),
                1,
                100,
            ),
            (
                "disagree_session_share",
                Some(self.disagree_session_share.into()),
                1,
                100,
            ),
            (
                "unaddressed_high_threshold",
                Some(self.unaddressed_high_threshold.into()),
                1,
                1000,
            ),
            (
                "unaddressed_critical_threshold",
                Some(self.unaddressed_critical_threshold.into()),
                1,
                1000,
            ),
            (
                "pattern_threshold",
                Some(self.pattern_threshold.into()),
                2,
                1000,
            ),
            (
                "semantic_overlap_minimum",
                Some(self.semantic_overlap_minimum.into()),
                1,
                100,
            ),
            (
                "retry_example_tokens",
                Some(self.retry_example_tokens.into()),
                0,
                20_000,
            ),
            (
                "initial_example_tokens",
                Some(self.initial_example_tokens.into()),
                0,
                20_000,
            ),
            (
                "vague_per_thousand",
                Some(self.vague_per_thousand.into()),
                1,
                1000,
            ),
        ]
    }

    /// The least and the most that a key's number may be; none where it has no range.
    pub fn range(key: &str) -> Option<(u64, u64)> {
        let mut bounded = Self::default().bounded().into_iter();
        let found = bounded.find(|(bounded, ..)| *bounded == key);
        found.map(|(_, _, least, most)| (least, most))
    }

    /// Checks every value against its range.
    pub fn check(&self) -> Result<(), OutOfRange> {
        for (key, value, least, most) in self.bounded() {
            if let Some(value) = value
                && !(least..=most).contains(&value)
            {
                return Err(OutOfRange {
                    key,
                    value,
                    least,
                    most,
                });
            }
        }
        Ok(())
    }

    /// The vague words that hold: the user's, else the built-in ones.
    pub fn vague_words(&self) -> Vec<String> {
        let own = self.vague_words.clone();
        own.unwrap_or_else(crate::config::default_vague_words)
    }

    /// The limits that hold for an inventory of this size.
    pub fn limits(&self, initial_gaps: u32) -> Limits {
        let (stall, divergence) = match initial_gaps {
            0..10 => (2, 8),
            10..=30 => (3, 12),
            _ => (4, 16),
        };
        Limits {
            stall_threshold: self.stall_threshold.unwrap_or(stall),
            divergence_threshold: self.divergence_threshold.unwrap_or(divergence),
            max_rounds: self
                .max_rounds
                .unwrap_or_else(|| (initial_gaps * 6).div_ceil(10).max(10))
                .min(self.hard_limit),
        }
    }
}

/// Limits that are fixed once the inventory is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    pub stall_threshold: u32,
    pub divergence_threshold: u32,
    pub max_rounds: u32,
}

/// How many rounds a session may have, now and as it was fixed at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoundLimit {
    pub now: u32,
    pub at_start: u32,
}

impl fmt::Display for RoundLimit {
    /// The limit; where it was changed, with what it was at the start.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.now == self.at_start {
            true => write!(f, "{}", self.now),
            false => write!(f, "{} ({} at the start)", self.now, self.at_start),
        }
    }
}

/// By how many rounds the limit is extended.
pub const EXTENSION_ROUNDS: u32 = 5;

/// The waits after the first, second and third execution error. The third error asks the user.
pub const EXECUTION_BACKOFF_SECONDS: [u64; 3] = [2, 8, 30];

/// How many execution errors in a row ask the user.
pub const EXECUTION_TRIES: u32 = 3;

/// The longest wait that a provider may ask for: one that asks for more is asked again after this.
pub const LONGEST_RETRY_AFTER_SECONDS: u64 = 600;

/// How often the budgets of a prompt that is too long for its agent are halved at most.
pub const MOST_HALVINGS: u32 = 4;

/// The largest source that a session takes.
pub const LARGEST_SOURCE_BYTES: usize = 4 * 1024 * 1024;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_follow_the_initial_inventory() {
        let limits = |gaps| {
            let l = Config::default().limits(gaps);
            (l.stall_threshold, l.divergence_threshold, l.max_rounds)
        };
        assert_eq!(limits(0), (2, 8, 10));
        assert_eq!(limits(9), (2, 8, 10));
        assert_eq!(limits(10), (3, 12, 10));
        assert_eq!(limits(30), (3, 12, 18));
        assert_eq!(limits(31), (4, 16, 19));
        assert_eq!(limits(900), (4, 16, 50));
    }

    #[test]
    fn values_outside_their_range_are_named() {
        let config = Config {
            gaps_per_round: 0,
            ..Config::default()
        };
        assert_eq!(
            config.check().unwrap_err().to_string(),
            "`gaps_per_round` is 0; it must be from 1 to 10"
        );
    }

    #[test]
    fn every_field_is_listed_as_a_key() {
        let all = Config {
            stall_threshold: Some(1),
            divergence_threshold: Some(1),
            max_rounds: Some(1),
            budget_tokens: Some(1),
            budget_cost: Some(Money(1)),
            budget_time: Some(Span(1)),
            vague_words: Some(Vec::new()),
            ..Config::default()
        };
        let value = serde_json::to_value(all).unwrap();
        for key in value.as_object().unwrap().keys() {
            assert!(Config::KEYS.contains(&key.as_str()), "{key}");
        }
    }
}
