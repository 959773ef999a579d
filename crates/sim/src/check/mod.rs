//! The checkers: they read the raw rows of the log and keep their own model of the session, with tables rewritten from
//! the design. Nothing of the core's rules is used here; only the form of the rows is shared.

mod attempts;
mod budgets;
mod chapters;
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
pub(crate) use rows::{is_grave, list, number, strings, text, weight};
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

pub(crate) fn ensure<S: Into<String>>(
    holds: bool,
    checker: &'static str,
    what: impl FnOnce() -> S,
) -> Verdict {
    match holds {
        true => Ok(()),
        false => violated(checker, what()),
    }
}

/// Makes a violation of an error, with what failed before it where that is said.
pub(crate) fn failed<E: fmt::Display>(
    checker: &'static str,
    what: &'static str,
) -> impl Fn(E) -> Violation {
    move |error| Violation {
        checker,
        what: match what {
            "" => error.to_string(),
            _ => format!("{what}: {error}"),
        },
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
    if *by_user {
        entry.needs_user(|| format!("{id}: {by} without the user"))?;
    }
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

    fn needs_user<S: Into<String>>(&self, what: impl FnOnce() -> S) -> Verdict {
        ensure(self.by_user(), "authority", what)
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
    /// What the user said.
    pub said: Option<Value>,
    /// Decisions that were lifted.
    pub lifted: Vec<String>,
    /// The ended session goes on in this turn; it has to; in a new chapter.
    pub went_on: bool,
    pub must_go_on: bool,
    pub reopened: bool,
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

    /// The place of the session.
    pub fn place(&self) -> &str {
        match self.model.phase.as_str() {
            "round" => &self.model.round_phase,
            phase => phase,
        }
    }

    pub fn longest_prompt(&self) -> usize {
        self.kept.longest_prompt
    }

    pub fn observe(&mut self, row: &Row, turn: &Turn) -> Verdict {
        let body: Value = serde_json::from_str(&row.body)
            .or_else(|error| violated("log", format!("row {} is not JSON: {error}", row.seq)))?;
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
        self.check_after_the_end(&row.type_name)?;
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
        self.check_going_on()?;
        self.turn_first = 0;
        Ok(())
    }

    /// Compares the model with the core's state.
    pub fn compare(&self, state: &gapless_session::State) -> Verdict {
        let (now, model) = (&state.now, &self.model);
        let theirs = now.gaps.values().map(|gap| {
            let (id, state, severity) = (&gap.id, gap.state, gap.severity);
            [id.to_string(), state.to_string(), severity.to_string()]
        });
        let ours = model.gaps.iter();
        let ours = ours.map(|(id, gap)| [id, &gap.state, &gap.severity].map(String::clone));
        agree("gaps", theirs, ours)?;
        let theirs = now.issues.values();
        let theirs = theirs.map(|issue| [issue.id.to_string(), issue.state.to_string()]);
        let ours = model.issues.iter();
        agree(
            "issues",
            theirs,
            ours.map(|(id, issue)| [id.clone(), issue.state.clone()]),
        )?;
        for gap in now.gaps.values() {
            let standing = gap.standing_issues.iter();
            let mut standing: Vec<String> = standing.map(ToString::to_string).collect();
            standing.sort();
            let ours = model.gaps.get(&gap.id.to_string());
            let ours = ours.map(|gap| Vec::from_iter(gap.issues.iter().cloned()));
            ensure(ours.as_ref() == Some(&standing), "state", || {
                let id = &gap.id;
                format!("{id} has the standing issues {standing:?}, the model says {ours:?}")
            })?;
        }
        let theirs = now.questions.keys().map(ToString::to_string);
        agree("questions", theirs, model.questions.keys().cloned())?;
        self.check_decisions(state)?;
        self.check_stops()?;
        self.check_timing(state)?;
        ensure(state.kept.paused == self.kept.paused, "state", || "paused")
    }
}

/// Fails where the core's state and the model differ in something.
fn agree<T: Ord + fmt::Debug>(
    what: &str,
    theirs: impl Iterator<Item = T>,
    ours: impl Iterator<Item = T>,
) -> Verdict {
    let (mut theirs, mut ours) = (Vec::from_iter(theirs), Vec::from_iter(ours));
    theirs.sort();
    ours.sort();
    ensure(theirs == ours, "state", || {
        format!("{what}: core {theirs:?}, model {ours:?}")
    })
}
