//! Owns the run of one seed: it drives a session the way the runner does, step by step, in virtual time.

mod carrying;
mod disk;
mod expected;
mod files;
mod meddling;
mod others;
mod panics;
mod process;
mod resting;

use std::collections::BTreeMap;
use std::fmt;

use gapless_domain::gap::GapState;
use gapless_domain::ids::{GapId, QuestionId};
use gapless_domain::issue::IssueState;
use gapless_domain::phase::Trigger;
use gapless_domain::question::{About, Answer, Question, stop};
use gapless_domain::scan_finding::ScanFinding;
use gapless_domain::severity::Severity;
use gapless_domain::task::{Task, TaskId};
use gapless_domain::text::Texts;
use gapless_domain::time::Time;
use gapless_mediator::{GapCommand, Incoming, Met, Rest, Start, Step, UserInput};
use gapless_runner::Session;
use gapless_session::State;

use crate::agents::{self, Seen, Temper, Work};
use crate::check::{Cause, Checker, Turn, Verdict, Violation, violated};
use crate::closing::Planting;
use crate::coverage::Coverage;
use crate::rng::{Rng, Tape};
use crate::setting::Setting;
use crate::source;
use crate::store::FaultyStore;
use crate::users::answers;
use disk::Disk;
use expected::Expected;

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

/// What came of a session.
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

/// Who lives in a session.
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
    let state = world.session.state();
    Outcome {
        population,
        steps: world.steps,
        events: state.kept.events,
        end: state
            .kept
            .ended
            .map_or_else(String::new, |(end, _)| end.to_string()),
        longest_prompt: world.checker.longest_prompt(),
        coverage: world.coverage,
        trace: match &world.disk {
            Some(disk) => disk.nowhere(world.trace.unwrap_or_default()),
            None => world.trace.unwrap_or_default(),
        },
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
    /// Results that nobody waits for any more, and that may come all the same.
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
}

