//! What an agent is asked to do and what came of it: roles, task ids, usage and execution errors.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{ExampleUse, GapId, IssueId, Money, TextHash, listed};

/// Who an agent is in a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::VariantArray)]
pub enum Role {
    Analyst,
    Engineer,
    Reviewer,
    Editor,
    FinalReviewer,
}

listed!(Role);

impl Role {
    /// The stem of this role's files: `engineer` in `round_003/engineer.md`.
    pub fn stem(self) -> &'static str {
        match self {
            Role::Analyst => "analyst",
            Role::Engineer => "engineer",
            Role::Reviewer => "reviewer",
            Role::Editor => "editor",
            Role::FinalReviewer => "final_review",
        }
    }

    /// The name that people read.
    pub fn name(self) -> &'static str {
        match self {
            Role::Analyst => "Analyst",
            Role::Engineer => "Engineer",
            Role::Reviewer => "Reviewer",
            Role::Editor => "Editor",
            Role::FinalReviewer => "Final reviewer",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a role (analyst, engineer, reviewer, editor, final_review)")]
pub struct NotARole(String);

impl FromStr for Role {
    type Err = NotARole;

    fn from_str(text: &str) -> Result<Self, NotARole> {
        Role::ALL
            .into_iter()
            .find(|role| role.stem() == text || role.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| NotARole(text.to_owned()))
    }
}

/// Names one slot of a round: a role, and which of its parallel tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SlotId {
    pub role: Role,
    pub index: u32,
}

impl SlotId {
    pub fn new(role: Role, index: u32) -> Self {
        Self { role, index }
    }
}

/// Names one attempt at one task. A result for any other id than the running one is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TaskId {
    /// Counts the rollbacks before it, so that a result from an undone round is never taken.
    pub epoch: u32,
    pub round: u32,
    pub slot: SlotId,
    pub attempt: u32,
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "e{}-r{}-{}",
            self.epoch,
            self.round,
            self.slot.role.stem()
        )?;
        write!(f, "-s{}-a{}", self.slot.index, self.attempt)
    }
}

/// Why an Engineer is asked again in the round in which it wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskAgainKind {
    /// Issues are passed over.
    Unanswered,
    /// It disagrees with too much.
    FewerDisagreements,
    /// A concern keeps coming back: it is met, or openly disagreed with.
    Disagree,
}

/// What an Engineer is asked again about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskAgain {
    pub kind: AskAgainKind,
    pub issues: Vec<IssueId>,
    /// What it wrote so far in this round.
    pub document: TextHash,
}

/// A file that the agent finds in its working folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFile {
    pub name: String,
    pub text: TextHash,
}

/// What the runner must have under way: everything an agent needs, and nothing about state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    pub id: TaskId,
    /// The agent as the user named it: `replay:folder`, `cmd:…`.
    pub agent: String,
    pub gaps: Vec<GapId>,
    pub prompt: TextHash,
    pub inputs: Vec<InputFile>,
    /// Where the agent may write its document, relative to its working folder.
    pub output_path: String,
    /// The folder of a code base that the agent may look at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo: Option<String>,
    pub limits: TaskLimits,
    /// The example in the prompt; for a retry, the one that its own text brings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<ExampleUse>,
    /// How often the budgets of the prompt were halved, since a longer one was too long for the agent.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub halvings: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A prompt in place of one that was too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShorterPrompt {
    /// How often its budgets are halved.
    pub halvings: u32,
    /// The length of the one that was too long, in bytes, and its own.
    pub before: u64,
    pub after: u64,
}

/// How long an agent may take and how much it may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskLimits {
    pub idle_timeout_millis: u64,
    pub hard_timeout_millis: u64,
    pub output_bytes: u64,
}

/// What an attempt used. Cost is counted in millionths of the currency unit; cached tokens are a part of those that went in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_tokens: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_micros: Option<u64>,
    /// The tokens were counted here, since whoever was asked did not tell them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    pub millis: u64,
}

impl Usage {
    /// True where nothing was used, as far as anyone told.
    pub fn is_nothing(&self) -> bool {
        let told = [self.input_tokens, self.output_tokens, self.cost_micros];
        self.millis == 0 && told.into_iter().all(|told| told.unwrap_or(0) == 0)
    }

