//! The offline agent of gapless: an Engineer that suggests defaults from a catalogue and asks for everything else, and a Reviewer
//! that goes by the rules of the scan. It never pretends: a default is marked as one, and where only the user knows the answer it
//! says so.
//!
//! Invariant: nothing here does I/O, asks a clock or draws a random number; the same assignment gives the same document.

mod asking;
mod catalogue;
mod changes;
mod choosing;
mod decided;
mod documentation;
mod engineer;
mod exact;
mod fields;
mod final_review;
mod forms;
mod in_place;
mod issues;
mod plain_words;
mod proposals;
mod reviewer;
mod sentences;
mod spec;
mod tables;
mod words;

pub use catalogue::{Ask, CatalogueError, Entry, Suggests, asks, check, entries};
pub use choosing::{Answer, Suggestion, Used, answer};
pub use documentation::markdown;
pub use engineer::engineer;
pub use fields::Fill;
pub use final_review::final_review;
pub use forms::Form;
pub use reviewer::reviewer;
pub use spec::Spec;

#[cfg(test)]
mod tests {
    use gapless_domain::{AssignedGap, GapId, GapState, Severity};

    /// A gap that these words of a line opened.
    pub(crate) fn found(rule: &str, line: u32, words: &str) -> AssignedGap {
        AssignedGap {
            id: GapId::new("AA", 1).unwrap(),
            severity: Severity::Medium,
            state: GapState::InProgress,
            description: words.to_owned(),
            section: Some("Part".to_owned()),
            rule: Some(rule.to_owned()),
            topics: Vec::new(),
            line: Some(line),
            passage: Some(words.to_owned()),
            declared: false,
            issues: Vec::new(),
            proposal: None,
        }
    }
}
