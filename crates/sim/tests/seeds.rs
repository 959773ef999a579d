//! A hundred sessions in every test run, and those that once failed.

use gapless_sim::run;

fn holds(seed: u64) {
    if let Some(failure) = run(seed, false).failure {
        let trace = run(seed, true).trace;
        let from = trace.len().saturating_sub(60);
        panic!("seed {seed}: {failure}\n{}", trace[from..].join("\n"));
    }
}

#[test]
fn a_hundred_sessions_hold_to_the_rules() {
    (0..100).for_each(holds);
}

/// Seeds that found something, with what it was.
const REGRESSIONS: [u64; 0] = [];

#[test]
fn sessions_that_once_failed_hold() {
    REGRESSIONS.into_iter().for_each(holds);
}

#[test]
fn the_same_seed_gives_the_same_session() {
    for seed in [3, 7, 11] {
        assert_eq!(run(seed, true).trace, run(seed, true).trace);
    }
}
