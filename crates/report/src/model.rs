//! What a report says, in the order in which it says it. Counts, nets, times and costs are those of the core; texts of
//! agents and specs are as they were written, and how they are made safe is up to whoever lays them out.

use std::collections::BTreeMap;

use gapless_domain::line_diff::Mark;
use gapless_domain::{ConvergenceState, GapState, Role, Severity, Time, Usage};
use gapless_session::figures::Trouble;
use gapless_session::runs::Flagged;
use gapless_session::{AttemptRecord, Figures};
use gapless_spec::Limitation;

/// Everything that is shown of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub session: String,
    pub source: String,
    pub started: Option<Time>,
    /// The newest event that it knows of.
    pub until: Time,
    pub agents: Vec<(Role, String)>,
    pub outcome: Outcome,
    pub figures: Figures,
    pub trouble: Trouble,
    pub counts: Counts,
    pub points: Vec<Point>,
    pub board: Vec<Column>,
    pub limitations: Vec<Limitation>,
    pub rounds: Vec<RoundEntry>,
    pub rollbacks: Vec<RollbackEntry>,
    pub issues: Vec<IssueEntry>,
    pub decisions: Vec<DecisionEntry>,
    pub usage: Vec<RoundUsage>,
    pub change: Change,
}

/// How a session stands or how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub tone: Tone,
    /// The end, else where it is: `COMPLETE`, `WAITING FOR YOU`.
    pub word: String,
    pub sentence: String,
    /// What became of the chapters before this one.
    pub chapters: Vec<String>,
    /// The questions that wait.
    pub waits: Vec<(String, String)>,
}

/// How something is to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Good,
    Warn,
    Bad,
    Calm,
}

/// What is counted of the lists that follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    pub resolved: usize,
    pub left: usize,
    pub issues: usize,
    pub issues_standing: usize,
    pub decisions: usize,
    pub decisions_undone: usize,
    pub rollbacks: usize,
}

/// A number that a reader looks for first, with what it is out of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyFigure {
    pub name: &'static str,
    pub value: String,
    pub note: String,
}

/// The open weight at the start or after a run of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// 0 is the start.
    pub round: u32,
    /// Weight in quarters, gravest severity first.
    pub weights: [u64; 4],
    /// The state that the round left; none where it was not judged.
    pub state: Option<ConvergenceState>,
    /// Which rollback undid it, counted from 1.
    pub undone_by: Option<usize>,
    /// It is still under way, or was cut short.
    pub unfinished: bool,
}

impl Point {
    pub fn weight(&self) -> u64 {
        self.weights.iter().sum()
    }

    /// The verdict on its round, and whether a rollback undid it.
    pub fn state_words(&self) -> String {
        let state = match (self.state, self.round, self.unfinished) {
            (Some(state), ..) => state.name(),
            (None, 0, _) => "start",
            (None, _, true) => "not finished",
            (None, _, false) => "not judged",
        };
        match self.undone_by {
            Some(number) => format!("{state}, undone by rollback {number}"),
            None => state.to_owned(),
        }
    }
}

/// The gaps in one state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub state: GapState,
    pub cards: Vec<Card>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    pub id: String,
    pub severity: Severity,
    pub description: String,
    /// Where it came from and how far it got.
    pub history: String,
    /// What is to be known besides: what it waits on, why it was parked, issues that stand.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundEntry {
    pub round: u32,
    /// Which rollback undid it, counted from 1.
    pub undone_by: Option<usize>,
    pub planned: Vec<String>,
    pub resolved: Vec<(String, Severity)>,
    pub created: Vec<(String, Severity)>,
    pub reopened: Vec<(String, Severity)>,
    /// Weight and heads; none where it was not accounted for.
    pub net: Option<(i64, i64)>,
    pub open_quarters: u64,
    /// The verdict, or how far it got.
    pub state: String,
    pub tone: Tone,
    pub began: Time,
    pub elapsed_millis: u64,
    pub attempts: usize,
    /// What did not pass at once: invalid, unable to run, asked for once more.
    pub troubled: Vec<AttemptRecord>,
    pub flags: Vec<Flagged>,
    pub issues_raised: Vec<String>,
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RollbackEntry {
    /// Counted from 1.
    pub number: usize,
    pub rounds: String,
    pub to_round: u32,
    pub at: Time,
    pub trigger: &'static str,
    pub unasked: bool,
    pub reason: String,
    pub adjustments: Vec<String>,
    pub outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssueEntry {
    pub id: String,
    pub severity: Severity,
    pub state: &'static str,
    pub stands: bool,
    pub gap: String,
    pub raised_in: u32,
    pub summary: String,
    /// Location, impact and suggestion, as far as they were given.
    pub details: Vec<(&'static str, String)>,
    /// How the Engineer answered, and what came of it.
    pub answered: String,
    /// The Engineer's words.
    pub answer: Option<String>,
    pub flags: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionEntry {
    pub id: String,
    pub kind: &'static str,
    pub title: String,
    pub subject: String,
    pub state: String,
    /// It binds nobody any more.
    pub is_over: bool,
    pub positions: Option<PositionsEntry>,
    pub decision: String,
    pub rationale: String,
    pub constraints: String,
    pub by: String,
    pub at: Time,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionsEntry {
    pub reviewer: String,
    pub engineer: String,
    /// The letter of the option.
    pub chosen: String,
    pub chosen_words: String,
    pub severity: Option<Severity>,
    pub implicit: bool,
}

/// What the agents used in a run of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundUsage {
    pub round: u32,
    pub undone: bool,
    pub roles: BTreeMap<Role, Usage>,
    pub all: Usage,
}

/// What became of the spec.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Change {
    pub added: usize,
    pub removed: usize,
    pub hunks: Vec<Hunk>,
    /// Lines that are left out for their number.
    pub lines_left_out: usize,
    /// Why there is none.
    pub absent: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// `@@ -1,4 +1,9 @@`
    pub place: String,
    pub lines: Vec<(Mark, String)>,
}
