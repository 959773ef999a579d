//! Programs that misbehave, as any command line and as a preset: none holds a run up, each ends in the right kind of failure,
//! and nothing of it is left.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gapless_agents::{Agent, Finished, Request};
use gapless_domain::task::{ExecutionErrorKind, OutputNote, Role};
use support::player::Player;
use support::{expect_gone, open_in, request, run};

/// Far below what the scripts would take, far above what ending them does.
const PROMPT: Duration = Duration::from_secs(20);

/// What `claude` says when it is done, with this document.
const SAYS: &str = r#"say() { printf '{"type":"result","is_error":false,"result":"%s"}\n' "$1"; }"#;

fn limited(idle: u64, hard: u64) -> Request {
    let mut request = request(Role::Engineer);
    request.limits.idle_timeout_millis = idle;
    request.limits.hard_timeout_millis = hard;
    request
}

/// The same script as a command line and as the program of a preset.
fn both(player: &Player) -> [(&'static str, Arc<dyn Agent>); 2] {
    let preset = player.plays("claude", "", "");
    let program = player.path("program");
    let command = open_in(Path::new("/"), &format!("cmd:{}", program.display()));
    [("cmd", command), ("preset", preset)]
}

async fn play(script: &str, request: Request) -> Vec<(&'static str, Finished)> {
    let player = Player::new(&format!("{SAYS}\necho $$ > \"$TRACES/pid\"\n{script}"));
    let mut played = Vec::new();
    for (kind, agent) in both(&player) {
        let started = Instant::now();
        let finished = run(&agent, request.clone()).await;
        assert!(started.elapsed() < PROMPT, "{kind}: {script}");
        expect_gone(&player.path("pid"));
        if player.path("child").exists() {
            expect_gone(&player.path("child"));
        }
        played.push((kind, finished));
    }
    played
}

#[tokio::test]
async fn whoever_does_not_come_to_an_end_is_ended() {
    use ExecutionErrorKind::{HardTimeout, IdleTimeout};
    for (script, limits, expected) in [
        ("sleep 60", (300, 60_000), IdleTimeout),
        (
            "cat > /dev/null; sleep 60; say late",
            (300, 60_000),
            IdleTimeout,
        ),
        (
            "trap '' TERM; sleep 60 & echo $! > \"$TRACES/child\"; wait; wait; sleep 60",
            (300, 60_000),
            IdleTimeout,
        ),
        (
            "while :; do printf .; sleep 0.05; done",
            (5_000, 700),
            HardTimeout,
        ),
        (
            "while :; do printf . >&2; sleep 0.05; done",
            (5_000, 700),
            HardTimeout,
        ),
        ("yes", (5_000, 400), HardTimeout),
        ("yes '{\"type\":\"other\"}'", (5_000, 400), HardTimeout),
        (
            "sleep 60 & echo $! > \"$TRACES/child\"; wait",
            (300, 60_000),
            IdleTimeout,
        ),
    ] {
        for (kind, finished) in play(script, limited(limits.0, limits.1)).await {
            let error = finished.result.unwrap_err();
            assert_eq!(error.kind, expected, "{kind}: {script}");
        }
    }
}

#[tokio::test]
async fn an_answer_counts_whatever_else_the_program_does() {
    for (script, document, notes) in [
        // It leaves a child that holds stdout.
        (
            "sleep 60 & echo $! > \"$TRACES/child\"; say fine",
            "fine",
            vec![],
        ),
        // It prints a document and exits with an error.
        ("say fine; exit 1", "fine", vec![OutputNote::NonzeroExit]),
        // It dies by a signal after its answer.
        (
            "say fine; kill -9 $$",
            "fine",
            vec![OutputNote::NonzeroExit],
        ),
        // It writes the file and prints another text.
        (
            "say other; printf 'from the file' > \"$GAPLESS_OUTPUT\"",
            "from the file",
            vec![],
        ),
        // It writes outside of its folder.
        (
            "printf 'outside' > \"$TRACES/engineer.md\"; printf x > ../stray-$$; rm -f ../stray-$$; say fine",
            "fine",
            vec![],
        ),
        // It wants no prompt.
        ("exec < /dev/null; say fine", "fine", vec![]),
    ] {
        for (kind, finished) in play(script, limited(30_000, 60_000)).await {
            let output = finished
                .result
                .unwrap_or_else(|error| panic!("{kind}: {script}: {error}"));
            let text = output.text.unwrap();
            match kind {
                "preset" => assert_eq!(text, document, "{script}"),
                _ => assert!(text.contains(document), "{script}: {text}"),
            }
            assert_eq!(output.notes, notes, "{kind}: {script}");
        }
    }
}

#[tokio::test]
async fn what_has_no_answer_is_told_apart() {
    use ExecutionErrorKind::{ExitedWithoutOutput, Provider};
    for (script, as_command, as_preset) in [
        // No document, and the program says that all went well: it is asked again.
        ("cat > /dev/null", Ok(None), Ok(None)),
        // An error text with exit code 0: for a command that is what it wrote, and no document by its form.
        (
            "echo 'quota exceeded'",
            Ok(Some("quota exceeded\n")),
            Err(Provider),
        ),
        (
            "kill -9 $$",
            Err(ExitedWithoutOutput),
            Err(ExitedWithoutOutput),
        ),
        (
            "kill -TERM $$",
            Err(ExitedWithoutOutput),
            Err(ExitedWithoutOutput),
        ),
        (
            "echo reason >&2; exit 7",
            Err(ExitedWithoutOutput),
            Err(ExitedWithoutOutput),
        ),
        // A document that is written elsewhere is neither read nor kept.
        ("printf x > \"$TRACES/engineer.md\"", Ok(None), Ok(None)),
        (
            "mkdir -p deep; printf x > deep/engineer.md",
            Ok(None),
            Ok(None),
        ),
        // Half a line of JSON.
        (
            "printf '{\"type\":\"result\",'",
            Ok(Some("{\"type\":\"result\",")),
            Err(Provider),
        ),
    ] {
        for (kind, finished) in play(script, limited(30_000, 60_000)).await {
            let expected = match kind {
                "cmd" => as_command,
                _ => as_preset,
            };
            let result = finished
                .result
                .map(|output| output.text)
                .map_err(|error| error.kind);
            let expected = expected.map(|text: Option<&str>| text.map(str::to_owned));
            assert_eq!(result, expected, "{kind}: {script}");
        }
    }
}

/// The most memory that this process ever had, in bytes, where the system tells it.
fn most_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[tokio::test]
async fn a_flood_costs_no_memory_and_does_not_drown_the_answer() {
    const FLOOD: u64 = 200_000_000;
    let before = most_memory();
    for flood in [
        format!("head -c {FLOOD} /dev/zero | tr '\\0' x; echo; say fine"),
        format!(
            "yes '{{\"type\":\"other\"}}' | head -c {}; echo; say fine",
            FLOOD / 20
        ),
        format!("head -c {FLOOD} /dev/zero >&2; say fine"),
    ] {
        for (kind, finished) in play(&flood, limited(30_000, 60_000)).await {
            let output = finished.result.unwrap();
            match kind {
                "preset" => assert_eq!(output.text.as_deref(), Some("fine"), "{flood}"),
                _ => assert!(output.text.unwrap().len() <= 1 << 20),
            }
        }
    }
    if let (Some(before), Some(after)) = (before, most_memory()) {
        let grown = after.saturating_sub(before);
        assert!(grown < FLOOD / 2, "{grown} bytes more than before");
    }
}
