//! What can come into a session: outputs of agents, answers and commands of the user, and what the runner has done.

use serde::{Deserialize, Serialize};

use gapless_domain::{
    Answer, Date, DecisionId, Delivered, Delivery, Disposed, ExecutionError, GapId, IssueId,
    OutputNote, Person, QuestionId, RollbackMode, Severity, TaskId, Time, Unfinished, Usage,
};

use crate::{Import, RunSettings, Start};

/// What comes in, and when.
#[derive(Debug, Clone)]
pub struct Input {
    pub at: Time,
    pub what: Incoming,
}

#[derive(Debug, Clone)]
pub enum Incoming {
    Start(Box<Start>),
    /// A record of another program's, to go on with.
    Import(Box<Import>),
    /// What the session runs with, as met when it is taken up again.
    Configure(Box<RunSettings>),
    /// Go on alone.
    Advance,
    /// A task ended with a document, or with none.
    Output {
        task: TaskId,
        text: Option<String>,
        /// What the agent said before, oldest first.
        earlier: Vec<String>,
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
    /// A call has come to its end whose result nobody waits for any more.
    Spent {
        task: TaskId,
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
    /// Takes back the user's last answer or command.
    Undo,
    /// Takes an ended session up again: a new chapter of it.
    Reopen,
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
    /// Puts another decision in the place of one that is in force.
    ChangeDecision {
        decision: DecisionId,
        text: String,
        #[serde(default)]
        reason: String,
    },
    Gap {
        command: GapCommand,
    },
    Issue {
        command: IssueCommand,
    },
}

impl UserInput {
    /// True for what changes the work of a session, so that an ended one is taken up again for it.
    pub fn reopens(&self) -> bool {
        match self {
            UserInput::Rollback { .. }
            | UserInput::Reapply { .. }
            | UserInput::ChangeDecision { .. }
            | UserInput::Issue { .. } => true,
            // Whose a gap is changes no work on it.
            UserInput::Gap { command } => !command.assigns(),
            UserInput::Reopen
            | UserInput::Undo
            | UserInput::Answer { .. }
            | UserInput::Pause
            | UserInput::Resume
            | UserInput::Stop
            | UserInput::Abandon
            | UserInput::Deliver { .. }
            | UserInput::RollbackMode { .. } => false,
        }
    }
}

impl GapCommand {
    /// True for what says whose a gap is, and no more.
    pub fn assigns(&self) -> bool {
        matches!(
            self,
            GapCommand::Assign { .. } | GapCommand::Unassign { .. }
        )
    }
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
        /// Who filled in the form that it came with, where somebody says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        filled_in_by: Option<Person>,
    },
    /// Says whose a gap is, and when it is due; what is left out stays as it is.
    Assign {
        gap: GapId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        owner: Option<Person>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        due: Option<Date>,
    },
    /// Takes the owner and the day away.
    Unassign {
        gap: GapId,
    },
}
