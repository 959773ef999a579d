//! The reading of a program's stdout by the rules of its preset, as it comes: only what a rule wants is kept, so that a
//! program that says a lot is no trouble and one that floods is none either.

use gapless_domain::{ExecutionError, Usage, one_line};
use serde_json::Value;

use super::definition::{
    EndReason, EndRule, ErrorRule, Join, LogRule, OutputForm, OutputRules, TextRule, UsageRule,
    When,
};
use super::errors::{is_wordless, over_limit, reported};
use super::messages::Messages;
use super::path::at;
use crate::LimitedBytes;
use crate::subprocess::{Listener, matches, without_controls};

/// JSON writes a character in up to six, and there is more in a line than the document.
const ESCAPED: u64 = 6;
const AROUND: u64 = 256 * 1024;
/// How much of what no rule could read is kept for an error's message.
const REMEMBERED: usize = 600;
/// How much is repeated of why a model would not go on.
const LONGEST_REASON: usize = 200;

/// What was read of a run so far.
pub(super) struct Reader<'a> {
    rules: &'a OutputRules,
    line: Vec<u8>,
    longest_line: usize,
    /// The line under way is longer than any that counts.
    overlong: bool,
    /// The last words that were no JSON.
    unread: Vec<u8>,
    /// How often each limit's lines came.
    limited: Vec<u32>,
    must_end: Option<ExecutionError>,
    messages: Messages,
    /// A line said why the model stopped.
    was_told_why: bool,
    read: Read,
}

/// What a run came to by its own words.
#[derive(Default)]
pub(super) struct Read {
    /// The last message, and those before it.
    pub(super) text: Option<LimitedBytes>,
    pub(super) earlier: Vec<String>,
    /// The last message was cut at a limit of the model's.
    pub(super) is_cut: bool,
    /// Why the model would not go on.
    pub(super) refusal: Option<String>,
    /// The error that counts, and one that may have been got over.
    pub(super) error: Option<ExecutionError>,
    pub(super) passing: Option<ExecutionError>,
    pub(super) usage: Usage,
    /// The last words that no rule could read.
    pub(super) unread: String,
    /// Something was as the rules want it.
    pub(super) read_any: bool,
}

impl Read {
    /// Takes from a program's log why its model stopped. A log that breaks off says what its whole values say.
    pub(super) fn hear_log(&mut self, rule: &LogRule, log: &str) {
        let values = serde_json::Deserializer::from_str(log).into_iter::<Value>();
        let reasons = values.map_while(Result::ok).filter_map(|value| {
            let said = at(&rule.at, &value)?;
            // A list has one for each piece of the answer.
            let last = said.as_array().map_or(Some(said), |list| list.last())?;
            Some(last.as_str()?.to_owned())
        });
        let Some(reason) = reasons.last() else {
            return;
        };
        if rule.cut.contains(&reason) {
            self.is_cut = true;
        }
        if rule.refusal.contains(&reason) && self.refusal.is_none() {
            self.refusal = Some(in_short(&reason));
        }
    }
}

/// Why a model would not go on, in one line.
fn in_short(why: &str) -> String {
    one_line(why).chars().take(LONGEST_REASON).collect()
}

impl<'a> Reader<'a> {
    pub(super) fn new(rules: &'a OutputRules, limit: u64) -> Self {
        let longest = limit.saturating_mul(ESCAPED).saturating_add(AROUND);
        Self {
            rules,
            line: Vec::new(),
            longest_line: usize::try_from(longest).unwrap_or(usize::MAX),
            overlong: false,
            unread: Vec::new(),
            limited: vec![0; rules.limits.len()],
            must_end: None,
            messages: Messages::new(limit),
            was_told_why: false,
            read: Read::default(),
        }
    }

    pub(super) fn finish(mut self) -> Read {
        if self.rules.form != OutputForm::Text {
            self.end_line();
        }
        let unread = String::from_utf8_lossy(&self.unread);
        let said = self.messages.finish();
        Read {
            text: said.last,
            earlier: said.earlier,
            is_cut: said.is_cut,
            unread: without_controls(unread.trim()),
            ..self.read
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.overlong) || line.trim_ascii().is_empty() {
            return;
        }
        match serde_json::from_slice::<Value>(&line) {
            Ok(value) if value.is_object() => {
                self.read.read_any = true;
                self.take(&value);
            }
            _ => self.remember(&line),
        }
    }

    fn remember(&mut self, line: &[u8]) {
        self.unread.extend_from_slice(line);
        self.unread.push(b'\n');
        let surplus = self.unread.len().saturating_sub(REMEMBERED);
        self.unread.drain(..surplus);
    }

    fn take(&mut self, value: &Value) {
        let rules = self.rules;
        if rules
            .restart
            .as_slice()
            .iter()
            .any(|when| fits(when, value))
        {
            self.messages.end_message();
        }
        for rule in rules.text.iter().filter(|rule| fits(&rule.when, value)) {
            self.take_texts(rule, value);
        }
        if let Some(rule) = rules.end.iter().find(|rule| fits(&rule.when, value)) {
            self.take_end(rule, value);
        } else if let Some(rule) = rules.error.iter().find(|rule| fits(&rule.when, value)) {
            self.take_error(rule, value);
        }
        self.count(value);
        for rule in rules.usage.iter().filter(|rule| fits(&rule.when, value)) {
            self.read.usage.add(&used(rule, value));
        }
    }

