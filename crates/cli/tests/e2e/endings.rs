//! Programs whose model stops before it is done: at its limit, or since it or a filter will not go on.

use gapless_loopback::Reply;

use crate::lamp::well;
use crate::programs::{CLAUDE, CODEX, GEMINI, Installed, OPENCODE};
use crate::rounds::cut_at_first;

/// A document that was cut gives its whole sections, and the model is asked for the rest.
fn cut(installed: &Installed, word: &'static str) {
    if let Some(ran) = installed.session(&[], move |request| cut_at_first(request, word)) {
        ran.took_whole_sections();
    }
}

/// A refusal, with or without words before it, is final: one attempt, and a question that says so.
fn refused(installed: &Installed, word: &'static str) {
    for said in ["I can't do that.", ""] {
        let Some(ran) = installed.session(&[], move |_| Reply::text(said).stopped_by(word)) else {
            return;
        };
        let question = ran.waits_with();
        assert!(
            question.contains("would not finish its answer"),
            "{question}"
        );
        let attempts = ran.attempts();
        assert_eq!(attempts.len(), 1, "{attempts:?}");
        // Some ask a second time by themselves where nothing came.
        assert!(ran.requests.len() <= 2, "{}", ran.requests.len());
    }
}

#[test]
fn claude_cut() {
    cut(&CLAUDE, "max_tokens");
}

/// It asks its model to go on where it was cut: what comes then is the rest of the same document.
#[test]
fn claude_goes_on_where_it_was_cut() {
    let ran = CLAUDE.session(&[], |request| {
        let text = well(request);
        let middle = text.len() / 2;
        let messages = request.body["messages"].as_array();
        let goes_on = messages.is_some_and(|all| all.iter().any(|it| it["role"] == "assistant"));
        match request.prompt().contains("# Your task: Engineer") {
            true if !goes_on => Reply::text(&text[..middle]).stopped_by("max_tokens"),
            true => Reply::text(&text[middle..]),
            false => Reply::text(text),
        }
    });
    let Some(ran) = ran else {
        return;
    };
    assert_eq!(ran.said.code, Some(0), "{}", ran.said.err);
    let attempts = ran.attempts();
    assert_eq!(attempts[0]["verdict"], "VALID", "{attempts:?}");
    assert_eq!(attempts[0]["gaps"].as_array().unwrap().len(), 2);
    assert_eq!(attempts.len(), 3, "{attempts:?}");
}

#[test]
fn claude_refusing() {
    refused(&CLAUDE, "refusal");
}

#[test]
fn codex_cut() {
    cut(&CODEX, "max_output_tokens");
}

#[test]
fn codex_refusing() {
    refused(&CODEX, "content_filter");
}

#[test]
fn gemini_cut() {
    cut(&GEMINI, "MAX_TOKENS");
}

#[test]
fn gemini_refusing() {
    refused(&GEMINI, "SAFETY");
}

#[test]
fn opencode_cut() {
    cut(&OPENCODE, "length");
}

#[test]
fn opencode_refusing() {
    refused(&OPENCODE, "content_filter");
}
