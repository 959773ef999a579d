//! Runs many seeds and says which failed, which rule they broke, and what was reached.

use std::process::ExitCode;
use std::time::Instant;

use gapless_sim::{Coverage, run};

const USAGE: &str = "usage: gapless-sim [--seeds N] [--from N] | --seed N [--trace]";

/// How many failing seeds are shown before the run gives up.
const MOST_FAILURES: usize = 10;

struct Arguments {
    from: u64,
    seeds: u64,
    one: Option<u64>,
    trace: bool,
}

fn arguments() -> Option<Arguments> {
    let mut arguments = Arguments {
        from: 0,
        seeds: 1000,
        one: None,
        trace: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next()?.parse::<u64>().ok();
        match word.as_str() {
            "--seeds" => arguments.seeds = value()?,
            "--from" => arguments.from = value()?,
            "--seed" => arguments.one = Some(value()?),
            "--trace" => arguments.trace = true,
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
    match arguments.one {
        Some(seed) => run_one(seed, arguments.trace),
        None => run_many(arguments.from, arguments.seeds),
    }
}

fn run_one(seed: u64, trace: bool) -> ExitCode {
    let outcome = run(seed, trace);
    for line in &outcome.trace {
        println!("{line}");
    }
    match outcome.failure {
        Some(failure) => {
            println!("seed {seed}: {failure}");
            ExitCode::FAILURE
        }
        None => {
            println!(
                "seed {seed}: {} steps, {} events, {}",
                outcome.steps, outcome.events, outcome.end
            );
            ExitCode::SUCCESS
        }
    }
}

fn run_many(from: u64, seeds: u64) -> ExitCode {
    let began = Instant::now();
    let mut coverage = Coverage::default();
    let mut failed = Vec::new();
    let (mut steps, mut events) = (0, 0);
    let (mut most_steps, mut longest_prompt) = (0, 0);
    for seed in from..from.saturating_add(seeds) {
        let outcome = run(seed, false);
        steps += u64::from(outcome.steps);
        events += outcome.events;
        most_steps = most_steps.max(outcome.steps);
        longest_prompt = longest_prompt.max(outcome.longest_prompt);
        coverage.add(&outcome.coverage);
        if let Some(failure) = outcome.failure {
            println!("seed {seed}: {failure}");
            if failed.is_empty() {
                show_trace(seed);
            }
            failed.push(seed);
            if failed.len() >= MOST_FAILURES {
                println!("stopped after {MOST_FAILURES} failures");
                break;
            }
        }
        let done = seed - from + 1;
        if done.is_multiple_of(1000) {
            eprintln!(
                "{done} of {seeds} seeds, {} failed, {:.1} s",
                failed.len(),
                began.elapsed().as_secs_f32()
            );
        }
    }
    println!("\n{coverage}");
    println!(
        "{seeds} seeds, {steps} steps, {events} events in {:.1} s",
        began.elapsed().as_secs_f32()
    );
    println!("at most {most_steps} steps in a session, {longest_prompt} bytes in a prompt");
    match failed.is_empty() {
        true => ExitCode::SUCCESS,
        false => {
            println!(
                "failed: {failed:?}; again with: gapless-sim --seed {} --trace",
                failed[0]
            );
            ExitCode::FAILURE
        }
    }
}

/// The end of a failing session, as it ran.
fn show_trace(seed: u64) {
    const LINES: usize = 60;
    let trace = run(seed, true).trace;
    for line in &trace[trace.len().saturating_sub(LINES)..] {
        println!("    {line}");
    }
}
