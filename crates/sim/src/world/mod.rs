//! Runs one seed: drives a session the way the runner does, step by step, in virtual time.

mod answering;
mod carrying;
mod disk;
mod expected;
mod files;
mod others;
mod panics;
mod process;
mod resting;
mod tasks;
mod unprompted;

use std::collections::BTreeMap;
use std::fmt;

use gapless_domain::{Answer, QuestionId, ScanFinding, TaskId};
use gapless_mediator::{Incoming, Rest, Start, Step};
use gapless_runner::Session;
use gapless_session::State;

use crate::check::{Cause, Checker, Turn, ensure, failed, violated};
use crate::closing::Planting;
use crate::setting::Setting;
use crate::{Coverage, FaultyStore, Rng, Tape, Verdict, Violation, Work, source};
use disk::Disk;

pub use disk::{ARCHIVING, TORN};

/// Far above what any session here needs: one that takes more steps has a loop without a bound.
const MOST_STEPS: u32 = 5_000;

const NAME: &str = "simulated";

/// A session that broke a rule.
#[derive(Debug, Clone)]
pub struct Failure(Violation);

impl Failure {
    /// The name of the checker that found it.
    pub fn checker(&self) -> &str {
        self.0.checker
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[derive(Debug)]
pub struct Outcome {
    pub population: Population,
    pub failure: Option<Failure>,
    pub coverage: Coverage,
    pub steps: u32,
    pub events: u64,
    pub end: String,
    pub longest_prompt: usize,
    /// Inputs and events, where they were asked for.
    pub trace: Vec<String>,
    /// The choices that gave it, where it failed, and where each step begins in them.
    pub tape: Tape,
    pub marks: Vec<usize>,
}

/// The kind of agents and users in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Population {
    /// Agents, users and disks that do whatever they may do.
    #[default]
    Ordinary,
    /// Agents that try to close what is open, with planted concerns.
    Closing,
}

impl Population {
    pub const ALL: [Population; 2] = [Population::Ordinary, Population::Closing];

    pub fn name(self) -> &'static str {
        match self {
            Population::Ordinary => "ordinary",
            Population::Closing => "closing",
        }
    }
}

/// Runs the session of a seed from start to end.
pub fn run(population: Population, seed: u64, trace: bool) -> Outcome {
    run_with(population, Rng::new(seed), trace)
}

/// Runs the session that these choices give.
pub fn replay(population: Population, tape: Tape, trace: bool) -> Outcome {
    run_with(population, Rng::from_tape(tape), trace)
}

fn run_with(population: Population, rng: Rng, trace: bool) -> Outcome {
    let mut world = World::new(population, rng, trace);
    let failure = panics::caught(|| {
        world.live()?;
        carrying::check(&world.store, NAME)
    });
    let failure = failure.err().map(Failure);
    let (tape, marks) = match &failure {
        Some(_) => world.rng.into_tape(),
        None => Default::default(),
    };
    world.coverage.add(&world.checker.coverage);
    let mut trace = world.trace.unwrap_or_default();
    if let Some(disk) = &world.disk {
        disk.hide_place(&mut trace);
    }
    let kept = &world.session.state().kept;
    Outcome {
        population,
        steps: world.steps,
        events: kept.events,
        end: kept
            .ended
            .map_or_else(String::new, |(end, _)| end.to_string()),
        longest_prompt: world.checker.longest_prompt(),
        coverage: world.coverage,
        trace,
        tape,
        marks,
        failure,
    }
}

struct World {
    rng: Rng,
    setting: Setting,
    source: String,
    found: Vec<ScanFinding>,
    store: FaultyStore,
    session: Session<FaultyStore>,
    /// The session's folder; most sessions do without.
    disk: Option<Disk>,
    checker: Checker,
    /// What is planted in a session of the closing population.
    planting: Option<Planting>,
    /// The time, in milliseconds: it passes only where something is waited for.
    now: i64,
    /// Agents at work, with the time at which each is done.
    flights: BTreeMap<TaskId, (i64, Work)>,
    /// Results of agents that were ended, which may still arrive.
    late: Vec<(TaskId, Work)>,
    turns: Vec<Turn>,
    /// The state as of the last commit.
    committed: State,
    /// Answers that were taken since the last commit.
    accepted: Vec<(QuestionId, Answer)>,
    /// Letters that were posted, and what became of each.
    letters: Vec<(i64, Option<String>)>,
    coverage: Coverage,
    trace: Option<Vec<String>>,
    steps: u32,
    /// How often the user may yet go on after an end.
    chapters_left: u32,
}

