//! The errors that a program reports, in words for people: what happened, in short, and what to do about it.

use gapless_domain::ExecutionError;
use serde_json::Value;

use super::definition::{ErrorRule, LimitRule, WordsRule};
use super::path::at;

/// How much of a program's own words is kept. The advice stands behind them, and a line of the screen is to hold both.
const LONGEST: usize = 240;

/// The program's own words on an error.
fn words_of<'v>(rule: &ErrorRule, value: &'v Value) -> Option<&'v str> {
    let words = at(&rule.at, value).and_then(Value::as_str);
    words.filter(|words| !words.trim().is_empty())
}

/// True where a line only says that there is an error.
pub(super) fn is_wordless(rule: &ErrorRule, value: &Value) -> bool {
    rule.says.is_none() && words_of(rule, value).is_none()
}

/// The error that a rule finds in a line of the program's.
pub(super) fn reported(rule: &ErrorRule, value: &Value) -> ExecutionError {
    let unknown = || "the program reported an error and not what it was".to_owned();
    let said = match &rule.says {
        Some(says) => says.clone(),
        None => words_of(rule, value).map_or_else(unknown, in_short),
    };
    ExecutionError::new(rule.kind, with_hint(said, rule.hint.as_deref()))
}

/// The error of a program that reached a limit with this line.
pub(super) fn over_limit(rule: &LimitRule, value: &Value) -> ExecutionError {
    let why = rule.at.as_ref().and_then(|path| at(path, value)?.as_str());
    let message = match why {
        Some(why) => format!("{}: {}", rule.says, in_short(why)),
        None => rule.says.clone(),
    };
    ExecutionError::new(rule.kind, message)
}

/// The error that a rule finds in what a program said besides its format.
pub(super) fn in_words(rules: &[WordsRule], words: &[&str]) -> Option<ExecutionError> {
    let is_said = |rule: &&WordsRule| words.iter().any(|words| words.contains(&rule.has));
    let rule = rules.iter().find(is_said)?;
    let message = with_hint(rule.says.clone(), rule.hint.as_deref());
    Some(ExecutionError::new(rule.kind, message))
}

fn with_hint(said: String, hint: Option<&str>) -> String {
    match hint {
        Some(hint) => format!("{said}; {hint}"),
        None => said,
    }
}

/// An error's message without the JSON around it and without what comes behind its first line.
fn in_short(text: &str) -> String {
    let text = text.trim();
    let inner = inner_message(text);
    let text = inner.as_deref().unwrap_or(text).trim();
    let line = text.lines().next().unwrap_or_default().trim();
    let within = line.strip_prefix("[API Error: ");
    let line = within.map_or(line, |line| line.trim_end_matches(']'));
    let line = line.trim_end_matches(['.', ':', ';', ' ']);
    match line.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", line[..cut].trim_end()),
        None => line.to_owned(),
    }
}

/// The message in a provider's answer, where the text is one or has one in it.
fn inner_message(text: &str) -> Option<String> {
    let start = text.find('{')?;
    let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
    let value = values.next()?.ok()?;
    let paths = ["error.message", "message", "error"];
    let mut found = paths.iter().filter_map(|path| at(path, &value)?.as_str());
    let message = found.find(|message| !message.trim().is_empty())?;
    // Some put an answer into an answer.
    Some(inner_message(message).unwrap_or_else(|| message.to_owned()))
}

#[cfg(test)]
mod tests;
