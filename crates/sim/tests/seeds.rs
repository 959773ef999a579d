//! Sessions of many seeds in every test run, and those that once failed.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::thread;

use gapless_sim::{
    Outcome, Population, replay, run, run_many, shrunk, tape_from_text, tape_to_text,
};

/// Enough to meet most of what is checked, and short enough for every run.
const SEEDS: u64 = 300;

/// The same for sessions in which agents try to close what is open.
const CLOSING_SEEDS: u64 = 400;

/// Seeds beyond those that once broke a rule, or met a rule of a checker or a user that was wrong.
const FOUND: [u64; 10] = [
    441, 506, 1463, 4178, 14233, 14952, 17088, 51834, 63508, 69317,
];

/// The same for the closing population.
const FOUND_CLOSING: [u64; 12] = [
    440, 452, 532, 560, 676, 732, 844, 1078, 1216, 1284, 1331, 1357,
];

/// Fails with the smallest session that breaks the same rule, and the tape that gives it again.
fn hold(what: &str, outcome: Outcome) {
    let Some(failure) = outcome.failure.clone() else {
        return;
    };
    let Some((tape, smallest)) = shrunk(outcome) else {
        return;
    };
    let trace = smallest.trace.join("\n");
    let again = smallest.failure.map_or(String::new(), |it| it.to_string());
    panic!(
        "{what}: {failure}\n{trace}\n{again}\n{}",
        tape_to_text(&tape)
    );
}

#[test]
fn many_sessions_hold_to_the_rules() {
    let jobs = thread::available_parallelism().map_or(1, usize::from);
    run_many(
        Population::Ordinary,
        0,
        SEEDS,
        jobs,
        &mut |seed, outcome| {
            hold(&format!("seed {seed}"), outcome);
            ControlFlow::Continue(())
        },
    );
    for seed in FOUND {
        hold(
            &format!("seed {seed}"),
            run(Population::Ordinary, seed, false),
        );
    }
}

#[test]
fn nothing_planted_is_passed_over_and_what_is_answered_ends() {
    let jobs = thread::available_parallelism().map_or(1, usize::from);
    run_many(
        Population::Closing,
        0,
        CLOSING_SEEDS,
        jobs,
        &mut |seed, outcome| {
            hold(&format!("closing seed {seed}"), outcome);
            ControlFlow::Continue(())
        },
    );
    for seed in FOUND_CLOSING {
        hold(
            &format!("closing seed {seed}"),
            run(Population::Closing, seed, false),
        );
    }
}

/// The tapes of sessions that failed before what they found was mended. Each says in its first line what that was. A tape
/// means another session once agents or users behave in more ways, so findings in the core are kept as the shortest
/// sessions that show them as well, in `crates/mediator/tests/found_by_simulation.rs`.
#[test]
fn sessions_that_once_failed_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tapes");
    let mut tapes = 0;
    for entry in fs::read_dir(folder).expect("the folder of tapes") {
        let file = entry.expect("a file").path();
        let text = fs::read_to_string(&file).expect("a tape");
        assert!(text.starts_with("# "), "{} says nothing", file.display());
        let tape = tape_from_text(&text).expect("a tape");
        hold(
            &file.display().to_string(),
            replay(Population::Ordinary, tape, false),
        );
        tapes += 1;
    }
    assert!(tapes > 0);
}

#[test]
fn the_same_seed_gives_the_same_session() {
    for seed in [3, 7, 11, 22] {
        for population in Population::ALL {
            let trace = || run(population, seed, true).trace;
            assert_eq!(trace(), trace());
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let outcomes = |jobs| {
        let mut seen = Vec::new();
        run_many(Population::Ordinary, 40, 8, jobs, &mut |seed, outcome| {
            seen.push((
                seed,
                outcome.events,
                outcome.end,
                outcome.coverage.to_string(),
            ));
            ControlFlow::Continue(())
        });
        seen
    };
    assert_eq!(outcomes(1), outcomes(3));
}
