//! Owns the examples that go with prompts: the built-in canonical ones and bare templates, what is recorded of each use,
//! and what became of retries with one. Which example goes with which failure is in `select.rs`, cutting in `shorten.rs`.

mod select;
mod shorten;

use serde::{Deserialize, Serialize};

use crate::figures::percent;
use crate::ids::GapId;
use crate::state::AttemptOutcome;
use crate::task::Role;
use crate::tokens;
use crate::validate::RetryReason;

pub use select::{Library, lists_gaps, score, tiers_for};
pub use shorten::{TRUNCATED, shorten};

/// Where an example comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Built in, or the session's own in its place.
    Canonical,
    /// A valid output of an earlier round of this session.
    Session,
    /// The bare form.
    Template,
}

impl Tier {
    pub const ALL: [Tier; 3] = [Tier::Canonical, Tier::Session, Tier::Template];

    pub fn number(self) -> u32 {
        match self {
            Tier::Canonical => 1,
            Tier::Session => 2,
            Tier::Template => 3,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Tier::Canonical => "Tier 1 (canonical)",
            Tier::Session => "Tier 2 (session)",
            Tier::Template => "Tier 3 (template)",
        }
    }
}

/// What is recorded of an example in a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExampleUse {
    pub tier: Tier,
    /// For people: `built in`, `round 2, GAP-API-001`.
    pub source: String,
    pub characters: u32,
    /// Counted where the example is near its budget, else estimated.
    pub tokens: u32,
    /// How many characters it had before it was cut to its budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated_from: Option<u32>,
    /// What the retry answers; none in a first prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryReason>,
}

impl ExampleUse {
    pub fn is_of_retry(&self) -> bool {
        self.retry.is_some()
    }
}

/// What became of retries of one kind: those with an example of one tier, those after one failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RetryRecord {
    pub uses: u32,
    pub successes: u32,
}

impl RetryRecord {
    /// Counts a retry that came to its end. An agent that could not run says nothing about an example.
    pub fn count(&mut self, outcome: AttemptOutcome) {
        match outcome {
            AttemptOutcome::Valid | AttemptOutcome::Pressed => {
                self.uses += 1;
                self.successes += 1;
            }
            AttemptOutcome::Invalid(_) => self.uses += 1,
            AttemptOutcome::CouldNotRun => {}
        }
    }

    /// The share of successes in whole percent.
    pub fn percent(self) -> u32 {
        percent(self.successes, self.uses).unwrap_or(0)
    }

    pub fn add(&mut self, other: &Self) {
        self.uses += other.uses;
        self.successes += other.successes;
    }
}

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

/// The built-in canonical example of a role.
pub fn canonical(role: Role) -> &'static str {
    match role {
        Role::Analyst => include_str!("../../examples/analyst.md"),
        Role::Engineer => include_str!("../../examples/engineer.md"),
        Role::Reviewer => include_str!("../../examples/reviewer.md"),
        Role::Editor => include_str!("../../examples/editor.md"),
        Role::FinalReviewer => include_str!("../../examples/final_review.md"),
    }
}

/// The bare form of a role's document, with `[GAP-ID]` and `[ISSUE-ID]` where ids go.
pub fn bare(role: Role) -> &'static str {
    match role {
        Role::Analyst => include_str!("../../examples/bare/analyst.md"),
        Role::Engineer => include_str!("../../examples/bare/engineer.md"),
        Role::Reviewer => include_str!("../../examples/bare/reviewer.md"),
        Role::Editor => include_str!("../../examples/bare/editor.md"),
        Role::FinalReviewer => include_str!("../../examples/bare/final_review.md"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the estimate is far too high, it once was recorded all the same.
    #[test]
    fn what_is_recorded_of_an_example_is_within_its_budget() {
        let example = Example {
            tier: Tier::Session,
            text: format!("## Review: GAP-AA-001\n\n{}\n", "─".repeat(400)),
            source: "round 1".to_owned(),
            round: Some(1),
            gaps: Vec::new(),
            accepted: Vec::new(),
        };
        for budget in 40..200 {
            let (text, used) = example.within(budget, None).unwrap();
            assert!(used.tokens as usize <= budget, "{budget}: {used:?}");
            assert!(tokens::count(&text) <= budget);
        }
    }

    #[test]
    fn a_success_rate_counts_what_came_to_an_end() {
        let mut record = RetryRecord::default();
        assert_eq!(record.percent(), 0);
        let failure = crate::validate::FailureType::WrongFormat;
        for outcome in [
            AttemptOutcome::Valid,
            AttemptOutcome::CouldNotRun,
            AttemptOutcome::Invalid(failure),
            AttemptOutcome::Valid,
        ] {
            record.count(outcome);
        }
        assert_eq!(
            (record.uses, record.successes, record.percent()),
            (3, 2, 67)
        );
    }
}
