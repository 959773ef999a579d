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
    match &outcome.failure {
        Some(failure) => {
            println!("{what}: {failure}");
            ExitCode::FAILURE
        }
        None => {
            println!(
                "{what}: {} steps, {} events, {}",
                outcome.steps, outcome.events, outcome.end
            );
            ExitCode::SUCCESS
        }
    }
}

fn show_many(arguments: &Arguments) -> ExitCode {
    let (from, seeds) = (arguments.from, arguments.seeds.unwrap_or(1000));
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let jobs = arguments.jobs.unwrap_or_else(cores);
    let most_failures = arguments.failures.unwrap_or(MOST_FAILURES);
    let began = Instant::now();
    let mut coverage = Coverage::default();
    let mut failed = Vec::new();
    let mut first = None;
    let (mut done, mut steps, mut events) = (0_u64, 0, 0);
    let (mut most_steps, mut longest_prompt) = (0, 0);
    run_many(
        arguments.population,
        from,
        seeds,
        jobs,
        &mut |seed, outcome| {
            done += 1;
            steps += u64::from(outcome.steps);
            events += outcome.events;
            most_steps = most_steps.max(outcome.steps);
            longest_prompt = longest_prompt.max(outcome.longest_prompt);
            coverage.add(&outcome.coverage);
            if let Some(failure) = &outcome.failure {
                println!("seed {seed}: {failure}");
                failed.push(seed);
                first.get_or_insert(outcome);
            }
            if done.is_multiple_of(1000) {
                eprintln!(
                    "{done} of {seeds} seeds, {} failed, {:.1} s",
                    failed.len(),
                    began.elapsed().as_secs_f32()
                );
            }
            match failed.len() < most_failures {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        },
    );
    match arguments.markdown {
        true => println!("{}", coverage.markdown()),
        false => println!("\n{coverage}"),
    }
    println!("{done} seeds, {steps} steps, {events} events");
    println!("at most {most_steps} steps in a session, {longest_prompt} bytes in a prompt");
    eprintln!("{:.1} s on {jobs} threads", began.elapsed().as_secs_f32());
    match failed.first() {
        None => ExitCode::SUCCESS,
        Some(seed) => {
            if failed.len() >= most_failures {
                println!("stopped after {most_failures} failures");
            }
            println!("failed: {failed:?}; again with: gapless-sim --seed {seed} --trace");
            if let Some(outcome) = first.filter(|_| !arguments.no_shrink) {
                show_shrunk(outcome);
            }
            ExitCode::FAILURE
        }
    }
}

/// The smallest session that was found to break the same rule, and the tape that gives it again.
fn show_shrunk(outcome: Outcome) {
    let Some((tape, smallest)) = shrunk(outcome) else {
        return;
    };
    println!(
        "shrunk to {} choices, {} steps:",
        tape.len(),
        smallest.steps
    );
    for line in &smallest.trace {
        println!("    {line}");
    }
    if let Some(failure) = &smallest.failure {
        println!("    {failure}");
    }
    println!(
        "again with --tape FILE, and this in the file:\n{}",
        tape_to_text(&tape)
    );
}
