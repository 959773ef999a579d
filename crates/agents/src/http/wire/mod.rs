//! Owns the vendors' wire formats as a client sees them: a file each for what is asked, and for what is read of the
//! documents that an answer is made of.

mod anthropic;
mod gemini;
mod ollama;
mod openai_chat;
mod openai_responses;

use std::str::FromStr;

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Number, Value};

use super::lines::Framing;
use super::secret::Secret;
use crate::document::LimitedBytes;

/// What every model is told beside the prompt: it has none of the files that prompts speak of.
const SYSTEM: &str = "You answer with one markdown document and nothing else. You have no files and no tools: where the \
    task speaks of a file beside you, go by what stands in the task itself, and where it names a file to write, answer \
    with the document.";

/// A provider's wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Anthropic,
    OpenAiChat,
    OpenAiResponses,
    Gemini,
    Ollama,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no style")]
pub struct UnknownStyle(String);

impl Style {
    pub const ALL: [Style; 5] = [
        Style::Anthropic,
        Style::OpenAiChat,
        Style::OpenAiResponses,
        Style::Gemini,
        Style::Ollama,
    ];

    /// How it is written in gapless.toml.
    pub fn name(self) -> &'static str {
        match self {
            Style::Anthropic => "anthropic",
            Style::OpenAiChat => "openai-chat",
            Style::OpenAiResponses => "openai-responses",
            Style::Gemini => "gemini",
            Style::Ollama => "ollama",
        }
    }
}

impl FromStr for Style {
    type Err = UnknownStyle;

    fn from_str(text: &str) -> Result<Self, UnknownStyle> {
        let mut styles = Style::ALL.into_iter();
        let found = styles.find(|style| style.name() == text);
        found.ok_or_else(|| UnknownStyle(text.to_owned()))
    }
}

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
    fn post(&self, path: &[&str], body: Value) -> Posting {
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

    fn bearer(&self) -> Option<(HeaderName, String)> {
        let key = self.key?;
        Some((
            reqwest::header::AUTHORIZATION,
            format!("Bearer {}", key.reveal()),
        ))
    }
}

impl Posting {
    /// Adds a header that no debug output shows; a key that no header can hold is left out, and refused by the provider.
    fn with_secret(mut self, header: Option<(HeaderName, String)>) -> Self {
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
    pub(super) message: String,
    pub(super) retry_after_millis: Option<u64>,
}

/// What was read of an answer so far.
pub(super) struct Heard {
    pub(super) text: LimitedBytes,
    /// Tokens of the text, by its shape.
    pub(super) estimate: u64,
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
            estimate: 0,
            told: Told::default(),
            stop: None,
            over: false,
            closed: false,
            fault: None,
        }
    }

    fn text(&mut self, text: &Value) {
        if let Some(text) = text.as_str() {
            self.text.push(text.as_bytes());
            self.estimate += gapless_tokens::estimate(text) as u64;
        }
    }

    fn stop(&mut self, reason: &str) {
        self.stop = Some(match reason {
            "end_turn" | "stop_sequence" | "stop" | "STOP" | "completed" => Stop::End,
            "max_tokens"
            | "length"
            | "MAX_TOKENS"
            | "max_output_tokens"
            | "model_context_window_exceeded" => Stop::Length,
            other => Stop::Declined(other.to_owned()),
        });
    }

    fn fail(&mut self, error: &Value) {
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
        Self {
            code: code.unwrap_or("").to_owned(),
            message: error
                .as_str()
                .or_else(|| text("message"))
                .unwrap_or("")
                .to_owned(),
            retry_after_millis: retry_delay(error),
        }
    }
}

/// Gemini's `"retryDelay": "34.5s"` in the details of an error.
fn retry_delay(error: &Value) -> Option<u64> {
    let details = error["details"].as_array()?;
    let delay = details.iter().find_map(|d| d["retryDelay"].as_str())?;
    super::failure::seconds_to_millis(delay.strip_suffix('s')?)
}

impl Style {
    pub(super) fn framing(self) -> Framing {
        match self {
            Style::Ollama => Framing::Lines,
            _ => Framing::Events,
        }
    }

    pub(super) fn post(self, ask: &Ask<'_>) -> Posting {
        match self {
            Style::Anthropic => anthropic::post(ask),
            Style::OpenAiChat => openai_chat::post(ask),
            Style::OpenAiResponses => openai_responses::post(ask),
            Style::Gemini => gemini::post(ask),
            Style::Ollama => ollama::post(ask),
        }
    }

    /// Reads one document of an answer.
    pub(super) fn read(self, document: &Value, heard: &mut Heard) {
        match self {
            Style::Anthropic => anthropic::read(document, heard),
            Style::OpenAiChat => openai_chat::read(document, heard),
            Style::OpenAiResponses => openai_responses::read(document, heard),
            Style::Gemini => gemini::read(document, heard),
            Style::Ollama => ollama::read(document, heard),
        }
        // A chat tells its usage after its end.
        heard.closed |= heard.over && self != Style::OpenAiChat;
    }
}
