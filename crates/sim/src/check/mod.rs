//! The checkers: they read the raw rows of the log and keep their own model of the session, with tables rewritten from
//! the design. Nothing of the core's rules is used here; only the form of the rows is shared.

mod attempts;
mod budgets;
mod ends;
mod finals;
mod gaps;
mod issues;
mod model;
mod question_options;
mod questions;
mod rollbacks;
mod rounds;
mod rows;
mod slot_table;
mod slots;
mod spec;
mod spending;
mod texts;

use std::collections::BTreeMap;
use std::fmt;

use gapless_store::{MemoryStore, Row};
use serde_json::Value;

use crate::Coverage;
use model::{Kept, Model};

#[cfg(test)]
pub use gaps::TABLE as GAP_TABLE;
#[cfg(test)]
pub use issues::TABLE as ISSUE_TABLE;
pub(crate) use rows::{is_grave, number, strings, text, weight};
pub use slot_table::TABLE as SLOT_TABLE;

/// A broken rule.
#[derive(Debug, Clone)]
pub struct Violation {
    pub checker: &'static str,
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}", self.checker, self.what)
    }
}

pub type Verdict = Result<(), Violation>;

/// Fails a check with what it found.
pub fn violated<T>(checker: &'static str, what: impl Into<String>) -> Result<T, Violation> {
    Err(Violation {
        checker,
        what: what.into(),
    })
}

pub(crate) fn ensure(holds: bool, checker: &'static str, what: impl FnOnce() -> String) -> Verdict {
    match holds {
        true => Ok(()),
        false => violated(checker, what()),
    }
}

/// (move, from, to) and whether only the user makes it.
type MoveRow = (&'static str, &'static str, &'static str, bool);

/// The move, start and end that an event names, where the table has them and the state fits.
fn legal_move<'e>(
    checker: &'static str,
    table: &[MoveRow],
    id: &str,
    state: &str,
    entry: &Entry<'e>,
) -> Result<(&'e str, &'e str, &'e str), Violation> {
    let named @ (by, from, to) = ["by", "from", "to"]
        .map(|name| text(entry.body, name))
        .into();
    ensure(from == state, checker, || {
        format!("{id} moves from {from}, but it is {state}")
    })?;
    let mut rows = table.iter();
    let Some((_, _, _, by_user)) = rows.find(|(by, from, to, _)| (*by, *from, *to) == named) else {
        return violated(
            checker,
            format!("{id}: no such move: {by} from {from} to {to}"),
        );
    };
    ensure(!by_user || entry.by_user(), "authority", || {
        format!("{id}: {by} without the user")
    })?;
    Ok(named)
}

/// The input that made a turn of the mediator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    Start,
    Advance,
    Task,
    User,
    Configure,
    /// The refined spec was written, or could not be.
    Delivery,
    /// Archives were disposed of, or could not be.
    Disposal,
    /// Something was found in the session's folder.
    Folder,
}

/// The rows that one input made.
#[derive(Debug, Clone)]
pub struct Turn {
    pub first: u64,
    pub last: u64,
    pub cause: Cause,
}

/// A row with what the checkers need to judge it: its place in the log and the input that made it.
pub(crate) struct Entry<'a> {
    pub seq: u64,
    pub at: i64,
    pub cause: Cause,
    pub body: &'a Value,
}

impl Entry<'_> {
    pub fn by_user(&self) -> bool {
        self.cause == Cause::User
    }
}

/// Judges every row of a session's log against a model that it keeps from those rows.
pub struct Checker {
    pub(crate) model: Model,
    pub(crate) kept: Kept,
    pub(crate) snapshots: BTreeMap<u32, Model>,
    pub(crate) store: MemoryStore,
    /// The turn under way, and what it began with.
    pub(crate) turn_first: u64,
    pub(crate) turn: TurnNotes,
    /// What the rows of the log reached.
    pub coverage: Coverage,
}

/// What later rows of a turn are judged by.
#[derive(Default)]
pub(crate) struct TurnNotes {
    /// Undecided conflicts when the turn began, with their severity.
    pub conflicts: Vec<(String, String)>,
    pub answer: Option<(Value, Value)>,
    /// Questions on grave flags and decided matters that waited when the turn began.
    pub grave_flags: Vec<String>,
    pub final_review_ready: bool,
    /// Issues that were raised.
    pub raised: usize,
    /// A budget was used up when the turn began, and how often that was noted in it.
    pub was_spent: bool,
    pub budget_reached: u32,
    pub ended_before: bool,
}

impl Checker {
    pub fn new(store: MemoryStore) -> Self {
        Self {
            model: Model::default(),
            kept: Kept::default(),
            snapshots: BTreeMap::new(),
            store,
            turn_first: 0,
            turn: TurnNotes::default(),
            coverage: Coverage::default(),
        }
    }

    /// The place of the session, for coverage.
    pub fn place(&self) -> String {
        match self.model.phase.as_str() {
            "round" => self.model.round_phase.clone(),
            phase => phase.to_owned(),
        }
    }