impl World {
    fn new(population: Population, mut rng: Rng, trace: bool) -> Self {
        let (setting, planting, source, found) = match population {
            Population::Ordinary => {
                let setting = Setting::drawn(&mut rng);
                let source = source::generate(&mut rng);
                let found = source::findings(&mut rng, &source);
                (setting, None, source, found)
            }
            Population::Closing => {
                let setting = Setting::closing(&mut rng);
                let (planting, source) = Planting::drawn(&mut rng);
                (setting, Some(planting), source, Vec::new())
            }
        };
        let store = FaultyStore::default();
        let session = match Session::open(store.clone(), NAME) {
            Ok(session) => session,
            Err(error) => unreachable!("a new store opens: {error}"),
        };
        Self {
            rng,
            setting,
            source,
            found,
            checker: Checker::new(store.kept()),
            planting,
            store,
            session,
            disk: None,
            now: 1_768_228_200_000,
            flights: BTreeMap::new(),
            late: Vec::new(),
            turns: Vec::new(),
            committed: State::default(),
            accepted: Vec::new(),
            letters: Vec::new(),
            coverage: Coverage::default(),
            trace: trace.then(Vec::new),
            steps: 0,
            chapters_left: 3,
        }
    }

    fn live(&mut self) -> Verdict {
        self.make_folder()?;
        loop {
            self.steps += 1;
            self.rng.mark();
            if self.steps > MOST_STEPS {
                let place = self.checker.place();
                let what = format!("no end after {MOST_STEPS} steps, in {place}");
                return violated("bounds", what);
            }
            self.check_ability_to_end(None)?;
            self.take_letters()?;
            if self.is_wild() {
                self.act_unprompted()?;
                self.be_visited()?;
                self.die_anywhere()?;
            }
            let step = self.session.step();
            self.check_step(&step)?;
            match step {
                Step::Advance => self.advance()?,
                Step::Run { tasks, until } => self.run_tasks(&tasks, until)?,
                Step::Await { questions, until } => self.wait_for_answers(&questions, until)?,
                Step::Rest(Rest::NotStarted) => self.start()?,
                Step::Rest(Rest::Paused) => self.rest()?,
                Step::Rest(Rest::OutOfBudget) => self.allow_more()?,
                Step::Rest(Rest::Ended(_)) => {
                    if self.finish()? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Gives the session a folder, where it is to have one.
    fn make_folder(&mut self) -> Verdict {
        if !self.setting.on_disk {
            return Ok(());
        }
        let disk = Disk::new(NAME).and_then(|disk| {
            std::fs::write(disk.workspace().join("spec.md"), &self.source)?;
            Ok(disk)
        });
        self.disk = Some(disk.map_err(failed("files", "there is no disk"))?);
        self.session = self.opened()?;
        Ok(())
    }

    /// False once everybody works towards an end.
    fn is_wild(&self) -> bool {
        self.steps < self.setting.patience
    }

    /// A session in which everything is answered must end.
    fn check_ability_to_end(&self, end: Option<&str>) -> Verdict {
        let calm_steps = self.steps.saturating_sub(self.setting.patience);
        match &self.planting {
            Some(planting) => planting.check_ability_to_end(calm_steps, end),
            None => Ok(()),
        }
    }

    fn start(&mut self) -> Verdict {
        let start = Start {
            name: NAME.to_owned(),
            source_path: "spec.md".to_owned(),
            source: self.source.clone(),
            found: self.found.clone(),
            met: self.setting.met.clone(),
        };
        let started = self.feed(Cause::Start, Incoming::Start(Box::new(start)))?;
        started.map_err(failed("start", ""))
    }

    /// The core must advance when `next` says that it can.
    fn advance(&mut self) -> Verdict {
        let before = self.session.state().kept.events;
        let advanced = self.feed(Cause::Advance, Incoming::Advance)?;
        advanced.map_err(failed("steps", "the core refused to advance"))?;
        let changed = self.session.state().kept.events > before;
        ensure(changed, "steps", || "an advance changed nothing")
    }

    fn note(&mut self, line: impl FnOnce() -> String) {
        if let Some(trace) = &mut self.trace {
            trace.push(format!("{} {}", self.now, line()));
        }
    }
}
