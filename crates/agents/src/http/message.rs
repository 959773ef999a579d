//! What goes to a model and what comes back, whatever the vendor's format: the request, and what was read of an answer
//! so far.

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Number, Value};

use super::secret::Secret;
use crate::LimitedBytes;

/// What every model is told beside the prompt: its answer is the document, since it has neither tools nor files.
pub(super) const SYSTEM: &str = "Your answer is the document: answer with one markdown document and nothing before or after it. You \
    have no tools and no files, so you can't read, write or save anything. Where the task names a file to write, its content is your \
    answer; where it names a file to read, everything you need is in the task itself.";

/// How much of a refusal's own words is kept.
const LONGEST_REFUSAL: usize = 600;

/// What is asked of a model.
pub(super) struct Ask<'a> {
    pub(super) base: &'a Url,
    pub(super) model: &'a str,
    pub(super) prompt: &'a str,
    pub(super) key: Option<&'a Secret>,
    pub(super) temperature: Option<&'a Number>,
    pub(super) max_output_tokens: Option<u32>,
    /// It is the vendor's own service, not one that is only compatible with it.
    pub(super) is_vendor: bool,
}

/// A request that is ready to be sent.
pub(super) struct Posting {
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Value,
}

impl Ask<'_> {
    pub(super) fn post(&self, path: &[&str], body: Value) -> Posting {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path);
        }
        Posting {
            url,
            headers: HeaderMap::new(),
            body,
        }
    }

    pub(super) fn bearer(&self) -> Option<(HeaderName, String)> {
        let key = self.key?.reveal();
        Some((reqwest::header::AUTHORIZATION, format!("Bearer {key}")))
    }
}

impl Posting {
    /// Adds a header that no debug output shows; a key that no header can hold is left out, and refused by the provider.
    pub(super) fn with_secret(mut self, header: Option<(HeaderName, String)>) -> Self {
        if let Some((name, value)) = header
            && let Ok(mut value) = HeaderValue::from_str(&value)
        {
            value.set_sensitive(true);
            self.headers.insert(name, value);
        }
        self
    }
}

/// Why a model stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stop {
    End,
    /// At the most tokens that it may write.
    Length,
    /// It, or a filter of its provider, would not go on.
    Declined(String),
}

/// Tokens as the provider tells them; those that went in with those that were cached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Told {
    pub(super) input: Option<u64>,
    pub(super) cached: Option<u64>,
    pub(super) output: Option<u64>,
}

/// An error as a provider tells it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Fault {
    pub(super) code: String,
    /// The reason in its details, where it has some.
    pub(super) reason: String,
    pub(super) message: String,
    pub(super) retry_after_millis: Option<u64>,
}

/// What was read of an answer so far.
#[derive(Default)]
pub(super) struct Heard {
    pub(super) text: LimitedBytes,
    /// Tokens of the text, by its shape.
    pub(super) estimate: u64,
    /// What the model, or the provider's filter, says on why it does not answer.
    pub(super) refusal: String,
    pub(super) told: Told,
    pub(super) stop: Option<Stop>,
    /// The answer says itself that it is over.
    pub(super) over: bool,
    /// Nothing comes after what was read.
    pub(super) closed: bool,
    pub(super) fault: Option<Fault>,
}

impl Heard {
    pub(super) fn new(limit: u64) -> Self {
        Self {
            text: LimitedBytes::new(limit),
            ..Self::default()
        }
    }

    pub(super) fn text(&mut self, text: &Value) {
        if let Some(text) = text.as_str() {
            self.text.push(text.as_bytes());
            self.estimate += gapless_tokens::estimate(text) as u64;
        }
    }

    /// Takes words on why there is no answer; they are no part of the document.
    pub(super) fn refuse(&mut self, words: &Value) {
        let Some(words) = words.as_str() else { return };
        self.estimate += gapless_tokens::estimate(words) as u64;
        let room = LONGEST_REFUSAL.saturating_sub(self.refusal.chars().count());
        self.refusal.extend(words.chars().take(room));
    }

    /// Takes the vendor's word for why the model stopped. Where it refused in words, an ordinary end is none.
    pub(super) fn stop(&mut self, reason: &str) {
        self.stop = Some(match reason {
            "end_turn" | "stop_sequence" | "stop" | "STOP" | "completed" | "eos_token" => {
                match self.refusal.trim().is_empty() {
                    true => Stop::End,
                    false => Stop::Declined("refusal".to_owned()),
                }
            }
            "max_tokens"
            | "length"
            | "MAX_TOKENS"
            | "max_output_tokens"
            | "model_length"
            | "model_context_window_exceeded" => Stop::Length,
            other => Stop::Declined(other.to_owned()),
        });
    }

    pub(super) fn fail(&mut self, error: &Value) {
        self.fault = Some(Fault::of(error));
    }
}

impl Fault {
    /// Reads an error in any of the vendors' shapes: with or without an `error` around it, an object or a text.
    pub(super) fn of(value: &Value) -> Self {
        // Gemini sends its errors in an array where it answers with one.
        let value = value.get(0).unwrap_or(value);
        let error = value.get("error").unwrap_or(value);
        let text = |key: &str| error[key].as_str().filter(|text| !text.is_empty());
        let code = ["code", "status", "type"].into_iter().find_map(text);
        let message = error.as_str().or_else(|| text("message"));
        let mut details = error["details"].as_array().into_iter().flatten();
        let reason = details.find_map(|detail| detail["reason"].as_str());
        Self {
            reason: reason.unwrap_or("").to_owned(),
            code: code.unwrap_or("").to_owned(),
            message: message.unwrap_or("").to_owned(),
            retry_after_millis: retry_delay(error),
        }
    }
}

/// Gemini's `"retryDelay": "34.5s"` in the details of an error.
fn retry_delay(error: &Value) -> Option<u64> {
    let details = error["details"].as_array()?;
    let delay = details.iter().find_map(|d| d["retryDelay"].as_str())?;
    seconds_to_millis(delay.strip_suffix('s')?)
}

/// A number of seconds in milliseconds.
pub(super) fn seconds_to_millis(text: &str) -> Option<u64> {
    let seconds: f64 = text.trim().parse().ok()?;
    whole_millis(seconds * 1000.0)
}

pub(super) fn whole_millis(millis: f64) -> Option<u64> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    (millis.is_finite() && millis >= 0.0).then(|| millis.ceil() as u64)
}