    pub fn longest_prompt(&self) -> usize {
        self.kept.longest_prompt
    }

    pub fn observe(&mut self, row: &Row, turn: &Turn) -> Verdict {
        let body: Value = match serde_json::from_str(&row.body) {
            Ok(body) => body,
            Err(error) => return violated("log", format!("row {} is not JSON: {error}", row.seq)),
        };
        ensure(row.seq == self.kept.last_seq + 1, "log", || {
            format!("row {} follows on {}", row.seq, self.kept.last_seq)
        })?;
        ensure(row.at.0 >= self.kept.clock, "log", || {
            format!("row {} goes back in time", row.seq)
        })?;
        self.kept.last_seq = row.seq;
        self.kept.clock = row.at.0;
        if turn.first != self.turn_first {
            self.close_turn()?;
            self.turn_first = turn.first;
            self.turn = TurnNotes {
                conflicts: self.conflicts(),
                grave_flags: self.grave_flags(),
                was_spent: self.kept.started && self.spent().is_some(),
                ended_before: self.kept.ended.is_some(),
                ..TurnNotes::default()
            };
        }
        if let Some(end) = &self.kept.ended {
            let allowed = matches!(
                row.type_name.as_str(),
                "session.configured"
                    | "session.edit_kept"
                    | "session.archives_chosen"
                    | "session.archives_disposed"
                    | "question.asked"
                    | "question.answered"
                    | "session.spec_written"
                    | "session.spec_not_written"
            );
            ensure(allowed, "ends", || {
                format!("{} after the session ended as {end}", row.type_name)
            })?;
        }
        let entry = Entry {
            seq: row.seq,
            at: row.at.0,
            cause: turn.cause,
            body: &body,
        };
        self.check_texts(&row.type_name, &body)?;
        let Some((owner, event)) = row.type_name.split_once('.') else {
            return violated(
                "log",
                format!("row {} has the type {}", row.seq, row.type_name),
            );
        };
        self.coverage.reach("event", &row.type_name);
        match owner {
            "session" => self.session_event(event, &entry),
            "round" => self.round_event(event, &entry),
            "task" => self.task_event(event, &entry),
            "gap" => self.gap_event(event, &entry),
            "issue" => self.issue_event(event, &entry),
            "question" => self.question_event(event, &entry),
            "decision" => self.decision_event(event, &entry),
            "rollback" => self.rollback_event(event, &entry),
            _ => violated("log", format!("nobody owns {}", row.type_name)),
        }
    }

    /// Judges a turn once all its rows are known.
    pub fn close_turn(&mut self) -> Verdict {
        if self.turn_first == 0 {
            return Ok(());
        }
        self.check_crossing()?;
        self.turn_first = 0;
        Ok(())
    }

    /// Compares the model with the core's state.
    pub fn compare(&self, state: &gapless_session::State) -> Verdict {
        let theirs: Vec<(String, String, String)> = state
            .now
            .gaps
            .values()
            .map(|gap| {
                (
                    gap.id.to_string(),
                    gap.state.to_string(),
                    gap.severity.to_string(),
                )
            })
            .collect();
        let ours: Vec<(String, String, String)> = self
            .model
            .gaps
            .iter()
            .map(|(id, gap)| (id.clone(), gap.state.clone(), gap.severity.clone()))
            .collect();
        ensure(theirs == ours, "state", || {
            format!("gaps: core {theirs:?}\nbook {ours:?}")
        })?;
        let theirs: Vec<(String, String)> = state
            .now
            .issues
            .values()
            .map(|issue| (issue.id.to_string(), issue.state.to_string()))
            .collect();
        let mut ours: Vec<(String, String)> = self
            .model
            .issues
            .iter()
            .map(|(id, issue)| (id.clone(), issue.state.clone()))
            .collect();
        let mut sorted = theirs.clone();
        sorted.sort();
        ours.sort();
        ensure(sorted == ours, "state", || {
            format!("issues: core {sorted:?}\nbook {ours:?}")
        })?;
        for gap in state.now.gaps.values() {
            let standing: Vec<String> = gap
                .standing_issues
                .iter()
                .map(ToString::to_string)
                .collect();
            let ours = self
                .model
                .gaps
                .get(&gap.id.to_string())
                .map(|gap| gap.issues.iter().cloned().collect::<Vec<_>>());
            let mut standing = standing;
            standing.sort();
            ensure(ours.as_ref() == Some(&standing), "state", || {
                format!(
                    "{} has the standing issues {standing:?}, the model says {ours:?}",
                    gap.id
                )
            })?;
        }
        let theirs: Vec<String> = state
            .now
            .questions
            .keys()
            .map(ToString::to_string)
            .collect();
        let ours: Vec<String> = self.model.questions.keys().cloned().collect();
        ensure(theirs == ours, "state", || {
            format!("questions: core {theirs:?}, model {ours:?}")
        })?;
        self.check_decisions(state)?;
        self.check_stops()?;
        self.check_timing(state)?;
        ensure(state.kept.paused == self.kept.paused, "state", || {
            "paused".to_owned()
        })
    }
}
