//! The parts of a review, and words of no concern.

use super::concerns::Concern;
use crate::Rng;
use crate::agents::reviewer::{NOTHING_FOUND, any_id, next_id};

/// The entries of a review by severity.
#[derive(Default)]
pub struct Sections([String; 4]);

const TITLES: [&str; 4] = [
    "Critical Issues",
    "High Priority",
    "Medium Priority",
    "Low Priority / Nits",
];

impl Sections {
    pub fn add(&mut self, severity: &str, entry: String) {
        let at = match severity {
            "CRITICAL" => 0,
            "HIGH" => 1,
            "MEDIUM" => 2,
            _ => 3,
        };
        self.0[at] += &entry;
    }

    pub fn text(&self, rng: &mut Rng) -> String {
        if self.0.iter().all(String::is_empty) {
            return NOTHING_FOUND.to_owned();
        }
        // Some approve whatever they have found.
        let mut text = rng.sometimes(20, |_| "**Verdict:** APPROVED\n\n".to_owned());
        for (title, entries) in TITLES.iter().zip(&self.0) {
            text += &format!("### {title}\n\n{entries}\n");
        }
        text
    }
}

/// A new id: the next one, a name of the Reviewer's own, or one that may be taken.
pub fn new_id(rng: &mut Rng, round: u32, number: &mut u32) -> String {
    match rng.below(8) {
        0 => format!("H{}", rng.between(1, 4)),
        1 => any_id(rng, round, 4),
        _ => next_id(round, number),
    }
}

pub fn entry(rng: &mut Rng, id: &str, concern: Concern, wordings: usize) -> String {
    format!(
        "- **{id}**: {}\n  - **Location:** the solution\n  - **Impact:** implementations differ\n  - **Suggestion:** {}\n",
        concern.words(rng.below(wordings)),
        concern.suggestion()
    )
}

/// Words of no concern.
pub fn filler(rng: &mut Rng) -> String {
    const FILLER: [&str; 12] = [
        "violet", "granite", "lantern", "meadow", "cobalt", "juniper", "harbour", "walnut",
        "ember", "saffron", "thistle", "quartz",
    ];
    let mut rng = rng.apart();
    let count = rng.between(5, 12);
    let words: Vec<&str> = (0..count).map(|_| rng.one_of(&FILLER)).collect();
    words.join(" ")
}

pub fn grave(rng: &mut Rng) -> &'static str {
    let choices = [(3, "HIGH"), (4, "CRITICAL"), (1, "MEDIUM"), (1, "LOW")];
    rng.weighted(&choices).unwrap_or("HIGH")
}
