//! Owns what is said of each parameter of a session: its default, what it accepts and what it means, for references and
//! help. Values and ranges are `config.rs`'s; only words are here.

use serde_json::Value;

use crate::config::Config;
use crate::config::Strictness;
use crate::rollback::RollbackMode;

/// A key of the configuration, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    pub key: &'static str,
    pub default: String,
    /// The range or the words that it takes; empty where it is free.
    pub accepts: String,
    pub meaning: &'static str,
}

/// All keys, in the order of [`Config::KEYS`].
pub fn parameters() -> Vec<Parameter> {
    let defaults = serde_json::to_value(Config::default()).unwrap_or_default();
    let parameters = SAID.into_iter().map(|(key, default, meaning)| Parameter {
        key,
        default: match (default, defaults.get(key)) {
            ("", Some(Value::String(word))) => word.clone(),
            ("", Some(value)) => value.to_string(),
            (words, _) => words.to_owned(),
        },
        accepts: accepts(key, defaults.get(key)),
        meaning,
    });
    parameters.collect()
}

/// What the value of a key must be, for messages: the words that it takes, or its kind with its range.
pub fn must_be(key: &str) -> String {
    let defaults = serde_json::to_value(Config::default()).unwrap_or_default();
    match (key, Config::range(key), defaults.get(key)) {
        (_, Some((least, most)), _) => format!("a whole number from {least} to {most}"),
        ("validation", ..) => one_of(&Strictness::ALL.map(Strictness::name)),
        ("rollback_mode", ..) => one_of(&RollbackMode::ALL.map(RollbackMode::name)),
        ("vague_words", ..) => "a list of texts, like [\"as needed\", \"some\"]".to_owned(),
        ("budget_cost", ..) => "an amount of at least 0, like 2.5".to_owned(),
        ("budget_time", ..) => "a length of time, in seconds or like \"2h 30m\"".to_owned(),
        ("budget_tokens", ..) => "a whole number of at least 0, like 200000".to_owned(),
        (_, None, Some(Value::Bool(_))) => "true or false".to_owned(),
        _ => "a whole number".to_owned(),
    }
}

/// Words as they stand in a file, with `or` before the last one: `"tolerant" or "strict"`.
pub fn one_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

fn accepts(key: &str, default: Option<&Value>) -> String {
    match (key, Config::range(key), default) {
        (_, Some((least, most)), _) => format!("{least}–{most}"),
        ("validation", ..) => Strictness::ALL.map(Strictness::name).join(", "),
        ("rollback_mode", ..) => RollbackMode::ALL.map(RollbackMode::name).join(", "),
        (_, None, Some(Value::Bool(_))) => "true, false".to_owned(),
        _ => String::new(),
    }
}

