//! One full round with instant agents, on disk, early and late in a long session: it must cost the same. Prints the
//! synced commits per round and the prompt sizes before the timings.
#![allow(clippy::expect_used)]

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use gapless_core::config::Config;
use gapless_core::mediator::{Incoming, Met, Start, Step, UserInput};
use gapless_core::prompts::estimated_tokens;
use gapless_core::question::{Answer, DecidedBy};
use gapless_core::state::State;
use gapless_core::task::{Role, Task, Usage};
use gapless_core::text::Texts;
use gapless_core::time::Time;
use gapless_runner::Session;
use gapless_store::{SessionFolder, SqliteStore, Store};
use tempfile::TempDir;

const GAPS: u32 = 100;
const EARLY: u32 = 5;
const LATE: u32 = 500;

/// A session on disk whose gaps go back in every round: each review raises one HIGH issue on each proposal.
struct Bench {
    _folder: TempDir,
    session: Session<SqliteStore>,
    now: i64,
    prompt_tokens: Vec<(Role, usize)>,
}

fn open(folder: TempDir) -> Bench {
    let store = SqliteStore::open(&folder.path().join("gapless.db")).expect("the store opens");
    let mut session = Session::open(store, "bench").expect("the session opens");
    let name = "bench".parse().expect("a session name");
    session
        .attach(SessionFolder::new(folder.path(), &name))
        .expect("the folder is attached");
    let now = session.state().kept.clock.0;
    Bench {
        _folder: folder,
        session,
        now,
        prompt_tokens: Vec::new(),
    }
}

fn source() -> String {
    let mut text = "# A system\n\nWhat it is.\n".to_owned();
    for number in 1..=GAPS {
        text += &format!(
            "\n## Part {number}\n\n{}\n",
            "It does what its name says, within limits. ".repeat(8)
        );
    }
    text += "\n## Known gaps\n\n";
    for number in 1..=GAPS {
        text += &format!(
            "- GAP-PART-{number:03} [MEDIUM] (section: Part {number}): the limits are not said\n"
        );
    }
    text
}

fn begin() -> Bench {
    let mut bench = open(TempDir::new().expect("a folder"));
    let agents = [Role::Engineer, Role::Reviewer].map(|role| (role, "instant".to_owned()));
    let config = Config {
        hard_limit: 9999,
        max_rounds: Some(9999),
        stall_threshold: Some(9999),
        divergence_threshold: Some(9999),
        // These agents write the same in every round: what they pass over is not measured.
        unaddressed_high_threshold: 1000,
        unaddressed_critical_threshold: 1000,
        pattern_threshold: 1000,
        ..Config::default()
    };
    let met = Met {
        config,
        agents: agents.into(),
        ..Met::default()
    };
    let start = Start {
        name: "bench".into(),
        source_path: "spec.md".into(),
        source: source(),
        found: Vec::new(),
        met,
    };
    bench.feed(Incoming::Start(Box::new(start)));
    bench
}

impl Bench {
    fn feed(&mut self, incoming: Incoming) {
        self.now += 1;
        self.session
            .feed(Time(self.now), incoming)
            .expect("the core takes it");
    }

    fn state(&self) -> &State {
        self.session.state()
    }

    /// Runs until this round's Engineer has been started, that start being on disk.
    fn run_to_round(&mut self, round: u32) {
        loop {
            match self.session.step() {
                Step::Advance => self.feed(Incoming::Advance),
                Step::Await { questions, .. } => {
                    self.commit();
                    let answer = Answer::of("begin", DecidedBy::User);
                    let question = questions[0];
                    self.feed(Incoming::User(UserInput::Answer { question, answer }));
                }
                Step::Run { tasks, .. } => {
                    self.commit();
                    if self.state().now.round.number >= round
                        && tasks[0].id.slot.role == Role::Engineer
                    {
                        return;
                    }
                    for task in tasks {
                        self.perform(&task);
                    }
                }
                Step::Rest(rest) => panic!("the session rests: {rest:?}"),
            }
        }
    }

    fn perform(&mut self, task: &Task) {
        let prompt = self
            .session
            .store()
            .text(&task.prompt)
            .expect("the prompt is stored");
        self.prompt_tokens
            .push((task.id.slot.role, estimated_tokens(&prompt)));
        let text = match task.id.slot.role {
            Role::Engineer => self.engineer(task),
            _ => reviewer(task),
        };
        let (task, notes, usage) = (task.id, Vec::new(), Usage::default());
        self.feed(Incoming::Output {
            task,
            text: Some(text),
            notes,
            usage,
        });
    }

    fn engineer(&self, task: &Task) -> String {
        let mut text = String::new();
        for id in &task.gaps {
            text += &format!(
                "## Gap Resolution: {id}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n"
            );
            text += &"The limit is 100 per second, and above it the answer is 429. ".repeat(20);
            text += "\n\n### Examples\n\nOne.\n\n### Trade-offs\n\nNone.\n\n### New Gaps Introduced\n\nNone\n\n";
            let gap = self
                .state()
                .now
                .gaps
                .get(id)
                .expect("an assigned gap is known");
            for issue in &gap.standing_issues {
                text += &format!(
                    "## Response to {issue}\n\nThe limit is now said in the solution.\n\n"
                );
            }
        }
        text
    }

    fn commit(&mut self) {
        self.session.commit().expect("the commit succeeds");
        self.session
            .look_at_folder(Time(self.now), false)
            .expect("the folder is written");
    }
}

fn reviewer(task: &Task) -> String {
    let mut text = String::new();
    for (number, gap) in task.gaps.iter().enumerate() {
        let issue = format!("ISSUE-R{}-{:03}", task.id.round, number + 1);
        text += &format!(
            "## Review: {gap}\n\n### High Priority\n\n- **{issue}**: the limit is not justified.\n  - **Location:** \
             Proposed Solution\n  - **Impact:** it may be wrong\n  - **Suggestion:** say where it comes from\n\n"
        );
    }
    text
}

/// A session that has come to this round, with everything it wrote on disk.
fn at_round(round: u32) -> Bench {
    let mut bench = begin();
    bench.run_to_round(round);
    bench
        .session
        .look_at_folder(Time(bench.now), true)
        .expect("the folder is written");
    bench.commit();
    bench
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
        let (commits, prompts) = (bench.session.store().commits(), bench.prompt_tokens.len());
        bench.run_to_round(round + 1);
        println!(
            "round {round}: {} commits, prompt tokens {:?}, {} events in the log",
            bench.session.store().commits() - commits,
            &bench.prompt_tokens[prompts..],
            bench.state().kept.events,
        );
        group.bench_function(format!("from round {round} on"), |bencher| {
            bencher.iter_custom(|iterations| {
                let mut spent = Duration::ZERO;
                for _ in 0..iterations {
                    let now = bench.state().now.round.number;
                    if now > round + STRETCH {
                        bench = at_round(round);
                    }
                    let started = Instant::now();
                    let next = bench.state().now.round.number + 1;
                    bench.run_to_round(next);
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
