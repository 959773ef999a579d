//! Carrying a session elsewhere: a log that gapless wrote is taken and goes on, one that it can't have written is refused.

use gapless_domain::time::Time;
use gapless_runner::{RunError, Session, export, import, judge, names};
use gapless_store::port::{Brought, PortError, Portable, pack};
use gapless_store::{MemoryStore, SessionFolder, Store};
use tempfile::TempDir;

use crate::stage::{Stage, issue, stage};
use gapless_domain::task::Role;

fn folder(dir: &TempDir) -> SessionFolder {
    SessionFolder::new(dir.path(), &"stage".parse().unwrap())
}

fn carried(stage: &Stage) -> Portable {
    let dir = tempfile::tempdir().unwrap();
    let name = "stage".parse().unwrap();
    export(stage.session.store(), &name, &folder(&dir), Vec::new())
        .unwrap()
        .portable
}

fn brought(portable: Portable) -> Brought {
    let lines = 1..=u32::try_from(portable.rows.len()).unwrap();
    Brought {
        places: lines
            .map(|line| ("events.jsonl".to_owned(), line))
            .collect(),
        portable,
        ignored: Vec::new(),
        edited: None,
    }
}

/// A session in its second round, after a review that sent a gap back and a rollback.
async fn played() -> Stage {
    let gaps = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")];
    let mut stage = stage(&gaps).when(Role::Reviewer, 1, 0, |request| {
        let gap = &request.gaps[0];
        Ok(Some(issue(gap, "High Priority", "ISSUE-R1-001")))
    });
    stage.run_to_round(2).await;
    stage.roll_back(0, "too broad").unwrap();
    stage.run_to_round(2).await;
    stage
}

#[tokio::test(start_paused = true)]
async fn what_gapless_wrote_is_taken_and_is_the_same_session() {
    let stage = played().await;
    let portable = carried(&stage);
    let state = judge(&brought(portable.clone())).unwrap();
    assert!(state == *stage.state());

    let dir = tempfile::tempdir().unwrap();
    let mut store = MemoryStore::new();
    let name = "other".parse().unwrap();
    import(&mut store, &folder(&dir), &name, &portable, &state).unwrap();
    let session = Session::open(store.clone(), "other").unwrap();
    assert!(session.state() == stage.state());
    assert_eq!(session.step(), stage.session.step());
    let again = export(&store, &"stage".parse().unwrap(), &folder(&dir), Vec::new());
    assert!(again.is_err(), "it has another name here");

    let fenced = import(&mut store, &folder(&dir), &name, &portable, &state);
    assert!(matches!(fenced, Err(RunError::Store(_))));
    assert_eq!(store.read("other").unwrap(), portable.rows);
}

#[tokio::test(start_paused = true)]
async fn every_text_of_the_folder_goes_by_what_it_is() {
    let portable = carried(&played().await);
    let names = names(&portable).unwrap();
    assert_eq!(names.events.len(), portable.rows.len());
    assert_eq!(names.events.first().unwrap(), "events/round_000.jsonl");
    let mut named: Vec<&str> = names.texts.values().map(String::as_str).collect();
    named.sort_unstable();
    assert_eq!(
        named,
        [
            "round_001/attempts/engineer-1.prompt.2.md",
            "round_001/attempts/engineer-1.prompt.md",
            "round_001/attempts/reviewer-1.prompt.2.md",
            "round_001/attempts/reviewer-1.prompt.md",
            "round_001/engineer.md",
            "round_001/reviewer.md",
            "round_002/attempts/engineer-1.prompt.2.md",
            "round_002/attempts/engineer-1.prompt.md",
            "source.md",
        ]
    );
    let views: Vec<&str> = names.views.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(
        views,
        [
            "decisions.md",
            "round_001/summary.md",
            "spec.md",
            "status.md",
            "trace.json"
        ]
    );
}

/// What is wrong with a log after a change to the first event of a type.
#[track_caller]
fn refused(
    portable: &Portable,
    type_name: &str,
    change: impl FnOnce(&mut gapless_store::Row),
) -> String {
    let mut portable = portable.clone();
    let row = portable
        .rows
        .iter_mut()
        .find(|row| row.type_name == type_name);
    change(row.unwrap());
    match judge(&brought(portable)) {
        Err(RunError::Port(PortError::Flaw(flaw))) => {
            assert!(flaw.line.is_some());
            flaw.why
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn events_that_cannot_have_happened_are_refused_with_their_place() {
    let portable = carried(&played().await);
    let edit = |type_name: &str, from: &str, to: &str| {
        refused(&portable, type_name, |row| {
            assert!(row.body.contains(from), "{}", row.body);
            row.body = row.body.replacen(from, to, 1);
        })
    };
    assert_eq!(
        refused(&portable, "gap.moved", |row| row.type_name =
            "gap.danced".to_owned()),
        "event `gap.danced` is not known to this program"
    );
    assert_eq!(
        refused(&portable, "gap.moved", |row| row.version = 9),
        "event `gap.moved` has version 9, and this program knows versions up to 1"
    );
    assert!(edit("round.began", "\"round\":1", "\"round\":\"x\"").contains("cannot be read"));
    assert_eq!(
        edit("gap.moved", "IN_PROGRESS", "ACCEPTED"),
        "GAP-API-001 does not go from OPEN to ACCEPTED"
    );
    assert_eq!(
        edit("gap.moved", "assign", "reopen"),
        "GAP-API-001: a gap that is OPEN cannot be reopened"
    );
    assert_eq!(
        edit("gap.moved", "GAP-API-001", "GAP-API-009"),
        "there is no gap GAP-API-009"
    );
    assert_eq!(
        edit("round.began", "\"round\":1", "\"round\":4"),
        "round 4 begins where round 1 would"
    );
    assert_eq!(
        edit("rollback.rolled_back", "\"to_round\":0", "\"to_round\":7"),
        "there is no way back from round 2 to 7"
    );
    assert_eq!(
        edit("question.answered", "Q-001", "Q-008"),
        "Q-008 does not wait for an answer"
    );
    assert_eq!(
        edit("task.started", "\"index\":0", "\"index\":3"),
        "the Engineer has no slot 3"
    );
    assert_eq!(
        refused(&portable, "task.opened", |row| {
            row.type_name = "task.woken".to_owned();
            row.body = r#"{"slot":{"index":0,"role":"engineer"}}"#.to_owned();
        }),
        "the Engineer has no slot 0"
    );
    assert_eq!(
        refused(&portable, "round.began", |row| row.at = Time(-1)),
        "its time is before that of the event before it"
    );
}

#[tokio::test(start_paused = true)]
async fn a_log_that_does_not_begin_or_begins_twice_is_refused() {
    let portable = carried(&played().await);
    let mut headless = portable.clone();
    headless.rows.remove(0);
    let error = judge(&brought(headless)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "events.jsonl, line 1: the session has not been started"
    );
    let mut twice = portable.clone();
    let first = twice.rows[0].clone();
    twice.rows.insert(1, first);
    let error = judge(&brought(twice)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "events.jsonl, line 2: the session has been started already"
    );
}

#[tokio::test(start_paused = true)]
async fn a_log_whose_documents_are_missing_is_refused() {
    let mut portable = carried(&played().await);
    portable.texts.clear();
    let error = judge(&brought(portable)).unwrap_err().to_string();
    assert!(
        error.starts_with("gapless.json: its files cannot be made"),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn the_same_session_makes_the_same_bytes() {
    let stage = played().await;
    assert_eq!(
        pack(&carried(&stage)).unwrap(),
        pack(&carried(&stage)).unwrap()
    );
}