/// Each key with its default in words, where that is no value of its own, and what it means.
const SAID: [(&str, &str, &str); Config::KEYS.len()] = [
    ("gaps_per_round", "", "how many gaps a round takes"),
    (
        "parallel_engineers",
        "",
        "how many Engineer tasks run at once; gaps that depend on or name each other stay together",
    ),
    (
        "validation",
        "",
        "whether accepted variants of the forms are taken (with a warning) or only the canonical ones",
    ),
    (
        "max_retries",
        "",
        "how often an invalid output is asked for again, per task",
    ),
    (
        "stall_threshold",
        "by gaps: under 10: 2, to 30: 3, above: 4",
        "rounds without gain until the divergence warning",
    ),
    (
        "divergence_threshold",
        "by gaps: under 10: 8, to 30: 12, above: 16",
        "weight that one round may lose",
    ),
    (
        "critical_override",
        "",
        "a new CRITICAL gap is a divergence warning whatever else the round did",
    ),
    (
        "max_rounds",
        "max(10, 0.6 × initial gaps), at most `hard_limit`",
        "rounds until you are asked whether to go on",
    ),
    ("hard_limit", "", "rounds that extensions can't go beyond"),
    ("auto_extend", "", "extend by 5 rounds without asking"),
    (
        "rollback_mode",
        "",
        "who decides that a round is undone: you, always; unasked for the first rollback of a round whose Engineer has nothing valid; you, with the cause looked for from the first rollback on",
    ),
    ("max_rollbacks_session", "", "rollbacks of a session"),
    (
        "rollback_analysis_threshold",
        "",
        "from this many rollbacks of a round on, the cause is looked for",
    ),
    (
        "backup_retention_rounds",
        "",
        "how many rounds back a rollback can go, and of how many rounds `backups/` has the documents",
    ),
    (
        "archive_retention_days",
        "",
        "for how many days `gapless archive prune` leaves an archive in cold storage",
    ),
    (
        "idle_timeout_seconds",
        "",
        "how long an agent may be silent (not: `human`)",
    ),
    (
        "hard_timeout_seconds",
        "",
        "how long an agent may run (not: `human`)",
    ),
    (
        "output_limit_bytes",
        "",
        "how much of an agent's output is read",
    ),
    (
        "decision_tokens",
        "",
        "how much of earlier decisions goes into a prompt (estimated, four bytes each)",
    ),
    (
        "spec_tokens",
        "",
        "how much of the spec goes into a prompt (estimated)",
    ),
    (
        "disagree_round_limit",
        "",
        "more DISAGREEs than this in a round block it until you accept a justification",
    ),
    (
        "disagree_round_share",
        "",
        "percent of a round's due CRITICAL and HIGH issues above which DISAGREEs are a warning",
    ),
    (
        "disagree_session_share",
        "",
        "the same over three rounds, as a systematic alert",
    ),
    (
        "unaddressed_high_threshold",
        "",
        "so many HIGH issues passed over in a round are put to you",
    ),
    (
        "unaddressed_critical_threshold",
        "",
        "so many CRITICAL ones; more than that block the round",
    ),
    (
        "pattern_threshold",
        "",
        "the same concern passed over so often is systematic",
    ),
    (
        "semantic_overlap_minimum",
        "",
        "percent of a concern's keywords that a change must share to answer it",
    ),
    (
        "enable_semantic_check",
        "",
        "whether changes are compared with the concern at all",
    ),
    (
        "budget_tokens",
        "none",
        "tokens in and out, of all agents, before the session rests",
    ),
    (
        "budget_cost",
        "none",
        "cost as the agents report it, like `10.0`, before the session rests",
    ),
    (
        "budget_time",
        "none",
        "how long agents may be at work, in seconds or like `\"2h 30m\"`, before the session rests",
    ),
    (
        "retry_example_tokens",
        "",
        "how long the example may be that goes with a retry, in tokens; 0: none",
    ),
    (
        "initial_example_tokens",
        "",
        "how long the example in a first prompt may be, in tokens; 0: none",
    ),
    (
        "vague_words",
        "a built-in list (`gapless init` shows it)",
        "whole words and phrases that count as vague in a proposal; `some`, `may`, `might` and `could` count half; `[]`: none",
    ),
    (
        "vague_per_thousand",
        "",
        "so many of them in a thousand words, and five at least, are the pattern ABSTRACT_OUTPUT ([analysis](analysis.md))",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_said_something_of() {
        assert_eq!(SAID.map(|(key, ..)| key), Config::KEYS);
        for parameter in parameters() {
            assert!(!parameter.default.is_empty(), "{}", parameter.key);
            assert!(!parameter.meaning.is_empty(), "{}", parameter.key);
        }
    }

    #[test]
    fn every_key_has_its_own_kind_and_range_or_its_words() {
        for key in Config::KEYS {
            assert_ne!(must_be(key), "a whole number", "{key} names no range");
        }
        assert_eq!(must_be("max_retries"), "a whole number from 0 to 5");
        assert_eq!(must_be("validation"), "\"tolerant\" or \"strict\"");
        assert_eq!(
            must_be("rollback_mode"),
            "\"interactive\", \"auto_retry\" or \"strict\""
        );
        assert_eq!(must_be("auto_extend"), "true or false");
    }

    #[test]
    fn defaults_and_ranges_are_those_of_the_configuration() {
        let said = |key| {
            let found = parameters().into_iter().find(|it| it.key == key).unwrap();
            (found.default, found.accepts)
        };
        let pair = |default: &str, accepts: &str| (default.to_owned(), accepts.to_owned());
        assert_eq!(said("gaps_per_round"), pair("3", "1–10"));
        assert_eq!(said("validation"), pair("tolerant", "tolerant, strict"));
        assert_eq!(said("auto_extend"), pair("false", "true, false"));
        assert_eq!(said("budget_tokens"), pair("none", ""));
    }
}
