//! The configuration of a session. Each key has one entry, with its type, default, range and meaning: its field, its checks,
//! its help and its line in docs/reference.md come from there, and all keys are in the log. Where a default depends on the
//! inventory, it is computed once discovery is over, and logged.

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::VariantNames;

use crate::setting::{Accepts, Key, OutOfRange, Value, keys, optional};
use crate::words::phrases;
use crate::{Money, RollbackMode, Span, named};

/// How strictly documents are read: the canonical forms only, or their accepted variants too, each with a warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::IntoStaticStr, strum::VariantNames, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Strictness {
    #[default]
    Tolerant,
    Strict,
}

named!(Strictness);

impl Value for Strictness {
    const ACCEPTS: Accepts = Accepts::OneOf(Strictness::VARIANTS);
}

const VAGUE_WORDS: &str = include_str!("words/vague_words.txt");

/// The vague words that hold where the user names no others.
pub fn default_vague_words() -> Vec<String> {
    phrases(VAGUE_WORDS).map(str::to_owned).collect()
}

keys! {
    gaps_per_round: u32 = 3, in 1..=10
        => "how many gaps a round takes";
    parallel_engineers: u32 = 1, in 1..=4
        => "how many Engineer tasks run at once; gaps that depend on or name each other stay together";
    validation: Strictness = Strictness::Tolerant
        => "whether accepted variants of the forms are taken (with a warning) or only the canonical ones";
    max_retries: u32 = 2, in 0..=5
        => "how often an invalid output is asked for again, per task";
    stall_threshold: Option<u32> = None, in 1..=9999, said "by gaps: under 10: 2, to 30: 3, above: 4"
        => "rounds without gain until the divergence warning";
    divergence_threshold: Option<u32> = None, in 1..=9999, said "by gaps: under 10: 8, to 30: 12, above: 16"
        => "weight that one round may lose";
    critical_override: bool = true
        => "a new CRITICAL gap is a divergence warning whatever else the round did";
    max_rounds: Option<u32> = None, in 1..=9999, said "max(10, 0.6 × initial gaps), at most `hard_limit`"
        => "rounds until you are asked whether to go on";
    hard_limit: u32 = 50, in 1..=9999
        => "rounds that extensions can't go beyond";
    auto_extend: bool = false
        => "extend by 5 rounds without asking";
    rollback_mode: RollbackMode = RollbackMode::Interactive
        => "who decides that a round is undone: you, always; unasked for the first rollback of a round whose Engineer has nothing valid; you, with the cause looked for from the first rollback on";
    max_rollbacks_session: u32 = 7, in 0..=10
        => "rollbacks of a session";
    rollback_analysis_threshold: u32 = 2, in 1..=10
        => "from this many rollbacks of a round on, the cause is looked for";
    backup_retention_rounds: u32 = 3, in 1..=5
        => "how many rounds back a rollback can go, and of how many rounds `backups/` has the documents";
    archive_retention_days: u32 = 30, in 0..=36_500
        => "for how many days `gapless archive prune` leaves an archive in cold storage";
    idle_timeout_seconds: u64 = 300, in 1..=86_400
        => "how long an agent may be silent (not: `human`)";
    hard_timeout_seconds: u64 = 1800, in 1..=86_400
        => "how long an agent may run (not: `human`)";
    output_limit_bytes: u64 = 4 * 1024 * 1024, in 1024..=1_073_741_824
        => "how much of an agent's output is read";
    decision_tokens: u32 = 1500, in 100..=100_000
        => "how much of earlier decisions goes into a prompt (estimated, four bytes each)";
    spec_tokens: Option<u32> = None, in 100..=1_000_000, said "a quarter of the agent's context, at most 24000; 6000 where that is not known"
        => "how much of the spec goes into a prompt (estimated); a longer one is shown by the sections that matter";
    disagree_round_limit: u32 = 5, in 1..=1000
        => "more DISAGREEs than this in a round block it until you accept a justification";
    disagree_round_share: u32 = 50, in 1..=100
        => "percent of a round's due CRITICAL and HIGH issues above which DISAGREEs are a warning";
    disagree_session_share: u32 = 40, in 1..=100
        => "the same over three rounds, as a systematic alert";
    unaddressed_high_threshold: u32 = 2, in 1..=1000
        => "so many HIGH issues passed over in a round are put to you";
    unaddressed_critical_threshold: u32 = 1, in 1..=1000
        => "so many CRITICAL ones; more than that block the round";
    pattern_threshold: u32 = 3, in 2..=1000
        => "the same concern passed over so often is systematic";
    semantic_overlap_minimum: u32 = 30, in 1..=100
        => "percent of a concern's keywords that a change must share to answer it";
    enable_semantic_check: bool = true
        => "whether changes are compared with the concern at all";
    budget_tokens: Option<u64> = None, said "none"
        => "tokens in and out, of all agents, before the session rests";
    budget_cost: Option<Money> = None, said "none"
        => "cost as the agents report it, like `10.0`, before the session rests";
    budget_time: Option<Span> = None, said "none"
        => "how long agents may be at work, in seconds or like `\"2h 30m\"`, before the session rests";
    retry_example_tokens: u32 = 2000, in 0..=20_000
        => "how long the example may be that goes with a retry, in tokens; 0: none";
    initial_example_tokens: u32 = 1000, in 0..=20_000
        => "how long the example in a first prompt may be, in tokens; 0: none";
    vague_words: Option<Vec<String>> = None, said "a built-in list (`gapless init` shows it)"
        => "whole words and phrases that count as vague in a proposal; `some`, `may`, `might` and `could` count half; `[]`: none";
    vague_per_thousand: u32 = 8, in 1..=1000
        => "so many of them in a thousand words, and five at least, are the pattern ABSTRACT_OUTPUT ([analysis](analysis.md))";
}

impl Config {
    /// The vague words that hold: the user's, else the built-in ones.
    pub fn vague_words(&self) -> Vec<String> {
        let own = self.vague_words.clone();
        own.unwrap_or_else(default_vague_words)
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

/// A policy goes on for so many times `stall_threshold` rounds in a row without gain, and no longer.
pub const STALLS_BY_POLICY: u32 = 2;

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
}
