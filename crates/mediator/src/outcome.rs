//! What comes of an input: what happened, or why it was refused.

use gapless_domain::gap::IllegalGapMove;
use gapless_domain::issue::IllegalIssueMove;
use gapless_domain::phase::IllegalPhaseMove;
use gapless_domain::setting::OutOfRange;
use gapless_domain::slot::IllegalSlotMove;
use gapless_domain::{
    AnswerError, DecisionId, End, GapId, GapState, IssueId, IssueState, MissingText, QuestionId,
    TaskId, TextMap,
};
use gapless_session::Event;
use gapless_spec::AssemblyError;

use crate::prompts::PromptError;

/// What came of an input: what happened, and the texts that it names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outcome {
    pub events: Vec<Event>,
    pub texts: TextMap,
}

/// Why an input was not taken. Nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the session has not been started")]
    NotStarted,
    #[error("the session has been started already")]
    AlreadyStarted,
    #[error("the session has ended ({0})")]
    Ended(End),
    #[error("the spec is empty: there is nothing to refine")]
    EmptySource,
    #[error(
        "the spec is {megabytes} MB; gapless takes at most {most} MB: split it and refine the parts"
    )]
    SourceTooLarge { megabytes: usize, most: usize },
    #[error(
        "the spec declares {gap} twice, on lines {first} and {second}: give one of them another id"
    )]
    DuplicateGap { gap: GapId, first: u32, second: u32 },
    #[error("the record has no rounds between {after} and {before}")]
    RecordWithHoles { after: u32, before: u32 },
    #[error("configuration: {0}")]
    Config(#[from] OutOfRange),
    #[error("no agent is named for the {0}")]
    NoAgent(gapless_domain::task::Role),
    #[error("the result is of task {0}, which is not under way")]
    StaleTask(TaskId),
    #[error("there is no question {0}")]
    UnknownQuestion(QuestionId),
    #[error("{0} has been answered already")]
    AlreadyAnswered(QuestionId),
    #[error("{question} was withdrawn: {why}")]
    Withdrawn { question: QuestionId, why: String },
    #[error("what is left has changed since {question} was asked; {by} lists it now")]
    Replaced {
        question: QuestionId,
        by: QuestionId,
    },
    #[error(transparent)]
    Answer(#[from] AnswerError),
    #[error("there is no gap {0}")]
    UnknownGap(GapId),
    #[error("there is no issue {0}")]
    UnknownIssue(IssueId),
    #[error("{issue} is {state}; only an issue that stands can be changed")]
    IssueSettled { issue: IssueId, state: IssueState },
    #[error("{gap}: {illegal}")]
    GapMove { gap: GapId, illegal: IllegalGapMove },
    #[error("{issue}: {illegal}")]
    IssueMove {
        issue: IssueId,
        illegal: IllegalIssueMove,
    },
    #[error(transparent)]
    SlotMove(#[from] IllegalSlotMove),
    #[error(transparent)]
    PhaseMove(#[from] IllegalPhaseMove),
    #[error("a reason is needed")]
    NoReason,
    #[error(
        "{gap} is CRITICAL, or was before its severity was changed; closing it needs the sentence: {sentence}"
    )]
    CriticalGate { gap: GapId, sentence: &'static str },
    #[error("`{0}` is not a category: 2 to 10 capital letters")]
    Category(String),
    #[error("a description is needed")]
    NoDescription,
    #[error("a gap is split into at least two parts and at most 26 in all")]
    SplitParts,
    #[error("{gap} cannot wait on {by}: they would wait on each other")]
    Cycle { gap: GapId, by: GapId },
    #[error("name an owner, a day, or both")]
    NothingToAssign,
    #[error(
        "{gap} is {state}: only a gap that is open, blocked or deferred has an owner and a day"
    )]
    ClosedGap { gap: GapId, state: GapState },
    #[error("{gap} does not wait on {by}")]
    NotBlocked { gap: GapId, by: GapId },
    #[error("no more ids are free in category {0}")]
    OutOfIds(String),
    #[error("there is nothing to go back to after round {to}: {why}; available: {available}")]
    NoCheckpoint {
        to: u32,
        why: String,
        available: String,
    },
    #[error("no round has begun: there is nothing to roll back")]
    NothingToUndo,
    #[error(
        "every round has been rolled back: there is nothing to roll back before round 1 is run again"
    )]
    AllUndone,
    #[error(
        "the session is back where round {round} ended, and earlier rounds can't be gone back to: `backup_retention_rounds` \
         is {retention}. `gapless resume` runs round {next}, which can be rolled back; `gapless gap reopen` takes up again \
         what an earlier round settled"
    )]
    NothingEarlier {
        round: u32,
        next: u32,
        retention: u32,
    },
    #[error("the session has used its {0} rollbacks")]
    RollbackLimit(u32),
    #[error("there is no decision {0}")]
    UnknownDecision(DecisionId),
    #[error("{decision} can't be changed: {why}")]
    CannotChange { decision: DecisionId, why: String },
    #[error("{0} says that already")]
    SameDecision(DecisionId),
    #[error("no rollback has undone a decision {0}")]
    NotUndone(DecisionId),
    #[error("{decision} was re-applied already, as {reapplied}")]
    AlreadyReapplied {
        decision: DecisionId,
        reapplied: DecisionId,
    },
    #[error("{decision} can't be re-applied: {why}")]
    CannotReapply { decision: DecisionId, why: String },
    #[error("{decision} can't be re-applied in these words: {why}")]
    DoesNotFit { decision: DecisionId, why: String },
    #[error("the session has not ended: there is nothing to take up again")]
    NotEnded,
    #[error("there is no answer or command to take back")]
    NothingSaid,
    #[error("the session was abandoned: there is no refined spec")]
    NoRefinedSpec,
    #[error("the session is paused already")]
    AlreadyPaused,
    #[error("the session is not paused")]
    NotPaused,
    #[error("a CRITICAL conflict is undecided: {0}; decide it first, or abandon")]
    CriticalConflict(QuestionId),
    #[error(transparent)]
    Prompt(#[from] PromptError),
    #[error(transparent)]
    MissingText(#[from] MissingText),
    #[error("there is nothing to go on with in {0}")]
    NothingToDo(String),
}

impl From<AssemblyError> for Refusal {
    fn from(error: AssemblyError) -> Self {
        Refusal::Prompt(error.into())
    }
}

/// What a turn of the mediator comes to, unless it is refused.
pub type Result<T, E = Refusal> = std::result::Result<T, E>;

/// A reason without the space around it; without one, what needs it is refused.
pub(super) fn given_reason(reason: &str) -> Result<&str> {
    Some(reason.trim())
        .filter(|reason| !reason.is_empty())
        .ok_or(Refusal::NoReason)
}