impl World {
    fn new(population: Population, mut rng: Rng, trace: bool) -> Self {
        let (setting, planting) = match population {
            Population::Ordinary => (Setting::drawn(&mut rng), None),
            Population::Closing => {
                let setting = Setting::closing(&mut rng);
                (setting, Some(Planting::drawn(&mut rng)))
            }
        };
        let (source, found) = match &planting {
            Some(planting) => (planting.source.clone(), Vec::new()),
            None => {
                let source = source::generate(&mut rng);
                let found = source::findings(&mut rng, &source);
                (source, found)
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
        }
    }

    fn live(&mut self) -> Verdict {
        self.furnish()?;
        loop {
            self.steps += 1;
            self.rng.mark();
            if self.steps > MOST_STEPS {
                let place = self.checker.place();
                return violated(
                    "bounds",
                    format!("no end after {MOST_STEPS} steps, in {place}"),
                );
            }
            self.check_ability_to_end(None)?;
            self.take_letters()?;
            if self.is_wild() {
                self.meddle()?;
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
    fn furnish(&mut self) -> Verdict {
        if !self.setting.on_disk {
            return Ok(());
        }
        let disk = Disk::new(NAME).and_then(|disk| {
            std::fs::write(disk.workspace().join("spec.md"), &self.source)?;
            Ok(disk)
        });
        match disk {
            Ok(disk) => self.disk = Some(disk),
            Err(error) => return violated("files", format!("there is no disk: {error}")),
        }
        self.session = self.opened()?;
        Ok(())
    }

    /// False once everybody works towards an end.
    fn is_wild(&self) -> bool {
        self.steps < self.setting.patience
    }

    /// A session in which everything is answered comes to its end.
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
        match self.feed(Cause::Start, Incoming::Start(Box::new(start)))? {
            Ok(()) => Ok(()),
            Err(refusal) => violated("start", refusal.to_string()),
        }
    }

    /// What `next` says the core can do alone, it does.
    fn advance(&mut self) -> Verdict {
        let before = self.session.state().kept.events;
        match self.feed(Cause::Advance, Incoming::Advance)? {
            Ok(()) if self.session.state().kept.events > before => Ok(()),
            Ok(()) => violated("steps", "an advance changed nothing"),
            Err(refusal) => violated("steps", format!("the core refused to advance: {refusal}")),
        }
    }

    fn run_tasks(&mut self, tasks: &[Task], until: Option<Time>) -> Verdict {
        if !self.commit()? {
            return Ok(());
        }
        self.sync(tasks)?;
        let first = self.flights.iter().map(|(id, (due, _))| (*due, *id)).min();
        let Some((due, task)) = first else {
            return violated("steps", "nothing runs in Run");
        };
        if let Some(until) = until.filter(|until| until.0 <= due) {
            self.now = self.now.max(until.0);
            return self.advance();
        }
        self.now = self.now.max(due);
        let Some((_, work)) = self.flights.remove(&task) else {
            return Ok(());
        };
        if self.rng.percent(10) {
            self.late.push((task, work.clone()));
        }
        match self.feed(Cause::Task, result(task, work))? {
            Ok(()) => Ok(()),
            Err(refusal) => violated(
                "steps",
                format!("the result of {task} was refused: {refusal}"),
            ),
        }
    }

    /// Ends what is not wanted and starts what is missing, as the runner does.
    fn sync(&mut self, tasks: &[Task]) -> Verdict {
        let unwanted: Vec<TaskId> = self
            .flights
            .keys()
            .filter(|id| !tasks.iter().any(|task| task.id == **id))
            .copied()
            .collect();
        for id in unwanted {
            self.lose(id);
        }
        let now = &self.session.state().now;
        let known: Vec<GapId> = now.gaps.keys().cloned().collect();
        let put_aside: Vec<GapId> = now
            .gaps
            .values()
            .filter(|gap| gap.state.is_parked() || gap.state == GapState::WontFix)
            .map(|gap| gap.id.clone())
            .collect();
        let settled: Vec<(String, String)> = now
            .issues
            .values()
            .filter(|issue| matches!(issue.state, IssueState::Decided | IssueState::Waived))
            .map(|issue| (issue.id.to_string(), issue.concern.summary.clone()))
            .collect();
        let standing: Vec<String> = now
            .issues
            .values()
            .filter(|issue| issue.state.stands())
            .map(|issue| issue.id.to_string())
            .collect();
        for task in tasks {
            if self.flights.contains_key(&task.id) {
                continue;
            }
            let Some(prompt) = self.store.text(&task.prompt) else {
                return violated("texts", format!("the prompt of {} is not on disk", task.id));
            };
            let wild = self.is_wild();
            let temper = match wild {
                true => self.setting.temper,
                false => Temper::GOOD,
            };
            let seen = Seen {
                task,
                prompt: &prompt,
                known: &known,
                put_aside: &put_aside,
                settled: &settled,
                standing: &standing,
            };
            let work = match &self.planting {
                Some(planting) => planting.work(&mut self.rng, wild, &seen),
                None => agents::work(&mut self.rng, temper, &seen),
            };
            let due = self
                .now
                .saturating_add(i64::try_from(work.usage.millis).unwrap_or(i64::MAX));
            self.note(|| format!("start {} on {:?}", task.id, task.gaps));
            self.flights.insert(task.id, (due, work));
        }
        Ok(())
    }

    /// An agent that was ended; its result may still come.
    fn lose(&mut self, id: TaskId) {
        if let Some((_, work)) = self.flights.remove(&id)
            && self.rng.percent(50)
        {
            self.late.push((id, work));
        }
    }

    fn wait_for_answers(&mut self, questions: &[QuestionId], until: Option<Time>) -> Verdict {
        self.sync(&[])?;
        if !self.commit()? {
            return Ok(());
        }
        if let Some(until) = until
            && (questions.is_empty() || self.rng.percent(50))
        {
            self.now = self.now.max(until.0);
            return self.advance();
        }
        self.now += 1_000;
        self.answer_one(questions)
    }

    /// Answers a question; one that holds nothing now and then, and in the end every conflict first.
    fn answer_one(&mut self, holding: &[QuestionId]) -> Verdict {
        let pending = &self.session.state().now.questions;
        let conflict = pending
            .values()
            .find(|question| matches!(question.about, About::Conflict { .. }))
            .map(|question| question.id);
        let all: Vec<QuestionId> = pending.keys().copied().collect();
        let wild = self.is_wild();
        // What the rest waits for comes first.
        let holds_up = |question: &&Question| {
            !matches!(
                question.about,
                About::NothingToPlan { .. } | About::RoundLimit { .. } | About::Stop { .. }
            )
        };
        let conflict = match &self.planting {
            Some(_) => pending.values().find(holds_up).map(|question| question.id),
            None => conflict,
        };
        let chosen = match (wild, conflict) {
            (false, Some(conflict)) => Some(conflict),
            (false, None) => holding.first().copied(),
            (true, _) if self.rng.percent(80) => self.rng.pick(holding).copied(),
            (true, _) => self.rng.pick(&all).copied(),
        };
        let state = self.session.state().clone();
        let Some(question) = chosen.and_then(|id| state.now.questions.get(&id)) else {
            return Ok(());
        };
        // Some put off much of the inventory before they begin.
        if wild && matches!(question.about, About::Inventory(_)) && self.rng.percent(40) {
            let lesser: Vec<&GapId> = state
                .now
                .gaps
                .values()
                .filter(|gap| gap.state == GapState::Open && !gap.severity.holds())
                .map(|gap| &gap.id)
                .collect();
            if let Some(gap) = self.rng.pick(&lesser) {
                let command = GapCommand::Defer {
                    gap: (*gap).clone(),
                    reason: "another time".to_owned(),
                };
                return self.say(UserInput::Gap { command }, Expected::Either);
            }
        }
        let unreviewed = matches!(
            question.about,
            About::Stop(stop::Subject {
                trigger: Trigger::NoFinalReview,
                ..
            })
        );
        // What comes up at the last moment is asked about with the rest.
        if wild && unreviewed && self.rng.percent(40) {
            let said = UserInput::Gap {
                command: GapCommand::Add {
                    category: "FLOW".to_owned(),
                    severity: Severity::High,
                    description: "what nobody thought of".to_owned(),
                    section: None,
                },
            };
            return self.say(said, Expected::Taken);
        }
        let rng = &mut self.rng;
        let answer = match (&self.planting, wild) {
            (Some(planting), wild) => planting.answer(rng, wild, &state, question),
            (None, true) => answers::legal(rng, &state, question),
            (None, false) => Some(answers::cooperative(rng, &state, question)),
        };
        let Some(answer) = answer else {
            return violated(
                "questions",
                format!(
                    "{} has no option that fits: {:?}",
                    question.id, question.about
                ),
            );
        };
        let said = UserInput::Answer {
            question: question.id,
            answer,
        };
        self.say(said, Expected::Taken)
    }

    /// What the session runs with, as it is found when it is taken up again.
    fn met(&self) -> Met {
        self.setting.met.clone()
    }

    fn note(&mut self, line: impl FnOnce() -> String) {
        if let Some(trace) = &mut self.trace {
            trace.push(format!("{} {}", self.now, line()));
        }
    }
}

/// A result as the runner feeds it.
fn result(task: TaskId, work: Work) -> Incoming {
    let usage = work.usage;
    match work.result {
        Ok(written) => Incoming::Output {
            task,
            text: written.text,
            notes: written.notes,
            usage,
        },
        Err(error) => Incoming::Failed {
            task,
            error,
            unfinished: work.unfinished,
            usage,
        },
    }
}
