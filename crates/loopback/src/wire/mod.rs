//! Owns the vendors' wire formats as a server writes them: what stands before a text, each piece of it, what stands after
//! it, the same in one document, and errors.

mod anthropic;
mod gemini;
mod ollama;
mod openai_chat;
mod openai_responses;

use serde_json::Value;

use crate::recorded::{Api, Recorded};
use crate::reply::Tokens;

/// What is said of an answer beside its text.
pub(crate) struct Said {
    pub(crate) model: String,
    pub(crate) tokens: Option<Tokens>,
    pub(crate) stop_reason: Option<String>,
    /// OpenAI's chat tells its usage only where it is asked to.
    pub(crate) asked_for_usage: bool,
}

impl Said {
    fn stop<'a>(&'a self, usual: &'a str) -> &'a str {
        self.stop_reason.as_deref().unwrap_or(usual)
    }
}

/// One vendor's format. Frames are bytes of the stream as they are, with their own ends.
pub(crate) trait Wire: Send {
    fn content_type(&self) -> &'static str {
        "text/event-stream; charset=utf-8"
    }
    fn head(&mut self, said: &Said) -> String;
    fn piece(&mut self, said: &Said, text: &str) -> String;
    fn tail(&mut self, said: &Said, text: &str) -> String;
    fn whole(&mut self, said: &Said, text: &str) -> Value;
    fn error(&self, status: u16, code: Option<&str>, message: &str) -> Value;
    /// An error in a stream that has begun.
    fn error_frame(&mut self, status: u16, code: Option<&str>, message: &str) -> String {
        data(&self.error(status, code, message))
    }
}

pub(crate) fn wire_for(api: Api, request: &Recorded) -> Box<dyn Wire> {
    match api {
        Api::AnthropicMessages => Box::new(anthropic::Anthropic),
        Api::OpenAiChat => Box::new(openai_chat::OpenAiChat),
        Api::OpenAiResponses => Box::new(openai_responses::OpenAiResponses::default()),
        Api::Gemini => {
            let as_events = request.query.split('&').any(|part| part == "alt=sse");
            Box::new(gemini::Gemini::new(as_events))
        }
        Api::Ollama => Box::new(ollama::Ollama),
    }
}

fn event(name: &str, value: &Value) -> String {
    format!("event: {name}\ndata: {value}\n\n")
}

fn data(value: &Value) -> String {
    format!("data: {value}\n\n")
}
