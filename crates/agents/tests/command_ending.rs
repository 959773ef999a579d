//! How a command's run ends before its time, and that nothing of it is left.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use gapless_agents::{Request, Watch};
use gapless_domain::task::{ExecutionErrorKind, Role, Unfinished};
use support::{error, expect_gone, noticing_watch, output, request, run, script};
use tempfile::TempDir;

/// Far below what the scripts would sleep, far above what ending them takes.
const PROMPT: Duration = Duration::from_secs(20);

fn limited(idle_timeout_millis: u64, hard_timeout_millis: u64) -> Request {
    let mut request = request(Role::Engineer);
    request.limits.idle_timeout_millis = idle_timeout_millis;
    request.limits.hard_timeout_millis = hard_timeout_millis;
    request
}

/// Where a script leaves the id of a process and the name of its working folder.
struct Traces(TempDir);

impl Traces {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn folder(&self) -> &str {
        self.0.path().to_str().unwrap()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn expect_nothing_left(&self) {
        expect_gone(&self.file("pid"));
        let folder = std::fs::read_to_string(self.file("cwd")).unwrap();
        assert!(!Path::new(folder.trim()).exists());
    }
}

/// Leaves its traces in `$1`, starts a grandchild, says so and stays.
const FAMILY: &str = r#"pwd > "$1/cwd"; sleep 60 & echo $! > "$1/pid"; echo started; wait"#;
const STUBBORN_FAMILY: &str =
    r#"trap '' TERM; pwd > "$1/cwd"; sleep 60 & echo $! > "$1/pid"; echo started; wait"#;

#[tokio::test]
async fn a_silent_agent_is_ended_with_its_group() {
    let traces = Traces::new();
    let ended = error(&script(FAMILY, &[traces.folder()]), limited(900, 60_000)).await;
    assert_eq!(ended.kind, ExecutionErrorKind::IdleTimeout);
    assert!(ended.message.contains("900 ms"), "{ended}");
    traces.expect_nothing_left();
}

#[tokio::test]
async fn the_last_words_of_a_timed_out_agent_are_told() {
    let agent = script("echo 'waiting for login' >&2; sleep 60", &[]);
    let ended = error(&agent, limited(900, 60_000)).await;
    assert!(
        ended.message.ends_with("stderr: waiting for login"),
        "{ended}"
    );
}

/// What a timed-out script had written, and that it had not changed for about so long.
async fn unfinished(text: &str, request: Request) -> Unfinished {
    let finished = run(&script(text, &[]), request).await;
    assert!(finished.result.unwrap_err().kind.is_timeout());
    finished.unfinished.unwrap()
}

#[tokio::test]
async fn a_timed_out_agent_hands_over_what_it_said_and_what_it_wrote() {
    let said = unfinished("echo '## Review'; sleep 60", limited(900, 60_000)).await;
    assert_eq!(said.text, "## Review\n");
    assert!(said.unchanged_millis >= 800, "{said:?}");

    // A file goes before what was said, unless there is nothing to see in it.
    let file = "echo said; echo written > \"$GAPLESS_OUTPUT\"; sleep 60";
    let written = unfinished(file, limited(900, 60_000)).await;
    assert_eq!(written.text, "written\n");
    assert!(written.unchanged_millis >= 500, "{written:?}");
    let blank = "echo said; echo > \"$GAPLESS_OUTPUT\"; sleep 60";
    assert_eq!(unfinished(blank, limited(900, 60_000)).await.text, "said\n");

    let nothing = run(&script("sleep 60", &[]), limited(300, 60_000)).await;
    assert_eq!(nothing.unfinished, None);
}

#[tokio::test]
async fn what_still_grows_when_an_agent_is_ended_has_just_changed() {
    let said = unfinished("yes", limited(60_000, 250)).await;
    assert!(said.unchanged_millis < 200, "{}", said.unchanged_millis);
    let growing = "while :; do echo line >> \"$GAPLESS_OUTPUT\"; sleep 0.02; done";
    let written = unfinished(growing, limited(60_000, 900)).await;
    assert!(
        written.unchanged_millis < 400,
        "{}",
        written.unchanged_millis
    );
    // Also what it writes when it is asked to end.
    let last = "trap 'echo end >> \"$GAPLESS_OUTPUT\"; exit 0' TERM; echo begin > \"$GAPLESS_OUTPUT\"; sleep 60 & wait";
    let written = unfinished(last, limited(60_000, 900)).await;
    assert_eq!(written.text, "begin\nend\n");
    assert!(written.unchanged_millis < 100, "{written:?}");
}

#[tokio::test]
async fn output_on_either_channel_keeps_an_agent_from_being_idle() {
    let agent = script(
        "for i in 1 2 3 4 5 6; do sleep 0.1; echo $i; sleep 0.1; echo . >&2; done",
        &[],
    );
    let got = output(&agent, limited(1_000, 60_000)).await;
    assert_eq!(got.text.as_deref(), Some("1\n2\n3\n4\n5\n6\n"));
}

#[tokio::test]
async fn an_endless_talker_is_ended_at_the_hard_limit() {
    let ended = error(&script("yes", &[]), limited(60_000, 250)).await;
    assert_eq!(ended.kind, ExecutionErrorKind::HardTimeout);
    assert!(ended.message.contains("250 ms"), "{ended}");
}

#[tokio::test]
async fn the_hard_limit_is_named_in_whole_units() {
    let ended = error(&script("sleep 60", &[]), limited(60_000, 1_000)).await;
    assert_eq!(ended.kind, ExecutionErrorKind::HardTimeout);
    assert!(ended.message.contains("1 s (hard limit)"), "{ended}");
}

#[tokio::test]
async fn limits_beyond_the_clock_are_no_limits() {
    let got = output(&script("echo fine", &[]), limited(u64::MAX, u64::MAX)).await;
    assert_eq!(got.text.as_deref(), Some("fine\n"));
}

#[tokio::test]
async fn a_group_that_ignores_the_request_to_end_is_killed() {
    let traces = Traces::new();
    let started = Instant::now();
    let agent = script(STUBBORN_FAMILY, &[traces.folder()]);
    let ended = error(&agent, limited(60_000, 900)).await;
    assert_eq!(ended.kind, ExecutionErrorKind::HardTimeout);
    assert!(started.elapsed() < PROMPT);
    traces.expect_nothing_left();
}

#[tokio::test]
async fn an_agent_may_tidy_up_when_it_is_asked_to_end() {
    let traces = Traces::new();
    let tidy = r#"trap 'echo tidy > "$1/tidied"; exit 0' TERM; echo ready; sleep 60 & wait"#;
    error(&script(tidy, &[traces.folder()]), limited(900, 60_000)).await;
    assert!(traces.file("tidied").exists());
}

#[tokio::test]
async fn a_cancelled_run_ends_with_its_group() {
    for family in [FAMILY, STUBBORN_FAMILY] {
        let traces = Traces::new();
        let agent = script(family, &[traces.folder()]);
        let (watch, noticed) = noticing_watch();
        let cancel = watch.cancel.clone();
        let started = Instant::now();
        let run = agent.run(limited(60_000, 60_000), watch);
        let (finished, ()) = tokio::join!(run, async {
            noticed.notified().await;
            cancel.cancel();
        });
        assert!(finished.result.is_err());
        assert!(started.elapsed() < PROMPT);
        traces.expect_nothing_left();
    }
}

#[tokio::test]
async fn a_run_cancelled_beforehand_starts_nothing() {
    let traces = Traces::new();
    let watch = Watch::default();
    watch.cancel.cancel();
    let agent = script(FAMILY, &[traces.folder()]);
    let finished = agent.run(limited(60_000, 60_000), watch).await;
    assert!(finished.result.is_err());
    assert!(!traces.file("pid").exists());
}

#[tokio::test]
async fn a_dropped_run_takes_its_group_with_it() {
    for family in [FAMILY, STUBBORN_FAMILY] {
        let traces = Traces::new();
        let agent = script(family, &[traces.folder()]);
        let (watch, noticed) = noticing_watch();
        tokio::select! {
            _ = agent.run(limited(60_000, 60_000), watch) => panic!("the run ended by itself"),
            () = noticed.notified() => {}
        }
        traces.expect_nothing_left();
    }
}

#[tokio::test]
async fn a_grandchild_that_holds_the_pipes_open_does_not_hold_the_run() {
    let traces = Traces::new();
    let started = Instant::now();
    let parent = r#"pwd > "$1/cwd"; sleep 60 & echo $! > "$1/pid"; echo document"#;
    let got = output(&script(parent, &[traces.folder()]), limited(60_000, 60_000)).await;
    assert_eq!(got.text.as_deref(), Some("document\n"));
    assert!(started.elapsed() < PROMPT);
    traces.expect_nothing_left();
}

#[tokio::test]
async fn a_grandchild_that_floods_the_pipes_does_not_hold_the_run() {
    let traces = Traces::new();
    let started = Instant::now();
    let parent = r#"pwd > "$1/cwd"; echo document; yes & echo $! > "$1/pid""#;
    let got = output(&script(parent, &[traces.folder()]), limited(60_000, 60_000)).await;
    assert!(got.text.unwrap().starts_with("document\n"));
    assert!(started.elapsed() < PROMPT);
    traces.expect_nothing_left();
}

#[tokio::test]
async fn a_grandchild_that_closed_the_pipes_is_not_left_running() {
    let traces = Traces::new();
    let parent = r#"pwd > "$1/cwd"; sleep 60 < /dev/null > /dev/null 2>&1 & echo $! > "$1/pid"; echo document"#;
    let got = output(&script(parent, &[traces.folder()]), limited(60_000, 60_000)).await;
    assert_eq!(got.text.as_deref(), Some("document\n"));
    traces.expect_nothing_left();
}

#[tokio::test]
async fn an_agent_that_closes_its_output_early_is_waited_for() {
    let agent = script(
        r#"exec > /dev/null 2>&1; sleep 0.2; echo document > "$GAPLESS_OUTPUT""#,
        &[],
    );
    let got = output(&agent, limited(60_000, 60_000)).await;
    assert_eq!(got.text.as_deref(), Some("document\n"));
}
