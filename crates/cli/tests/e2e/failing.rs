//! Programs whose provider fails: for ever, by refusing, by silence, and on prompts that are too long.

use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use gapless_loopback::{Api, Loopback, Recorded, Reply};

use crate::lamp::well;
use crate::programs::{CLAUDE, CODEX, GEMINI, Installed, OPENCODE};
use crate::rounds::run;
use crate::support::{Running, Said, until};

fn asked(server: &Loopback) -> usize {
    let requests = server.requests();
    requests.iter().filter(|one| one.api.is_some()).count()
}

/// One try of a program whose provider fails for ever asks no more often than this.
fn overloaded(installed: &Installed, status: u16, most: usize) {
    let server =
        Loopback::start(move |_| Reply::error(status, "Overloaded").header("retry-after-ms", "1"))
            .unwrap();
    let Some(ready) = installed.ready(&server, "") else {
        return;
    };
    let said = Said::of(
        ready
            .command(&["agents", "test", installed.agent])
            .output()
            .unwrap(),
    );
    assert_ne!(said.code, Some(0), "{}\n{}", said.out, said.err);
    let words = format!("{}{}", said.out, said.err);
    assert!(words.contains("Overloaded"), "{words}");
    assert!(!words.contains("stats") && words.len() < 800, "{words}");
    let asked = asked(&server);
    assert!((1..=most).contains(&asked), "{asked}");
}

#[test]
fn claude_overloaded() {
    overloaded(&CLAUDE, 529, 2);
}

#[test]
fn codex_overloaded() {
    overloaded(&CODEX, 529, 4);
}

#[test]
fn gemini_overloaded() {
    overloaded(&GEMINI, 500, 2);
}

#[test]
fn opencode_overloaded() {
    overloaded(&OPENCODE, 529, 6);
}

/// A refused key is final: one try, in which some programs ask twice, and words on what to do.
fn refused(installed: &Installed, advice: &str, requests: usize) {
    let server = Loopback::start(|_| Reply::error(401, "the key is not known")).unwrap();
    let Some(ready) = installed.ready(&server, "") else {
        return;
    };
    let said = Said::of(ready.command(&run(installed.agent)).output().unwrap());
    let shown = ready.project.json(&["show", "1"]);
    let attempts = shown["attempts"].as_array().unwrap();
    assert_eq!(attempts.len(), 1, "{attempts:?}");
    let message = attempts[0]["message"].as_str().unwrap();
    assert!(
        message.contains("the key is not known") && message.ends_with(advice),
        "{message}"
    );
    assert_eq!(said.code, Some(3), "{}\n{}", said.out, said.err);
    assert_eq!(asked(&server), requests);
}

#[test]
fn claude_refused() {
    refused(&CLAUDE, "sign in, or set a valid ANTHROPIC_API_KEY", 2);
}

#[test]
fn codex_refused() {
    refused(&CODEX, "run `codex login`, or set a valid CODEX_API_KEY", 2);
}

#[test]
fn gemini_refused() {
    refused(&GEMINI, "sign in, or set a valid GEMINI_API_KEY", 1);
}

#[test]
fn opencode_refused() {
    refused(
        &OPENCODE,
        "run `opencode auth login`, or set a valid key of the provider",
        1,
    );
}

