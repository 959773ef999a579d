//! What the server sends, to the letter, for each vendor's API: in one document, piece by piece, and as an error.

#![allow(clippy::unwrap_used)]

use gapless_loopback::{Loopback, Reply};

const ASKED: [(&str, &str, &str); 8] = [
    (
        "anthropic",
        "/v1/messages",
        r#"{"model":"m","stream":false}"#,
    ),
    (
        "anthropic",
        "/v1/messages?beta=true",
        r#"{"model":"m","stream":true}"#,
    ),
    ("openai_chat", "/v1/chat/completions", r#"{"model":"m"}"#),
    (
        "openai_chat",
        "/v1/chat/completions",
        r#"{"model":"m","stream":true,"stream_options":{"include_usage":true}}"#,
    ),
    ("openai_responses", "/v1/responses", r#"{"model":"m"}"#),
    (
        "openai_responses",
        "/v1/responses",
        r#"{"model":"m","stream":true}"#,
    ),
    ("ollama", "/api/chat", r#"{"model":"m","stream":false}"#),
    ("ollama", "/api/chat", r#"{"model":"m"}"#),
];

const GEMINI: [&str; 3] = [
    "/v1beta/models/m:generateContent",
    "/v1beta/models/m:streamGenerateContent?alt=sse",
    "/v1beta/models/m:streamGenerateContent",
];

fn client() -> reqwest::Client {
    rustls::crypto::ring::default_provider()
        .install_default()
        .ok();
    reqwest::Client::builder().no_proxy().build().unwrap()
}

async fn post(server: &Loopback, path: &str, body: &str) -> String {
    let request = client()
        .post(format!("{}{path}", server.url()))
        .body(body.to_owned());
    let response = request.send().await.unwrap();
    let head = format!(
        "{} {:?}",
        response.status().as_u16(),
        response.headers()["content-type"]
    );
    format!(
        "{path} {body}\n{head}\n{}\n\n",
        response.text().await.unwrap()
    )
}

#[tokio::test]
async fn every_api_is_answered_in_its_own_form() {
    let server = Loopback::start(|_| {
        Reply::text("Hello world")
            .dribble(6, Default::default())
            .tokens(9, 4, 2)
    })
    .unwrap();
    for vendor in ["anthropic", "openai_chat", "openai_responses", "ollama"] {
        let mut sent = String::new();
        for (_, path, body) in ASKED.iter().filter(|(of, ..)| *of == vendor) {
            sent += &post(&server, path, body).await;
        }
        insta::assert_snapshot!(vendor, sent);
    }
    let mut sent = String::new();
    for path in GEMINI {
        sent += &post(&server, path, "{}").await;
    }
    insta::assert_snapshot!("gemini", sent);
}

#[tokio::test]
async fn errors_have_the_form_of_their_vendor() {
    let server = Loopback::start(|_| Reply::error(429, "slow down")).unwrap();
    let mut sent = String::new();
    for (_, path, body) in ASKED.iter().step_by(2) {
        sent += &post(&server, path, body).await;
    }
    sent += &post(&server, GEMINI[0], "{}").await;
    insta::assert_snapshot!("errors", sent);
}

#[tokio::test]
async fn it_is_gone_when_it_is_dropped() {
    let server = Loopback::start(|_| Reply::silence()).unwrap();
    let url = format!("{}/v1/messages", server.url());
    let client = client();
    let waiting = tokio::spawn(client.post(&url).send());
    while server.requests().is_empty() {
        tokio::task::yield_now().await;
    }
    drop(server);
    assert!(waiting.await.unwrap().is_err());
    assert!(client.post(&url).send().await.is_err());
}
