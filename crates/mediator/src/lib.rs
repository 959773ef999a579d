//! The mediator: decide and evolve. [`next`] says what should be under way, [`handle`] judges what came in, and
//! [`gapless_session::apply::apply`] folds what happened. The caller performs; nothing here does.

pub mod assignment;
pub mod examples;
pub mod plan;
pub mod prompts;
pub mod termination;

mod accounting;
mod answers;
mod commands;
mod concluding;
mod conflicts;
mod decided;
mod defaults;
mod discovery;
mod due;
mod editing;
mod engineering;
mod escalation;
mod flag_answers;
mod flags;
mod ground;
mod importing;
mod questions;
mod reapplying;
mod renewing;
mod responding;
mod retrying;
mod rewording;
mod rollback;
mod settling;
mod slots;
mod start;
mod turn;

use serde::{Deserialize, Serialize};

use crate::prompts::PromptError;
use crate::termination::awaited_before_end;
use gapless_domain::archives::Disposed;
use gapless_domain::delivery::{Delivered, Delivery};
use gapless_domain::gap::IllegalGapMove;
use gapless_domain::ids::{DecisionId, GapId, IssueId, QuestionId};
use gapless_domain::issue::{IllegalIssueMove, IssueState};
use gapless_domain::phase::{End, IllegalPhaseMove, Phase, RoundPhase};
use gapless_domain::question::{Answer, AnswerError, Holds};
use gapless_domain::rollback::RollbackMode;
use gapless_domain::setting::OutOfRange;
use gapless_domain::severity::Severity;
use gapless_domain::slot::{IllegalSlotMove, SlotState};
use gapless_domain::task::{ExecutionError, OutputNote, Task, TaskId, Unfinished, Usage};
use gapless_domain::text::{MissingText, TextMap, Texts};
use gapless_domain::time::Time;
use gapless_session::event::Event;
use gapless_session::spending;
use gapless_session::state::Slot;
use gapless_session::state::State;
use gapless_spec::AssemblyError;

pub use importing::Import;
pub use start::Start;
use turn::Turn;

/// What should happen next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The core can go on alone.
    Advance,
    /// These tasks should be under way, and no others; go on at `until` at the latest.
    Run {
        tasks: Vec<Task>,
        until: Option<Time>,
    },
    /// Nothing can go on before these are answered, or before `until`.
    Await {
        questions: Vec<QuestionId>,
        until: Option<Time>,
    },
    /// Nothing is to be done.
    Rest(Rest),
}

/// Why nothing is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    NotStarted,
    Paused,
    /// The user's budget is used up; what is under way was let finish.
    OutOfBudget,
    Ended(End),
}

/// Says what should happen next.
pub fn next(state: &State) -> Step {
    if !state.is_started() {
        return Step::Rest(Rest::NotStarted);
    }
    if let Some((end, _)) = state.kept.ended {
        return Step::Rest(Rest::Ended(end));
    }
    if state.kept.paused {
        return Step::Rest(Rest::Paused);
    }
    let slots = || state.now.round.slots.values();
    let out_of_budget = spending::spent(state).is_some();
    if !out_of_budget && slots().any(|slot| slot.state == SlotState::Ready) {
        return Step::Advance;
    }
    let tasks: Vec<Task> = state.running().cloned().collect();
    let until = slots().filter_map(|slot| slot.wake_at).min();
    if !tasks.is_empty() {
        return Step::Run { tasks, until };
    }
    let queue = state.now.queue().into_iter();
    let holding = queue.filter(|question| question.holds == Holds::Phase);
    let questions: Vec<QuestionId> = holding.map(|question| question.id).collect();
    let wants_to_run = |slot: &Slot| matches!(slot.state, SlotState::Ready | SlotState::Backoff);
    if out_of_budget && questions.is_empty() && slots().any(wants_to_run) {
        return Step::Rest(Rest::OutOfBudget);
    }
    if !questions.is_empty() || until.is_some() {
        return Step::Await { questions, until };
    }
    let questions = awaited_before_end(state);
    if !questions.is_empty() {
        return Step::Await { questions, until };
    }
    Step::Advance
}

/// What comes in, and when.
#[derive(Debug, Clone)]
pub struct Input {
    pub at: Time,
    pub what: Incoming,
}

/// What comes in.
#[derive(Debug, Clone)]
pub enum Incoming {
    Start(Box<Start>),
    /// A record of another program's, to go on with.
    Import(Box<Import>),
    /// What the session runs with, as met when it is taken up again.
    Configure(Box<start::Met>),
    /// Go on alone.
    Advance,
    /// A task ended with a document, or with none.
    Output {
        task: TaskId,
        text: Option<String>,
        notes: Vec<OutputNote>,
        usage: Usage,
    },
    /// A task's agent could not run.
    Failed {
        task: TaskId,
        error: ExecutionError,
        /// What it had written by then.
        unfinished: Option<Unfinished>,
        usage: Usage,
    },
    /// The user says something.
    User(UserInput),
    /// A person's edit of a file that gapless writes was kept beside it.
    EditKept {
        path: String,
        kept_as: String,
    },
    /// The refined spec was written where the user wants it, or could not be.
    Delivered(Delivered),
    /// What was chosen was done with the archives of the ended session.
    Disposed(Disposed),
}

pub use start::Met;

