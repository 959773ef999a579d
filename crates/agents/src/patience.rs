//! The two moments that end a run: the latest one, and the one that comes if nothing more is heard of the agent.

use std::time::Duration;

use gapless_domain::{ExecutionError, ExecutionErrorKind, TaskLimits};
use tokio::time::Instant;

/// Stands for "never", since a deadline past what the clock can count would panic.
const FAR_AWAY: Duration = Duration::from_secs(60 * 60 * 24 * 365);

pub(crate) struct Patience {
    pub(crate) latest: Instant,
    pub(crate) quiet: Instant,
    idle: Duration,
    last_heard: Instant,
}

impl Patience {
    pub(crate) fn start(limits: &TaskLimits) -> Self {
        let idle = Duration::from_millis(limits.idle_timeout_millis);
        Self {
            latest: after(Duration::from_millis(limits.hard_timeout_millis)),
            quiet: after(idle),
            idle,
            last_heard: Instant::now(),
        }
    }

    /// How long nothing has been heard.
    pub(crate) fn silent_millis(&self) -> u64 {
        millis(self.last_heard.elapsed())
    }

    /// Something was heard.
    pub(crate) fn heard(&mut self) {
        self.last_heard = Instant::now();
        self.quiet = after(self.idle);
    }

    /// Waits from now on for so long at most, and for so long if nothing is heard.
    pub(crate) fn shorten(&mut self, quiet: Duration, longest: Duration) {
        self.idle = quiet;
        self.latest = after(longest);
        self.heard();
    }
}

pub(crate) fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

fn after(span: Duration) -> Instant {
    Instant::now() + span.min(FAR_AWAY)
}

/// The error of an agent of which nothing was heard for too long; `said` is what it said last.
pub(crate) fn idle_timeout(limits: &TaskLimits, said: &str) -> ExecutionError {
    let limit = spoken(limits.idle_timeout_millis);
    ExecutionError::new(
        ExecutionErrorKind::IdleTimeout,
        format!("the agent was ended: nothing was heard of it for {limit} (idle limit){said}"),
    )
}

/// The error of an agent that took too long.
pub(crate) fn hard_timeout(limits: &TaskLimits, said: &str) -> ExecutionError {
    let limit = spoken(limits.hard_timeout_millis);
    ExecutionError::new(
        ExecutionErrorKind::HardTimeout,
        format!("the agent was ended: it was not done after {limit} (hard limit){said}"),
    )
}

fn spoken(millis: u64) -> String {
    match millis {
        0 => "0 ms".to_owned(),
        _ if millis.is_multiple_of(60_000) => format!("{} min", millis / 60_000),
        _ if millis.is_multiple_of(1_000) => format!("{} s", millis / 1_000),
        _ => format!("{millis} ms"),
    }
}
