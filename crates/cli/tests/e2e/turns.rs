//! Programs whose model looks at the code base without an end: each is ended at its limit, and the user is told.

use std::sync::atomic::{AtomicUsize, Ordering};

use gapless_loopback::Reply;
use serde_json::{Value, json};

use crate::programs::{CLAUDE, CODEX, GEMINI, Installed, OPENCODE};

/// A model that looks at one file after the other and never writes a document.
fn without_end(
    installed: &Installed,
    call: fn(&str) -> (&'static str, Value),
    limit: usize,
    says: &str,
) {
    let code = tempfile::Builder::new().prefix("code-").tempdir().unwrap();
    let folder = code.path().canonicalize().unwrap();
    for number in 0..limit + 20 {
        std::fs::write(folder.join(format!("{number}.txt")), "a line\n").unwrap();
    }
    let asked = AtomicUsize::new(0);
    let repo = folder.display().to_string();
    let ran = installed.session(&["--repo", &repo], move |_| {
        let number = asked.fetch_add(1, Ordering::SeqCst);
        let file = folder.join(format!("{number}.txt")).display().to_string();
        let (tool, arguments) = call(&file);
        Reply::tool(tool, arguments)
    });
    let Some(ran) = ran else {
        return;
    };
    let question = ran.waits_with();
    assert!(question.contains(says), "{question}");
    assert!(question.contains("--repo none"), "{question}");
    assert_eq!(ran.attempts().len(), 1);
    let requests = ran.requests.len();
    assert!((limit..=limit + 10).contains(&requests), "{requests}");
}

#[test]
fn claude() {
    let call = |file: &str| ("Read", json!({"file_path": file}));
    without_end(&CLAUDE, call, 100, "claude took more than 100 turns");
}

#[test]
fn codex() {
    let call = |file: &str| ("exec_command", json!({"cmd": format!("cat {file}")}));
    without_end(&CODEX, call, 150, "codex ran more than 150 commands");
}

#[test]
fn gemini() {
    let call = |file: &str| ("read_file", json!({"file_path": file}));
    without_end(&GEMINI, call, 100, "gemini took more than 100 turns");
}

#[test]
fn opencode() {
    let call = |file: &str| ("read", json!({"filePath": file}));
    without_end(&OPENCODE, call, 110, "opencode took more than 110 turns");
}
