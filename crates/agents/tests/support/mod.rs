//! Builds requests and runs agents in a line each.

#![allow(clippy::unwrap_used, clippy::expect_used, dead_code)]

pub mod models;
#[cfg(unix)]
pub mod player;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use gapless_agents::{Agent, Finished, OpenContext, Output, ProgressSink, Request, Watch, open};
use gapless_domain::ids::GapId;
use gapless_domain::task::{ExecutionError, Role, SlotId, TaskId, TaskLimits};
use tokio::sync::Notify;

pub fn request(role: Role) -> Request {
    Request {
        task: TaskId {
            epoch: 0,
            round: 3,
            slot: SlotId::new(role, 0),
            attempt: 1,
        },
        gaps: vec![gap("GAP-FLOW-001")],
        prompt: "the prompt".into(),
        inputs: vec![],
        output_path: "round_003/engineer.md".to_owned(),
        repo: None,
        limits: TaskLimits {
            idle_timeout_millis: 30_000,
            hard_timeout_millis: 60_000,
            output_bytes: 1 << 20,
        },
    }
}

pub fn gap(id: &str) -> GapId {
    id.parse().unwrap()
}

pub fn context(base: &Path) -> OpenContext {
    OpenContext::unattended(base)
}

pub fn open_in(base: &Path, spec: &str) -> Arc<dyn Agent> {
    open(spec, &context(base)).unwrap()
}

/// Opens an agent that is a shell script; `$1` and so on are `arguments`.
pub fn script(script: &str, arguments: &[&str]) -> Arc<dyn Agent> {
    let mut line = format!("cmd:sh -c {} sh", shlex::try_quote(script).unwrap());
    for argument in arguments {
        line.push(' ');
        line.push_str(&shlex::try_quote(argument).unwrap());
    }
    open_in(Path::new("/"), &line)
}

pub async fn run(agent: &Arc<dyn Agent>, request: Request) -> Finished {
    agent.run(request, Watch::default()).await
}

pub async fn output(agent: &Arc<dyn Agent>, request: Request) -> Output {
    run(agent, request).await.result.unwrap()
}

pub async fn error(agent: &Arc<dyn Agent>, request: Request) -> ExecutionError {
    run(agent, request).await.result.unwrap_err()
}

/// A watch that tells when the first byte of a run came in.
pub fn noticing_watch() -> (Watch, Arc<Notify>) {
    let noticed = Arc::new(Notify::new());
    let notify = Arc::clone(&noticed);
    let watch = Watch {
        progress: ProgressSink::new(move |_| notify.notify_one()),
        ..Watch::default()
    };
    (watch, noticed)
}

/// Waits, within bounds, until the process whose id is in `pid_file` is gone or only awaits being reaped.
pub fn expect_gone(pid_file: &Path) {
    let pid = std::fs::read_to_string(pid_file).unwrap();
    let pid = pid.trim();
    assert!(!pid.is_empty());
    for _ in 0..500 {
        if !is_alive(pid) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("process {pid} is still running");
}

fn is_alive(pid: &str) -> bool {
    let answers = std::process::Command::new("kill")
        .args(["-0", pid])
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap()
        .success();
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let is_zombie = stat
        .rsplit_once(") ")
        .is_some_and(|(_, rest)| rest.starts_with('Z'));
    answers && !is_zombie
}
