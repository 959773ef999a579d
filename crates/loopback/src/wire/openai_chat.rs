//! The format of OpenAI's chat completions.

use serde_json::{Value, json};

use super::format::{Said, Wire, data};
use crate::reply::Part;

pub(super) struct OpenAiChat;

/// A moment; nothing looks at it.
const CREATED: u64 = 1_750_000_000;

fn usage(said: &Said) -> Value {
    said.tokens.map_or(Value::Null, |tokens| {
        json!({
            "prompt_tokens": tokens.input,
            "completion_tokens": tokens.output,
            "total_tokens": tokens.input + tokens.output,
            "prompt_tokens_details": {"cached_tokens": tokens.cached, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
        })
    })
}

fn chunk(said: &Said, choices: &Value, usage: Option<Value>) -> String {
    let mut chunk = json!({
        "id": "chatcmpl-loopback",
        "object": "chat.completion.chunk",
        "created": CREATED,
        "model": said.model,
        "system_fingerprint": null,
        "choices": choices,
    });
    if said.asked_for_usage {
        chunk["usage"] = usage.unwrap_or(Value::Null);
    }
    data(&chunk)
}

fn choice(delta: &Value, finish: Option<&str>) -> Value {
    json!([{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish}])
}

impl Wire for OpenAiChat {
    fn head(&mut self, said: &Said) -> String {
        let delta = json!({"role": "assistant", "content": "", "refusal": null});
        chunk(said, &choice(&delta, None), None)
    }

    fn piece(&mut self, said: &Said, text: &str) -> String {
        chunk(said, &choice(&json!({"content": text}), None), None)
    }

    fn tail(&mut self, said: &Said, _text: &str) -> String {
        let mut frames = chunk(said, &choice(&json!({}), Some(said.stop("stop"))), None);
        if said.asked_for_usage && said.tokens.is_some() {
            frames += &chunk(said, &json!([]), Some(usage(said)));
        }
        frames + "data: [DONE]\n\n"
    }

    fn whole(&mut self, said: &Said, text: &str) -> Value {
        json!({
            "id": "chatcmpl-loopback",
            "object": "chat.completion",
            "created": CREATED,
            "model": said.model,
            "choices": [{
                "index": 0,
                "message": {"role": "assistant", "content": text, "refusal": null, "annotations": []},
                "logprobs": null,
                "finish_reason": said.stop("stop"),
            }],
            "usage": usage(said),
            "system_fingerprint": null,
        })
    }

    fn parts(&mut self, said: &Said, parts: &[Part]) -> String {
        let mut frames = self.head(said);
        let mut calls = 0;
        for part in parts {
            let delta = match part {
                Part::Text(text) => json!({"content": text}),
                Part::Tool { name, arguments } => {
                    let function = json!({"name": name, "arguments": arguments.to_string()});
                    let id = format!("call_{name}");
                    calls += 1;
                    json!({"tool_calls": [{"index": calls - 1, "id": id, "type": "function", "function": function}]})
                }
            };
            frames += &chunk(said, &choice(&delta, None), None);
        }
        let stop = said.stop_of(parts, "stop", "tool_calls");
        frames += &chunk(said, &choice(&json!({}), Some(stop)), None);
        frames += &chunk(said, &json!([]), Some(usage(said)));
        frames + "data: [DONE]\n\n"
    }

    fn error(&self, status: u16, code: Option<&str>, message: &str) -> Value {
        error(status, code, message)
    }
}

/// OpenAI's errors, the same for both of its APIs.
pub(super) fn error(status: u16, code: Option<&str>, message: &str) -> Value {
    let (kind, usual) = match status {
        401 => ("invalid_request_error", Some("invalid_api_key")),
        404 => ("invalid_request_error", Some("model_not_found")),
        429 => ("requests", Some("rate_limit_exceeded")),
        500.. => ("server_error", None),
        _ => ("invalid_request_error", None),
    };
    json!({"error": {"message": message, "type": kind, "param": null, "code": code.or(usual)}})
}
