//! OpenAI's chat completions, which most other servers speak too.

use serde_json::{Value, json};

use crate::http::message::{Ask, Heard, Posting, SYSTEM};

pub(super) fn post(ask: &Ask<'_>) -> Posting {
    let mut body = json!({
        "model": ask.model,
        "messages": [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": ask.prompt},
        ],
        "stream": true,
        "stream_options": {"include_usage": true},
    });
    if let Some(temperature) = ask.temperature {
        body["temperature"] = temperature.clone().into();
    }
    if let Some(most) = ask.max_output_tokens {
        // OpenAI gave the limit a new name, which others don't know.
        let name = match ask.is_vendor {
            true => "max_completion_tokens",
            false => "max_tokens",
        };
        body[name] = most.into();
    }
    ask.post(&["chat", "completions"], body)
        .with_secret(ask.bearer())
}

pub(super) fn read(document: &Value, heard: &mut Heard) {
    if document.get("error").is_some_and(|error| !error.is_null()) {
        heard.fail(document);
        return;
    }
    let choice = &document["choices"][0];
    heard.text(&choice["delta"]["content"]);
    heard.refuse(&choice["delta"]["refusal"]);
    if let Some(reason) = choice["finish_reason"].as_str() {
        heard.stop(reason);
        heard.over = true;
    }
    let usage = &document["usage"];
    if usage.is_object() {
        let told = &mut heard.told;
        told.input = usage["prompt_tokens"].as_u64();
        told.output = usage["completion_tokens"].as_u64();
        told.cached = usage["prompt_tokens_details"]["cached_tokens"].as_u64();
    }
}
