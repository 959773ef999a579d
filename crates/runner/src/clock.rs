//! Owns the clock: the one place where a running session learns what time it is.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use gapless_core::time::Time;

/// Says the time, and waits for it.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Time + Send + Sync>);

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self(Arc::new(|| {
            let since = SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default();
            Time(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
        }))
    }

    /// The runtime's clock, counted from a given time: where the runtime's time is paused, this is virtual time.
    pub fn of_runtime(base: Time) -> Self {
        let start = tokio::time::Instant::now();
        Self(Arc::new(move || {
            base.plus_millis(u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX))
        }))
    }

    pub fn now(&self) -> Time {
        (self.0)()
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
