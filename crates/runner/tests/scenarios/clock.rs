//! The machine's clock set back: while nobody looks, while an agent works, and at any time.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_domain::time::Time;
use gapless_runner::{Clock, Stopped};
use gapless_session::figures::Timing;
use gapless_store::Store;
use gapless_views::documents::Closing;
use proptest::prelude::*;
use tokio::time::Instant;

use crate::stage::{Stage, could_not_run, stage};

const DAY: i64 = 86_400_000;
const BEGIN: i64 = 10 * DAY;

/// A clock that runs, and can be set to another time.
#[derive(Clone)]
struct Settable(Arc<AtomicI64>);

impl Settable {
    fn new() -> Self {
        Self(Arc::new(AtomicI64::new(BEGIN)))
    }

    fn set_back(&self, millis: i64) {
        self.0.fetch_sub(millis, Ordering::Relaxed);
    }

    fn clock(&self) -> Clock {
        let (set, start) = (self.0.clone(), Instant::now());
        Clock::by(move || {
            let ran = i64::try_from(start.elapsed().as_millis()).unwrap();
            Time(set.load(Ordering::Relaxed) + ran)
        })
    }
}

fn one_gap() -> Stage {
    stage(&[("GAP-API-001", "HIGH", "")]).takes(Role::Engineer, 0, 0, 60_000)
}

fn times(stage: &Stage) -> Vec<i64> {
    let rows = stage.session.store().read("stage").unwrap();
    rows.iter().map(|row| row.at.0).collect()
}

fn time_of(stage: &Stage) -> Timing {
    let time = Closing::of(stage.state()).unwrap().figures.time;
    assert_eq!(time.total, time.active + time.waiting);
    time
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_was_begun_before_ends_in_its_time() {
    let mut stage = one_gap().when(Role::Engineer, 1, 1, |_| could_not_run(Some(30_000)));
    let settable = Settable::new();
    stage.go_by(settable.clock());
    // Killed while it waits for the provider.
    stage.killed_after(70_000).await;
    settable.set_back(DAY);
    let resumed = Instant::now();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert!(
        resumed.elapsed() < Duration::from_secs(120),
        "{:?}",
        resumed.elapsed()
    );
    assert!(times(&stage).is_sorted());
}

#[tokio::test(start_paused = true)]
async fn set_back_while_it_waits_the_wait_ends_all_the_same() {
    let mut stage = one_gap().when(Role::Engineer, 1, 1, |_| could_not_run(Some(30_000)));
    let settable = Settable::new();
    stage.go_by(settable.clock());
    let started = Instant::now();
    let set_back = async {
        tokio::time::sleep(Duration::from_millis(70_000)).await;
        settable.set_back(DAY);
        std::future::pending::<Stopped>().await
    };
    let stopped = tokio::select! {
        stopped = stage.run() => stopped,
        stopped = set_back => stopped,
    };
    assert_eq!(stopped, Stopped::Ended(End::Complete));
    assert!(
        started.elapsed() < Duration::from_secs(240),
        "{:?}",
        started.elapsed()
    );
    let time = time_of(&stage);
    assert_eq!(
        time.active, 120_020,
        "two calls of the Engineer, and two that take 10 ms"
    );
    // The stage's session was started at 0.
    assert_eq!(time.waiting, BEGIN.unsigned_abs() + 30_000);
}

/// Runs something where time passes only when nothing else is to do, for what can't be a test of the runtime's own.
pub fn in_virtual_time<T>(what: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().start_paused(true).build();
    runtime.unwrap().block_on(what)
}

/// Runs a session by a clock that is off by another of these each time that it is asked.
fn by_a_wild_clock(offsets: Vec<i64>) -> (Stopped, Stage, Duration) {
    in_virtual_time(async {
        let mut stage = one_gap().when(Role::Engineer, 1, 1, |_| could_not_run(Some(30_000)));
        let (asked, start) = (AtomicU64::new(0), Instant::now());
        stage.go_by(Clock::by(move || {
            let nth = asked.fetch_add(1, Ordering::Relaxed) as usize;
            let ran = i64::try_from(start.elapsed().as_millis()).unwrap();
            Time(BEGIN + ran + offsets[nth % offsets.len()])
        }));
        let stopped = stage.run().await;
        (stopped, stage, start.elapsed())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_the_clock_says_a_session_ends_in_order(
        offsets in prop::collection::vec(-BEGIN..=BEGIN, 1..40)
    ) {
        let (stopped, stage, took) = by_a_wild_clock(offsets);
        prop_assert_eq!(stopped, Stopped::Ended(End::Complete));
        prop_assert!(took < Duration::from_secs(300), "{:?}", took);
        prop_assert!(times(&stage).is_sorted());
        let rounds = stage.events("round.planned").len();
        prop_assert_eq!(rounds, 1);
        // The log is not later than the latest that the clock ever said, and what passed since.
        prop_assert!(time_of(&stage).total <= 3 * BEGIN.unsigned_abs());
    }
}
