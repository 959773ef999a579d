//! Budgets: a rest with the round open, and going on with more.

use gapless_domain::budget::{Money, Span};
use gapless_domain::config::Config;
use gapless_domain::gap::GapState;
use gapless_domain::phase::{End, RoundPhase};
use gapless_domain::question::Holds;
use gapless_domain::severity::Severity;
use gapless_domain::task::Role;
use gapless_mediator::{GapCommand, RunSettings};
use gapless_runner::Stopped;

use crate::stage::{Stage, could_not_run, gap_id, no_issues, stage, with_config};

/// Every call uses 100 tokens and 0.25, and takes 10 s. A session of two rounds makes five calls.
fn metered(change: impl FnOnce(&mut Config)) -> Stage {
    let gaps = [
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "LOW", "GAP-API-001"),
    ];
    let mut stage =
        with_config(&gaps, |met: &mut RunSettings| change(&mut met.config)).uses(60, 40, 250_000);
    for role in [Role::Engineer, Role::Reviewer, Role::FinalReviewer] {
        stage = stage.takes(role, 0, 0, 10_000);
    }
    stage
}

fn calls(stage: &Stage) -> usize {
    stage.events("task.started").len()
}

/// The log without what a budget adds to it, and without times.
fn story(stage: &Stage) -> Vec<String> {
    let log = stage.log().into_iter();
    log.map(|logged| format!("{:?}", logged.event.what))
        .filter(|event| !event.contains("BudgetReached") && !event.contains("Configured"))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn each_budget_rests_with_the_round_open_and_goes_on_with_more() {
    let mut unlimited = metered(|_| {});
    assert_eq!(unlimited.run().await, Stopped::Ended(End::Complete));
    assert_eq!(calls(&unlimited), 5);
    type Set = fn(&mut Config, u64);
    let budgets: [(&str, Set); 3] = [
        ("tokens", |config, calls| {
            config.budget_tokens = Some(calls * 100)
        }),
        ("cost", |config, calls| {
            config.budget_cost = Some(Money(calls * 250_000))
        }),
        ("time", |config, calls| {
            config.budget_time = Some(Span(calls * 10))
        }),
    ];
    for (name, set) in budgets {
        // Enough for the first Engineer, and a half of the Reviewer: that call overshoots, and counts.
        let mut stage = metered(|config| {
            set(config, 1);
            config.budget_tokens = config.budget_tokens.map(|_| 150);
            config.budget_cost = config.budget_cost.map(|_| Money(300_000));
            config.budget_time = config.budget_time.map(|_| Span(15));
        });
        assert_eq!(stage.run().await, Stopped::OutOfBudget, "{name}");
        assert_eq!(calls(&stage), 2, "{name}");
        assert_eq!(stage.state().now.round.number, 2, "{name}");
        assert_eq!(stage.state().now.round.phase, RoundPhase::Engineering);
        assert_eq!(stage.gap("GAP-API-002"), GapState::InProgress);
        let reached = stage.events("session.budget_reached");
        assert_eq!(reached.len(), 1, "{name}");
        assert_eq!(reached[0]["spent"]["budget"], name);
        assert!(stage.state().kept.ended.is_none());
        let status = stage.status();
        assert!(status.contains("(out of budget: "), "{status}");
        assert!(!status.contains("How it ended"), "{status}");

        // Nothing runs until there is more, however often it is tried, and also in another process.
        assert_eq!(stage.run().await, Stopped::OutOfBudget);
        stage.kill();
        assert_eq!(stage.run().await, Stopped::OutOfBudget);
        // Too small a raise: at rest again at once.
        stage.configure(|config| set(config, 2));
        assert_eq!(stage.run().await, Stopped::OutOfBudget, "{name}");
        assert_eq!(calls(&stage), 2, "{name}");
        assert_eq!(
            stage.events("session.budget_reached").len(),
            1,
            "not crossed anew"
        );

        // One call more, and the second crossing.
        stage.configure(|config| set(config, 3));
        assert_eq!(stage.run().await, Stopped::OutOfBudget, "{name}");
        assert_eq!(calls(&stage), 3, "{name}");
        assert_eq!(stage.events("session.budget_reached").len(), 2, "{name}");

        stage.configure(|config| set(config, 99));
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete), "{name}");
        assert_eq!(story(&stage), story(&unlimited), "{name}");
        assert_eq!(stage.spec(), unlimited.spec());
    }
}

#[tokio::test(start_paused = true)]
async fn parallel_calls_in_flight_all_finish_and_count() {
    let gaps = [
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "HIGH", ""),
        ("GAP-API-003", "HIGH", ""),
    ];
    let mut stage = with_config(&gaps, |met| {
        met.config.parallel_engineers = 3;
        met.config.budget_tokens = Some(100);
    })
    .uses(60, 40, 0)
    .takes(Role::Engineer, 1, 0, 30_000)
    .takes(Role::Engineer, 2, 0, 60_000);
    assert_eq!(stage.run().await, Stopped::OutOfBudget);
    assert_eq!(stage.most_running(), 3);
    assert_eq!(
        gapless_session::spending::total_usage(stage.state()).tokens(),
        300
    );
    assert_eq!(stage.events("task.validated").len(), 3);
    assert_eq!(stage.events("session.budget_reached").len(), 1);
    assert_eq!(stage.state().now.round.phase, RoundPhase::Reviewing);
    stage.configure(|config| config.budget_tokens = None);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(calls(&stage), 5);
}

