//! Ollama's chat.

use serde_json::{Value, json};

use crate::http::message::{Ask, Heard, Posting, SYSTEM};

/// How much room is left for the answer where no limit is set.
const ROOM: u64 = 8_192;
/// The room for prompt and answer goes in steps, so that a model is not loaded anew for every prompt.
const STEP: u64 = 4_096;

pub(super) fn post(ask: &Ask<'_>) -> Posting {
    let prompt = gapless_tokens::estimate(ask.prompt) as u64;
    let room = ask.max_output_tokens.map_or(ROOM, u64::from);
    // Left to itself, it reads the first few thousand tokens of a prompt, and drops the rest without a word.
    let context = (prompt + prompt / 4 + room).div_ceil(STEP) * STEP;
    let mut body = json!({
        "model": ask.model,
        "messages": [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": ask.prompt},
        ],
        "options": {"num_ctx": context},
        "truncate": false,
        "shift": false,
        "stream": true,
    });
    if let Some(temperature) = ask.temperature {
        body["options"]["temperature"] = temperature.clone().into();
    }
    if let Some(most) = ask.max_output_tokens {
        body["options"]["num_predict"] = most.into();
    }
    ask.post(&["api", "chat"], body).with_secret(ask.bearer())
}

pub(super) fn read(document: &Value, heard: &mut Heard) {
    if document.get("error").is_some() {
        heard.fail(document);
        return;
    }
    heard.text(&document["message"]["content"]);
    if document["done"].as_bool() == Some(true) {
        heard.stop(document["done_reason"].as_str().unwrap_or("stop"));
        heard.told.input = document["prompt_eval_count"].as_u64();
        heard.told.output = document["eval_count"].as_u64();
        heard.over = true;
    }
}
