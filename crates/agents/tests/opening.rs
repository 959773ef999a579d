//! What an agent may be called, and what is said of a name that is none.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::Path;

use gapless_agents::{OpenError, open};
use support::{context, open_in};

fn refusal(base: &Path, spec: &str) -> OpenError {
    match open(spec, &context(base)) {
        Ok(agent) => panic!("{} was opened", agent.name()),
        Err(error) => error,
    }
}

#[test]
fn an_agent_keeps_the_name_that_the_user_gave_it() {
    let folder = tempfile::tempdir().unwrap();
    for spec in ["replay:.", "cmd:my-agent --model 'a b'", "cmd: ./agent"] {
        assert_eq!(open_in(folder.path(), spec).name(), spec);
    }
}

#[test]
fn an_unknown_name_is_answered_with_what_is_known_and_the_nearest() {
    let error = refusal(Path::new("/"), "relpay:demo");
    assert_eq!(
        error.to_string(),
        "`relpay:demo` is not an agent (did you mean `replay:<folder>`?); \
         known are `claude`, `claude:<model>`, `codex`, `codex:<model>`, `gemini`, `gemini-cli:<model>`, \
         `opencode`, `opencode:<model>`, `human`, `offline`, `replay:<folder>`, `cmd:<command line>`, \
         `anthropic:<model>`, `openai:<model>`, `gemini:<model>`, `ollama:<model>`"
    );
    for (spec, nearest) in [
        ("replay", Some("replay:<folder>")),
        ("CMD:x", Some("cmd:<command line>")),
        ("comd:x", Some("cmd:<command line>")),
        ("clade", Some("claude")),
        ("clade:opus", Some("claude:<model>")),
        ("", None),
        ("telepathy", None),
    ] {
        match refusal(Path::new("/"), spec) {
            OpenError::Unknown { nearest: found, .. } => assert_eq!(found.as_deref(), nearest),
            other => panic!("{spec}: {other}"),
        }
    }
}

#[test]
fn a_replay_needs_a_folder_that_is_there() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let path = |name| folder.path().join(name);
    assert_eq!(
        refusal(folder.path(), "replay:nowhere"),
        OpenError::FolderMissing {
            path: path("nowhere")
        }
    );
    assert_eq!(
        refusal(folder.path(), "replay:file"),
        OpenError::NotAFolder { path: path("file") }
    );
    assert_eq!(refusal(folder.path(), "replay:"), OpenError::NoFolderNamed);
    let message = refusal(folder.path(), "replay:nowhere").to_string();
    assert!(message.contains("no folder") && message.contains("nowhere"));
}

#[test]
fn a_command_line_needs_a_program_and_closed_quotes() {
    let base = Path::new("/");
    for spec in ["cmd:", "cmd:   ", "cmd:''"] {
        assert_eq!(refusal(base, spec), OpenError::NoCommand);
    }
    let line = "agent 'half".to_owned();
    assert_eq!(
        refusal(base, "cmd:agent 'half"),
        OpenError::OpenQuote { line }
    );
}
