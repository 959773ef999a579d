//! The simulated agents. They know their task, its prompt and a few ids, and answer well, badly or not at all.

mod analyst;
mod badly;
mod behaviour;
mod editor;
mod engineer;
pub mod final_review;
pub mod prompt;
pub mod reviewer;
pub mod spec_changes;
mod writing;

use gapless_domain::{ExecutionError, ExecutionErrorKind, OutputNote, Role, Unfinished, Usage};

use crate::Rng;
pub use behaviour::{Behaviour, Remembered, Seen};
use writing::write;

/// The result of a task and its usage; the task takes as long as the usage says.
#[derive(Debug, Clone)]
pub struct Work {
    pub usage: Usage,
    pub result: Result<Written, ExecutionError>,
    /// What an agent that failed had written by then.
    pub unfinished: Option<Unfinished>,
}

/// What an agent left behind.
#[derive(Debug, Clone)]
pub struct Written {
    pub text: Option<String>,
    pub notes: Vec<OutputNote>,
}

/// Lets an agent work on a task.
pub fn work(rng: &mut Rng, behaviour: Behaviour, seen: &Seen) -> Work {
    let millis = u64::from(rng.between(50, 90_000));
    if rng.percent(behaviour.broken) {
        return fail(rng, behaviour, seen, millis);
    }
    // A final review comes once in a session, so that it fails more often where it fails at all.
    let bad = match seen.task.id.slot.role {
        Role::FinalReviewer | Role::Analyst | Role::Editor => behaviour.bad * 3 / 2,
        Role::Engineer | Role::Reviewer => behaviour.bad,
    };
    let stuck = behaviour.stuck > 0 && rng.percent(behaviour.stuck);
    let text = match rng.percent(bad) {
        _ if stuck => Some("I could not find anything to do.\n".to_owned()),
        true => badly::write(rng, seen),
        false => Some(write(rng, behaviour, seen)),
    };
    let noted = |_: &mut Rng| vec![OutputNote::NonzeroExit, OutputNote::InvalidUtf8Replaced];
    let notes = rng.sometimes(5, noted);
    let written = text.as_ref().map_or(0, String::len);
    Work {
        usage: usage(rng, seen, millis, written),
        result: Ok(Written { text, notes }),
        unfinished: None,
    }
}

/// The usage that an agent reports: all of it, a part or nothing.
fn usage(rng: &mut Rng, seen: &Seen, millis: u64, written: usize) -> Usage {
    Usage {
        input_tokens: rng.percent(70).then_some(seen.prompt.len() as u64 / 4),
        output_tokens: rng.percent(85).then_some(written as u64 / 4),
        cached_tokens: rng.percent(30).then_some(seen.prompt.len() as u64 / 8),
        estimated: rng.percent(20),
        cost_micros: rng.percent(60).then(|| u64::from(rng.between(0, 40_000))),
        millis,
    }
}

/// One that never finishes is ended by its hard timeout, unless it is cancelled first.
fn fail(rng: &mut Rng, behaviour: Behaviour, seen: &Seen, millis: u64) -> Work {
    let kind = rng.one_of(&ExecutionErrorKind::ALL);
    let mut error = ExecutionError::new(kind, format!("simulated: {kind:?}"));
    if rng.percent(35) {
        error.retry_after_millis = Some(u64::from(rng.between(0, 900_000)));
    }
    let millis = match kind {
        ExecutionErrorKind::HardTimeout => seen.task.limits.hard_timeout_millis,
        ExecutionErrorKind::IdleTimeout => seen.task.limits.idle_timeout_millis,
        _ => millis,
    };
    Work {
        usage: usage(rng, seen, millis, 0),
        result: Err(error),
        unfinished: (kind.is_timeout() && rng.percent(60))
            .then(|| unfinished(rng, behaviour, seen)),
    }
}

/// The document of an agent that timed out: whole or cut short, last changed long before the end or right at it.
fn unfinished(rng: &mut Rng, behaviour: Behaviour, seen: &Seen) -> Unfinished {
    let mut text = write(rng, behaviour, seen);
    if rng.percent(50) {
        let at = rng.below(text.len().max(1));
        text.truncate(text.floor_char_boundary(at));
    }
    Unfinished {
        text,
        notes: Vec::new(),
        unchanged_millis: u64::from(rng.between(0, 60_000)),
    }
}
