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

/// Seeds that fail where the fix of what they found is taken out again.
const REGRESSIONS: [(u64, &str); 15] = [
    (3, "a letter is taken once between two commits"),
    (8, "what discovery closed counts in no round"),
    (12, "the parts of a split child belong to its parent"),
    (
        390,
        "no letter of a split gap is issued again after a rollback",
    ),
    (95, "a slot that is skipped in its backoff is not woken"),
    (43, "a final review ends nothing that was opened meanwhile"),
    (
        1140,
        "a round that works on after a final review may have another",
    ),
    (
        177,
        "an undecided HIGH conflict needs an acknowledgment to stop",
    ),
    (65, "a try for an agent that could not run spends no retry"),
    (
        418,
        "an answer that changes the inventory renews the questions on it",
    ),
    (37477, "so does one to another question on it"),
    (71, "a conflict on a gap that was split binds its parts"),
    (1286, "a settled issue stands on no part of a split gap"),
    (2939, "one question at a time on a gap's severity"),
    (339, "one stop is asked at a time"),
];

#[test]
fn sessions_that_once_failed_hold() {
    REGRESSIONS.iter().for_each(|(seed, _)| holds(*seed));
}

#[test]
fn the_same_seed_gives_the_same_session() {
    for seed in [3, 7, 11] {
        assert_eq!(run(seed, true).trace, run(seed, true).trace);
    }
}
