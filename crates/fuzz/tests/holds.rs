//! Every target over its seeds, and over what was found: without cargo-fuzz, in every test run.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use gapless_fuzz::{TARGETS, seeds};

fn holds(target: &str, inputs: impl IntoIterator<Item = (String, Vec<u8>)>) {
    let (_, function) = TARGETS.iter().find(|(name, _)| *name == target).unwrap();
    let mut failed = Vec::new();
    for (name, data) in inputs {
        if catch_unwind(AssertUnwindSafe(|| function(&data))).is_err() {
            failed.push(name);
        }
    }
    assert!(failed.is_empty(), "{target} does not hold for {failed:?}");
}

fn holds_for_seeds(target: &str) {
    let seeds = seeds(target);
    assert!(seeds.len() > 5, "{target} has no seeds to speak of");
    holds(
        target,
        (0..)
            .zip(seeds)
            .map(|(nth, seed)| (format!("seed {nth}"), seed)),
    );
}

#[test]
fn reading() {
    holds_for_seeds("reading");
}

#[test]
fn status() {
    holds_for_seeds("status");
}

#[test]
fn disagreement() {
    holds_for_seeds("disagreement");
}

#[test]
fn truncation() {
    holds_for_seeds("truncation");
}

#[test]
fn assembling() {
    holds_for_seeds("assembling");
}

#[test]
fn archives() {
    holds_for_seeds("archives");
}

#[test]
fn answers() {
    holds_for_seeds("answers");
}

#[test]
fn config() {
    holds_for_seeds("config");
}

#[test]
fn growth() {
    holds_for_seeds("growth");
}

#[test]
fn forms() {
    holds_for_seeds("forms");
}

#[test]
fn what_was_found() {
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/found");
    for (target, _) in TARGETS {
        let inputs = fs::read_dir(found.join(target)).into_iter().flatten();
        let inputs = inputs.map(|entry| {
            let path = entry.unwrap().path();
            (path.display().to_string(), fs::read(&path).unwrap())
        });
        holds(target, inputs);
    }
}
