//! Several sessions of one database, driven at once on one runtime.

use std::sync::Arc;
use std::time::Duration;

use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_domain::time::Time;
use gapless_mediator::{Incoming, RunSettings, Start};
use gapless_runner::{Clock, Outside, RunError, Session, Stopped, drive};
use gapless_store::{Commit, NewRow, SqliteStore, Store, StoreError};

use crate::cast::{Company, Mind, Notes};
use crate::writing::service;

fn begin(store: SqliteStore, name: &str) -> Session<SqliteStore> {
    let agents = [Role::Engineer, Role::Reviewer].map(|role| (role, "actor".to_owned()));
    let start = Start {
        name: name.to_owned(),
        source_path: "spec.md".into(),
        source: service(name, &[("GAP-API-001", "HIGH", "")]),
        found: Vec::new(),
        met: RunSettings {
            agents: agents.into(),
            ..RunSettings::default()
        },
    };
    let mut session = Session::open(store, name).unwrap();
    session
        .feed(Time(0), Incoming::Start(Box::new(start)))
        .unwrap();
    session
}

async fn go_on(mut session: Session<SqliteStore>) -> Result<Stopped, RunError> {
    let mut mind = Mind {
        answers: Vec::new(),
        asked: Vec::new(),
        recommended: true,
        later: Vec::new(),
    };
    let mut notes = Notes::default();
    let outside = Outside {
        clock: Clock::of_runtime(Time(1_000)),
        agents: &mut Company(Arc::default()),
        asker: &mut mind,
        interrupt: notes.interrupt.clone(),
        reporter: &mut notes,
        inbox_every: Duration::from_secs(60),
    };
    drive(&mut session, outside).await
}

#[tokio::test(start_paused = true)]
async fn sessions_side_by_side_end_as_if_alone() {
    let dir = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&dir.path().join("gapless.db")).unwrap();
    let name = |number| format!("session-{number}");
    let side_by_side: Vec<_> = (1..=8)
        .map(|number| tokio::spawn(go_on(begin(store.clone(), &name(number)))))
        .collect();
    for stopped in side_by_side {
        assert_eq!(
            stopped.await.unwrap().unwrap(),
            Stopped::Ended(End::Complete)
        );
    }
    go_on(begin(store.clone(), "alone")).await.unwrap();

    let types = |name: &str| -> Vec<String> {
        let rows = store.read(name).unwrap().into_iter();
        rows.map(|row| row.type_name).collect()
    };
    let alone = types("alone");
    for number in 1..=8 {
        assert_eq!(types(&name(number)), alone, "{}", name(number));
    }
}

#[tokio::test(start_paused = true)]
async fn one_whose_log_somebody_else_writes_to_stops_alone() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("gapless.db");
    let store = SqliteStore::open(&file).unwrap();
    let sessions = ["overtaken", "undisturbed"].map(|name| begin(store.clone(), name));
    let mut rival = SqliteStore::open(&file).unwrap();
    let row = NewRow {
        at: Time(0),
        type_name: "session.started".to_owned(),
        version: 1,
        body: "{}".to_owned(),
    };
    let theirs = Commit {
        rows: vec![row],
        ..Commit::default()
    };
    rival.commit("overtaken", &theirs).unwrap();

    let [overtaken, undisturbed] = sessions.map(|session| tokio::spawn(go_on(session)));
    let stopped = overtaken.await.unwrap();
    assert!(matches!(
        stopped,
        Err(RunError::Store(StoreError::Fenced { found: 1, .. }))
    ));
    let stopped = undisturbed.await.unwrap().unwrap();
    assert_eq!(stopped, Stopped::Ended(End::Complete));
    assert_eq!(store.read("overtaken").unwrap().len(), 1);
}
