//! The rules that every store holds to, each a test, run against all of them.

#![allow(clippy::unwrap_used)]

mod inbox;
mod log;
mod projections;

use gapless_domain::text::{TextHash, TextMap};
use gapless_domain::time::Time;
use gapless_store::{Commit, MemoryStore, NewRow, Projection, SqliteStore, Store, StoreError};
use tempfile::TempDir;

/// A place where stores can be opened again and again.
trait Place {
    type Store: Store + 'static;
    fn new() -> Self;
    fn open(&self) -> Self::Store;
    fn open_reader(&self) -> Self::Store;
    /// A handle on the same open store.
    fn another(&self, store: &Self::Store) -> Self::Store;
    fn text_count(&self) -> usize;
}

struct OnDisk(TempDir);

impl Place for OnDisk {
    type Store = SqliteStore;

    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn open(&self) -> SqliteStore {
        SqliteStore::open(&self.0.path().join(".gapless/gapless.db")).unwrap()
    }

    fn open_reader(&self) -> SqliteStore {
        SqliteStore::open_read_only(&self.0.path().join(".gapless/gapless.db")).unwrap()
    }

    fn another(&self, store: &SqliteStore) -> SqliteStore {
        store.clone()
    }

    fn text_count(&self) -> usize {
        let raw = rusqlite::Connection::open(self.0.path().join(".gapless/gapless.db")).unwrap();
        let count: u32 = raw
            .query_row("SELECT count(*) FROM texts", [], |row| row.get(0))
            .unwrap();
        count as usize
    }
}

struct InMemory(MemoryStore);

impl Place for InMemory {
    type Store = MemoryStore;

    fn new() -> Self {
        Self(MemoryStore::new())
    }

    fn open(&self) -> MemoryStore {
        self.0.clone()
    }

    fn open_reader(&self) -> MemoryStore {
        self.0.clone()
    }

    fn another(&self, store: &MemoryStore) -> MemoryStore {
        store.clone()
    }

    fn text_count(&self) -> usize {
        self.0.text_count()
    }
}

fn row(body: &str) -> NewRow {
    NewRow {
        at: Time(1_768_228_200_000),
        type_name: "gap.opened".to_owned(),
        version: 2,
        body: body.to_owned(),
    }
}

fn rows(after_seq: u64, bodies: &[&str]) -> Commit {
    Commit {
        after_seq,
        rows: bodies.iter().map(|body| row(body)).collect(),
        updated_at: Time(7),
        summary: format!("{{\"after\":{after_seq}}}"),
        ..Commit::default()
    }
}

fn texts(all: &[&str]) -> TextMap {
    let mut texts = TextMap::default();
    for text in all {
        texts.keep(text);
    }
    texts
}

fn status(content: &str) -> Projection {
    Projection {
        path: "status.md".to_owned(),
        hash: TextHash::of(content),
    }
}

fn bodies(store: &impl Store, session: &str) -> Vec<String> {
    let rows = store.read(session).unwrap();
    rows.into_iter().map(|row| row.body).collect()
}

/// Everything that a commit could have changed.
fn all_of(store: &impl Store) -> String {
    let sessions = store.sessions().unwrap();
    let of_each: Vec<_> = sessions
        .iter()
        .map(|summary| {
            (
                store.read(&summary.name).unwrap(),
                store.letters(&summary.name).unwrap(),
                store.intended(&summary.name).unwrap(),
            )
        })
        .collect();
    format!("{sessions:?} {of_each:?}")
}

macro_rules! conformance {
    ($($owner:ident: $($rule:ident)*;)*) => {
        mod sqlite {
            $($(#[test] fn $rule() { crate::$owner::$rule::<crate::OnDisk>(); })*)*
        }
        mod memory {
            $($(#[test] fn $rule() { crate::$owner::$rule::<crate::InMemory>(); })*)*
        }
    };
}

conformance! {
    log:
        rows_come_back_as_written_in_order
        an_unknown_session_is_said
        several_sessions_do_not_mix
        a_commit_is_all_or_nothing
        a_fenced_commit_changes_nothing
        a_commit_without_rows_is_fenced_too
        texts_are_kept_once
        the_summary_is_replaced
        a_store_opened_again_has_everything
        a_reader_beside_the_writer_sees_whole_commits
        of_many_rivals_one_wins_each_place
        each_of_several_commits_is_told_what_came_of_it
    ;
    inbox:
        letters_are_taken_exactly_once
    ;
    projections:
        unconfirmed_contents_are_all_legitimate
        intending_and_confirming_in_one_commit
        a_content_intended_again_stays_legitimate
        the_same_content_intended_over_and_over_is_kept_once
    ;
}

#[test]
fn a_store_in_memory_fails_when_told_to() {
    let mut store = MemoryStore::new();
    store.fail_commits_after(1);
    store.commit("a", &rows(0, &["1"])).unwrap();
    let before = all_of(&store);
    for _ in 0..2 {
        let failed = store.commit("a", &rows(1, &["2"]));
        assert!(matches!(failed, Err(StoreError::DiskFull { .. })));
    }
    assert_eq!(all_of(&store), before);
    store.heal();
    assert_eq!(store.commit("a", &rows(1, &["2"])).unwrap(), 2);
}
