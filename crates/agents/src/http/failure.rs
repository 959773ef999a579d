//! What a failed request means: whether asking again can help, when, and what the user can do.

use std::error::Error;
use std::io;

use gapless_domain::{ExecutionError, ExecutionErrorKind, one_line};
use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use serde_json::Value;

use super::message::{Fault, seconds_to_millis, whole_millis};
use super::provider::Provider;

/// How much of a provider's own words is repeated.
const LONGEST_QUOTE: usize = 600;

/// Codes and words that say that a prompt is too long for the model.
const TOO_LONG_CODES: [&str; 4] = [
    "context_length_exceeded",
    "request_too_large",
    "exceed_context_size_error",
    "string_above_max_length",
];
const TOO_LONG_WORDS: [&str; 8] = [
    "prompt is too long",
    "context length",
    "context window",
    "context limit",
    "context size",
    "maximum number of tokens allowed",
    "prompt too long",
    "input is too long",
];

/// Codes and words that say that the key is at fault, whatever the status: some providers answer with 400 then.
const BAD_KEY_CODES: [&str; 5] = [
    "invalid_api_key",
    "api_key_invalid",
    "authentication_error",
    "unauthenticated",
    "missing_api_key",
];
const BAD_KEY_WORDS: [&str; 9] = [
    "api key not valid",
    "api key not found",
    "api key expired",
    "invalid api key",
    "invalid api-key",
    "invalid x-api-key",
    "incorrect api key",
    "no api key",
    "missing api key",
];

/// Reads the body of a failed answer.
pub(super) fn fault_of(headers: &HeaderMap, body: &[u8]) -> Fault {
    let text = String::from_utf8_lossy(body);
    let mut fault = match serde_json::from_str::<Value>(&text) {
        Ok(value) => Fault::of(&value),
        Err(_) => Fault::default(),
    };
    if fault.message.is_empty() {
        fault.message = without_tags(&text);
    }
    fault.retry_after_millis = retry_after(headers).or(fault.retry_after_millis);
    fault
}

/// A web page's words: what stands between a provider and here often answers with a page.
fn without_tags(text: &str) -> String {
    if !text.trim_start().starts_with('<') {
        return text.to_owned();
    }
    let pieces = text.split('<').filter_map(|piece| piece.split_once('>'));
    let words = pieces.map(|(_, words)| words.trim());
    words
        .filter(|words| !words.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// How long the provider asks to wait: in milliseconds, in seconds, or until a date.
fn retry_after(headers: &HeaderMap) -> Option<u64> {
    let header = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(millis) = header("retry-after-ms").and_then(|text| text.parse::<f64>().ok()) {
        return whole_millis(millis);
    }
    let text = header("retry-after")?;
    seconds_to_millis(text).or_else(|| {
        let date = jiff::fmt::rfc2822::parse(text).ok()?;
        let span = date.timestamp().duration_since(jiff::Timestamp::now());
        Some(u64::try_from(span.as_millis()).unwrap_or(0))
    })
}

/// The error for what a provider answered; without a status where it came in the middle of an answer.
pub(super) fn refused(
    provider: &Provider,
    model: &str,
    status: Option<StatusCode>,
    fault: &Fault,
) -> ExecutionError {
    let status = status.map(|status| status.as_u16());
    let (kind, what) = judge(provider, model, status, fault);
    let said = match one_line(&fault.message) {
        said if said.is_empty() => String::new(),
        said => format!(": {}", shortened(&said)),
    };
    let number = status.map_or(String::new(), |status| format!(" ({status})"));
    let message = format!("{} {}{number}{said}", provider.name, what.0);
    let message = match what.1 {
        Some(help) => format!("{}; {help}", message.trim_end_matches(['.', ' '])),
        None => message,
    };
    ExecutionError {
        retry_after_millis: fault.retry_after_millis,
        ..ExecutionError::new(kind, provider.hidden_in(message))
    }
}

pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_owned(),
    }
}

