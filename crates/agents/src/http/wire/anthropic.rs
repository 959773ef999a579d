//! Anthropic's messages.

use reqwest::header::{HeaderName, HeaderValue};
use serde_json::{Value, json};

use crate::http::message::{Ask, Heard, Posting, SYSTEM};

const VERSION: &str = "2023-06-01";

/// The API wants a limit; this one all current models take.
const MAX_TOKENS: u32 = 32_000;

pub(super) fn post(ask: &Ask<'_>) -> Posting {
    let mut body = json!({
        "model": ask.model,
        "max_tokens": ask.max_output_tokens.unwrap_or(MAX_TOKENS),
        "system": SYSTEM,
        "messages": [{"role": "user", "content": ask.prompt}],
        "stream": true,
    });
    if let Some(temperature) = ask.temperature {
        body["temperature"] = temperature.clone().into();
    }
    let key = ask.key.map(|key| {
        (
            HeaderName::from_static("x-api-key"),
            key.reveal().to_owned(),
        )
    });
    let mut posting = ask.post(&["v1", "messages"], body).with_secret(key);
    posting.headers.insert(
        HeaderName::from_static("anthropic-version"),
        HeaderValue::from_static(VERSION),
    );
    posting
}

pub(super) fn read(document: &Value, heard: &mut Heard) {
    match document["type"].as_str().unwrap_or("") {
        "message_start" => usage(&document["message"]["usage"], heard),
        // What a model thinks before it writes is no part of the document.
        "content_block_delta" => heard.text(&document["delta"]["text"]),
        "message_delta" => {
            let delta = &document["delta"];
            if let Some(reason) = delta["stop_reason"].as_str() {
                heard.refuse(&delta["stop_details"]["explanation"]);
                heard.stop(reason);
            }
            usage(&document["usage"], heard);
        }
        "message_stop" => heard.over = true,
        "error" => heard.fail(&document["error"]),
        _ => {}
    }
}

/// Tokens that were cached, or are from now on, are not among those that went in.
fn usage(usage: &Value, heard: &mut Heard) {
    let told = &mut heard.told;
    if let Some(fresh) = usage["input_tokens"].as_u64() {
        let count = |key: &str| usage[key].as_u64().unwrap_or(0);
        let cached = count("cache_read_input_tokens");
        told.input = Some(fresh + cached + count("cache_creation_input_tokens"));
        told.cached = Some(cached);
    }
    told.output = usage["output_tokens"].as_u64().or(told.output);
}
