//! A session of instant agents on disk, as the benchmarks run it: round by round, every step on disk before the next.

use std::path::{Path, PathBuf};

use gapless_domain::question::{Answer, DecidedBy};
use gapless_domain::task::{Role, Task, Usage};
use gapless_domain::text::Texts;
use gapless_domain::time::Time;
use gapless_mediator::prompts::estimated_tokens;
use gapless_mediator::{Incoming, Step, UserInput};
use gapless_runner::Session;
use gapless_store::{SessionFolder, SqliteStore};

use crate::scripted::Script;

/// Where the database of such a session is.
pub fn database(folder: &Path) -> PathBuf {
    folder.join("gapless.db")
}

/// One call of an agent, in estimated tokens.
pub struct Call {
    pub round: u32,
    pub role: Role,
    pub prompt: usize,
    pub output: usize,
}

/// A session on disk.
pub struct OnDisk {
    pub session: Session<SqliteStore>,
    script: Script,
    now: i64,
    pub calls: Vec<Call>,
}

impl OnDisk {
    pub fn begin(folder: &Path, script: Script) -> Self {
        let store = SqliteStore::open(&database(folder)).expect("the store opens");
        let mut session = Session::open(store, &script.session).expect("the session opens");
        let name = script.session.parse().expect("a session name");
        let folder = SessionFolder::new(folder, &name);
        session.attach(folder).expect("the folder is attached");
        let mut running = Self {
            session,
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
    pub fn run_to_round(&mut self, round: u32) {
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
            earlier: Vec::new(),
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
