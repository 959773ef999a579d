//! One full round with instant agents, on disk, early and late in a long session: it must cost the same. Prints the
//! synced commits per round and the sizes of prompts and outputs before the timings.
#![allow(clippy::expect_used)]

#[path = "../examples/on_disk/mod.rs"]
mod on_disk;
#[path = "../examples/scripted/mod.rs"]
mod scripted;

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use gapless_store::Store;
use tempfile::TempDir;

use on_disk::OnDisk;
use scripted::Script;

const EARLY: u32 = 5;
const LATE: u32 = 500;

/// A session of a hundred gaps, three in each round.
struct Bench {
    running: OnDisk,
    _folder: TempDir,
}

/// A session that has come to this round, with everything it wrote on disk.
fn at_round(round: u32) -> Bench {
    let folder = TempDir::new().expect("a folder");
    let script = Script {
        session: "bench".to_owned(),
        gaps: 100,
        text_bytes: 4500,
    };
    let mut running = OnDisk::begin(folder.path(), script);
    running.run_to_round(round);
    Bench {
        running,
        _folder: folder,
    }
}

impl Bench {
    fn round(&self) -> u32 {
        self.running.session.state().now.round.number
    }

    fn run_a_round(&mut self) {
        let next = self.round() + 1;
        self.running.run_to_round(next);
    }

    /// What a round comes to, in a line.
    fn describe_a_round(&mut self) -> String {
        let (round, commits) = (self.round(), self.running.session.store().commits());
        self.run_a_round();
        let mut text = format!(
            "round {round}: {} commits",
            self.running.session.store().commits() - commits
        );
        for call in self.running.calls.iter().filter(|call| call.round == round) {
            text += &format!(
                ", {} reads {} tokens and writes {}",
                call.role, call.prompt, call.output
            );
        }
        let events = self.running.session.state().kept.events;
        text + &format!("; {events} events in the log")
    }
}

/// How many rounds are measured before the session is set up again.
const STRETCH: u32 = 50;

fn one_round(criterion: &mut Criterion) {
    let mut group =
        criterion.benchmark_group("one round of 3 gaps among 100, instant agents, on disk");
    group
        .sample_size(30)
        .measurement_time(Duration::from_secs(8));
    for round in [EARLY, LATE] {
        let mut bench = at_round(round);
        println!("{}", bench.describe_a_round());
        group.bench_function(format!("from round {round} on"), |bencher| {
            bencher.iter_custom(|iterations| {
                let mut spent = Duration::ZERO;
                for _ in 0..iterations {
                    if bench.round() > round + STRETCH {
                        bench = at_round(round);
                    }
                    let started = Instant::now();
                    bench.run_a_round();
                    spent += started.elapsed();
                }
                spent
            });
        });
    }
    group.finish();
}

criterion_group!(benches, one_round);
criterion_main!(benches);
