//! The format of Ollama's chat: a line of JSON for each piece.

use serde_json::{Value, json};

use super::format::{Said, Wire};
use crate::reply::Part;

pub(super) struct Ollama;

const CREATED: &str = "2025-06-15T12:00:00.000000Z";

fn line(value: &Value) -> String {
    format!("{value}\n")
}

fn last(said: &Said, text: &str) -> Value {
    let mut last = json!({
        "model": said.model,
        "created_at": CREATED,
        "message": {"role": "assistant", "content": text},
        "done_reason": said.stop("stop"),
        "done": true,
        "total_duration": 1_000_000,
        "load_duration": 1_000,
    });
    if let Some(tokens) = said.tokens {
        last["prompt_eval_count"] = tokens.input.into();
        last["prompt_eval_duration"] = 1_000.into();
        last["eval_count"] = tokens.output.into();
        last["eval_duration"] = 1_000.into();
    }
    last
}

impl Wire for Ollama {
    fn content_type(&self) -> &'static str {
        "application/x-ndjson"
    }

    fn head(&mut self, _said: &Said) -> String {
        String::new()
    }

    fn piece(&mut self, said: &Said, text: &str) -> String {
        line(&json!({
            "model": said.model,
            "created_at": CREATED,
            "message": {"role": "assistant", "content": text},
            "done": false,
        }))
    }

    fn tail(&mut self, said: &Said, _text: &str) -> String {
        line(&last(said, ""))
    }

    fn whole(&mut self, said: &Said, text: &str) -> Value {
        last(said, text)
    }

    fn parts(&mut self, said: &Said, parts: &[Part]) -> String {
        let (mut frames, mut calls) = (String::new(), Vec::new());
        for part in parts {
            match part {
                Part::Text(text) => frames += &self.piece(said, text),
                Part::Tool { name, arguments } => {
                    calls.push(json!({"function": {"name": name, "arguments": arguments}}));
                }
            }
        }
        let mut end = last(said, "");
        if !calls.is_empty() {
            end["message"]["tool_calls"] = calls.into();
        }
        frames + &line(&end)
    }

    fn error(&self, _status: u16, _code: Option<&str>, message: &str) -> Value {
        json!({"error": message})
    }

    fn error_frame(&mut self, status: u16, code: Option<&str>, message: &str) -> String {
        line(&self.error(status, code, message))
    }
}
