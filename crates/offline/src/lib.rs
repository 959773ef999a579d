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
    use gapless_domain::{AssignedGap, GapId, GapState};
    use gapless_scan::{Finding, topics};

    /// The gap that a finding becomes.
    pub(crate) fn found(finding: &Finding) -> AssignedGap {
        let (rule, topics) = topics(finding);
        AssignedGap {
            id: GapId::new(finding.category, 1).unwrap(),
            severity: finding.severity,
            state: GapState::InProgress,
            description: finding.message.clone(),
            section: finding.section.last().cloned(),
            rule: Some(rule.to_owned()),
            topics: topics.iter().map(|topic| topic.name().to_owned()).collect(),
            line: Some(finding.line),
            passage: None,
            declared: false,
            issues: Vec::new(),
            proposal: None,
        }
    }
}
