//! The format of OpenAI's responses.

use serde_json::{Value, json};

use super::format::{Said, Wire, event};
use super::openai_chat;
use crate::reply::Part;

/// A moment; nothing looks at it.
const CREATED: u64 = 1_750_000_000;
const ITEM: &str = "msg_loopback";

/// Counts its events, as each of them has a number.
#[derive(Default)]
pub(super) struct OpenAiResponses {
    sent: u64,
}

fn response(said: &Said, status: &str, output: &Value, usage: &Value) -> Value {
    let incomplete = match status {
        "incomplete" => json!({"reason": said.stop("max_output_tokens")}),
        _ => Value::Null,
    };
    json!({
        "id": "resp_loopback",
        "object": "response",
        "created_at": CREATED,
        "status": status,
        "error": null,
        "incomplete_details": incomplete,
        "instructions": null,
        "model": said.model,
        "output": output,
        "parallel_tool_calls": true,
        "previous_response_id": null,
        "reasoning": {"effort": null, "summary": null},
        "store": false,
        "text": {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [],
        "truncation": "disabled",
        "usage": usage,
        "metadata": {},
    })
}

fn usage(said: &Said) -> Value {
    said.tokens.map_or(Value::Null, |tokens| {
        json!({
            "input_tokens": tokens.input,
            "input_tokens_details": {"cached_tokens": tokens.cached},
            "output_tokens": tokens.output,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": tokens.input + tokens.output,
        })
    })
}

fn part(text: &str) -> Value {
    json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []})
}

fn item(status: &str, content: &Value) -> Value {
    json!({"id": ITEM, "type": "message", "status": status, "role": "assistant", "content": content})
}

fn end(said: &Said) -> &'static str {
    match said.stop_reason {
        None => "completed",
        Some(_) => "incomplete",
    }
}

impl OpenAiResponses {
    fn numbered(&mut self, name: &str, mut value: Value) -> String {
        value["type"] = name.into();
        value["sequence_number"] = self.sent.into();
        self.sent += 1;
        event(name, &value)
    }

    fn placed(&mut self, name: &str, mut value: Value) -> String {
        value["item_id"] = ITEM.into();
        value["output_index"] = 0.into();
        value["content_index"] = 0.into();
        self.numbered(name, value)
    }
}

impl Wire for OpenAiResponses {
    fn head(&mut self, said: &Said) -> String {
        let begun = json!({"response": response(said, "in_progress", &json!([]), &Value::Null)});
        let added = json!({"output_index": 0, "item": item("in_progress", &json!([]))});
        [
            self.numbered("response.created", begun.clone()),
            self.numbered("response.in_progress", begun),
            self.numbered("response.output_item.added", added),
            self.placed("response.content_part.added", json!({"part": part("")})),
        ]
        .concat()
    }

    fn piece(&mut self, _said: &Said, text: &str) -> String {
        self.placed(
            "response.output_text.delta",
            json!({"delta": text, "logprobs": []}),
        )
    }

    fn tail(&mut self, said: &Said, text: &str) -> String {
        let done = item("completed", &json!([part(text)]));
        let closing = format!("response.{}", end(said));
        let whole = response(said, end(said), &json!([done]), &usage(said));
        [
            self.placed(
                "response.output_text.done",
                json!({"text": text, "logprobs": []}),
            ),
            self.placed("response.content_part.done", json!({"part": part(text)})),
            self.numbered(
                "response.output_item.done",
                json!({"output_index": 0, "item": done}),
            ),
            self.numbered(&closing, json!({"response": whole})),
        ]
        .concat()
    }

    fn whole(&mut self, said: &Said, text: &str) -> Value {
        let done = item("completed", &json!([part(text)]));
        response(said, end(said), &json!([done]), &usage(said))
    }

    fn parts(&mut self, said: &Said, parts: &[Part]) -> String {
        let items = parts.iter().enumerate().map(|(index, part)| match part {
            Part::Text(text) => {
                let mut message = item("completed", &json!([self::part(text)]));
                message["id"] = format!("{ITEM}_{index}").into();
                message
            }
            Part::Tool { name, arguments } => json!({
                "id": "fc_loopback",
                "type": "function_call",
                "call_id": format!("call_{name}"),
                "name": name,
                "arguments": arguments.to_string(),
                "status": "completed",
            }),
        });
        let items: Vec<Value> = items.collect();
        let begun = json!({"response": response(said, "in_progress", &json!([]), &Value::Null)});
        let mut frames = self.numbered("response.created", begun);
        for (index, item) in items.iter().enumerate() {
            let place = json!({"output_index": index, "item": item});
            frames += &self.numbered("response.output_item.added", place.clone());
            if let Part::Text(text) = &parts[index] {
                let delta = json!({"item_id": item["id"], "output_index": index, "content_index": 0, "delta": text, "logprobs": []});
                frames += &self.numbered("response.output_text.delta", delta);
            }
            frames += &self.numbered("response.output_item.done", place);
        }
        let whole = response(said, end(said), &items.into(), &usage(said));
        let closing = format!("response.{}", end(said));
        frames + &self.numbered(&closing, json!({"response": whole}))
    }

    fn error(&self, status: u16, code: Option<&str>, message: &str) -> Value {
        openai_chat::error(status, code, message)
    }

    fn error_frame(&mut self, status: u16, code: Option<&str>, message: &str) -> String {
        let said = Said {
            number: 0,
            model: String::new(),
            tokens: None,
            stop_reason: None,
            asked_for_usage: false,
        };
        let code = code.unwrap_or(match status {
            429 => "rate_limit_exceeded",
            _ => "server_error",
        });
        let mut failed = response(&said, "failed", &json!([]), &Value::Null);
        failed["error"] = json!({"code": code, "message": message});
        self.numbered("response.failed", json!({"response": failed}))
    }
}
