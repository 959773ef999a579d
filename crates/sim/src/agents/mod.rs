//! Owns the agents of a simulation. They know their task, its prompt and a few ids, and answer well, badly or not at all.

mod analyst;
mod badly;
mod editor;
mod engineer;
mod final_review;
pub mod prompt;
mod reviewer;
mod temper;
mod writing;

use gapless_domain::task::{
    ExecutionError, ExecutionErrorKind, OutputNote, Role, Unfinished, Usage,
};

use crate::rng::Rng;
pub use temper::{Seen, Temper};
use writing::write;

/// What a task comes to, and what it used; its time is how long it takes.
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
pub fn work(rng: &mut Rng, temper: Temper, seen: &Seen) -> Work {
    let millis = u64::from(rng.between(50, 90_000));
    if rng.percent(temper.broken) {
        return fail(rng, temper, seen, millis);
    }
    // A final review comes once in a session, so that it fails more often where it fails at all.
    let bad = match seen.task.id.slot.role {
        Role::FinalReviewer | Role::Analyst | Role::Editor => temper.bad * 3 / 2,
        Role::Engineer | Role::Reviewer => temper.bad,
    };
    let stuck = temper.stuck > 0 && rng.percent(temper.stuck);
    let text = match rng.percent(bad) {
        _ if stuck => Some("I could not find anything to do.\n".to_owned()),
        true => badly::write(rng, seen),
        false => Some(write(rng, temper, seen)),
    };
    let notes = match rng.percent(5) {
        true => vec![OutputNote::NonzeroExit, OutputNote::InvalidUtf8Replaced],
        false => Vec::new(),
    };
    let written = text.as_ref().map_or(0, String::len);
    Work {
        usage: usage(rng, seen, millis, written),
        result: Ok(Written { text, notes }),
        unfinished: None,
    }
}

/// What an agent tells of what it used: all of it, a part or nothing.
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
fn fail(rng: &mut Rng, temper: Temper, seen: &Seen, millis: u64) -> Work {
    let kind = rng
        .pick(&ExecutionErrorKind::ALL)
        .copied()
        .unwrap_or(ExecutionErrorKind::Provider);
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
        unfinished: (kind.is_timeout() && rng.percent(60)).then(|| unfinished(rng, temper, seen)),
    }
}

/// What one that was ended had written: all of it or a part, long before or until the end.
fn unfinished(rng: &mut Rng, temper: Temper, seen: &Seen) -> Unfinished {
    let mut text = write(rng, temper, seen);
    if rng.percent(50) {
        let mut at = rng.below(text.len().max(1));
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        text.truncate(at);
    }
    Unfinished {
        text,
        notes: Vec::new(),
        unchanged_millis: u64::from(rng.between(0, 60_000)),
    }
}
