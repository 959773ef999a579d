//! The words that simulated users and agents write with: few, so that texts sometimes mean the same.

use gapless_domain::Severity;

use crate::Rng;

const WORDS: [&str; 24] = [
    "timeout",
    "retry",
    "limit",
    "format",
    "error",
    "delivery",
    "queue",
    "order",
    "payload",
    "header",
    "signature",
    "window",
    "expiry",
    "storage",
    "quota",
    "state",
    "recovery",
    "schema",
    "version",
    "backlog",
    "rotation",
    "fallback",
    "latency",
    "consumer",
];

const CATEGORIES: [&str; 5] = ["FLOW", "DATA", "AUTH", "UX", "OPS"];

pub fn category(rng: &mut Rng) -> &'static str {
    rng.one_of(&CATEGORIES)
}

/// A line of some words.
pub fn line(rng: &mut Rng, least: u32, most: u32) -> String {
    let mut rng = rng.apart();
    let count = rng.between(least, most);
    let words: Vec<&str> = (0..count).map(|_| rng.one_of(&WORDS)).collect();
    words.join(" ")
}

pub fn severity(rng: &mut Rng) -> Severity {
    let choices = [
        (2, Severity::Critical),
        (4, Severity::High),
        (5, Severity::Medium),
        (3, Severity::Low),
    ];
    rng.weighted(&choices).unwrap_or(Severity::Medium)
}

/// A line that occurs nowhere else.
pub fn distinct(rng: &mut Rng) -> String {
    format!("{} #{:06}", line(rng, 2, 5), rng.below(1_000_000))
}
