//! The examples that go with prompts: the built-in canonical ones and bare templates, what is recorded of each use,
//! and what became of retries with one. Which example goes with which failure is in `select.rs`, cutting in `shorten.rs`.

mod canonical;
mod select;
mod shorten;

use gapless_domain::example_use::{ExampleUse, Tier};
use gapless_domain::failure::RetryReason;
use gapless_domain::ids::GapId;
use gapless_tokens as tokens;

pub use canonical::{bare, canonical, canonicals};
pub use select::{Library, lists_gaps, score, tiers_for};
pub use shorten::{TRUNCATED, shorten};

/// An example that was chosen, before it is cut to a budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    pub tier: Tier,
    pub text: String,
    pub source: String,
    /// For one of this session: its round, the gaps it is about, and those of them that a review accepted.
    pub round: Option<u32>,
    pub gaps: Vec<GapId>,
    pub accepted: Vec<GapId>,
}

impl Example {
    /// One that is of no round of this session.
    fn new(tier: Tier, text: String, source: String) -> Self {
        Self {
            tier,
            text,
            source,
            round: None,
            gaps: Vec::new(),
            accepted: Vec::new(),
        }
    }

    /// The text within a budget, and what is recorded of it; `None` where the budget leaves no room for an example.
    pub fn within(
        &self,
        budget: usize,
        retry: Option<RetryReason>,
    ) -> Option<(String, ExampleUse)> {
        let text = shorten(&self.text, budget)?;
        let characters = |text: &str| u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        // It fits, so an estimate that says otherwise is wrong.
        let tokens = match tokens::measure(&text, budget) {
            estimated if estimated > budget => tokens::count(&text),
            tokens => tokens,
        };
        let use_ = ExampleUse {
            tier: self.tier,
            source: self.source.clone(),
            characters: characters(&text),
            tokens: u32::try_from(tokens).unwrap_or(u32::MAX),
            truncated_from: (text != self.text.trim()).then(|| characters(self.text.trim())),
            retry,
        };
        Some((text, use_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the estimate is far too high, it once was recorded all the same.
    #[test]
    fn what_is_recorded_of_an_example_is_within_its_budget() {
        let text = format!("## Review: GAP-AA-001\n\n{}\n", "─".repeat(400));
        let example = Example::new(Tier::Session, text, "round 1".to_owned());
        for budget in 40..200 {
            let (text, used) = example.within(budget, None).unwrap();
            assert!(used.tokens as usize <= budget, "{budget}: {used:?}");
            assert!(tokens::count(&text) <= budget);
        }
    }
}
