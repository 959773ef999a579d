//! What gapless adds to its agents' own time, and how long `gapless status` takes among many sessions: the real binary,
//! started as a user starts it, with an agent that answers at once.
#![allow(clippy::expect_used)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use tempfile::TempDir;

const GAPLESS: &str = env!("CARGO_BIN_EXE_gapless");
const SESSIONS: usize = 100;

/// The calls of a session: one round, and the final review.
const ROLES: [&str; 3] = ["engineer", "reviewer", "final_review"];

const SPEC: &str = "# A lamp\n\nIt has a colour.\n\n## Known gaps\n\n- GAP-COL-001 [HIGH]: the colour is missing\n";

/// Answers with nothing but what the shell itself has: it starts no other program.
const AGENT: &str = r####"while read -r line; do :; done
case "$GAPLESS_ROLE" in
  engineer) printf '## Gap Resolution: GAP-COL-001\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\nIt is red as the table of colours has it, and a lamp of another colour is not sold.\n\n### Examples\n\nRed passes.\n\n### Trade-offs\n\nNone.\n\n### New Gaps Introduced\n\nNone\n' ;;
  reviewer) printf '## Review: GAP-COL-001\n\n**NO_ISSUES_FOUND**\n\nExamined:\n\n- the colour\n' ;;
  *) printf '## Final Review\n\n**Verdict:** READY_FOR_TERMINATION\n\n### Completeness\n- [x] read\n\n### Blocking Issues\n\nNone\n' ;;
esac
"####;

fn project() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("agent.sh"), AGENT).expect("the agent is written");
    folder
}

fn gapless(folder: &Path, words: &[&str]) {
    let output = Command::new(GAPLESS)
        .args(words)
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder.join("state"))
        .stdin(Stdio::null())
        .output()
        .expect("gapless starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

/// A whole session on a spec of its own.
fn session(folder: &Path, name: &str) {
    let spec = format!("{name}.md");
    fs::write(folder.join(&spec), SPEC).expect("the spec is written");
    let agent = format!("cmd:sh {}", folder.join("agent.sh").display());
    let words = [
        "run",
        &spec,
        "--agents",
        &agent,
        "--analyst",
        "none",
        "--policy",
        "recommended",
    ];
    gapless(folder, &words);
}

/// The same calls without gapless, with a prompt of the same length.
fn calls_alone(folder: &Path, prompts: &[String; 3]) {
    for (role, prompt) in ROLES.iter().zip(prompts) {
        let mut child = Command::new("sh")
            .arg(folder.join("agent.sh"))
            .env("GAPLESS_ROLE", role)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the agent starts");
        let mut stdin = child.stdin.take().expect("it is piped");
        stdin.write_all(prompt.as_bytes()).expect("it reads");
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success() && !output.stdout.is_empty());
    }
}

fn over_the_calls(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a session of three calls of an instant agent");
    group
        .sample_size(30)
        .measurement_time(Duration::from_secs(8));
    group.bench_function("gapless run", |bencher| {
        bencher.iter_custom(|iterations| {
            let mut spent = Duration::ZERO;
            for _ in 0..iterations {
                let folder = project();
                let started = Instant::now();
                session(folder.path(), "lamp");
                spent += started.elapsed();
            }
            spent
        });
    });
    let folder = project();
    let prompts = [9_000, 6_000, 3_000].map(|length| "A line of the prompt.\n".repeat(length / 22));
    group.bench_function("the calls alone", |bencher| {
        bencher.iter(|| calls_alone(folder.path(), &prompts));
    });
    group.bench_function("gapless --version", |bencher| {
        bencher.iter(|| gapless(folder.path(), &["--version"]));
    });
    group.finish();
}

fn status_among_many(criterion: &mut Criterion) {
    let folder = project();
    for number in 0..SESSIONS {
        session(folder.path(), &format!("lamp-{number:03}"));
    }
    let mut group = criterion.benchmark_group(format!("a workspace with {SESSIONS} sessions"));
    group
        .sample_size(30)
        .measurement_time(Duration::from_secs(5));
    for words in [
        &["status"][..],
        &["status", "lamp-050"],
        &["status", "--json"],
    ] {
        group.bench_function(format!("gapless {}", words.join(" ")), |bencher| {
            bencher.iter(|| gapless(folder.path(), words));
        });
    }
    group.bench_function("gapless run, one more session", |bencher| {
        let mut number = SESSIONS;
        bencher.iter(|| {
            session(folder.path(), &format!("lamp-{number:03}"));
            number += 1;
        });
    });
    group.finish();
}

criterion_group!(benches, over_the_calls, status_among_many);
criterion_main!(benches);
