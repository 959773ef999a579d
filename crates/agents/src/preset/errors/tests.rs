//! What programs said when their provider refused, and what is made of it. The lines are from the programs themselves.

use gapless_domain::ExecutionErrorKind as Kind;

use super::super::reader::Reader;
use super::*;
use crate::Presets;
use crate::subprocess::Listener;

#[test]
fn a_message_is_its_words_without_the_json_around_them() {
    for (said, kept) in [
        ("plain words.\nand a trace\n at x", "plain words"),
        (
            r#"{"error": {"message": "no such model", "code": 404}}"#,
            "no such model",
        ),
        (
            r#"[API Error: {"error":{"code":401,"message":"bad key"}}]"#,
            "bad key",
        ),
        (
            r#"{"message":"{\"error\":{\"message\":\"inner\"}}"}"#,
            "inner",
        ),
        ("braces {in words}", "braces {in words}"),
    ] {
        assert_eq!(in_short(said), kept);
    }
    let long = in_short(&"word ".repeat(200));
    assert!(
        long.chars().count() <= LONGEST + 1 && long.ends_with('…'),
        "{long}"
    );
}

#[test]
fn the_advice_is_kept_where_the_words_are_cut() {
    let rule: ErrorRule = toml::from_str("at = 'm'\nhint = 'sign in'").unwrap();
    let value = serde_json::json!({"m": "x".repeat(2000), "stats": {"a": 1}});
    assert!(reported(&rule, &value).message.ends_with("…; sign in"));
    let nothing = reported(&rule, &serde_json::json!({"stats": {"a": 1}})).message;
    assert_eq!(
        nothing,
        "the program reported an error and not what it was; sign in"
    );
}

/// The error that a preset reads in a line.
fn read(preset: &str, line: &str) -> (Kind, String) {
    let presets = Presets::default();
    let rules = presets.get(preset).unwrap().output.as_ref().unwrap();
    let mut reader = Reader::new(rules, 1000);
    reader.hear(line.as_bytes());
    let error = reader.finish().error.unwrap();
    (error.kind, error.message)
}

