//! The format of Gemini's generateContent: events where `alt=sse` asks for them, else one array.

use serde_json::{Value, json};

use super::format::{Said, Wire, data};
use crate::reply::Part;

pub(super) struct Gemini {
    as_events: bool,
    begun: bool,
}

impl Gemini {
    pub(super) fn new(as_events: bool) -> Self {
        Self {
            as_events,
            begun: false,
        }
    }

    fn framed(&mut self, value: &Value) -> String {
        if self.as_events {
            return data(value);
        }
        let opening = if self.begun { ",\n" } else { "[" };
        self.begun = true;
        format!("{opening}{value}")
    }
}

fn response(said: &Said, text: &str, finish: Option<&str>) -> Value {
    let mut candidate = json!({
        "content": {"parts": [{"text": text}], "role": "model"},
        "index": 0,
    });
    if let Some(finish) = finish {
        candidate["finishReason"] = finish.into();
    }
    let mut response = json!({
        "candidates": [candidate],
        "modelVersion": said.model,
        "responseId": "loopback",
    });
    if let (Some(tokens), Some(_)) = (said.tokens, finish) {
        response["usageMetadata"] = json!({
            "promptTokenCount": tokens.input,
            "cachedContentTokenCount": tokens.cached,
            "candidatesTokenCount": tokens.output,
            "totalTokenCount": tokens.input + tokens.output,
        });
    }
    response
}

impl Wire for Gemini {
    fn content_type(&self) -> &'static str {
        match self.as_events {
            true => "text/event-stream",
            false => "application/json; charset=UTF-8",
        }
    }

    fn head(&mut self, _said: &Said) -> String {
        String::new()
    }

    fn piece(&mut self, said: &Said, text: &str) -> String {
        let response = response(said, text, None);
        self.framed(&response)
    }

    fn tail(&mut self, said: &Said, _text: &str) -> String {
        let response = response(said, "", Some(said.stop("STOP")));
        let frame = self.framed(&response);
        if self.as_events { frame } else { frame + "]" }
    }

    fn whole(&mut self, said: &Said, text: &str) -> Value {
        response(said, text, Some(said.stop("STOP")))
    }

    fn parts(&mut self, said: &Said, parts: &[Part]) -> String {
        let mut answer = response(said, "", Some(said.stop("STOP")));
        let parts = parts.iter().map(|part| match part {
            Part::Text(text) => json!({"text": text}),
            Part::Tool { name, arguments } => {
                json!({"functionCall": {"id": format!("call_{name}"), "name": name, "args": arguments}})
            }
        });
        answer["candidates"][0]["content"]["parts"] = parts.collect();
        let frame = self.framed(&answer);
        if self.as_events { frame } else { frame + "]" }
    }

    fn error(&self, status: u16, code: Option<&str>, message: &str) -> Value {
        let usual = match status {
            400 => "INVALID_ARGUMENT",
            401 => "UNAUTHENTICATED",
            403 => "PERMISSION_DENIED",
            404 => "NOT_FOUND",
            429 => "RESOURCE_EXHAUSTED",
            503 => "UNAVAILABLE",
            _ => "INTERNAL",
        };
        json!({"error": {"code": status, "message": message, "status": code.unwrap_or(usual)}})
    }
}
