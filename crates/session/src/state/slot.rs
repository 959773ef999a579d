//! A slot as the session keeps it: one role's task in a round, with the counters that bound its attempts.

use std::collections::BTreeSet;

use gapless_domain::{
    AskAgain, Cause, Exhaustion, FailureFacts, FailureType, GapId, RetryReason, SlotId, SlotState,
    Task, TextHash, Time, Warning,
};
use gapless_reading::read::Reading;

/// What the last invalid output did wrong, for the next prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastFailure {
    pub failure: FailureType,
    pub message: String,
    pub facts: FailureFacts,
    /// The document that was not valid, where there was one.
    pub output: Option<TextHash>,
}

impl LastFailure {
    pub fn reason(&self) -> RetryReason {
        RetryReason::of(self.failure, self.facts.cause)
    }
}

/// A valid output, with the facts that were read from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidOutput {
    pub text: TextHash,
    pub reading: Reading,
    pub warnings: Vec<Warning>,
}

impl ValidOutput {
    pub fn new(text: TextHash, reading: &Reading, warnings: &[Warning]) -> Self {
        Self {
            text,
            reading: reading.clone(),
            warnings: warnings.to_vec(),
        }
    }
}

/// One role's task in a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    pub id: SlotId,
    pub state: SlotState,
    pub gaps: Vec<GapId>,
    /// Who does it, where that is not the role's agent.
    pub agent: Option<String>,
    /// Why it is asked again in the same round.
    pub again: Option<AskAgain>,
    /// Attempts begun.
    pub attempts: u32,
    /// Invalid outputs so far.
    pub rejections: u32,
    /// Causes that have had their own retry.
    pub retried_causes: BTreeSet<Cause>,
    /// Execution errors since the agent last ran.
    pub execution_errors: u32,
    /// How often the budgets of its prompts are halved.
    pub halvings: u32,
    /// Tries that the user granted beyond the retries.
    pub granted: u32,
    /// The gaps on which a review said too little, once it was asked for more.
    pub pressed: Option<Vec<GapId>>,
    /// What the user added to the prompt.
    pub context: Vec<String>,
    pub last_failure: Option<LastFailure>,
    pub task: Option<Task>,
    pub wake_at: Option<Time>,
    pub exhaustion: Option<Exhaustion>,
    pub output: Option<ValidOutput>,
}

impl Slot {
    pub fn new(id: SlotId, gaps: Vec<GapId>, agent: Option<String>) -> Self {
        Self {
            id,
            state: SlotState::Ready,
            gaps,
            agent,
            again: None,
            attempts: 0,
            rejections: 0,
            retried_causes: BTreeSet::new(),
            execution_errors: 0,
            halvings: 0,
            granted: 0,
            pressed: None,
            context: Vec::new(),
            last_failure: None,
            task: None,
            wake_at: None,
            exhaustion: None,
            output: None,
        }
    }
}
