//! Agents that cannot run, and roles that have nothing left to try.

use gapless_core::gap::GapState;
use gapless_core::phase::End;
use gapless_core::task::Role;
use gapless_runner::Stopped;

use crate::stage::{could_not_run, engineer, stage};

#[tokio::test(start_paused = true)]
async fn two_execution_errors_then_success_spend_no_retry() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")])
        .when(Role::Engineer, 1, 1, |_| could_not_run(None))
        .when(Role::Engineer, 1, 2, |_| could_not_run(None))
        .writes(Role::Engineer, 1, 3, "nonsense")
        .writes(Role::Engineer, 1, 4, "nonsense");
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds(), ["inventory"]);
    let failed = stage
        .log()
        .into_iter()
        .filter_map(|logged| match logged.event.what {
            gapless_core::event::Happening::Task(gapless_core::event::TaskEvent::Failed {
                wake_at,
                ..
            }) => Some(wake_at.millis_since(logged.event.at)),
            _ => None,
        });
    let waits: Vec<u64> = failed.collect();
    assert!(
        (2_000..=2_200).contains(&waits[0]) && (8_000..=8_800).contains(&waits[1]),
        "{waits:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn retry_after_is_honoured() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")])
        .when(Role::Engineer, 1, 1, |_| could_not_run(Some(90_000)));
    let started = tokio::time::Instant::now();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let waited = started.elapsed().as_secs();
    assert!((90..95).contains(&waited), "{waited}");
}

#[tokio::test(start_paused = true)]
async fn a_third_execution_error_asks_and_another_agent_is_taken() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")])
        .when(Role::Engineer, 1, 0, |request| match request.task.attempt {
            1..=3 => could_not_run(None),
            _ => Ok(Some(engineer(request))),
        })
        .answer("agent_cannot_run", "another", &[("agent", "cmd:other")]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds(), ["inventory", "agent_cannot_run"]);
    assert_eq!(
        stage.state().kept.setup.agents[&Role::Engineer],
        "cmd:other"
    );
}

#[tokio::test(start_paused = true)]
async fn exhausted_and_skipped_the_round_is_not_judged_and_the_gap_goes_back() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")])
        .writes(Role::Engineer, 1, 0, "nonsense")
        .answer("escalation", "skip", &[])
        .answer("both_empty", "go_on", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds(), ["inventory", "escalation", "both_empty"]);
    assert_eq!(
        stage.prompts(Role::Engineer, 1).len(),
        3,
        "one try and two retries"
    );
    let accounted = &stage.events("round.accounted")[0];
    assert_eq!(accounted["signal"], "not_judged");
    let summary = stage.summary(1);
    assert!(summary.contains("| Engineer | SKIP | 3 |"), "{summary}");
}

#[tokio::test(start_paused = true)]
async fn context_gives_one_more_try_and_is_offered_once() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")])
        .writes(Role::Engineer, 1, 0, "nonsense")
        .answer(
            "escalation",
            "context",
            &[("context", "limits are per account")],
        )
        .answer("escalation", "skip", &[])
        .answer("both_empty", "go_on", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.prompts(Role::Engineer, 1).len(), 4);
    assert!(stage.prompts(Role::Engineer, 1)[3].contains("limits are per account"));
    let offered = |n: usize| -> Vec<String> {
        let escalations = stage
            .asked
            .iter()
            .filter(|q| q.about.kind() == "escalation");
        escalations
            .skip(n)
            .take(1)
            .flat_map(|q| q.options.iter().map(|o| o.label.clone()))
            .collect()
    };
    assert_eq!(offered(0), ["skip", "context", "roll_back", "pause"]);
    assert_eq!(offered(1), ["skip", "roll_back", "pause"]);
}

#[tokio::test(start_paused = true)]
async fn narrowing_tries_the_simplest_gap_alone() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")])
        .when(Role::Engineer, 1, 0, |request| match request.gaps.len() {
            1 => Ok(Some(engineer(request))),
            _ => Ok(Some("nonsense".into())),
        })
        .answer("escalation", "narrow", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let first_round = stage.events("gap.proposed");
    assert_eq!(first_round[0]["id"], "GAP-API-002");
}

#[tokio::test(start_paused = true)]
async fn a_skipped_reviewer_leaves_proposals_for_the_next_round() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")])
        .writes(
            Role::Reviewer,
            1,
            0,
            "Looks good to me. NO_ISSUES_FOUND, I would say.",
        )
        .answer("escalation", "skip", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.prompts(Role::Engineer, 2).len(), 0);
    assert_eq!(stage.prompts(Role::Reviewer, 2).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn pausing_out_of_an_escalation_asks_again_after_resuming() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")])
        .writes(Role::Engineer, 1, 0, "nonsense")
        .answer("escalation", "pause", &[]);
    assert_eq!(stage.run().await, Stopped::Paused);
    stage.kill();
    stage
        .say(gapless_core::mediator::UserInput::Resume)
        .unwrap();
    let mut stage = stage
        .answer("escalation", "skip", &[])
        .answer("both_empty", "go_on", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.gap("GAP-API-001"), GapState::Accepted);
}
