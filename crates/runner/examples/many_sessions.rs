//! The gapless side of `bench/rounds` for many sessions at once in one process: each is driven as the command line drives
//! one, in one database with every step on disk, by agents that take their time. Prints one line of JSON.
//!
//!     many_sessions FOLDER SESSIONS ROUNDS TEXT_BYTES AGENT_MILLIS
#![allow(clippy::expect_used)]

mod scripted;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use gapless_agents::{Agent, BoxFuture, Finished, OpenContext, Output, Request, Watch};
use gapless_domain::ids::GapId;
use gapless_domain::question::Question;
use gapless_domain::task::Role;
use gapless_runner::{Asker, Clock, Opener, Outside, Reply, Session, Silent, Stopped, drive};
use gapless_session::State;
use gapless_store::{Driver, FileWriter, SessionFolder, SessionLock, SqliteStore};
use serde_json::json;
use tokio::sync::Barrier;
use tokio_util::sync::CancellationToken;

use scripted::Script;

/// What the command line has.
const INBOX_EVERY: Duration = Duration::from_millis(150);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize| arguments.get(place).and_then(|text| text.parse().ok());
    let (Some(folder), Some(sessions), Some(rounds), Some(text_bytes), Some(millis)) = (
        arguments.first(),
        number(1),
        number(2),
        number(3),
        number(4),
    ) else {
        eprintln!("many_sessions FOLDER SESSIONS ROUNDS TEXT_BYTES AGENT_MILLIS");
        std::process::exit(2);
    };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let all = Arc::new(All {
        surroundings: OpenContext::unattended(Path::new(folder)),
        rounds: u32::try_from(rounds).expect("a small number"),
        takes: Duration::from_millis(millis as u64),
        gate: Barrier::new(sessions),
        begun: Mutex::new(None),
        reached: Mutex::new(None),
        interrupt: CancellationToken::new(),
        files: FileWriter::default(),
    });
    let database = Path::new(folder).join("gapless.db");
    let store = SqliteStore::open(&database).expect("the store opens");
    runtime.block_on(async {
        let mut running = tokio::task::JoinSet::new();
        for number in 1..=sessions {
            let script = Script {
                session: format!("session-{number}"),
                gaps: 6,
                text_bytes,
            };
            let (all, store, folder) = (Arc::clone(&all), store.clone(), folder.clone());
            running.spawn(async move { run(&all, store, Path::new(&folder), script).await });
        }
        while let Some(stopped) = running.join_next().await {
            let stopped = stopped.expect("a session goes on to its last round");
            assert_eq!(stopped, Stopped::Interrupted);
        }
    });
    let reached = all.reached.lock().unwrap_or_else(PoisonError::into_inner);
    let (seconds, waiting, peak) = reached.expect("every session has come to the last gate");
    // Closing the last connection puts everything of the write-ahead log into the database.
    drop(store);
    let bytes = fs::metadata(&database).expect("the database").len();
    let result = json!({
        "sessions": sessions, "rounds": rounds, "seconds": seconds,
        "waiting": waiting, "peak": peak, "bytes": bytes,
    });
    println!("{result}");
}

/// What all sessions share. All begin the first round together, and are all in wait of their Engineers after the last.
struct All {
    surroundings: OpenContext,
    rounds: u32,
    takes: Duration,
    gate: Barrier,
    begun: Mutex<Option<Instant>>,
    /// The seconds since then, and the resident bytes of the process: now, and at most so far.
    reached: Mutex<Option<(f64, u64, u64)>>,
    interrupt: CancellationToken,
    files: FileWriter,
}

async fn run(all: &Arc<All>, store: SqliteStore, folder: &Path, script: Script) -> Stopped {
    let name = script.session.parse().expect("a session name");
    let session_folder = SessionFolder::new(folder, &name);
    let driver = Driver {
        pid: std::process::id(),
        since: Clock::system().now(),
        command: "many_sessions".to_owned(),
    };
    let _lock = SessionLock::acquire(&session_folder, &driver).expect("the lock is free");
    let mut session = Session::open(store, name.as_str()).expect("the session opens");
    let attached = session.attach_shared(session_folder, &all.files);
    attached.expect("a folder");
    let clock = Clock::system();
    let begun = session.feed(clock.now(), script.start());
    begun.expect("the core takes it");
    let agent = Scripted {
        all: Arc::clone(all),
        script,
        raised: Mutex::default(),
    };
    let mut agents = Opener::new(all.surroundings.clone());
    agents = agents.with(scripted::AGENT, Arc::new(agent));
    let outside = Outside {
        clock,
        agents: &mut agents,
        asker: &mut Policy,
        reporter: &mut Silent,
        interrupt: all.interrupt.clone(),
        inbox_every: INBOX_EVERY,
    };
    let stopped = drive(&mut session, outside).await;
    stopped.expect("the session can be driven")
}

struct Policy;

impl Asker for Policy {
    fn ask<'a>(&'a mut self, _: &'a State, question: &'a Question) -> BoxFuture<'a, Reply> {
        let answer = question
            .policy_answer()
            .map_or(Reply::Nobody, Reply::Answer);
        Box::pin(std::future::ready(answer))
    }
}

/// Both roles of one session.
struct Scripted {
    all: Arc<All>,
    script: Script,
    /// The issue that waits for an answer, by gap.
    raised: Mutex<BTreeMap<GapId, String>>,
}

impl Scripted {
    fn write(&self, request: &Request) -> String {
        let (round, gaps) = (request.task.round, &request.gaps);
        let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        if request.task.slot.role == Role::Engineer {
            let issues: Vec<String> = gaps.iter().filter_map(|gap| raised.remove(gap)).collect();
            return self.script.proposals(round, gaps, &issues);
        }
        raised.extend(gaps.iter().cloned().zip(scripted::issues(round, gaps)));
        self.script.reviews(round, gaps)
    }

    /// Waits for the other sessions before the first round and after the last.
    async fn keep_step(&self, request: &Request) {
        let (all, round) = (&*self.all, request.task.round);
        let is_gate = round == 1 || round > all.rounds;
        if !is_gate || request.task.slot.role != Role::Engineer {
            return;
        }
        if !all.gate.wait().await.is_leader() {
            return;
        }
        let mut begun = all.begun.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(begun) = *begun {
            let seconds = begun.elapsed().as_secs_f64();
            let reached = (seconds, memory("VmRSS"), memory("VmHWM"));
            *all.reached.lock().unwrap_or_else(PoisonError::into_inner) = Some(reached);
            all.interrupt.cancel();
        } else {
            *begun = Some(Instant::now());
        }
    }
}

impl Agent for Scripted {
    fn name(&self) -> &str {
        scripted::AGENT
    }

    fn run(&self, request: Request, watch: Watch) -> BoxFuture<'_, Finished> {
        Box::pin(async move {
            let started = Instant::now();
            self.keep_step(&request).await;
            tokio::select! {
                () = watch.cancel.cancelled() => {}
                () = tokio::time::sleep(self.all.takes) => {}
            }
            let output = Output {
                text: Some(self.write(&request)),
                ..Output::default()
            };
            Finished::since(started, Ok(output))
        })
    }
}

/// A figure of this process, in bytes.
fn memory(which: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let mut lines = status.lines().filter_map(|line| line.strip_prefix(which));
    let kilobytes = lines.next().and_then(|line| line.split_whitespace().nth(1));
    kilobytes
        .and_then(|text| text.parse::<u64>().ok())
        .expect("a figure in kB")
        * 1024
}
