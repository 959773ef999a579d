//! What a commit costs on disk, and that it costs the same in a long session as in a short one.

#![allow(clippy::expect_used)]

use std::cell::Cell;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use gapless_domain::text::TextMap;
use gapless_domain::time::Time;
use gapless_store::{Commit, NewRow, Projection, SqliteStore, Store};
use rusqlite::Connection;

/// A commit as a round makes it: 20 rows, 3 texts of 8 kB that were never seen before, 3 files.
fn round(after_seq: u64) -> Commit {
    let row = NewRow {
        at: Time(1_768_228_200_000),
        type_name: "gap.proposed".to_owned(),
        version: 1,
        body: format!(
            "{{\"gap\":\"GAP-FLOW-001\",\"text\":\"{}\"}}",
            "f".repeat(200)
        ),
    };
    let mut texts = TextMap::default();
    let projections = ["status.md", "decisions.md", "spec.md"].map(|path| Projection {
        path: path.to_owned(),
        hash: texts.keep(&format!("{after_seq} {path} {}", "word ".repeat(1_640))),
    });
    Commit {
        after_seq,
        rows: vec![row; 20],
        texts,
        updated_at: Time(1),
        summary: "{\"round\":1}".to_owned(),
        confirmed: projections.to_vec(),
        projections: projections.to_vec(),
        answered: Vec::new(),
    }
}

fn commits(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("commit");
    for length in [100, 50_000] {
        let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder on the disk");
        let file = dir.path().join("gapless.db");
        let mut store = SqliteStore::open(&file).expect("a database");
        let mut last = 0;
        while last < length {
            last = store.commit("bench", &round(last)).expect("a commit");
        }
        let raw = Connection::open(&file).expect("a second connection");
        raw.pragma_update(None, "synchronous", "OFF")
            .expect("a setting");
        let texts: u32 = raw
            .query_row("SELECT max(rowid) FROM texts", [], |row| row.get(0))
            .expect("texts");
        // What the last commit added is taken away again, outside the measured time, so that the log keeps its length.
        let shorten = format!(
            "DELETE FROM events WHERE session = 'bench' AND seq > {length}; DELETE FROM texts WHERE rowid > {texts};"
        );
        let nth = Cell::new(0);
        group.bench_function(BenchmarkId::new("20 rows, 3 texts", length), |bencher| {
            bencher.iter_batched(
                || {
                    raw.execute_batch(&format!("BEGIN; {shorten} COMMIT;"))
                        .expect("a shorter log");
                    nth.set(nth.get() + 1);
                    Commit {
                        after_seq: length,
                        ..round(length + nth.get())
                    }
                },
                |commit| store.commit("bench", &commit).expect("a commit"),
                criterion::BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(50);
    targets = commits
}
criterion_main!(benches);