/// What a user says, from this process or another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "snake_case")]
pub enum UserInput {
    Answer {
        question: QuestionId,
        answer: Answer,
    },
    Pause,
    Resume,
    Stop,
    Abandon,
    /// Where the refined spec is wanted; also once the session has ended.
    Deliver {
        delivery: Delivery,
    },
    /// Go back to the state after a round; without one the user is asked where to.
    Rollback {
        #[serde(default)]
        to: Option<u32>,
        #[serde(default)]
        reason: String,
        /// What the prompts of the retried round are to say besides.
        #[serde(default)]
        adjust: Vec<String>,
    },
    /// Who decides from now on that a round is undone.
    RollbackMode {
        mode: RollbackMode,
    },
    /// Puts a decision of an undone round in force again, as it was or in other words.
    Reapply {
        decision: DecisionId,
        #[serde(default)]
        text: Option<String>,
    },
    Gap {
        command: GapCommand,
    },
    Issue {
        command: IssueCommand,
    },
}

/// What a user does to an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum IssueCommand {
    /// It need not be answered.
    Waive { issue: IssueId, reason: String },
    Severity {
        issue: IssueId,
        severity: Severity,
        reason: String,
    },
}

/// What a user does to a gap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum GapCommand {
    Add {
        category: String,
        severity: Severity,
        description: String,
        section: Option<String>,
    },
    Defer {
        gap: GapId,
        reason: String,
    },
    Resume {
        gap: GapId,
    },
    /// A CRITICAL gap is closed only with the sentence that accepts it.
    Close {
        gap: GapId,
        reason: String,
        #[serde(default)]
        sentence: Option<String>,
    },
    Reopen {
        gap: GapId,
        reason: String,
    },
    /// The gap's text is in the refined spec, and the user is content with it.
    Confirm {
        gap: GapId,
    },
    Split {
        gap: GapId,
        into: Vec<String>,
    },
    Severity {
        gap: GapId,
        severity: Severity,
        reason: String,
    },
    Block {
        gap: GapId,
        by: GapId,
    },
    Unblock {
        gap: GapId,
        by: GapId,
    },
    /// Gives the input that a blocked gap waits for.
    Input {
        gap: GapId,
        text: String,
    },
}

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
    #[error("{gap} is CRITICAL; closing it needs the sentence: {sentence}")]
    CriticalGate { gap: GapId, sentence: &'static str },
    #[error("`{0}` is not a category: 2 to 10 capital letters")]
    Category(String),
    #[error("a description is needed")]
    NoDescription,
    #[error("a gap is split into at least two parts and at most 26 in all")]
    SplitParts,
    #[error("{gap} cannot wait on {by}: they would wait on each other")]
    Cycle { gap: GapId, by: GapId },
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

/// Judges what came in.
pub fn handle(state: &State, input: Input, texts: &dyn Texts) -> Result<Outcome, Refusal> {
    // Time never goes backwards in a session, whatever the clock does.
    let at = input.at.max(state.kept.clock);
    let mut turn = Turn::new(state, at, texts);
    match input.what {
        Incoming::Start(start) => turn.start(*start)?,
        Incoming::Import(import) => turn.import(*import)?,
        _ if !state.is_started() => return Err(Refusal::NotStarted),
        Incoming::Configure(met) => turn.configure(*met)?,
        Incoming::EditKept { path, kept_as } => turn.keep_edit(path, kept_as),
        Incoming::Delivered(delivered) => turn.note_delivery(delivered),
        Incoming::Disposed(disposed) => turn.note_disposal(disposed),
        // What may be said after the end: where the spec is wanted, and what becomes of the archives.
        Incoming::User(input @ UserInput::Deliver { .. }) => turn.take_user_input(input)?,
        Incoming::User(input) if is_answer(state, &input) => turn.take_user_input(input)?,
        _ if state.kept.ended.is_some() => {
            let end = state.kept.ended.map_or(End::Abandoned, |(end, _)| end);
            return Err(Refusal::Ended(end));
        }
        Incoming::Advance => turn.advance()?,
        Incoming::Output {
            task,
            text,
            notes,
            usage,
        } => turn.take_output(task, text, &notes, usage)?,
        Incoming::Failed {
            task,
            error,
            unfinished,
            usage,
        } => turn.take_failure(task, error, unfinished, usage)?,
        Incoming::User(input) => turn.take_user_input(input)?,
    }
    Ok(turn.finish())
}

/// True for an answer to a question that waits.
fn is_answer(state: &State, input: &UserInput) -> bool {
    match input {
        UserInput::Answer { question, .. } => state.now.questions.contains_key(question),
        _ => false,
    }
}

impl Turn<'_> {
    fn advance(&mut self) -> Result<(), Refusal> {
        if self.state.kept.paused {
            return Err(Refusal::NothingToDo(format!("{} (paused)", self.place())));
        }
        self.wake_due_slots()?;
        if self.start_ready_slots()? || !self.events.is_empty() {
            return Ok(());
        }
        if next(&self.state) != Step::Advance {
            return Err(Refusal::NothingToDo(self.place()));
        }
        match self.state.now.phase {
            Phase::Discovering => self.discover()?,
            Phase::Inventory => self.begin_after_inventory()?,
            Phase::Round => match self.state.now.round.phase {
                RoundPhase::Planning => self.plan_round()?,
                RoundPhase::Engineering => self.conclude_engineering()?,
                RoundPhase::Responding => self.respond()?,
                RoundPhase::Reviewing => self.conclude_reviewing()?,
                RoundPhase::Settling => self.settle()?,
                RoundPhase::Accounting => self.account()?,
                RoundPhase::Concluding => self.conclude()?,
            },
            Phase::FinalReview => self.conclude_final_review()?,
            Phase::Closing | Phase::Ended => {}
        }
        if self.events.is_empty() {
            return Err(Refusal::NothingToDo(self.place()));
        }
        Ok(())
    }

    fn place(&self) -> String {
        match self.state.now.phase {
            Phase::Round => format!(
                "round {}, {}",
                self.state.now.round.number, self.state.now.round.phase
            ),
            phase => phase.to_string(),
        }
    }
}
