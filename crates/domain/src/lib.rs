//! The words of gapless and its tables: gaps, issues, slots, phases and convergence, what can be configured, asked and decided.
//! Nothing here knows a session or a document.

pub mod agent_traits;
pub mod archives;
pub mod assignment;
pub mod budget;
pub mod config;
pub mod convergence;
pub mod date;
pub mod decision;
pub mod delivery;
pub mod edit;
pub mod example_use;
pub mod failing;
pub mod failure;
pub mod flag;
pub mod gap;
pub mod ids;
pub mod issue;
pub mod keywords;
pub mod line_diff;
pub mod matter;
pub mod names;
pub mod numbers;
pub mod ownership;
pub mod parameters;
pub mod phase;
pub mod question;
pub mod rollback;
pub mod scan_finding;
pub mod setting;
pub mod severity;
pub mod slot;
pub mod spec_change;
pub mod takeover;
pub mod task;
pub mod text;
pub mod time;
pub mod word_diff;
pub mod words;

pub use agent_traits::{AgentTraits, OFFLINE};
pub use archives::{ArchiveChoice, ArchiveName, Disposed, round_folder};
pub use assignment::{AssignedDecision, AssignedGap, AssignedIssue, Assignment};
pub use budget::{Money, Span, Spent};
pub use config::{Config, Limits, Strictness};
pub use convergence::{ConvergenceState, Counted, Signal, Tally};
pub use date::Date;
pub use decision::{Decision, DecisionKind, DecisionState, Positions};
pub use delivery::{Delivered, Delivery};
pub use edit::{Edit, MadeFrom};
pub use example_use::{ExampleUse, Tier};
pub use failure::{Cause, FailureFacts, FailureType, FormFault, RetryReason, Warning};
pub use flag::{Flag, Heuristic};
pub use gap::{Alias, Confidence, Gap, GapMove, GapState, NewGap, Origin, Proposal, Wording};
pub use ids::{DecisionId, GapId, IssueId, QuestionId, gap_ids_in, issue_ids_in};
pub use issue::{AnswerKind, Concern, Issue, IssueAnswer, IssueMove, IssueState};
pub use numbers::quarters;
pub use ownership::{Ownership, Person};
pub use phase::{End, Phase, PhaseMove, RoundPhase, Trigger};
pub use question::{About, Answer, AnswerError, Choice, DecidedBy, Field, Holds, Name, Question};
pub use rollback::{RollbackMode, RollbackTrigger};
pub use scan_finding::{ScanFinding, ScannedWith};
pub use severity::Severity;
pub use slot::{Exhaustion, SlotState};
pub use spec_change::{ChangeFault, ChangeKind, ChangeText, SpecChange};
pub use takeover::{RecordedRound, RecordedSession, RecordedText, Remark, Takeover};
pub use task::{
    AskAgain, AskAgainKind, ExecutionError, ExecutionErrorKind, OutputNote, Role, ShorterPrompt,
    SlotId, Task, TaskId, TaskLimits, Unfinished, Usage,
};
pub use text::{
    MissingText, TextHash, TextMap, Texts, comma_list, comma_list_of, one_line, quoted, shortened,
};
pub use time::{Time, human_millis};
