//! Gemini's generateContent.

use reqwest::header::HeaderName;
use serde_json::{Value, json};

use crate::http::message::{Ask, Heard, Posting, SYSTEM};

pub(super) fn post(ask: &Ask<'_>) -> Posting {
    let mut body = json!({
        "systemInstruction": {"parts": [{"text": SYSTEM}]},
        "contents": [{"role": "user", "parts": [{"text": ask.prompt}]}],
    });
    if let Some(temperature) = ask.temperature {
        body["generationConfig"]["temperature"] = temperature.clone().into();
    }
    if let Some(most) = ask.max_output_tokens {
        body["generationConfig"]["maxOutputTokens"] = most.into();
    }
    // In a header, since addresses come up in errors and logs.
    let key = ask.key.map(|key| {
        let name = HeaderName::from_static("x-goog-api-key");
        (name, key.reveal().to_owned())
    });
    let method = format!("{}:streamGenerateContent", ask.model);
    let mut posting = ask
        .post(&["v1beta", "models", &method], body)
        .with_secret(key);
    posting.url.set_query(Some("alt=sse"));
    posting
}

pub(super) fn read(document: &Value, heard: &mut Heard) {
    if document.get("error").is_some() {
        heard.fail(document);
        return;
    }
    let candidate = &document["candidates"][0];
    if let Some(parts) = candidate["content"]["parts"].as_array() {
        let is_thought = |part: &&Value| part["thought"].as_bool() == Some(true);
        for part in parts.iter().filter(|part| !is_thought(part)) {
            heard.text(&part["text"]);
        }
    }
    let feedback = &document["promptFeedback"];
    let stops = [
        (&candidate["finishReason"], &candidate["finishMessage"]),
        (&feedback["blockReason"], &feedback["blockReasonMessage"]),
    ];
    for (reason, words) in stops {
        if let Some(reason) = reason.as_str() {
            if reason != "STOP" {
                heard.refuse(words);
            }
            heard.stop(reason);
            heard.over = true;
        }
    }
    let usage = &document["usageMetadata"];
    if let Some(input) = usage["promptTokenCount"].as_u64() {
        let thoughts = usage["thoughtsTokenCount"].as_u64().unwrap_or(0);
        let written = usage["candidatesTokenCount"].as_u64();
        heard.told.input = Some(input);
        heard.told.cached = usage["cachedContentTokenCount"].as_u64();
        heard.told.output = written.map(|written| written + thoughts);
    }
}
