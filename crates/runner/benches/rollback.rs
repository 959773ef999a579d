//! A rollback of three rounds among fifty, with 1,000 gaps, a store and a folder on disk: from the user's word to the commit,
//! and to the archives that are written and verified.
#![allow(clippy::expect_used)]

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use gapless_domain::config::Config;
use gapless_domain::question::{Answer, DecidedBy};
use gapless_domain::task::{Role, Task, Usage};
use gapless_domain::time::Time;
use gapless_mediator::{Incoming, RunSettings, Start, Step, UserInput};
use gapless_runner::Session;
use gapless_store::{SessionFolder, SqliteStore};
use tempfile::TempDir;

const GAPS: u32 = 1_000;
const ROUNDS: u32 = 50;
const UNDONE: u32 = 3;

struct Bench {
    folder: TempDir,
    session: Session<SqliteStore>,
    now: i64,
}

fn source() -> String {
    let mut text = "# A system\n\nWhat it is.\n\n## Known gaps\n\n".to_owned();
    for number in 1..=GAPS {
        text +=
            &format!("- GAP-PART-{number:03} [MEDIUM]: the limits of part {number} are not said\n");
    }
    text
}

/// A session at the beginning of its last round, with everything before it on disk.
fn at_last_round() -> Bench {
    let folder = TempDir::new().expect("a folder");
    let store = SqliteStore::open(&folder.path().join("gapless.db")).expect("the store opens");
    let mut session = Session::open(store, "bench").expect("the session opens");
    let name = "bench".parse().expect("a session name");
    session
        .attach(SessionFolder::new(folder.path(), &name))
        .expect("the folder is attached");
    let mut bench = Bench {
        folder,
        session,
        now: 0,
    };
    let agents = [Role::Engineer, Role::Reviewer].map(|role| (role, "instant".to_owned()));
    let met = RunSettings {
        config: Config {
            hard_limit: 9999,
            max_rounds: Some(9999),
            stall_threshold: Some(9999),
            divergence_threshold: Some(9999),
            max_rollbacks_session: 10,
            rollback_analysis_threshold: 10,
            ..Config::default()
        },
        agents: agents.into(),
        ..RunSettings::default()
    };
    bench.feed(Incoming::Start(Box::new(Start {
        name: "bench".into(),
        source_path: "spec.md".into(),
        source: source(),
        found: Vec::new(),
        met,
    })));
    bench.run_to_round(ROUNDS);
    bench.write_all();
    bench
}

impl Bench {
    fn feed(&mut self, incoming: Incoming) {
        self.now += 1;
        self.session
            .feed(Time(self.now), incoming)
            .expect("the core takes it");
    }

    /// Runs until this round's Engineer has been started.
    fn run_to_round(&mut self, round: u32) {
        loop {
            match self.session.step() {
                Step::Advance => self.feed(Incoming::Advance),
                Step::Await { questions, .. } => {
                    let answer = Answer::of("begin", DecidedBy::User);
                    let question = questions[0];
                    self.feed(Incoming::User(UserInput::Answer { question, answer }));
                }
                Step::Run { tasks, .. } => {
                    self.session.commit().expect("the commit succeeds");
                    let number = self.session.state().now.round.number;
                    if number >= round && tasks[0].id.slot.role == Role::Engineer {
                        return;
                    }
                    tasks.iter().for_each(|task| self.perform(task));
                }
                Step::Rest(rest) => panic!("the session rests: {rest:?}"),
            }
        }
    }

    fn perform(&mut self, task: &Task) {
        let mut text = String::new();
        for gap in &task.gaps {
            text += &match task.id.slot.role {
                Role::Engineer => format!(
                    "## Gap Resolution: {gap}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n{}\n\n### Examples\n\nOne.\n\n\
                     ### Trade-offs\n\nNone.\n\n### New Gaps Introduced\n\nNone\n\n",
                    "The limit is 100 per second, and above it the answer is 429. ".repeat(20)
                ),
                _ => format!(
                    "## Review: {gap}\n\n**NO_ISSUES_FOUND**\n\nExamined:\n\n- the limit\n- the answer\n\n"
                ),
            };
        }
        self.feed(Incoming::Output {
            task: task.id,
            text: Some(text),
            earlier: Vec::new(),
            notes: Vec::new(),
            usage: Usage::default(),
        });
    }

    fn write_all(&mut self) {
        self.session.commit().expect("the commit succeeds");
        let news = self
            .session
            .look_at_folder(Time(self.now), true)
            .expect("the folder is written");
        assert!(news.errors.is_empty(), "{:?}", news.errors);
    }

    /// Undoes three rounds: how long until that is on disk, and until the archives are.
    fn roll_back(&mut self) -> (Duration, Duration) {
        let from = self.session.state().now.round.number;
        let started = Instant::now();
        self.feed(Incoming::User(UserInput::Rollback {
            to: Some(from - UNDONE),
            reason: "the wrong way".to_owned(),
            adjust: Vec::new(),
        }));
        self.session.commit().expect("the commit succeeds");
        let committed = started.elapsed();
        self.write_all();
        (committed, started.elapsed())
    }
}

fn rollback(criterion: &mut Criterion) {
    let name = format!("a rollback of {UNDONE} rounds of {ROUNDS}, {GAPS} gaps, on disk");
    let mut group = criterion.benchmark_group(name);
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(5));
    let mut bench = at_last_round();
    let events = bench.session.state().kept.events;
    let (committed, archived) = bench.roll_back();
    let archives = bench.folder.path().join("sessions/bench/archives");
    let made = std::fs::read_dir(archives)
        .expect("there are archives")
        .count();
    println!(
        "{events} events, {made} archives: committed after {committed:?}, archived after {archived:?}"
    );
    for (name, whole) in [
        ("until it is committed", false),
        ("until it is archived", true),
    ] {
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|iterations| {
                let mut spent = Duration::ZERO;
                for _ in 0..iterations {
                    match bench.session.state().rollbacks_left() {
                        0 => bench = at_last_round(),
                        _ => bench.run_to_round(ROUNDS),
                    }
                    bench.write_all();
                    let (committed, archived) = bench.roll_back();
                    spent += if whole { archived } else { committed };
                }
                spent
            });
        });
    }
    group.finish();
}

criterion_group!(benches, rollback);
criterion_main!(benches);
