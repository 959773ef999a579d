//! Owns the gapless side of `bench/rounds`: rounds of instant agents in a session on disk, and the same bytes appended to a
//! plain file with a sync after each, which is the machine's own limit. Prints one line of JSON.
//!
//!     durable_rounds FOLDER rounds ROUNDS TEXT_BYTES [MEASURED]
//!     durable_rounds FOLDER appends COUNT BYTES
//!     durable_rounds FOLDER prompts ROUNDS TEXT_BYTES
#![allow(clippy::expect_used)]

mod scripted;

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use gapless_core::mediator::{Incoming, Step, UserInput};
use gapless_core::prompts::estimated_tokens;
use gapless_core::question::{Answer, DecidedBy};
use gapless_core::task::{Role, Task, Usage};
use gapless_core::text::Texts;
use gapless_core::time::Time;
use gapless_runner::Session;
use gapless_store::{SessionFolder, SqliteStore, Store};
use serde_json::json;

use scripted::Script;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize| arguments.get(place).and_then(|text| text.parse().ok());
    let (Some(folder), Some(mode), Some(count), Some(bytes)) =
        (arguments.first(), arguments.get(1), number(2), number(3))
    else {
        eprintln!("durable_rounds FOLDER rounds|appends|prompts COUNT BYTES [MEASURED]");
        std::process::exit(2);
    };
    let folder = Path::new(folder);
    let result = match mode.as_str() {
        "appends" => appends(folder, count, bytes),
        "prompts" => prompts(folder, count, bytes),
        _ => rounds(folder, count, bytes, number(4).unwrap_or(count)),
    };
    println!("{result}");
}

fn rounds(folder: &Path, rounds: usize, text_bytes: usize, measured: usize) -> serde_json::Value {
    let mut running = Running::begin(&folder.join(format!("gapless-{rounds}")), text_bytes);
    running.run_to_round(round(rounds - measured + 1));
    let (commits, moment) = (running.session.store().commits(), Instant::now());
    running.run_to_round(round(rounds + 1));
    let seconds = moment.elapsed().as_secs_f64();
    let commits = running.session.store().commits() - commits;
    let database = running.file.clone();
    // Closing the last connection puts everything of the write-ahead log into the database.
    drop(running);
    let bytes = fs::metadata(&database).expect("the database").len();
    json!({ "rounds": rounds, "measured": measured, "seconds": seconds, "bytes": bytes, "commits": commits })
}

fn appends(folder: &Path, count: usize, bytes: usize) -> serde_json::Value {
    let mut file = File::create(folder.join("appended")).expect("a file");
    let content = vec![b'x'; bytes];
    let moment = Instant::now();
    for _ in 0..count {
        file.write_all(&content).expect("an append");
        file.sync_data().expect("a sync");
    }
    json!({ "appends": count, "bytes": bytes, "seconds": moment.elapsed().as_secs_f64() })
}

/// What each round's prompts come to, and what they would if every document of the rounds before went along.
fn prompts(folder: &Path, rounds: usize, text_bytes: usize) -> serde_json::Value {
    let mut running = Running::begin(&folder.join("gapless-prompts"), text_bytes);
    running.run_to_round(round(rounds + 1));
    let first = |role: Role| {
        let mut calls = running.calls.iter();
        let call = calls.find(|call| call.role == role);
        call.map_or(0, |call| call.prompt)
    };
    // The Reviewer's first prompt has the first document already.
    let shown = |role: Role| match role {
        Role::Engineer => 0,
        _ => running.calls.first().map_or(0, |call| call.output),
    };
    let mut written = 0;
    let mut by_round = vec![(0, 0); rounds];
    for call in &running.calls {
        let place = usize::try_from(call.round).expect("a small number") - 1;
        let (sent, whole) = &mut by_round[place];
        *sent += call.prompt;
        *whole += first(call.role) + written - shown(call.role);
        written += call.output;
    }
    json!({ "rounds": by_round })
}

fn round(number: usize) -> u32 {
    u32::try_from(number).expect("a small number")
}

/// One call of an agent, in estimated tokens.
struct Call {
    round: u32,
    role: Role,
    prompt: usize,
    output: usize,
}

/// A session on disk.
struct Running {
    session: Session<SqliteStore>,
    file: PathBuf,
    script: Script,
    now: i64,
    calls: Vec<Call>,
}

impl Running {
    fn begin(folder: &Path, text_bytes: usize) -> Self {
        let script = Script {
            session: "rounds".to_owned(),
            text_bytes,
        };
        let file = folder.join("gapless.db");
        let store = SqliteStore::open(&file).expect("the store opens");
        let mut session = Session::open(store, "rounds").expect("the session opens");
        let name = "rounds".parse().expect("a session name");
        let folder = SessionFolder::new(folder, &name);
        session.attach(folder).expect("the folder is attached");
        let mut running = Self {
            session,
            file,
            script,
            now: 0,
            calls: Vec::new(),
        };
        running.feed(running.script.start());
        running
    }

    fn feed(&mut self, incoming: Incoming) {
        self.now += 1;
        let taken = self.session.feed(Time(self.now), incoming);
        taken.expect("the core takes it");
    }

    /// Runs until this round's Engineer may start, that being on disk.
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
                    let reached = self.session.state().now.round.number >= round;
                    if reached && tasks[0].id.slot.role == Role::Engineer {
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

    fn commit(&mut self) {
        self.session.commit().expect("the commit succeeds");
        let news = self.session.look_at_folder(Time(self.now), false);
        news.expect("the folder is written");
    }

    fn perform(&mut self, task: &Task) {
        let prompt = self.session.store().text(&task.prompt);
        let text = match task.id.slot.role {
            Role::Engineer => self.engineer(task),
            _ => self.script.reviews(task.id.round, &task.gaps),
        };
        self.calls.push(Call {
            round: task.id.round,
            role: task.id.slot.role,
            prompt: estimated_tokens(&prompt.expect("the prompt is stored")),
            output: estimated_tokens(&text),
        });
        self.feed(Incoming::Output {
            task: task.id,
            text: Some(text),
            notes: Vec::new(),
            usage: Usage::default(),
        });
    }

    fn engineer(&self, task: &Task) -> String {
        let standing = |id| {
            let gap = self.session.state().now.gaps.get(id);
            let issues = &gap.expect("an assigned gap is known").standing_issues;
            issues.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let issues: Vec<String> = task.gaps.iter().flat_map(standing).collect();
        self.script.proposals(task.id.round, &task.gaps, &issues)
    }
}