#[tokio::test(start_paused = true)]
async fn a_retry_and_a_backoff_wait_for_more_too() {
    let invalid =
        metered(|config| config.budget_tokens = Some(100)).writes(Role::Engineer, 1, 1, "no");
    let failing =
        metered(|config| config.budget_tokens = Some(100))
            .when(Role::Engineer, 1, 1, |_| could_not_run(Some(5_000)));
    for mut stage in [invalid, failing] {
        assert_eq!(stage.run().await, Stopped::OutOfBudget);
        assert_eq!(calls(&stage), 1, "what failed counts as well");
        stage.configure(|config| config.budget_tokens = None);
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
        assert_eq!(calls(&stage), 6);
    }
}

#[tokio::test(start_paused = true)]
async fn the_last_call_may_use_the_budget_up() {
    let mut stage = metered(|config| config.budget_tokens = Some(500));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.events("session.budget_reached").len(), 1);
    stage.ended();
}

#[tokio::test(start_paused = true)]
async fn a_question_that_holds_is_asked_before_the_rest() {
    let mut stage = metered(|config| config.budget_tokens = Some(100))
        .when(Role::Engineer, 1, 1, |_| {
            Ok(Some(
                "BLOCKED_NEEDS_INPUT: GAP-API-001 which contracts bind us".into(),
            ))
        })
        .answer("inventory", "begin", &[]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    stage
        .tell("blocked_gap", "input", &[("input", "those of 2019")])
        .unwrap();
    assert_eq!(stage.gap("GAP-API-001"), GapState::InProgress);
    assert_eq!(
        stage.run_strictly().await,
        Stopped::OutOfBudget,
        "it is answered, and runs later"
    );
    assert_eq!(calls(&stage), 1);
}

#[tokio::test(start_paused = true)]
async fn a_question_that_holds_nothing_is_answered_while_out_of_budget() {
    let mut stage =
        metered(|config| config.budget_tokens = Some(200)).when(Role::Reviewer, 1, 0, |r| {
            let raised = "**Severity:** CRITICAL (was LOW)\n\n**NO_ISSUES_FOUND**";
            Ok(Some(
                no_issues(&r.gaps[0]).replace("**NO_ISSUES_FOUND**", raised),
            ))
        });
    stage
        .gap_command(GapCommand::Severity {
            gap: gap_id("GAP-API-001"),
            severity: Severity::Low,
            reason: "nobody calls it".into(),
        })
        .unwrap();
    let mut stage = stage.answer("inventory", "begin", &[]);
    assert_eq!(stage.run_strictly().await, Stopped::OutOfBudget);
    assert_eq!(stage.pending("severity").holds, Holds::Nothing);
    stage.tell("severity", "raise", &[]).unwrap();
    let gap = &stage.state().now.gaps[&gap_id("GAP-API-001")];
    assert_eq!(gap.severity, Severity::Critical);
    assert_eq!(stage.run_strictly().await, Stopped::OutOfBudget);
}

#[tokio::test(start_paused = true)]
async fn a_session_out_of_budget_can_be_stopped() {
    let mut stage = metered(|config| config.budget_tokens = Some(200));
    assert_eq!(stage.run().await, Stopped::OutOfBudget);
    stage.say(gapless_mediator::UserInput::Stop).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::GoodEnough));
    assert_eq!(
        stage.gap("GAP-API-002"),
        GapState::Open,
        "nobody works on it any more"
    );
    assert_eq!(calls(&stage), 2);
}

#[tokio::test(start_paused = true)]
async fn a_budget_below_what_was_used_is_a_crossing() {
    let mut stage = metered(|_| {}).answer("inventory", "pause", &[]);
    assert_eq!(stage.run().await, Stopped::Paused);
    stage.say(gapless_mediator::UserInput::Resume).unwrap();
    stage.configure(|config| config.budget_time = Some(Span(10)));
    assert_eq!(stage.run().await, Stopped::OutOfBudget);
    stage.configure(|config| config.budget_time = None);
    stage.configure(|config| config.budget_tokens = Some(50));
    assert_eq!(stage.run().await, Stopped::OutOfBudget);
    let reached = stage.events("session.budget_reached");
    let names: Vec<&str> = reached
        .iter()
        .map(|event| event["spent"]["budget"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["time", "tokens"]);
}

#[tokio::test(start_paused = true)]
async fn agents_that_tell_no_usage_never_use_up_tokens_or_cost() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")]);
    stage.configure(|config| {
        config.budget_tokens = Some(1);
        config.budget_cost = Some(Money(1));
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}