    fn take_texts(&mut self, rule: &TextRule, value: &Value) {
        if !rule.unless.is_empty() && fits(&rule.unless, value) {
            return;
        }
        let parts = match &rule.each {
            None => vec![value],
            Some(path) => {
                let parts = at(path, value).and_then(Value::as_array);
                let parts = parts.into_iter().flatten();
                parts.filter(|part| fits(&rule.each_when, part)).collect()
            }
        };
        let texts = parts.into_iter().filter_map(|part| at(&rule.at, part));
        let texts: Vec<&str> = texts.filter_map(Value::as_str).collect();
        let known = rule.repeats && texts.iter().all(|text| self.messages.ends_with(text));
        if texts.is_empty() || known {
            return;
        }
        // Whoever goes on has not refused.
        self.read.refusal = None;
        match (rule.join, &rule.message) {
            (Join::Last, _) => self.messages.begin_message(None),
            (_, Some(path)) => {
                let id = at(path, value).and_then(Value::as_str);
                self.messages.begin_message(id);
            }
            (_, None) => {}
        }
        for text in texts {
            match rule.join {
                Join::Blocks => self.messages.block(text),
                Join::All | Join::Last => self.messages.piece(text.as_bytes()),
            }
        }
    }

    fn take_end(&mut self, rule: &EndRule, value: &Value) {
        self.was_told_why = true;
        match rule.end {
            EndReason::Cut => self.messages.cut(),
            EndReason::Refusal => {
                let why = rule.at.as_ref().and_then(|path| at(path, value));
                let why = why.and_then(Value::as_str).unwrap_or("refusal");
                self.read.refusal = Some(in_short(why));
            }
        }
    }

    /// Counts what may not come without an end.
    fn count(&mut self, value: &Value) {
        for (rule, seen) in self.rules.limits.iter().zip(&mut self.limited) {
            if fits(&rule.when, value) {
                *seen = seen.saturating_add(1);
                if *seen > rule.most && self.must_end.is_none() {
                    self.must_end = Some(over_limit(rule, value));
                }
            }
        }
    }

    fn take_error(&mut self, rule: &ErrorRule, value: &Value) {
        let error = reported(rule, value);
        if rule.passing {
            self.read.passing = Some(error);
        } else if !is_wordless(rule, value) {
            self.read.error = Some(error);
        } else if !self.was_told_why {
            // The words came in a line before.
            self.read.error = Some(self.read.passing.take().unwrap_or(error));
        }
    }
}

impl Listener for Reader<'_> {
    fn must_end(&self) -> Option<ExecutionError> {
        self.must_end.clone()
    }

    fn hear(&mut self, chunk: &[u8]) {
        match self.rules.form {
            OutputForm::Text => {
                self.read.read_any = true;
                self.messages.piece(chunk);
            }
            OutputForm::Json => self.extend(chunk),
            OutputForm::JsonLines => {
                let mut parts = chunk.split(|byte| *byte == b'\n');
                if let Some(first) = parts.next() {
                    self.extend(first);
                }
                for part in parts {
                    self.end_line();
                    self.extend(part);
                }
            }
        }
    }
}

impl Reader<'_> {
    fn extend(&mut self, part: &[u8]) {
        if self.overlong || self.line.len() + part.len() > self.longest_line {
            self.overlong = true;
            self.line = Vec::new();
            return;
        }
        self.line.extend_from_slice(part);
    }
}

fn fits(when: &When, value: &Value) -> bool {
    when.iter()
        .all(|(path, wanted)| match (at(path, value), wanted) {
            (Some(Value::String(found)), Value::String(pattern)) => matches(pattern, found),
            (Some(found), wanted) => found == wanted,
            (None, _) => false,
        })
}

/// The numbers at a path, where a key `*` stands for every key.
fn numbers(path: &str, value: &Value) -> Option<f64> {
    let Some((before, after)) = path.split_once("*.") else {
        return at(path, value)?.as_f64();
    };
    let inside = match before.strip_suffix('.') {
        Some(before) => at(before, value)?,
        None => value,
    };
    let found = inside.as_object()?.values();
    let found: Vec<f64> = found.filter_map(|value| numbers(after, value)).collect();
    (!found.is_empty()).then(|| found.iter().sum())
}

fn used(rule: &UsageRule, value: &Value) -> Usage {
    // Counts of hostile size become large ones and no panic: `as` saturates.
    let count = |paths: &[String]| {
        let found: Vec<u64> = paths
            .iter()
            .filter_map(|path| Some(numbers(path, value)?.max(0.0) as u64))
            .collect();
        (!found.is_empty()).then(|| found.iter().fold(0u64, |sum, n| sum.saturating_add(*n)))
    };
    let input_tokens = count(&rule.input);
    let mut output_tokens = count(&rule.output);
    let total = rule.total.as_ref().and_then(|path| numbers(path, value));
    if let (Some(total), Some(input), Some(output)) = (total, input_tokens, output_tokens) {
        output_tokens = Some(output.max((total.max(0.0) as u64).saturating_sub(input)));
    }
    let cost = rule.cost.as_ref().and_then(|path| numbers(path, value));
    Usage {
        input_tokens,
        output_tokens,
        cached_tokens: count(&rule.cached),
        cost_micros: cost.map(|cost| (cost.max(0.0) * 1_000_000.0).round() as u64),
        ..Usage::default()
    }
}

#[cfg(test)]
mod tests;
