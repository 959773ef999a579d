//! Which file of a session folder answers which task.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;

use gapless_agents::{Agent, Output, ProgressSink, Replay, Request, Watch};
use gapless_domain::task::{ExecutionErrorKind, OutputNote, Role};
use support::{error, gap, open_in, output, request, run};
use tempfile::TempDir;

/// Serves the same files once from memory and once from disk, each file's text being its path.
fn both(paths: &[&str]) -> (TempDir, [Arc<dyn Agent>; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let mut files = BTreeMap::new();
    for path in paths {
        write(folder.path(), path, path.as_bytes());
        files.insert((*path).to_owned(), (*path).to_owned());
    }
    let disk = open_in(folder.path(), "replay:.");
    (folder, [disk, Arc::new(Replay::from_files("demo", files))])
}

fn write(folder: &Path, path: &str, bytes: &[u8]) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

async fn expect(paths: &[&str], request: Request, served: Option<&str>) {
    let (_folder, agents) = both(paths);
    for agent in &agents {
        let got = output(agent, request.clone()).await;
        assert_eq!(got.text.as_deref(), served, "{}", agent.name());
        assert!(got.notes.is_empty());
    }
}

fn attempt(mut request: Request, attempt: u32) -> Request {
    request.task.attempt = attempt;
    request
}

fn slot(mut request: Request, index: u32, gaps: &[&str]) -> Request {
    request.task.slot.index = index;
    request.gaps = gaps.iter().map(|id| gap(id)).collect();
    request
}

const SESSION: [&str; 6] = [
    "round_000/analyst.md",
    "round_003/editor.md",
    "round_003/engineer.md",
    "round_003/reviewer.md",
    "round_004/engineer.md",
    "final_review.md",
];

#[tokio::test]
async fn every_role_has_its_file() {
    for (role, path) in [
        (Role::Analyst, "round_000/analyst.md"),
        (Role::Engineer, "round_003/engineer.md"),
        (Role::Reviewer, "round_003/reviewer.md"),
        (Role::Editor, "round_003/editor.md"),
        (Role::FinalReviewer, "final_review.md"),
    ] {
        expect(&SESSION, request(role), Some(path)).await;
    }
}

#[tokio::test]
async fn the_round_chooses_the_folder() {
    let mut next_round = request(Role::Engineer);
    next_round.task.round = 4;
    expect(&SESSION, next_round, Some("round_004/engineer.md")).await;
}

#[tokio::test]
async fn a_missing_file_is_no_document() {
    for role in Role::ALL {
        expect(&["round_001/engineer.md"], request(role), None).await;
    }
}

#[tokio::test]
async fn an_attempt_has_its_own_file_where_there_is_one() {
    let files = [
        "round_003/engineer.md",
        "round_003/attempts/engineer-1.md",
        "round_003/attempts/engineer-2.md",
        "round_003/reviewer.md",
    ];
    let engineer = || request(Role::Engineer);
    expect(&files, attempt(engineer(), 1), Some(files[1])).await;
    expect(&files, attempt(engineer(), 2), Some(files[2])).await;
    expect(&files, attempt(engineer(), 3), Some(files[0])).await;
    expect(&files, attempt(request(Role::Reviewer), 1), Some(files[3])).await;
}

#[tokio::test]
async fn an_attempt_file_serves_without_a_main_file() {
    let files = ["round_003/attempts/reviewer-2.md"];
    expect(&files, attempt(request(Role::Reviewer), 1), None).await;
    expect(&files, attempt(request(Role::Reviewer), 2), Some(files[0])).await;
}

#[tokio::test]
async fn analyst_and_final_reviewer_have_attempts_too() {
    let files = [
        "round_000/attempts/analyst-1.md",
        "round_000/analyst.md",
        "round_003/attempts/final_review-1.md",
        "final_review.md",
    ];
    expect(&files, request(Role::Analyst), Some(files[0])).await;
    expect(&files, attempt(request(Role::Analyst), 2), Some(files[1])).await;
    let last = || request(Role::FinalReviewer);
    expect(&files, last(), Some(files[2])).await;
    expect(&files, attempt(last(), 2), Some(files[3])).await;
}

#[tokio::test]
async fn a_round_can_have_a_final_review_of_its_own() {
    let files = [
        "round_003/attempts/final_review-2.md",
        "round_003/final_review.md",
        "final_review.md",
    ];
    let last = || request(Role::FinalReviewer);
    expect(&files, last(), Some(files[1])).await;
    expect(&files, attempt(last(), 2), Some(files[0])).await;
    let mut later = last();
    later.task.round = 4;
    expect(&files, later, Some(files[2])).await;
}

#[tokio::test]
async fn a_parallel_engineer_has_the_file_of_its_first_gap() {
    let files = [
        "round_003/engineer.md",
        "round_003/engineer-GAP-FLOW-002.md",
    ];
    let engineer = |index, gaps| slot(request(Role::Engineer), index, gaps);
    let second = ["GAP-FLOW-002", "GAP-FLOW-003"];
    expect(&files, engineer(1, &second), Some(files[1])).await;
    expect(&files, engineer(1, &["GAP-FLOW-003"]), Some(files[0])).await;
    expect(&files, engineer(1, &[]), Some(files[0])).await;
    expect(&files, engineer(0, &second), Some(files[0])).await;
}

#[tokio::test]
async fn a_gap_specific_attempt_goes_before_the_common_one() {
    let files = [
        "round_003/attempts/engineer-GAP-FLOW-002-1.md",
        "round_003/attempts/engineer-1.md",
        "round_003/attempts/engineer-2.md",
        "round_003/engineer-GAP-FLOW-002.md",
        "round_003/engineer.md",
    ];
    for index in [0, 1] {
        let engineer = || slot(request(Role::Engineer), index, &["GAP-FLOW-002"]);
        expect(&files, attempt(engineer(), 1), Some(files[0])).await;
        expect(&files, attempt(engineer(), 2), Some(files[2])).await;
    }
    let engineer = |index| attempt(slot(request(Role::Engineer), index, &["GAP-FLOW-002"]), 3);
    expect(&files, engineer(1), Some(files[3])).await;
    expect(&files, engineer(0), Some(files[4])).await;
}

#[tokio::test]
async fn an_analyst_and_an_editor_are_played_only_where_they_are_on_file() {
    let (_folder, agents) = both(&SESSION);
    for agent in &agents {
        assert!(Role::ALL.into_iter().all(|role| agent.plays(role)));
    }
    let (_folder, agents) = both(&["round_001/engineer.md"]);
    for agent in &agents {
        let played: Vec<_> = Role::ALL.into_iter().filter(|r| agent.plays(*r)).collect();
        assert_eq!(
            played,
            [Role::Engineer, Role::Reviewer, Role::FinalReviewer]
        );
    }
}

#[tokio::test]
async fn a_long_file_is_cut_and_an_empty_one_is_a_document() {
    let (folder, agents) = both(&["round_003/engineer.md", "round_003/reviewer.md"]);
    let mut engineer = request(Role::Engineer);
    engineer.limits.output_bytes = 5;
    for agent in &agents {
        let cut = Output {
            text: Some("round".to_owned()),
            notes: vec![OutputNote::OutputTruncated],
            ..Output::default()
        };
        assert_eq!(output(agent, engineer.clone()).await, cut);
    }
    write(folder.path(), "round_003/reviewer.md", b"");
    let empty = output(&agents[0], request(Role::Reviewer)).await;
    assert_eq!(empty.text.as_deref(), Some(""));
}

#[tokio::test]
async fn invalid_utf8_is_replaced_with_a_note() {
    let (folder, [disk, _]) = both(&[]);
    write(folder.path(), "round_003/engineer.md", b"caf\xe9 au lait");
    let got = output(&disk, request(Role::Engineer)).await;
    assert_eq!(got.text.as_deref(), Some("caf\u{fffd} au lait"));
    assert_eq!(got.notes, [OutputNote::InvalidUtf8Replaced]);
}

#[tokio::test]
async fn a_folder_in_the_place_of_a_file_is_no_document() {
    let (_folder, [disk, _]) = both(&["round_003/engineer.md/notes.md"]);
    assert_eq!(output(&disk, request(Role::Engineer)).await.text, None);
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_is_followed_only_inside_the_folder() {
    use std::os::unix::fs::symlink;

    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "secret.md", b"secret");
    write(outside.path(), "analyst.md", b"secret");
    let (folder, [disk, _]) = both(&["round_002/engineer.md", "round_003/notes.md"]);
    let root = folder.path();
    symlink(
        root.join("round_002/engineer.md"),
        root.join("round_003/engineer.md"),
    )
    .unwrap();
    symlink(
        outside.path().join("secret.md"),
        root.join("round_003/reviewer.md"),
    )
    .unwrap();
    symlink(outside.path(), root.join("round_000")).unwrap();

    let inside = output(&disk, request(Role::Engineer)).await;
    assert_eq!(inside.text.as_deref(), Some("round_002/engineer.md"));
    for role in [Role::Reviewer, Role::Analyst] {
        let refused = error(&disk, request(role)).await;
        assert_eq!(refused.kind, ExecutionErrorKind::Provider);
        assert!(refused.message.contains("outside"), "{refused}");
    }
    assert!(!disk.plays(Role::Analyst));
}

#[tokio::test]
async fn a_run_reports_its_bytes_and_heeds_its_cancellation() {
    let (_folder, agents) = both(&SESSION);
    for agent in &agents {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&seen);
        let watch = Watch {
            progress: ProgressSink::new(move |progress| sink.lock().unwrap().push(progress.bytes)),
            ..Watch::default()
        };
        let cancel = watch.cancel.clone();
        let finished = agent.run(request(Role::Engineer), watch.clone()).await;
        assert!(finished.result.is_ok());
        assert_eq!(
            *seen.lock().unwrap(),
            ["round_003/engineer.md".len() as u64]
        );
        cancel.cancel();
        let finished = agent.run(request(Role::Engineer), watch).await;
        assert!(finished.result.is_err());
    }
}

#[tokio::test]
async fn a_replay_can_be_asked_any_number_of_times() {
    let (_folder, agents) = both(&SESSION);
    for agent in &agents {
        let first = run(agent, request(Role::Engineer)).await.result;
        assert_eq!(run(agent, request(Role::Engineer)).await.result, first);
    }
}
