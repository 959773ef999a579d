//! What providers answer instead of a document, as they word it themselves: its kind, what the user reads, and what it used.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fmt::Write;

use gapless_domain::task::Role;
use gapless_loopback::{Loopback, Reply};
use serde_json::Value;
use support::models::{BACKENDS, KEYS, model};
use support::{request, run};

/// The answers of a backend, a file each.
const ANSWERS: [(&str, &str); 6] = [
    (
        "anthropic:test",
        include_str!("provider_errors/anthropic.json"),
    ),
    ("openai:test", include_str!("provider_errors/openai.json")),
    ("gemini:test", include_str!("provider_errors/gemini.json")),
    ("ollama:test", include_str!("provider_errors/ollama.json")),
    ("mine:test", include_str!("provider_errors/mine.json")),
    (
        "responses:test",
        include_str!("provider_errors/responses.json"),
    ),
];

fn reply(answer: &Value, spec: &str) -> Reply {
    if let Some(stream) = answer["stream"].as_array() {
        let lines = spec.starts_with("ollama");
        let frame = |document: &Value| match lines {
            true => format!("{document}\n"),
            false => format!("data: {document}\n\n"),
        };
        let body: String = stream.iter().map(frame).collect();
        let kind = if lines {
            "application/x-ndjson"
        } else {
            "text/event-stream"
        };
        return Reply::raw(200, kind, body);
    }
    let status = u16::try_from(answer["status"].as_u64().unwrap()).unwrap();
    let reply = match answer["text"].as_str() {
        Some(text) => Reply::raw(status, "text/html", text),
        None => Reply::raw(status, "application/json", answer["body"].to_string()),
    };
    let headers = answer["headers"].as_object().into_iter().flatten();
    headers.fold(reply, |reply, (name, value)| {
        reply.header(name, value.as_str().unwrap())
    })
}

#[tokio::test]
async fn every_error_is_read_and_says_what_to_do() {
    assert_eq!(ANSWERS.map(|(spec, _)| spec), BACKENDS);
    let mut table = String::new();
    for (spec, answers) in ANSWERS {
        writeln!(table, "# {spec}").unwrap();
        for answer in serde_json::from_str::<Vec<Value>>(answers).unwrap() {
            let server = Loopback::scripted([reply(&answer, spec)]).unwrap();
            let finished = run(&model(&server, spec), request(Role::Engineer)).await;
            let outcome = match &finished.result {
                Ok(output) => format!("a document, {:?}: {:?}", output.notes, output.text),
                Err(error) => {
                    let wait = error.retry_after_millis;
                    let wait = wait.map_or(String::new(), |wait| format!(", wait {wait} ms"));
                    format!("{}{wait}: {}", error.kind.words(), error.message)
                }
            };
            let outcome = outcome.replace(&server.url(), "http://SERVER");
            writeln!(table, "\n{}: {outcome}", answer["name"].as_str().unwrap()).unwrap();
            if let Some(left) = &finished.unfinished {
                writeln!(table, "  left behind: {:?}", left.text).unwrap();
            }
            let usage = finished.usage;
            if let (Some(read), Some(written)) = (usage.tokens_in(), usage.tokens_out()) {
                writeln!(table, "  used: {read} in, {written} out").unwrap();
            }
            assert_eq!(
                server.requests().len(),
                1,
                "nothing is sent twice by itself"
            );
        }
        table.push('\n');
    }
    for (_, key) in KEYS {
        assert!(!table.contains(key), "{table}");
    }
    insta::assert_snapshot!(table);
}
