//! Calls whose result is not taken: what they used is in the log, in every budget and in every view.

use std::sync::Mutex;

use gapless_domain::config::Config;
use gapless_domain::phase::End;
use gapless_domain::task::{Role, Usage};
use gapless_domain::time::Time;
use gapless_mediator::UserInput;
use gapless_runner::Stopped;
use gapless_session::Figures;
use gapless_session::figures::usage_of;
use gapless_session::runs::runs;
use gapless_store::Store;
use gapless_views::stats::Stats;

use crate::stage::{Stage, well, with_config};

const GAPS: [(&str, &str, &str); 2] = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")];

/// Every call uses 100 tokens and 0.25.
fn metered(change: impl FnOnce(&mut Config)) -> Stage {
    with_config(&GAPS, |met| change(&mut met.config)).uses(60, 40, 250_000)
}

/// Tokens and cost of the session; status, statistics and state must agree.
#[track_caller]
fn used(stage: &Stage) -> (u64, u64) {
    let usage = Figures::of(stage.state()).usage;
    let log = stage.log();
    let stats = Stats::of(log.iter().map(|logged| &logged.event));
    assert_eq!(stats.usage, usage);
    let mut by_agent = Usage::default();
    stats
        .work
        .values()
        .for_each(|work| by_agent.add(&work.usage));
    assert_eq!(by_agent, usage, "each call is some agent's");
    (usage.tokens(), usage.cost_micros.unwrap_or(0))
}

fn noted(stage: &Stage) -> usize {
    stage.events("task.usage_noted").len()
}

#[tokio::test(start_paused = true)]
async fn an_interrupted_call_counts_and_so_does_the_one_in_its_place() {
    let mut stage = metered(|_| {});
    stage.run_to_role(Role::Engineer).await;
    assert_eq!((noted(&stage), used(&stage)), (1, (100, 250_000)));
    let attempt = &stage.state().now.round.attempts[0];
    assert!(attempt.finished.is_none());
    assert_eq!(attempt.usage().map(|usage| usage.tokens()), Some(100));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    // The Engineer's call again, a review and the final review.
    assert_eq!((noted(&stage), used(&stage)), (1, (400, 1_000_000)));
    let summary = stage.summary(1);
    assert!(
        summary.contains("Engineer 120 tokens in, 80 out"),
        "{summary}"
    );
}

/// Two Engineers at once. The first, when it is done, lets somebody say this to the session, and the second is still at work.
fn said_meanwhile(said: UserInput) -> Stage {
    let stage =
        metered(|config| config.parallel_engineers = 2).takes(Role::Engineer, 1, 0, 600_000);
    let store = Mutex::new(stage.session.store().clone());
    let body = serde_json::to_string(&said).unwrap();
    stage.when(Role::Engineer, 1, 1, move |request| {
        let first = request.task.epoch == 0 && request.task.slot.index == 0;
        if first {
            let mut store = store.lock().unwrap();
            store.post("stage", Time(1_000), &body).unwrap();
        }
        Ok(Some(well(request)))
    })
}

#[tokio::test(start_paused = true)]
async fn a_call_that_a_pause_ends_counts() {
    let mut stage = said_meanwhile(UserInput::Pause);
    assert_eq!(stage.run().await, Stopped::Paused);
    assert_eq!((noted(&stage), used(&stage)), (1, (200, 500_000)));
    stage.kill();
    assert_eq!(used(&stage), (200, 500_000), "it is on disk");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_a_rollback_ends_counts_and_stays_with_the_undone_round() {
    let back = UserInput::Rollback {
        to: Some(0),
        reason: "another way".to_owned(),
        adjust: Vec::new(),
    };
    let mut stage = said_meanwhile(back);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.state().kept.rollbacks.len(), 1);
    // Two calls that were undone; two Engineers, a review and the final review.
    assert_eq!((noted(&stage), used(&stage)), (1, (600, 1_500_000)));
    let log = stage.log();
    let (_, runs) = runs(log.iter().map(|logged| &logged.event));
    let undone = runs.iter().find(|run| run.undone_by.is_some()).unwrap();
    let of_round = usage_of(&undone.work.attempts);
    assert_eq!(of_round[&Role::Engineer].tokens(), 200);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_the_end_of_the_session_ends_counts() {
    let mut stage = said_meanwhile(UserInput::Abandon);
    assert_eq!(stage.run().await, Stopped::Ended(End::Abandoned));
    assert_eq!((noted(&stage), used(&stage)), (1, (200, 500_000)));
    assert!(stage.events("session.budget_reached").is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_kill_loses_what_was_in_flight_and_no_more() {
    let mut stage = metered(|_| {}).takes(Role::Reviewer, 0, 0, 1_000);
    stage.killed_after(500).await;
    assert_eq!((noted(&stage), used(&stage).0), (0, 100));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!((noted(&stage), used(&stage).0), (0, 300));
}

#[tokio::test(start_paused = true)]
async fn a_budget_that_an_interrupted_call_used_up_starts_it_no_second_time() {
    let mut stage = metered(|config| config.budget_tokens = Some(100));
    stage.run_to_role(Role::Engineer).await;
    assert_eq!(stage.events("session.budget_reached").len(), 1);
    for _ in 0..2 {
        assert_eq!(stage.run().await, Stopped::OutOfBudget);
        stage.kill();
    }
    assert_eq!(used(&stage).0, 100);
    stage.configure(|config| config.budget_tokens = None);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(used(&stage).0, 400);
}
