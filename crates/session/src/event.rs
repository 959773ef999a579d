//! Events: what happened, in the past tense, nested by who it happened to. They are the only truth of a session.

mod encoding;
mod moves;
mod noted;
mod reader;
mod rollback;
mod setup;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use gapless_domain::convergence::Convergence;
use gapless_domain::{
    Alias, Answer, ArchiveChoice, AskAgain, Concern, Decision, DecisionId, Disposed, Edit, End,
    ExecutionError, Exhaustion, FailureFacts, FailureType, Flag, GapId, GapMove, GapState,
    Heuristic, IssueAnswer, IssueId, IssueMove, IssueState, Limits, MadeFrom, NewGap, Origin,
    Ownership, Phase, Proposal, Question, QuestionId, Role, RoundPhase, Severity, ShorterPrompt,
    Signal, SlotId, Spent, Takeover, Tally, Task, TaskId, TextHash, Time, Trigger, Usage, Warning,
    Wording,
};
use gapless_reading::definitions::Clash;
use gapless_reading::read::{Reading, Verdict};

pub use encoding::{DecodeError, EVENT_VERSION, Encoded};
pub use noted::{Noted, Taken};
pub use reader::EventReader;
pub use rollback::RollbackEvent;
pub use setup::Setup;

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub at: Time,
    pub what: Happening,
}

/// What happened, by owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Happening {
    Session(SessionEvent),
    Round(RoundEvent),
    Task(TaskEvent),
    Gap(GapEvent),
    Issue(IssueEvent),
    Question(QuestionEvent),
    Decision(DecisionEvent),
    Rollback(RollbackEvent),
}

/// Something that the final review calls blocking, on what the user closed, deferred, waived or decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetAside {
    pub severity: Severity,
    pub summary: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<GapId>,
    /// What the user had settled.
    pub because: String,
}