/// A prompt that is too long is sent again with less in it.
fn too_long(installed: &Installed) {
    const MOST: usize = 16_000;
    let server = Loopback::start(|request: &Recorded| {
        if request.prompt().len() <= MOST {
            return Reply::text(well(request));
        }
        match request.api {
            Some(Api::AnthropicMessages) => Reply::error(400, "prompt is too long: 214001 tokens > 200000 maximum"),
            Some(Api::Gemini) => Reply::error(
                400,
                "The input token count (1200001) exceeds the maximum number of tokens allowed (1048575).",
            ),
            _ => Reply::error(400, "Your input exceeds the context window of this model.").code("context_length_exceeded"),
        }
    })
    .unwrap();
    let Some(ready) = installed.ready(&server, "") else {
        return;
    };
    let long =
        "The lamp stands in a room, and the room is described at length here.\n\n".repeat(400);
    let gaps = "- GAP-COL-001 [HIGH] (section: Form): the colour is missing\n\
                - GAP-HGT-001 [LOW] (section: Form): the height is missing\n";
    let spec = format!("# A lamp\n\n## Form\n\n{long}\n\n## Known gaps\n\n{gaps}");
    ready.project.write("tiny.md", &spec);
    let said = Said::of(ready.command(&run(installed.agent)).output().unwrap());
    let shown = ready.project.json(&["show", "1"]);
    let first = &shown["attempts"][0];
    let message = first["message"].as_str().unwrap_or_default();
    assert!(
        message.contains("; the next prompt has "),
        "{shown:#}\n{}",
        said.err
    );
    let verdicts: Vec<&str> = shown["attempts"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["verdict"].as_str())
        .collect();
    assert!(verdicts.contains(&"VALID"), "{verdicts:?}");
    let lengths: Vec<usize> = server
        .requests()
        .iter()
        .map(Recorded::prompt)
        .filter(|prompt| prompt.contains("# Your task: Engineer"))
        .map(|prompt| prompt.len())
        .collect();
    assert!(lengths.is_sorted_by(|a, b| a > b), "{lengths:?}");
}

#[test]
fn claude_too_long() {
    too_long(&CLAUDE);
}

#[test]
fn codex_too_long() {
    too_long(&CODEX);
}

#[test]
fn gemini_too_long() {
    too_long(&GEMINI);
}

#[test]
fn opencode_too_long() {
    too_long(&OPENCODE);
}

/// Processes that have this path in their environment, such as everything that a run started.
fn with_path(path: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let environments = processes.filter_map(|process| {
        let environment = std::fs::read(process.path().join("environ")).ok()?;
        let found = environment
            .windows(path.len())
            .any(|part| part == path.as_bytes());
        let command =
            || std::fs::read_to_string(process.path().join("cmdline")).unwrap_or_default();
        found.then(command)
    });
    environments.collect()
}

/// A provider that takes a request and never answers: the idle limit ends the program, and Ctrl-C ends the next one.
fn silent(installed: &Installed) {
    let (tell, told) = channel::<()>();
    let tell: Mutex<Sender<()>> = Mutex::new(tell);
    let server = Loopback::start(move |_| {
        let _ = tell.lock().map(|tell| tell.send(()));
        Reply::silence()
    })
    .unwrap();
    // Longer than the slowest of them takes to ask for the first time on a busy machine.
    let more = "idle_timeout_seconds = 30\n---\npatience_seconds = 1\n";
    let Some(ready) = installed.ready(&server, more) else {
        return;
    };
    let running = Running::of(&mut ready.command(&run(installed.agent)));
    for _ in 0..2 {
        told.recv_timeout(Duration::from_secs(120))
            .expect("it never asks");
    }
    running.signal("INT");
    running.wait();
    let home = ready.home.path().display().to_string();
    until("the end of all processes", || with_path(&home).is_empty());
    let shown = ready.project.json(&["show", "1"]);
    let message = shown["attempts"][0]["message"].as_str().unwrap_or_default();
    assert!(message.contains("idle limit"), "{shown:#}");
    // Neither run said what it used, so both prompts are counted here.
    let usage = ready.project.json(&["status"])["usage"]["engineer"].clone();
    assert!(usage["input_tokens"].as_u64() >= Some(200), "{usage}");
    assert_eq!(usage["estimated"], true, "{usage}");
}

#[test]
fn claude_silent() {
    silent(&CLAUDE);
}

#[test]
fn codex_silent() {
    silent(&CODEX);
}

#[test]
fn gemini_silent() {
    silent(&GEMINI);
}

#[test]
fn opencode_silent() {
    silent(&OPENCODE);
}
