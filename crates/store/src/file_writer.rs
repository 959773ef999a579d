//! The thread that writes files for any number of sessions. It is started when there is something to write, and ends when
//! there has been nothing for a while.
//!
//! Invariant: jobs run one at a time, in the order in which they came.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How long the thread waits for more: starting one costs more than waking it.
const IDLE: Duration = Duration::from_millis(200);

/// Something to be done on the thread.
pub(crate) trait Job: Send + Sync {
    fn run(&self);
    /// It can't be run, or panicked.
    fn give_up(&self);
}

/// A thread for writing files; clones share it.
#[derive(Clone, Default)]
pub struct FileWriter(Arc<Shared>);

#[derive(Default)]
struct Shared {
    jobs: Mutex<Jobs>,
    came: Condvar,
}

#[derive(Default)]
struct Jobs {
    waiting: VecDeque<Arc<dyn Job>>,
    /// The thread is there.
    running: bool,
}

impl fmt::Debug for FileWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileWriter").finish_non_exhaustive()
    }
}

impl FileWriter {
    pub(crate) fn run(&self, job: Arc<dyn Job>) {
        let mut jobs = self.0.jobs();
        jobs.waiting.push_back(job);
        if jobs.running {
            return self.0.came.notify_one();
        }
        let shared = Arc::clone(&self.0);
        let thread = thread::Builder::new().name("files".to_owned());
        jobs.running = thread.spawn(move || shared.work()).is_ok();
        if !jobs.running {
            let unrun = std::mem::take(&mut jobs.waiting);
            drop(jobs);
            unrun.iter().for_each(|job| job.give_up());
        }
    }
}

impl Shared {
    fn jobs(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        while let Some(job) = self.next() {
            // The panic is on stderr; the files of other sessions are still to be written.
            if catch_unwind(AssertUnwindSafe(|| job.run())).is_err() {
                job.give_up();
            }
        }
    }

    /// The next job; `None` where the thread is to end.
    fn next(&self) -> Option<Arc<dyn Job>> {
        let jobs = self.jobs();
        let waited = self
            .came
            .wait_timeout_while(jobs, IDLE, |jobs| jobs.waiting.is_empty());
        let (mut jobs, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let next = jobs.waiting.pop_front();
        jobs.running = next.is_some();
        next
    }
}
