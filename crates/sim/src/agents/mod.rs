//! Owns the agents of a simulation. They know their task, its prompt and a few ids, and answer well, badly or not at all.

mod analyst;
mod badly;
mod editor;
mod engineer;
mod final_review;
pub mod prompt;
mod reviewer;

use gapless_domain::ids::GapId;
use gapless_domain::task::{
    ExecutionError, ExecutionErrorKind, OutputNote, Role, Task, Unfinished, Usage,
};

use crate::rng::Rng;

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

/// How the agents of a session are.
#[derive(Debug, Clone, Copy)]
pub struct Temper {
    /// How often, in percent, an agent writes something that can't be used.
    pub bad: u32,
    /// How often it can't run at all.
    pub broken: u32,
    /// How often a good document makes trouble: issues, new gaps, disagreement, markers.
    pub trouble: u32,
    /// How often the Engineer stands by what is criticised, and the Reviewer by the criticism.
    pub quarrel: u32,
    /// How often a review that finds nothing says nothing of what it examined.
    pub silent: u32,
    /// How often a proposal brings up more than it settles.
    pub spawning: u32,
    /// How often the Engineer passes over what it is to answer: it writes what it wrote before, or turns against the Reviewer.
    pub deaf: u32,
    /// How often it writes the same nonsense as ever.
    pub stuck: u32,
}

impl Temper {
    /// Agents that do what is asked of them.
    pub const GOOD: Self = Self {
        bad: 0,
        broken: 0,
        trouble: 0,
        quarrel: 0,
        silent: 0,
        spawning: 0,
        deaf: 0,
        stuck: 0,
    };

    /// Agents that do one thing all the time: they quarrel, pass over everything, or bring up ever more.
    pub fn of_one_kind(rng: &mut Rng) -> Self {
        let calm = Self {
            trouble: 35,
            ..Self::GOOD
        };
        match rng.below(4) {
            0 => Self {
                quarrel: 90,
                ..calm
            },
            1 => Self {
                quarrel: 80,
                deaf: 90,
                ..calm
            },
            2 => Self {
                spawning: 60,
                ..calm
            },
            _ => Self { stuck: 85, ..calm },
        }
    }

    pub fn drawn(rng: &mut Rng) -> Self {
        let mut share = |choices: [u32; 4]| choices[rng.below(4)];
        Self {
            bad: share([0, 8, 20, 45]),
            broken: share([0, 3, 10, 25]),
            trouble: share([5, 20, 35, 60]),
            quarrel: share([0, 0, 40, 80]),
            silent: share([0, 0, 10, 60]),
            spawning: share([0, 0, 0, 30]),
            deaf: share([0, 0, 30, 90]),
            stuck: 0,
        }
    }
}

/// What an agent sees of the world.
pub struct Seen<'a> {
    pub task: &'a Task,
    pub prompt: &'a str,
    /// Gaps that exist, as if the agent remembered them from elsewhere.
    pub known: &'a [GapId],
    /// Gaps that the user closed, deferred or is waited for on.
    pub put_aside: &'a [GapId],
    /// Issues that the user settled, with what they say.
    pub settled: &'a [(String, String)],
    /// Issues that stand.
    pub standing: &'a [String],
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

fn write(rng: &mut Rng, temper: Temper, seen: &Seen) -> String {
    match seen.task.id.slot.role {
        Role::Analyst => analyst::write(rng, temper),
        Role::Engineer => engineer::write(rng, temper, seen),
        Role::Reviewer => reviewer::write(rng, temper, seen),
        Role::Editor => editor::write(rng, temper, seen),
        Role::FinalReviewer => final_review::write(rng, temper, seen),
    }
}