#[test]
fn the_errors_of_claude_are_told_apart() {
    let line =
        |more: &str| format!(r#"{{"type":"result","subtype":"success","is_error":true,{more}}}"#);
    for (more, kind, words) in [
        (
            r#""result":"Failed to authenticate. API Error: 401 Incorrect API key provided","api_error_status":401"#,
            Kind::Refused,
            "Failed to authenticate. API Error: 401 Incorrect API key provided; start `claude` once and sign in, or set a valid ANTHROPIC_API_KEY",
        ),
        (
            r#""result":"Not logged in · Please run /login","api_error_status":null"#,
            Kind::Refused,
            "claude isn't signed in; start `claude` once and sign in, or set ANTHROPIC_API_KEY",
        ),
        (
            r#""result":"There's an issue with the selected model (x). Run --model to pick a different model.","api_error_status":404"#,
            Kind::Refused,
            "claude doesn't have that model, or the account may not use it; name another one: claude:<model>",
        ),
        (
            r#""result":"Prompt is too long · the request is ~214001 tokens (limit 200000)","api_error_status":400,"terminal_reason":"prompt_too_long""#,
            Kind::PromptTooLong,
            "Prompt is too long · the request is ~214001 tokens (limit 200000)",
        ),
        (
            r#""result":"API Error: Request rejected (429) · slow down","api_error_status":429"#,
            Kind::RateLimit,
            "API Error: Request rejected (429) · slow down",
        ),
        (
            r#""result":"API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment.","api_error_status":529"#,
            Kind::Provider,
            "API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment",
        ),
        (
            r#""subtype":"error_max_turns","result":null,"errors":["Reached maximum number of turns (100)"]"#,
            Kind::Refused,
            "claude took more than 100 turns over the code base and was ended; name a smaller folder with --repo, or `--repo none`",
        ),
    ] {
        assert_eq!(read("claude", &line(more)), (kind, words.to_owned()));
    }
}

#[test]
fn the_errors_of_codex_are_told_apart() {
    for (message, kind, words) in [
        (
            "unexpected status 401 Unauthorized: Incorrect API key provided",
            Kind::Refused,
            "unexpected status 401 Unauthorized: Incorrect API key provided; run `codex login`, or set a valid CODEX_API_KEY",
        ),
        (
            "The model `x` does not exist or you do not have access to it.",
            Kind::Refused,
            "The model `x` does not exist or you do not have access to it; name another model: codex:<model>",
        ),
        (
            r#"{"error": {"message": "Your input exceeds the context window of this model.", "type": "invalid_request_error", "code": "context_length_exceeded"}}"#,
            Kind::PromptTooLong,
            "Your input exceeds the context window of this model",
        ),
        (
            r#"{"error": {"message": "Unsupported value", "type": "invalid_request_error", "code": null}}"#,
            Kind::Refused,
            "Unsupported value; check the model and the account",
        ),
        (
            "exceeded retry limit, last status: 429 Too Many Requests",
            Kind::RateLimit,
            "exceeded retry limit, last status: 429 Too Many Requests",
        ),
        (
            "unexpected status 529 <unknown status code>: Overloaded",
            Kind::Provider,
            "unexpected status 529 <unknown status code>: Overloaded",
        ),
    ] {
        let line = serde_json::json!({"type": "turn.failed", "error": {"message": message}});
        assert_eq!(read("codex", &line.to_string()), (kind, words.to_owned()));
    }
}

#[test]
fn the_errors_of_gemini_have_no_statistics() {
    let stats = r#""stats":{"total_tokens":0,"models":{"gemini-2.5-pro":{"total_tokens":0}}}"#;
    let answer = |code: u16, status: &str, message: &str| {
        let answer =
            serde_json::json!({"error": {"code": code, "message": message, "status": status}});
        format!("[API Error: {answer}]")
    };
    for (message, kind, words) in [
        (
            answer(401, "UNAUTHENTICATED", "the key is not known"),
            Kind::Refused,
            "the key is not known; start `gemini` once and sign in, or set a valid GEMINI_API_KEY",
        ),
        (
            answer(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
            Kind::Refused,
            "API key not valid. Please pass a valid API key; set a valid GEMINI_API_KEY",
        ),
        (
            answer(404, "NOT_FOUND", "models/x is not found"),
            Kind::Refused,
            "models/x is not found; name another model: gemini-cli:<model>",
        ),
        (
            answer(400, "INVALID_ARGUMENT", "The input token count (1200001) exceeds the maximum number of tokens allowed (1048575)."),
            Kind::PromptTooLong,
            "The input token count (1200001) exceeds the maximum number of tokens allowed (1048575)",
        ),
        (
            answer(500, "INTERNAL", "Internal error"),
            Kind::Provider,
            "Internal error",
        ),
        (
            "[API Error: slow down]\nPlease wait and try again later. To increase your limits, request a quota increase".to_owned(),
            Kind::RateLimit,
            "slow down",
        ),
    ] {
        let line = format!(
            r#"{{"type":"result","status":"error","error":{{"type":"unknown","message":{}}},{stats}}}"#,
            serde_json::Value::from(message)
        );
        assert_eq!(read("gemini", &line), (kind, words.to_owned()));
    }
}

#[test]
fn words_that_came_in_a_line_before_the_error_are_its_words() {
    let said = "The model returned an empty response with no text or thoughts.";
    let lines = format!(
        "{{\"type\":\"error\",\"severity\":\"error\",\"message\":\"{said}\"}}\n\
         {{\"type\":\"result\",\"status\":\"error\",\"stats\":{{\"total_tokens\":9}}}}\n"
    );
    let words = said.trim_end_matches('.').to_owned();
    assert_eq!(read("gemini", &lines), (Kind::Provider, words));
}

#[test]
fn the_errors_of_opencode_are_told_apart() {
    for (error, kind, words) in [
        (
            r#"{"name":"APIError","data":{"message":"the key is not known","statusCode":401,"isRetryable":false,"responseHeaders":{"date":"x"}}}"#,
            Kind::Refused,
            "the key is not known; run `opencode auth login`, or set a valid key of the provider",
        ),
        (
            r#"{"name":"ContextOverflowError","data":{"message":"too many tokens","responseBody":"{}"}}"#,
            Kind::PromptTooLong,
            "too many tokens",
        ),
        (
            r#"{"name":"APIError","data":{"message":"Overloaded","statusCode":529,"isRetryable":true}}"#,
            Kind::Provider,
            "Overloaded",
        ),
    ] {
        let line = format!(r#"{{"type":"error","error":{error}}}"#);
        assert_eq!(read("opencode", &line), (kind, words.to_owned()));
    }
}

#[test]
fn a_program_that_never_stops_trying_is_ended_with_why() {
    let presets = Presets::default();
    let rules = presets.get("codex").unwrap().output.as_ref().unwrap();
    let mut reader = Reader::new(rules, 1000);
    reader.hear(b"{\"type\":\"error\",\"message\":\"Reconnecting... 1/5 (down)\"}\n");
    assert_eq!(reader.must_end(), None);
    reader.hear(b"{\"type\":\"error\",\"message\":\"Reconnecting... 2/5 (down)\"}\n");
    let error = reader.must_end().unwrap();
    assert_eq!(
        error.message,
        "codex doesn't reach its provider and was ended: Reconnecting... 2/5 (down)"
    );
}

#[test]
fn a_missing_sign_in_is_found_in_words() {
    let presets = Presets::default();
    let rules = presets.get("gemini").unwrap().output.as_ref().unwrap();
    let said =
        "Warning: x\nPlease set an Auth method in your settings.json or specify GEMINI_API_KEY";
    let error = in_words(&rules.words, &["", said]).unwrap();
    assert_eq!(
        (error.kind, error.message.as_str()),
        (
            Kind::Refused,
            "gemini isn't signed in; start `gemini` once and sign in, or set GEMINI_API_KEY"
        )
    );
    assert_eq!(in_words(&rules.words, &["another word"]), None);
}
