//! Runs many seeds on several threads, with the same outcomes in the same order however many there are.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::{Outcome, Population, run};

/// Runs the seeds from `from`, and hands each outcome on in the order of the seeds until `each` has enough.
pub fn run_many(
    population: Population,
    from: u64,
    seeds: u64,
    jobs: usize,
    each: &mut dyn FnMut(u64, Outcome) -> ControlFlow<()>,
) {
    let until = from.saturating_add(seeds);
    let next = AtomicU64::new(from);
    let enough = AtomicBool::new(false);
    let (sender, outcomes) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let sender = sender.clone();
            let (next, enough) = (&next, &enough);
            scope.spawn(move || {
                while !enough.load(Ordering::Relaxed) {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= until || sender.send((seed, run(population, seed, false))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut due = from;
        for (seed, outcome) in outcomes {
            early.insert(seed, outcome);
            while let Some(outcome) = early.remove(&due) {
                if each(due, outcome).is_break() {
                    enough.store(true, Ordering::Relaxed);
                    return;
                }
                due += 1;
            }
        }
    });
}
