//! The format of Anthropic's messages.

use serde_json::{Value, json};

use super::format::{Said, Wire, event};
use crate::reply::Part;

pub(super) struct Anthropic;

fn usage(said: &Said, output: u64) -> Value {
    match said.tokens {
        None => json!({}),
        Some(tokens) => json!({
            "input_tokens": tokens.input.saturating_sub(tokens.cached),
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": tokens.cached,
            "output_tokens": output,
        }),
    }
}

fn message(said: &Said, content: &Value, stop: Option<&str>, output: u64) -> Value {
    json!({
        // Its clients tell messages apart by it.
        "id": format!("msg_loopback_{}", said.number),
        "type": "message",
        "role": "assistant",
        "model": said.model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": null,
        "usage": usage(said, output),
    })
}

/// The frames behind the last block of an answer.
fn end(said: &Said, stop: &str) -> String {
    let usage = match said.tokens {
        None => json!({}),
        Some(tokens) => json!({"output_tokens": tokens.output}),
    };
    let delta = json!({
        "type": "message_delta",
        "delta": {"stop_reason": stop, "stop_sequence": null},
        "usage": usage,
    });
    event("message_delta", &delta) + &event("message_stop", &json!({"type": "message_stop"}))
}

impl Wire for Anthropic {
    fn head(&mut self, said: &Said) -> String {
        let start = json!({"type": "message_start", "message": message(said, &json!([]), None, 1)});
        let block = json!({
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "text", "text": ""},
        });
        event("message_start", &start)
            + &event("content_block_start", &block)
            + &event("ping", &json!({"type": "ping"}))
    }

    fn piece(&mut self, _said: &Said, text: &str) -> String {
        event(
            "content_block_delta",
            &json!({
                "type": "content_block_delta",
                "index": 0,
                "delta": {"type": "text_delta", "text": text},
            }),
        )
    }

    fn tail(&mut self, said: &Said, _text: &str) -> String {
        event(
            "content_block_stop",
            &json!({"type": "content_block_stop", "index": 0}),
        ) + &end(said, said.stop("end_turn"))
    }

    fn whole(&mut self, said: &Said, text: &str) -> Value {
        let output = said.tokens.map_or(0, |tokens| tokens.output);
        let content = json!([{"type": "text", "text": text}]);
        message(said, &content, Some(said.stop("end_turn")), output)
    }

    fn parts(&mut self, said: &Said, parts: &[Part]) -> String {
        let start = json!({"type": "message_start", "message": message(said, &json!([]), None, 1)});
        let mut frames = event("message_start", &start);
        for (index, part) in parts.iter().enumerate() {
            let (block, delta) = match part {
                Part::Text(text) => (
                    json!({"type": "text", "text": ""}),
                    json!({"type": "text_delta", "text": text}),
                ),
                Part::Tool { name, arguments } => (
                    json!({"type": "tool_use", "id": format!("toolu_{name}"), "name": name, "input": {}}),
                    json!({"type": "input_json_delta", "partial_json": arguments.to_string()}),
                ),
            };
            for (name, key, value) in [
                ("content_block_start", "content_block", block),
                ("content_block_delta", "delta", delta),
            ] {
                frames += &event(name, &json!({"type": name, "index": index, key: value}));
            }
            let stop = json!({"type": "content_block_stop", "index": index});
            frames += &event("content_block_stop", &stop);
        }
        frames + &end(said, said.stop_of(parts, "end_turn", "tool_use"))
    }

    fn error(&self, status: u16, code: Option<&str>, message: &str) -> Value {
        let usual = match status {
            400 => "invalid_request_error",
            401 => "authentication_error",
            403 => "permission_error",
            404 => "not_found_error",
            413 => "request_too_large",
            429 => "rate_limit_error",
            529 => "overloaded_error",
            _ => "api_error",
        };
        json!({
            "type": "error",
            "error": {"type": code.unwrap_or(usual), "message": message},
            "request_id": "req_loopback",
        })
    }

    fn error_frame(&mut self, status: u16, code: Option<&str>, message: &str) -> String {
        event("error", &self.error(status, code, message))
    }
}