/// A section that stays as it is assembled, since what the Editor made of it was not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotEdited {
    /// The line of its heading in the source.
    pub section: u32,
    pub title: String,
    pub why: String,
    /// What it was given to work in, where asking the same again would bring nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_from: Option<MadeFrom>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionEvent {
    Started {
        name: String,
        source_path: String,
        source: TextHash,
        seed: u64,
        /// Ids that the source has from an earlier session, as the traces of what is settled: they are not given again.
        #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
        taken: BTreeSet<GapId>,
    },
    Configured {
        setup: Box<Setup>,
    },
    Entered {
        phase: Phase,
    },
    LimitsSet {
        limits: Limits,
        initial_gaps: u32,
    },
    AgentChanged {
        role: Role,
        agent: String,
        /// The agent that cannot run and is stood in for; none where the user changed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead_of: Option<String>,
    },
    Paused {},
    Resumed {},
    /// The source file is no longer what the session started from; it is not read again.
    SourceChangeSeen {
        found: TextHash,
    },
    /// A person edited a file that gapless writes; the edit was kept beside it.
    EditKept {
        path: String,
        kept_as: String,
    },
    /// No agent is started until the user allows more.
    BudgetReached {
        spent: Spent,
    },
    Ended {
        end: End,
        trigger: Trigger,
    },
    /// The user says something that can be taken back; what follows from it comes next.
    Said {
        words: String,
        /// The question that it answers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answers: Option<QuestionId>,
    },
    /// The ended session goes on: a new chapter of it, in which limits and budgets count anew.
    Reopened {
        into: Phase,
        /// The refined spec at the end, by which a file is known that it was written to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        refined: Option<TextHash>,
    },
    /// The refined spec stands where the user wants it.
    SpecWritten {
        path: String,
        /// Where what stood there before is kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        backup: Option<String>,
        /// What was written; logs of before don't say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<TextHash>,
    },
    /// What becomes of the archives of undone rounds.
    ArchivesChosen {
        choice: ArchiveChoice,
    },
    ArchivesDisposed {
        disposed: Disposed,
    },
    /// It could not be written there, and nothing was.
    SpecNotWritten {
        path: String,
        why: String,
    },
    /// The session was taken over from a record of another program's.
    Imported {
        takeover: Box<Takeover>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoundEvent {
    /// The state before it is what a rollback to the round before restores.
    Began {
        round: u32,
    },
    Planned {
        assigned: Vec<GapId>,
        to_review: Vec<GapId>,
    },
    Entered {
        phase: RoundPhase,
    },
    /// What the Engineers wrote was held against the ledger.
    Responded {
        /// CRITICAL and HIGH issues on the gaps that they had.
        due: Vec<IssueId>,
        /// Issues that they disagree with, of any severity.
        disagreed: Vec<IssueId>,
    },
    /// The Engineers' outputs were joined into engineer.md.
    Joined {
        engineer: TextHash,
        /// Keys that parallel proposals define differently; the Reviewer is shown them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        clashes: Vec<Clash>,
    },
    Reviewed {
        reviewer: TextHash,
    },
    /// The review's issues are in the ledger and its questions are asked.
    Settled {},
    Accounted {
        tally: Tally,
        weighted_net: i64,
        unweighted_net: i64,
        signal: Signal,
        convergence: Convergence,
        open_quarters: u64,
    },
    /// The user answered a divergence warning and goes on.
    DivergenceCleared {
        convergence: Convergence,
    },
    /// The next round takes only these.
    Narrowed {
        to: Vec<GapId>,
    },
    /// The next round takes others than these, if there are any.
    LeftOut {
        gaps: Vec<GapId>,
    },
    /// The next round takes what an undone one had as its Engineer's document.
    Forced {
        engineer: TextHash,
    },
    /// The Editor's sections were taken, or left aside.
    Edited {
        slot: SlotId,
        /// What the Editor wrote, where any of it was taken.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        editor: Option<TextHash>,
        taken: Vec<Edit>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        not_taken: Vec<NotEdited>,
    },
    FinalReviewed {
        ready: bool,
        text: TextHash,
        /// Blockers on what the user had settled: listed, and not counted.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        set_aside: Vec<SetAside>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskEvent {
    Opened {
        slot: SlotId,
        gaps: Vec<GapId>,
        /// Who does it, where that is not the role's agent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<String>,
        /// Why it is asked again in the same round.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        again: Option<AskAgain>,
        /// The slot that had nothing left to try and is given up for this one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead_of: Option<SlotId>,
    },
    Started {
        task: Task,
    },
    Validated {
        task: TaskId,
        /// The document as it was read.
        output: TextHash,
        /// What the agent wrote, where something around the document was taken off.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        raw: Option<TextHash>,
        reading: Reading,
        warnings: Vec<Warning>,
        usage: Usage,
    },
    /// The review is valid, but finds nothing on these grave gaps and doesn't say what it examined: asked once more.
    Pressed {
        task: TaskId,
        /// The document as it was read.
        output: TextHash,
        /// What the agent wrote, where something around the document was taken off.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        raw: Option<TextHash>,
        gaps: Vec<GapId>,
        warnings: Vec<Warning>,
        usage: Usage,
    },
    /// The output is invalid; the slot tries again.
    Rejected {
        task: TaskId,
        output: Option<TextHash>,
        failure: FailureType,
        message: String,
        #[serde(default, skip_serializing_if = "FailureFacts::is_empty")]
        facts: FailureFacts,
        warnings: Vec<Warning>,
        usage: Usage,
    },
    /// The agent could not run; the slot waits.
    Failed {
        task: TaskId,
        error: ExecutionError,
        wake_at: Time,
        /// The prompt was too long; the next one is shorter.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shorter: Option<ShorterPrompt>,
        /// What it had written by then: kept, and not read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output: Option<TextHash>,
        usage: Usage,
    },
    Woken {
        slot: SlotId,
    },
    /// Nothing is left to try.
    Exhausted {
        task: TaskId,
        output: Option<TextHash>,
        message: String,
        #[serde(default, skip_serializing_if = "FailureFacts::is_empty")]
        facts: FailureFacts,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<Warning>,
        exhaustion: Exhaustion,
        usage: Usage,
    },
    /// The user took the attempt that bound most, without what was wrong in it.
    BestTaken {
        task: TaskId,
        output: TextHash,
        reading: Reading,
        warnings: Vec<Warning>,
    },
    Granted {
        slot: SlotId,
        context: Option<String>,
        gaps: Vec<GapId>,
    },
    /// What a call used whose result is not taken: it was interrupted, or its task is gone.
    UsageNoted {
        task: TaskId,
        usage: Usage,
    },
    Skipped {
        slot: SlotId,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GapEvent {
    Created {
        gap: NewGap,
    },
    Moved {
        id: GapId,
        by: GapMove,
        from: GapState,
        to: GapState,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    Proposed {
        id: GapId,
        proposal: Proposal,
    },
    Reviewed {
        id: GapId,
        verdict: Option<Verdict>,
    },
    SeverityChanged {
        id: GapId,
        from: Severity,
        to: Severity,
        by_user: bool,
    },
    DependencyChanged {
        id: GapId,
        blocked_by: Vec<GapId>,
    },
    /// The same gap was found a second time; `said` has the words and the place that it was found with.
    OriginAdded {
        id: GapId,
        origin: Origin,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        said: Option<Wording>,
    },
    /// The user says that the proposal of a gap goes with a decision that it seems to contradict.
    Reconciled {
        id: GapId,
        decision: DecisionId,
        solution: TextHash,
    },
    /// A reviewed proposal carried the decisions on it out.
    ObligationsMet {
        id: GapId,
        decisions: Vec<DecisionId>,
    },
    /// The record that the session was taken over from has it in this state; like a rollback, no move of the lifecycle.
    Recorded {
        id: GapId,
        from: GapState,
        to: GapState,
        because: String,
    },
    /// The user says whose it is and when it is due; neither takes both away.
    Assigned {
        id: GapId,
        #[serde(flatten)]
        ownership: Ownership,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IssueEvent {
    Raised {
        id: IssueId,
        gap: GapId,
        concern: Arc<Concern>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        alias: Option<Alias>,
        /// The review that raised it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        review: Option<TextHash>,
    },
    /// A heuristic says that it was passed over.
    Flagged {
        id: IssueId,
        flag: Arc<Flag>,
    },
    /// The user judged its flags of a round.
    FlagsJudged {
        id: IssueId,
        heuristics: Vec<Heuristic>,
        confirmed: bool,
        /// The round of the flags, where it is not the one under way.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        round: Option<u32>,
    },
    /// The user calls it more or less grave.
    SeverityChanged {
        id: IssueId,
        from: Severity,
        to: Severity,
    },
    Moved {
        id: IssueId,
        by: IssueMove,
        from: IssueState,
        to: IssueState,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    Answered {
        id: IssueId,
        answer: IssueAnswer,
    },
    /// Raised again in other words, or as something graver.
    Restated {
        id: IssueId,
        concern: Arc<Concern>,
        /// The review that has these words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        review: Option<TextHash>,
    },
    /// Its gap was split: it stands on a child now as well.
    Copied {
        id: IssueId,
        to: GapId,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionEvent {
    Asked {
        question: Question,
    },
    Answered {
        id: QuestionId,
        answer: Answer,
        /// What it settles beyond the events that follow; older logs don't say it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        noted: Option<Vec<Noted>>,
    },
    Withdrawn {
        id: QuestionId,
        why: String,
        /// It is asked again under its id, if it still needs an answer.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        to_renew: bool,
    },
    /// Asked again under its id, in the words that fit now.
    Renewed {
        question: Question,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionEvent {
    Recorded {
        decision: Box<Decision>,
    },
    /// It no longer binds anyone: what it decided was undone by the user.
    Lifted {
        id: DecisionId,
        why: String,
    },
}
