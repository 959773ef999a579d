//! The format of Anthropic's messages.

use serde_json::{Value, json};

use super::format::{Said, Wire, event};

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
        "id": "msg_loopback",
        "type": "message",
        "role": "assistant",
        "model": said.model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": null,
        "usage": usage(said, output),
    })
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
        let usage = match said.tokens {
            None => json!({}),
            Some(tokens) => json!({"output_tokens": tokens.output}),
        };
        let delta = json!({
            "type": "message_delta",
            "delta": {"stop_reason": said.stop("end_turn"), "stop_sequence": null},
            "usage": usage,
        });
        event(
            "content_block_stop",
            &json!({"type": "content_block_stop", "index": 0}),
        ) + &event("message_delta", &delta)
            + &event("message_stop", &json!({"type": "message_stop"}))
    }

    fn whole(&mut self, said: &Said, text: &str) -> Value {
        let output = said.tokens.map_or(0, |tokens| tokens.output);
        let content = json!([{"type": "text", "text": text}]);
        message(said, &content, Some(said.stop("end_turn")), output)
    }

    fn tool(&mut self, said: &Said, name: &str, arguments: &Value) -> String {
        let start = json!({"type": "message_start", "message": message(said, &json!([]), None, 1)});
        let block = json!({
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "tool_use", "id": format!("toolu_{name}"), "name": name, "input": {}},
        });
        let delta = json!({
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "input_json_delta", "partial_json": arguments.to_string()},
        });
        let called = Said {
            model: said.model.clone(),
            tokens: said.tokens,
            stop_reason: Some("tool_use".to_owned()),
            asked_for_usage: said.asked_for_usage,
        };
        event("message_start", &start)
            + &event("content_block_start", &block)
            + &event("content_block_delta", &delta)
            + &self.tail(&called, "")
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
