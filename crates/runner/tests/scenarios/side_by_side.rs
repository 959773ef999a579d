//! Several sessions of one database, driven at once on one runtime.

use std::sync::Arc;
use std::time::Duration;

use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_domain::time::Time;
use gapless_mediator::{Incoming, Met, Start};
use gapless_runner::{Clock, Outside, Session, Stopped, drive};
use gapless_store::{SqliteStore, Store};

use crate::cast::{Company, Mind, Notes};
use crate::writing::service;

async fn whole_session(store: SqliteStore, name: String) -> Stopped {
    let agents = [Role::Engineer, Role::Reviewer].map(|role| (role, "actor".to_owned()));
    let start = Start {
        name: name.clone(),
        source_path: "spec.md".into(),
        source: service(&name, &[("GAP-API-001", "HIGH", "")]),
        found: Vec::new(),
        met: Met {
            agents: agents.into(),
            ..Met::default()
        },
    };
    let mut session = Session::open(store, &name).unwrap();
    session
        .feed(Time(0), Incoming::Start(Box::new(start)))
        .unwrap();
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
    drive(&mut session, outside).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn sessions_side_by_side_end_as_if_alone() {
    let dir = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&dir.path().join("gapless.db")).unwrap();
    let name = |number| format!("session-{number}");
    let side_by_side: Vec<_> = (1..=8)
        .map(|number| tokio::spawn(whole_session(store.clone(), name(number))))
        .collect();
    for stopped in side_by_side {
        assert_eq!(stopped.await.unwrap(), Stopped::Ended(End::Complete));
    }
    whole_session(store.clone(), "alone".to_owned()).await;

    let types = |name: &str| -> Vec<String> {
        let rows = store.read(name).unwrap().into_iter();
        rows.map(|row| row.type_name).collect()
    };
    let alone = types("alone");
    for number in 1..=8 {
        assert_eq!(types(&name(number)), alone, "{}", name(number));
    }
}
