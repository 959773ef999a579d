//! Runs many seeds and says which failed, which rule they broke, and what was reached.

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use gapless_sim::{
    Coverage, Outcome, Population, Tape, replay, run, run_many, shrunk, tape_from_text,
    tape_to_text,
};

const USAGE: &str =
    "usage: gapless-sim [--seeds N] [--from N] [--jobs N] [--failures N] [--no-shrink] [--markdown]
       gapless-sim --seed N [--trace] [--shrink]
       gapless-sim --tape FILE [--trace]
each with [--population ordinary|closing]";

/// How many failing seeds are shown before the run gives up, where nothing else is said.
const MOST_FAILURES: usize = 10;

#[derive(Default)]
struct Arguments {
    population: Population,
    from: u64,
    seeds: Option<u64>,
    jobs: Option<usize>,
    one: Option<u64>,
    tape: Option<String>,
    failures: Option<usize>,
    trace: bool,
    shrink: bool,
    no_shrink: bool,
    markdown: bool,
}

fn arguments() -> Option<Arguments> {
    let mut arguments = Arguments::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next();
        match word.as_str() {
            "--population" => {
                let name = value()?;
                let mut all = Population::ALL.into_iter();
                arguments.population = all.find(|population| population.name() == name)?;
            }
            "--seeds" => arguments.seeds = Some(value()?.parse().ok()?),
            "--from" => arguments.from = value()?.parse().ok()?,
            "--jobs" => arguments.jobs = Some(value()?.parse().ok()?),
            "--failures" => arguments.failures = Some(value()?.parse().ok()?),
            "--no-shrink" => arguments.no_shrink = true,
            "--seed" => arguments.one = Some(value()?.parse().ok()?),
            "--tape" => arguments.tape = Some(value()?),
            "--trace" => arguments.trace = true,
            "--shrink" => arguments.shrink = true,
            "--markdown" => arguments.markdown = true,
            _ => return None,
        }
    }
    Some(arguments)
}

fn main() -> ExitCode {
    let Some(arguments) = arguments() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match (arguments.one, &arguments.tape) {
        (Some(seed), _) => {
            let outcome = run(arguments.population, seed, arguments.trace);
            let failed = show_one(&format!("seed {seed}"), &outcome);
            if arguments.shrink {
                show_shrunk(outcome);
            }
            failed
        }
        (None, Some(file)) => match read_tape(file) {
            Ok(tape) => show_one(file, &replay(arguments.population, tape, arguments.trace)),
            Err(why) => {
                eprintln!("{file}: {why}");
                ExitCode::from(2)
            }
        },
        (None, None) => show_many(&arguments),
    }
}

fn read_tape(file: &str) -> Result<Tape, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    tape_from_text(&text)
}

fn show_one(what: &str, outcome: &Outcome) -> ExitCode {
    for line in &outcome.trace {
        println!("{line}");
    }
    if let Some(failure) = &outcome.failure {
        println!("{what}: {failure}");
        return ExitCode::FAILURE;
    }
    let (steps, events, end) = (outcome.steps, outcome.events, &outcome.end);
    println!("{what}: {steps} steps, {events} events, {end}");
    ExitCode::SUCCESS
}

/// The totals of a run of many seeds.
#[derive(Default)]
struct Totals {
    coverage: Coverage,
    seeds: u64,
    steps: u64,
    events: u64,
    most_steps: u32,
    longest_prompt: usize,
    failed: Vec<u64>,
    first_failure: Option<Outcome>,
}

impl Totals {
    fn add(&mut self, seed: u64, outcome: Outcome) {
        self.seeds += 1;
        self.steps += u64::from(outcome.steps);
        self.events += outcome.events;
        self.most_steps = self.most_steps.max(outcome.steps);
        self.longest_prompt = self.longest_prompt.max(outcome.longest_prompt);
        self.coverage.add(&outcome.coverage);
        if let Some(failure) = &outcome.failure {
            println!("seed {seed}: {failure}");
            self.failed.push(seed);
            self.first_failure.get_or_insert(outcome);
        }
    }

    fn show(&self, markdown: bool) {
        match markdown {
            true => println!("{}", self.coverage.markdown()),
            false => println!("\n{}", self.coverage),
        }
        let (seeds, steps, events) = (self.seeds, self.steps, self.events);
        println!("{seeds} seeds, {steps} steps, {events} events");
        let (steps, bytes) = (self.most_steps, self.longest_prompt);
        println!("at most {steps} steps in a session, {bytes} bytes in a prompt");
    }
}

fn show_many(arguments: &Arguments) -> ExitCode {
    let (from, seeds) = (arguments.from, arguments.seeds.unwrap_or(1000));
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let jobs = arguments.jobs.unwrap_or_else(cores);
    let most_failures = arguments.failures.unwrap_or(MOST_FAILURES);
    let began = Instant::now();
    let elapsed = || format!("{:.1} s", began.elapsed().as_secs_f32());
    let mut totals = Totals::default();
    let mut each = |seed, outcome| {
        totals.add(seed, outcome);
        let (done, failed) = (totals.seeds, totals.failed.len());
        if done.is_multiple_of(1000) {
            eprintln!("{done} of {seeds} seeds, {failed} failed, {}", elapsed());
        }
        match failed < most_failures {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    };
    run_many(arguments.population, from, seeds, jobs, &mut each);
    totals.show(arguments.markdown);
    eprintln!("{} on {jobs} threads", elapsed());
    let failed = &totals.failed;
    let Some(seed) = failed.first() else {
        return ExitCode::SUCCESS;
    };
    if failed.len() >= most_failures {
        println!("stopped after {most_failures} failures");
    }
    println!("failed: {failed:?}; again with: gapless-sim --seed {seed} --trace");
    if let Some(outcome) = totals.first_failure.filter(|_| !arguments.no_shrink) {
        show_shrunk(outcome);
    }
    ExitCode::FAILURE
}

/// The smallest session that was found to break the same rule, and the tape that gives it again.
fn show_shrunk(outcome: Outcome) {
    let Some((tape, smallest)) = shrunk(outcome) else {
        return;
    };
    let (choices, steps) = (tape.len(), smallest.steps);
    println!("shrunk to {choices} choices, {steps} steps:");
    for line in &smallest.trace {
        println!("    {line}");
    }
    if let Some(failure) = &smallest.failure {
        println!("    {failure}");
    }
    let tape = tape_to_text(&tape);
    println!("again with --tape FILE, and this in the file:\n{tape}");
}