type What = (&'static str, Option<String>);

fn judge(
    provider: &Provider,
    model: &str,
    status: Option<u16>,
    fault: &Fault,
) -> (ExecutionErrorKind, What) {
    use ExecutionErrorKind as Kind;
    let code = fault.code.to_ascii_lowercase();
    if is_too_long(status, &code, &fault.message) {
        let what = "says that the prompt is too long for the model";
        return (Kind::PromptTooLong, (what, None));
    }
    if code.contains("insufficient_quota") || code.contains("billing") || status == Some(402) {
        let help = "look at the credit and the limits of the account".to_owned();
        return (
            Kind::Refused,
            ("refuses: the account can't pay for it", Some(help)),
        );
    }
    if is_bad_key(status, &code, fault) {
        return (
            Kind::Refused,
            ("refuses the key", Some(provider.key_help())),
        );
    }
    match status {
        Some(403) => (
            Kind::Refused,
            ("does not allow this", Some(provider.permission_help())),
        ),
        Some(400 | 404) if status == Some(404) || code == "model_not_found" => {
            let help = format!(
                "check the name of the model, `{model}`, and the base URL, {}",
                provider.address()
            );
            (
                Kind::Refused,
                ("does not know what was asked for", Some(help)),
            )
        }
        Some(429) => (Kind::RateLimit, ("asks to slow down", None)),
        Some(529) => (Kind::Provider, ("is overloaded", None)),
        Some(408 | 409 | 425) => (Kind::Provider, ("did not answer", None)),
        Some(300..400) => {
            let help = "check the base URL; no redirection is followed, so that the key stays where it belongs";
            (Kind::Refused, ("points elsewhere", Some(help.to_owned())))
        }
        Some(400..500) => {
            let help = "check the model and its parameters in gapless.toml".to_owned();
            (Kind::Refused, ("refuses the request", Some(help)))
        }
        Some(_) => (Kind::Provider, ("failed", None)),
        None if code.contains("rate_limit") || code.contains("exhausted") => {
            (Kind::RateLimit, ("asks to slow down", None))
        }
        None if code.contains("overloaded") => (Kind::Provider, ("is overloaded", None)),
        None => (Kind::Provider, ("failed in the middle of its answer", None)),
    }
}

fn is_bad_key(status: Option<u16>, code: &str, fault: &Fault) -> bool {
    let says_so = || {
        let message = fault.message.to_ascii_lowercase();
        let reason = fault.reason.to_ascii_lowercase();
        BAD_KEY_CODES.contains(&code)
            || BAD_KEY_CODES.contains(&reason.as_str())
            || BAD_KEY_WORDS.iter().any(|words| message.contains(words))
    };
    match status {
        Some(401) => true,
        None | Some(400 | 403 | 407 | 422) => says_so(),
        Some(_) => false,
    }
}

fn is_too_long(status: Option<u16>, code: &str, message: &str) -> bool {
    // Limits on tokens per minute speak of tokens too, and are no matter of one prompt.
    if !matches!(status, None | Some(400 | 413 | 422 | 500)) {
        return false;
    }
    let message = message.to_ascii_lowercase();
    status == Some(413)
        || TOO_LONG_CODES.contains(&code)
        || TOO_LONG_WORDS.iter().any(|words| message.contains(words))
}

/// The error for a connection that failed.
pub(super) fn unreachable(provider: &Provider, error: &reqwest::Error) -> ExecutionError {
    let mut causes = Vec::new();
    let mut is_unsafe = false;
    let mut cause = error.source();
    while let Some(inner) = cause {
        causes.push(inner.to_string());
        let io = inner.downcast_ref::<io::Error>();
        is_unsafe |= io.is_some_and(|io| io.kind() == io::ErrorKind::InvalidData);
        // What an I/O error carries is not called its source.
        let carried = io.and_then(|io| io.get_ref());
        let carried = carried.map(|carried| carried as &(dyn Error + 'static));
        cause = carried.or_else(|| inner.source());
    }
    let is_name = causes.iter().any(|cause| cause.contains("dns error"));
    let place = provider.place();
    let deepest = causes
        .pop()
        .unwrap_or_else(|| "no reason is known".to_owned());
    let message = match (error.is_connect(), is_name, is_unsafe) {
        (true, true, _) => format!(
            "the name in {place} is not known here: {deepest}; check the base URL and the network"
        ),
        (true, _, true) => format!(
            "no safe connection (TLS) to {place}: {deepest}; check that the base URL is right, and what is between here and there"
        ),
        (true, ..) => format!(
            "{place} can't be reached: {deepest}; check the base URL, the network, and that the server runs"
        ),
        (false, ..) => format!("the connection to {place} broke: {deepest}"),
    };
    ExecutionError::new(ExecutionErrorKind::Provider, provider.hidden_in(message))
}

/// The error for an answer that ended before it was whole, or can't be read.
pub(super) fn unusable(provider: &Provider, what: &str) -> ExecutionError {
    let message = format!("{} {what}; what came of it is not taken", provider.name);
    ExecutionError::new(ExecutionErrorKind::Provider, provider.hidden_in(message))
}
