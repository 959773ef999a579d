//! What every vendor's format is made of: what is said of an answer, and the frames of a stream.

use serde_json::Value;

use crate::reply::{Part, Tokens};

/// What is said of an answer beside its text.
pub(crate) struct Said {
    /// The request's number, from 1.
    pub(crate) number: usize,
    pub(crate) model: String,
    pub(crate) tokens: Option<Tokens>,
    pub(crate) stop_reason: Option<String>,
    /// OpenAI's chat tells its usage only where it is asked to.
    pub(crate) asked_for_usage: bool,
}

impl Said {
    /// Why an answer of these parts stopped.
    pub(super) fn stop_of<'a>(
        &'a self,
        parts: &[Part],
        usual: &'a str,
        called: &'a str,
    ) -> &'a str {
        let calls = parts.iter().any(|part| matches!(part, Part::Tool { .. }));
        self.stop(if calls { called } else { usual })
    }

    pub(super) fn stop<'a>(&'a self, usual: &'a str) -> &'a str {
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
    /// A whole answer of several parts.
    fn parts(&mut self, said: &Said, parts: &[Part]) -> String;
    fn error(&self, status: u16, code: Option<&str>, message: &str) -> Value;
    /// An error in a stream that has begun.
    fn error_frame(&mut self, status: u16, code: Option<&str>, message: &str) -> String {
        data(&self.error(status, code, message))
    }
}

pub(super) fn event(name: &str, value: &Value) -> String {
    format!("event: {name}\ndata: {value}\n\n")
}

pub(super) fn data(value: &Value) -> String {
    format!("data: {value}\n\n")
}
