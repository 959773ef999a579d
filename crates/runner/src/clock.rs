//! The clock: the one place where a running session learns what time it is.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use gapless_domain::time::Time;
use tokio::time::Instant;

/// Says the time, and waits for it.
#[derive(Clone)]
pub struct Clock {
    now: Arc<dyn Fn() -> Time + Send + Sync>,
    /// False for a clock that stands still.
    runs: bool,
}

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        #[cfg(feature = "faults")]
        if let Some(clock) = set::clock() {
            return clock;
        }
        Self::by(machine_time)
    }

    /// The runtime's clock, counted from a given time: where the runtime's time is paused, this is virtual time.
    pub fn of_runtime(base: Time) -> Self {
        let start = Instant::now();
        Self::by(move || after(base, start))
    }

    /// A clock that somebody else keeps.
    pub fn by(now: impl Fn() -> Time + Send + Sync + 'static) -> Self {
        Self {
            now: Arc::new(now),
            runs: true,
        }
    }

    pub fn now(&self) -> Time {
        (self.now)()
    }

    /// This clock as a session goes by it: never earlier than what its log has, and running on by itself for as long as the
    /// machine's clock is behind. Else what was set back by an hour would be an hour in which nothing falls due.
    pub(crate) fn never_back(&self, earliest: Time) -> Self {
        let clock = self.clone();
        let known = Mutex::new((earliest, Instant::now()));
        let now = move || {
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            let (time, since) = *known;
            let at_least = match clock.runs {
                true => after(time, since),
                false => time,
            };
            let now = clock.now();
            if now < at_least {
                return at_least;
            }
            *known = (now, Instant::now());
            now
        };
        Self {
            now: Arc::new(now),
            runs: self.runs,
        }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        !self.runs
    }

    pub(crate) async fn sleep_until(&self, until: Option<Time>) {
        match until {
            Some(until) => {
                let wait = until.millis_since(self.now());
                tokio::time::sleep(Duration::from_millis(wait)).await;
            }
            None => std::future::pending().await,
        }
    }
}

fn machine_time() -> Time {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Time(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

fn after(time: Time, since: Instant) -> Time {
    time.plus_millis(u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX))
}

/// The clock that a test sets with `GAPLESS_CLOCK`, in milliseconds since 1970: `TIME` stands still, and `TIME,NTH:TIME` runs,
/// and is set to another time when it is asked for the nth time.
#[cfg(feature = "faults")]
mod set {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{Clock, Instant, Time, after};

    pub fn clock() -> Option<Clock> {
        let text = std::env::var("GAPLESS_CLOCK").ok()?;
        let mut parts = text.split(',');
        let start = Time(parts.next()?.parse().ok()?);
        let jumps: Option<Vec<(usize, Time)>> = parts
            .map(|part| {
                let (nth, time) = part.split_once(':')?;
                Some((nth.parse().ok()?, Time(time.parse().ok()?)))
            })
            .collect();
        let jumps = jumps?;
        let (begin, asked) = (Instant::now(), AtomicUsize::new(0));
        let runs = !jumps.is_empty();
        let mut clock = Clock::by(move || {
            let nth = asked.fetch_add(1, Ordering::Relaxed) + 1;
            let set = jumps.iter().rev().find(|(from, _)| *from <= nth);
            let base = set.map_or(start, |(_, time)| *time);
            match runs {
                true => after(base, begin),
                false => base,
            }
        });
        clock.runs = runs;
        Some(clock)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn set_back_it_runs_on_and_caught_up_it_follows() {
        let machine = Arc::new(AtomicI64::new(10_000));
        let shown = machine.clone();
        let clock = Clock::by(move || Time(shown.load(Ordering::Relaxed)));
        let steady = clock.never_back(Time(9_000));
        assert_eq!(steady.now(), Time(10_000));
        machine.store(5_000, Ordering::Relaxed);
        assert_eq!(steady.now(), Time(10_000));
        for waited in 1..=4_000 {
            tokio::time::advance(Duration::from_millis(1)).await;
            assert_eq!(
                steady.now(),
                Time(10_000 + waited),
                "asked often, it still runs"
            );
        }
        machine.store(20_000, Ordering::Relaxed);
        assert_eq!(steady.now(), Time(20_000));
    }

    #[tokio::test(start_paused = true)]
    async fn it_begins_where_the_log_ends() {
        let steady = Clock::by(|| Time(0)).never_back(Time(86_400_000));
        steady.sleep_until(Some(Time(86_400_500))).await;
        assert_eq!(
            steady.now(),
            Time(86_400_500),
            "half a second later, not a day"
        );
    }
}
