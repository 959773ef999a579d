//! Gaps that wait for the user, and rounds with nothing to plan.

use gapless_domain::gap::GapState;
use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_mediator::GapCommand;
use gapless_runner::Stopped;

use crate::stage::{Stage, engineer, gap_id, stage};

/// The Engineer says that it is blocked on the first gap, once.
fn blocked() -> Stage {
    stage(&[("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")]).when(Role::Engineer, 1, 0, |request| {
        let text = engineer(request);
        Ok(Some(match request.task.slot.index {
            0 => {
                let rest = text.split("## Gap Resolution: GAP-API-002").nth(1).unwrap();
                format!(
                    "BLOCKED_NEEDS_INPUT: GAP-API-001 which contracts bind us\n\n## Gap Resolution: GAP-API-002{rest}"
                )
            }
            _ => text,
        }))
    })
}

#[tokio::test(start_paused = true)]
async fn input_is_a_decision_and_runs_the_gap_again_in_the_same_round() {
    let mut stage = blocked().answer("blocked_gap", "input", &[("input", "at most 30 days")]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds(), ["inventory", "blocked_gap"]);
    assert_eq!(stage.events("round.began").len(), 1);
    let prompts = stage.prompts(Role::Engineer, 1);
    assert!(prompts[1].contains("at most 30 days") && !prompts[1].contains("### GAP-API-002"));
    assert_eq!(stage.state().now.decisions[0].kind.name(), "input");
}

#[tokio::test(start_paused = true)]
async fn deferring_a_blocked_gap_keeps_the_session_from_completing() {
    let mut stage = blocked().answer("blocked_gap", "defer", &[("reason", "legal is asked")]);
    let stopped = stage.run().await;
    assert_eq!(stage.gap("GAP-API-001"), GapState::UserDeferred);
    assert_eq!(stage.state().now.open_quarters(), 2);
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    assert_eq!(stage.kinds().last(), Some(&"nothing_to_plan"));
}

/// The Engineer never has an answer.
fn never_answered(gaps: &[(&str, &str, &str)]) -> Stage {
    stage(gaps).when(Role::Engineer, 0, 0, |request| {
        let lines = request.gaps.iter();
        let lines = lines.map(|gap| format!("BLOCKED_NEEDS_INPUT: {gap} which contracts bind us"));
        Ok(Some(lines.collect::<Vec<_>>().join("\n\n")))
    })
}

#[tokio::test(start_paused = true)]
async fn a_policy_puts_off_what_is_not_grave_and_ends_with_it_as_limitations() {
    let gaps = [
        ("GAP-API-001", "MEDIUM", ""),
        ("GAP-API-002", "MEDIUM", ""),
        ("GAP-API-003", "LOW", ""),
    ];
    let mut stage = never_answered(&gaps);
    assert_eq!(stage.run().await, Stopped::Ended(End::GoodEnough));
    for (gap, ..) in gaps {
        assert_eq!(stage.gap(gap), GapState::UserDeferred, "{gap}");
        let reason = stage.state().now.gaps[&gap_id(gap)].reason.clone();
        assert_eq!(reason.as_deref(), Some("nobody was there to answer"));
    }
    assert!(
        stage.spec().contains("## Known limitations"),
        "{}",
        stage.spec()
    );
}

#[tokio::test(start_paused = true)]
async fn what_is_grave_waits_for_the_user_whatever_the_policy() {
    let gaps = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")];
    let mut stage = never_answered(&gaps);
    let stopped = stage.run().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    assert_eq!(stage.gap("GAP-API-001"), GapState::BlockedExternal);
    assert_eq!(stage.gap("GAP-API-002"), GapState::UserDeferred);
    assert_eq!(stage.pending("nothing_to_plan").policy_answer(), None);
}

#[tokio::test(start_paused = true)]
async fn another_gap_takes_the_place_of_a_blocked_one() {
    let gaps = [
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "HIGH", "GAP-API-001"),
        ("GAP-API-003", "LOW", ""),
    ];
    let mut stage = crate::stage::with_config(&gaps, |met| met.config.gaps_per_round = 1)
        .when(Role::Engineer, 1, 0, |request| {
            match request.task.slot.index {
                0 => Ok(Some("BLOCKED_NEEDS_INPUT: GAP-API-001 no idea".into())),
                _ => Ok(Some(engineer(request))),
            }
        })
        .answer("blocked_gap", "another", &[]);
    stage.run().await;
    assert_eq!(stage.gap("GAP-API-001"), GapState::BlockedExternal);
    assert_eq!(stage.gap("GAP-API-002"), GapState::Open);
    let proposed = stage.events("gap.proposed");
    assert_eq!(proposed.len(), 1);
    assert_eq!(proposed[0]["id"], "GAP-API-003");
}

#[tokio::test(start_paused = true)]
async fn going_on_leaves_it_blocked_at_a_quarter() {
    let mut stage = blocked();
    stage.run().await;
    assert_eq!(stage.gap("GAP-API-001"), GapState::BlockedExternal);
    assert_eq!(stage.state().now.open_quarters(), 1);
    let mut stage = stage.answer(
        "nothing_to_plan",
        "input",
        &[("gaps", "GAP-API-001"), ("text", "30 days")],
    );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn a_cycle_is_put_to_the_user_and_can_be_broken() {
    let gaps = [
        ("GAP-API-001", "HIGH", "GAP-API-002"),
        ("GAP-API-002", "HIGH", "GAP-API-001"),
    ];
    let mut stage = stage(&gaps).answer("nothing_to_plan", "unblock", &[("gaps", "GAP-API-001")]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let question = stage
        .asked
        .iter()
        .find(|q| q.about.kind() == "nothing_to_plan")
        .unwrap();
    assert!(
        question.context.contains("wait on each other"),
        "{}",
        question.context
    );
}

#[tokio::test(start_paused = true)]
async fn closing_the_last_gaps_leads_to_the_final_review() {
    let mut stage = blocked().answer(
        "nothing_to_plan",
        "close",
        &[("gaps", "GAP-API-001"), ("text", "out of scope")],
    );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.gap("GAP-API-001"), GapState::WontFix);
    assert_eq!(stage.prompts(Role::FinalReviewer, 2).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_gap_deferred_while_its_agent_writes_binds_nothing() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", ""), ("GAP-API-002", "HIGH", "")])
        .answer("inventory", "begin", &[])
        .when(Role::Engineer, 1, 1, |_| crate::stage::could_not_run(None));
    // The first attempt fails; while the slot waits, the user takes one of its gaps away.
    stage.killed_after(500).await;
    stage
        .gap_command(GapCommand::Defer {
            gap: gap_id("GAP-API-001"),
            reason: "later".into(),
        })
        .unwrap();
    stage.run().await;
    assert_eq!(stage.gap("GAP-API-001"), GapState::UserDeferred);
    assert_eq!(stage.events("gap.proposed").len(), 1);
}
