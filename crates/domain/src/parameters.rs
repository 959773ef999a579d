//! What is said of each key of the configuration: its default, what it accepts and what it means, for references, help and
//! messages.

use serde_json::Value;

use crate::Config;
use crate::setting::{Accepts, Key};

/// A key of the configuration, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    pub key: &'static str,
    pub default: String,
    /// The range or the words that it takes; empty where it is free.
    pub accepts: String,
    pub meaning: &'static str,
}

/// All keys, in their order.
pub fn parameters() -> Vec<Parameter> {
    let defaults = serde_json::to_value(Config::default()).unwrap_or_default();
    let parameters = Config::DEFINITIONS.into_iter().map(|key| Parameter {
        key: key.name,
        default: match (key.default, &defaults[key.name]) {
            (Some(words), _) => words.to_owned(),
            (None, Value::String(word)) => word.clone(),
            (None, value) => value.to_string(),
        },
        accepts: accepts(&key),
        meaning: key.meaning,
    });
    parameters.collect()
}

fn accepts(key: &Key) -> String {
    match (key.range, key.accepts) {
        (Some((least, most)), _) => format!("{least}–{most}"),
        (None, Accepts::OneOf(words)) => words.join(", "),
        (None, Accepts::Switch) => "true, false".to_owned(),
        (None, Accepts::Number | Accepts::Texts | Accepts::Money | Accepts::Span) => String::new(),
    }
}

/// What a key takes; of a name that is no key's, any number.
pub fn accepted_by(name: &str) -> (Accepts, Option<(u64, u64)>) {
    let mut keys = Config::DEFINITIONS.into_iter();
    let key = keys.find(|key| key.name == name);
    key.map_or((Accepts::Number, None), |key| (key.accepts, key.range))
}

/// What the value of a key must be, for messages: the words that it takes, or its kind with its range.
pub fn must_be(name: &str) -> String {
    match accepted_by(name) {
        (_, Some((least, most))) => format!("a whole number from {least} to {most}"),
        (Accepts::Number, None) => "a whole number of at least 0, like 200000".to_owned(),
        (Accepts::Switch, None) => "true or false".to_owned(),
        (Accepts::OneOf(words), None) => one_of(words),
        (Accepts::Texts, None) => "a list of texts, like [\"as needed\", \"some\"]".to_owned(),
        (Accepts::Money, None) => "an amount of at least 0, like 2.5".to_owned(),
        (Accepts::Span, None) => "a length of time, in seconds or like \"2h 30m\"".to_owned(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_default_and_a_meaning() {
        for parameter in parameters() {
            assert!(!["", "null"].contains(&parameter.default.as_str()));
            assert!(!parameter.meaning.is_empty(), "{}", parameter.key);
        }
    }

    #[test]
    fn a_key_has_its_own_kind_and_range_or_its_words() {
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