    /// Tokens in and out, as far as the agent told them.
    pub fn tokens(&self) -> u64 {
        let told = |tokens: Option<u64>| tokens.unwrap_or(0);
        told(self.input_tokens).saturating_add(told(self.output_tokens))
    }

    pub fn add(&mut self, other: &Usage) {
        let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (None, None) => None,
            (a, b) => Some(a.unwrap_or(0).saturating_add(b.unwrap_or(0))),
        };
        self.input_tokens = sum(self.input_tokens, other.input_tokens);
        self.output_tokens = sum(self.output_tokens, other.output_tokens);
        self.cached_tokens = sum(self.cached_tokens, other.cached_tokens);
        self.cost_micros = sum(self.cost_micros, other.cost_micros);
        self.estimated |= other.estimated;
        self.millis = self.millis.saturating_add(other.millis);
    }

    /// The tokens that went in, with what of them was cached: `~1200 (300 cached)`. The mark says that they were counted
    /// here.
    pub fn tokens_in(&self) -> Option<String> {
        let cached = match self.cached_tokens {
            None | Some(0) => String::new(),
            Some(cached) => format!(" ({cached} cached)"),
        };
        self.input_tokens
            .map(|tokens| format!("{}{tokens}{cached}", self.mark()))
    }

    pub fn tokens_out(&self) -> Option<String> {
        self.output_tokens
            .map(|tokens| format!("{}{tokens}", self.mark()))
    }

    pub fn cost(&self) -> Option<String> {
        self.cost_micros
            .map(|micros| format!("{}{}", self.mark(), Money(micros)))
    }

    fn mark(&self) -> &'static str {
        if self.estimated { "~" } else { "" }
    }
}

/// Something about the output that the backend noticed and mended before the document was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[derive(strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum OutputNote {
    InvalidUtf8Replaced,
    OutputTruncated,
    NonzeroExit,
    TimedOutDocument,
}

impl OutputNote {
    pub fn code(self) -> &'static str {
        self.into()
    }

    pub fn message(self) -> &'static str {
        match self {
            OutputNote::InvalidUtf8Replaced => "bytes that are not UTF-8 were replaced",
            OutputNote::OutputTruncated => "the output was longer than the limit and was cut",
            OutputNote::NonzeroExit => "the agent wrote a document but exited with an error",
            OutputNote::TimedOutDocument => {
                "the agent was ended by its timeout after it had written a whole document"
            }
        }
    }
}

/// Why an agent could not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::VariantArray)]
pub enum ExecutionErrorKind {
    NotFound,
    ExitedWithoutOutput,
    IdleTimeout,
    HardTimeout,
    Provider,
    RateLimit,
    /// The request is refused as it is: the key, the model or a parameter. Asking again changes nothing.
    Refused,
    /// The prompt is longer than what the model can read.
    PromptTooLong,
}

listed!(ExecutionErrorKind);

impl ExecutionErrorKind {
    pub fn words(self) -> &'static str {
        match self {
            ExecutionErrorKind::NotFound => "not found",
            ExecutionErrorKind::ExitedWithoutOutput => "exited without output",
            ExecutionErrorKind::IdleTimeout => "idle timeout",
            ExecutionErrorKind::HardTimeout => "hard timeout",
            ExecutionErrorKind::Provider => "provider error",
            ExecutionErrorKind::RateLimit => "rate limit",
            ExecutionErrorKind::Refused => "request refused",
            ExecutionErrorKind::PromptTooLong => "prompt too long",
        }
    }

    /// True where the agent was ended because it took too long.
    pub fn is_timeout(self) -> bool {
        matches!(
            self,
            ExecutionErrorKind::IdleTimeout | ExecutionErrorKind::HardTimeout
        )
    }
}

/// What an agent that could not finish had written by then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished {
    pub text: String,
    pub notes: Vec<OutputNote>,
    /// How long the text had not changed when the agent was ended.
    pub unchanged_millis: u64,
}

/// An agent that could not run: not an invalid output, and never spending a validation retry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct ExecutionError {
    pub kind: ExecutionErrorKind,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_millis: Option<u64>,
}

impl ExecutionError {
    pub fn new(kind: ExecutionErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            retry_after_millis: None,
        }
    }
}
