//! Where the time went: agents at work, and waiting.

use std::time::Duration;

use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_domain::time::human_millis;
use gapless_mediator::UserInput;
use gapless_runner::Stopped;
use gapless_session::figures::Timing;
use gapless_views::documents::Closing;

use crate::stage::{Stage, could_not_run, stage, with_config};

const HOUR: u64 = 3_600_000;

/// The time of an ended session, as its closing and status.md say alike.
#[track_caller]
fn time_of(stage: &Stage) -> Timing {
    let closing = Closing::of(stage.state()).unwrap();
    let time = closing.figures.time;
    assert_eq!(time.total, time.active + time.waiting);
    let said = format!(
        "{} in all: agents at work {}, waiting {}.",
        human_millis(time.total),
        human_millis(time.active),
        human_millis(time.waiting)
    );
    assert!(stage.status().contains(&said), "{said}\n{}", stage.status());
    time
}

/// Agents of known duration: a round takes 70 s, the final review 5 s.
fn measured(stage: Stage) -> Stage {
    stage
        .takes(Role::Engineer, 0, 0, 60_000)
        .takes(Role::Reviewer, 0, 0, 10_000)
        .takes(Role::FinalReviewer, 0, 0, 5_000)
}

#[tokio::test(start_paused = true)]
async fn agents_at_work_are_active_and_nothing_else_is() {
    let mut stage = measured(stage(&[("GAP-API-001", "HIGH", "")]));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let time = time_of(&stage);
    assert_eq!(time.active, 75_000);
    // The stage's clock begins a second after the session was started.
    assert_eq!(time.waiting, 1_000);
}

#[tokio::test(start_paused = true)]
async fn what_runs_side_by_side_counts_once() {
    let gaps = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "HIGH", "")];
    let parallel = with_config(&gaps, |met| met.config.parallel_engineers = 2);
    let mut stage = measured(parallel).takes(Role::Engineer, 1, 0, 20_000);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.most_running(), 2);
    let time = time_of(&stage);
    assert_eq!(time.active, 75_000, "60 s of Engineers, not 80");
    let by_role = Closing::of(stage.state()).unwrap().figures.usage_by_role;
    assert_eq!(
        by_role[&Role::Engineer].millis,
        80_000,
        "usage counts every call"
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_that_spans_another_that_came_late_is_counted_whole() {
    let gaps = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "HIGH", "")];
    let parallel = with_config(&gaps, |met| met.config.parallel_engineers = 2);
    let mut stage = measured(parallel).takes(Role::Engineer, 1, 0, 1_000).when(
        Role::Engineer,
        1,
        1,
        |request| match request.task.slot.index {
            1 => could_not_run(Some(20_000)),
            _ => Ok(Some(crate::stage::engineer(request))),
        },
    );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    // The second Engineer works in second 1 and, after its provider came back, in second 22; the first all along.
    assert_eq!(time_of(&stage).active, 75_000);
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_provider_is_waiting() {
    let mut stage =
        measured(stage(&[("GAP-API-001", "HIGH", "")]))
            .when(Role::Engineer, 1, 1, |_| could_not_run(Some(30_000)));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let time = time_of(&stage);
    assert_eq!(time.active, 135_000, "the failed call worked for 60 s too");
    assert_eq!(time.waiting, 31_000);
}

#[tokio::test(start_paused = true)]
async fn a_pause_of_an_hour_is_waiting() {
    let mut stage =
        measured(stage(&[("GAP-API-001", "HIGH", "")])).answer("inventory", "pause", &[]);
    assert_eq!(stage.run().await, Stopped::Paused);
    tokio::time::advance(Duration::from_millis(HOUR)).await;
    stage.say(UserInput::Resume).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let time = time_of(&stage);
    assert_eq!(time.active, 75_000);
    assert_eq!(time.waiting, HOUR + 1_000);
}

#[tokio::test(start_paused = true)]
async fn the_time_until_a_question_is_answered_is_waiting() {
    let mut stage = measured(stage(&[("GAP-API-001", "HIGH", "")]));
    assert!(matches!(stage.run_strictly().await, Stopped::Waiting(_)));
    tokio::time::advance(Duration::from_millis(HOUR)).await;
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let time = time_of(&stage);
    assert_eq!((time.active, time.waiting), (75_000, HOUR + 1_000));
}

#[tokio::test(start_paused = true)]
async fn downtime_between_kill_and_resume_is_waiting() {
    let mut stage = measured(stage(&[("GAP-API-001", "HIGH", "")]));
    // Killed while the Engineer writes: that call is lost, and done again.
    stage.killed_after(40_000).await;
    tokio::time::advance(Duration::from_millis(HOUR)).await;
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let time = time_of(&stage);
    assert_eq!(time.active, 75_000);
    assert_eq!(time.waiting, HOUR + 40_000 + 1_000);
}
