//! What every vendor's format is made of: what is said of an answer, and the frames of a stream.

use serde_json::Value;

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
    /// A whole answer that is the call of a tool.
    fn tool(&mut self, said: &Said, name: &str, arguments: &Value) -> String;
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
