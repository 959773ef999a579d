//! OpenAI's responses.

use serde_json::{Value, json};

use crate::http::message::{Ask, Heard, Posting, SYSTEM};

pub(super) fn post(ask: &Ask<'_>) -> Posting {
    let mut body = json!({
        "model": ask.model,
        "instructions": SYSTEM,
        "input": [{"role": "user", "content": [{"type": "input_text", "text": ask.prompt}]}],
        "store": false,
        "stream": true,
    });
    if let Some(temperature) = ask.temperature {
        body["temperature"] = temperature.clone().into();
    }
    if let Some(most) = ask.max_output_tokens {
        body["max_output_tokens"] = most.into();
    }
    ask.post(&["responses"], body).with_secret(ask.bearer())
}

pub(super) fn read(document: &Value, heard: &mut Heard) {
    let response = &document["response"];
    match document["type"].as_str().unwrap_or("") {
        "response.output_text.delta" => heard.text(&document["delta"]),
        "response.refusal.delta" => heard.refuse(&document["delta"]),
        "response.refusal.done" => refusal(&document["refusal"], heard),
        "response.completed" => {
            let items = response["output"].as_array().into_iter().flatten();
            let parts = items.filter_map(|item| item["content"].as_array());
            let mut parts = parts.flatten();
            if let Some(refused) = parts.find(|part| part["type"] == "refusal") {
                refusal(&refused["refusal"], heard);
            }
            heard.stop("completed");
            usage(&response["usage"], heard);
            heard.over = true;
        }
        "response.incomplete" => {
            let reason = response["incomplete_details"]["reason"].as_str();
            heard.stop(reason.unwrap_or("incomplete"));
            usage(&response["usage"], heard);
            heard.over = true;
        }
        "response.failed" => {
            usage(&response["usage"], heard);
            heard.fail(&response["error"]);
        }
        "error" => heard.fail(document),
        _ => {}
    }
}

/// A refusal that is whole, where not all of it came in pieces.
fn refusal(words: &Value, heard: &mut Heard) {
    if heard.refusal.trim().is_empty() {
        match words.as_str().map(str::trim) {
            Some("") | None => heard.refuse(&Value::from("it gives no reason")),
            Some(_) => heard.refuse(words),
        }
    }
}

fn usage(usage: &Value, heard: &mut Heard) {
    if usage.is_object() {
        let told = &mut heard.told;
        told.input = usage["input_tokens"].as_u64();
        told.output = usage["output_tokens"].as_u64();
        told.cached = usage["input_tokens_details"]["cached_tokens"].as_u64();
    }
}
