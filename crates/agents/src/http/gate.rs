//! How much is asked of a provider at once and per minute. All tasks of a process go through the same gate; who
//! waits at it is not at work yet, so that no limit on an agent's time counts.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until};

const MINUTE: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub(crate) struct Gate {
    places: Arc<Semaphore>,
    per_minute: Option<usize>,
    /// When the requests of the last minute were let through, the oldest first. One that waits stands in it already.
    passed: Mutex<VecDeque<Instant>>,
}

impl Gate {
    pub(crate) fn new(at_once: u32, per_minute: Option<u32>) -> Self {
        Self {
            places: Arc::new(Semaphore::new(at_once.max(1) as usize)),
            per_minute: per_minute.map(|most| most.max(1) as usize),
            passed: Mutex::default(),
        }
    }

    /// Waits until a request may begin; it holds its place for as long as it keeps what it is given.
    pub(crate) async fn enter(&self) -> Option<OwnedSemaphorePermit> {
        // It is never closed, so that there is always a place in the end.
        let place = Arc::clone(&self.places).acquire_owned().await.ok();
        sleep_until(self.turn()).await;
        place
    }

    /// The moment at which the next request may begin.
    fn turn(&self) -> Instant {
        let now = Instant::now();
        let Some(most) = self.per_minute else {
            return now;
        };
        let mut passed = self.passed.lock().unwrap_or_else(PoisonError::into_inner);
        while passed.front().is_some_and(|first| *first + MINUTE <= now) {
            passed.pop_front();
        }
        // The request that is `most` before this one must be a minute away.
        let turn = match passed.len().checked_sub(most) {
            Some(index) => (passed[index] + MINUTE).max(now),
            None => now,
        };
        passed.push_back(turn);
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn only_so_many_are_inside_at_once() {
        let gate = Gate::new(2, None);
        let first = gate.enter().await;
        let _second = gate.enter().await;
        let wait = Duration::from_secs(100);
        assert!(tokio::time::timeout(wait, gate.enter()).await.is_err());
        drop(first);
        assert!(tokio::time::timeout(wait, gate.enter()).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn no_minute_sees_more_requests_than_it_may() {
        let gate = Gate::new(9, Some(2));
        let start = Instant::now();
        let mut seconds = Vec::new();
        for pause in [0, 20, 0, 0, 0, 200] {
            tokio::time::advance(Duration::from_secs(pause)).await;
            let _place = gate.enter().await;
            seconds.push(start.elapsed().as_secs());
        }
        assert_eq!(seconds, [0, 20, 60, 80, 120, 320]);
    }
}
