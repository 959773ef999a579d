//! Convergence: warnings, and what each choice does.

use gapless_domain::convergence::ConvergenceState;
use gapless_domain::gap::GapState;
use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_runner::Stopped;

use crate::stage::{Stage, gap_id, issue, resolution, stage, with_config};

/// Round 1 brings up a new CRITICAL gap.
fn new_critical() -> Stage {
    stage(&[
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "LOW", "GAP-API-001"),
    ])
    .when(Role::Engineer, 1, 0, |request| {
        Ok(Some(
            request
                .gaps
                .iter()
                .map(|gap| resolution(gap, "- GAP-SEC-001 [CRITICAL]: no authentication"))
                .collect(),
        ))
    })
}

#[tokio::test(start_paused = true)]
async fn narrowing_defers_what_is_named_and_needs_a_reason() {
    let mut stage = new_critical()
        .answer("divergence", "narrow", &[("gaps", "GAP-API-002")])
        .answer(
            "divergence",
            "narrow",
            &[("gaps", "GAP-API-404"), ("reason", "later")],
        )
        .answer(
            "divergence",
            "narrow",
            &[("gaps", "GAP-API-002"), ("reason", "later")],
        );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(
        stage.refusals,
        [
            "option `narrow` needs the field `reason` (why)",
            "there is no gap GAP-API-404"
        ]
    );
    assert_eq!(stage.gap("GAP-API-002"), GapState::UserDeferred);
}

#[tokio::test(start_paused = true)]
async fn rounds_without_gain_are_flat_and_then_stalled() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")]).when(Role::Reviewer, 0, 0, |request| {
        let id = format!("ISSUE-R{}-001", request.task.round);
        Ok(Some(match request.task.round {
            1..=3 => issue(&request.gaps[0], "High Priority", &id),
            _ => crate::stage::no_issues(&request.gaps[0]),
        }))
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let states: Vec<String> = stage
        .events("round.accounted")
        .iter()
        .map(|e| {
            format!(
                "{} {}",
                e["convergence"]["state"].as_str().unwrap(),
                e["convergence"]["flat_count"]
            )
        })
        .collect();
    assert_eq!(
        states,
        ["FLAT 1", "DIVERGENCE_WARNING 2", "FLAT 1", "CONVERGING 0"]
    );
    assert_eq!(stage.kinds(), ["inventory", "divergence"]);
    assert_eq!(
        stage.state().now.convergence.state,
        ConvergenceState::Converging
    );
}

#[tokio::test(start_paused = true)]
async fn accepting_the_complexity_never_shortens_the_limit() {
    let mut stage = with_config(&[("GAP-API-001", "HIGH", "")], |met| {
        met.config.max_rounds = Some(2)
    })
    .when(Role::Engineer, 1, 0, |request| {
        Ok(Some(resolution(
            &request.gaps[0],
            "- GAP-SEC-001 [CRITICAL]: no authentication",
        )))
    })
    .answer("divergence", "accept", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(
        stage.state().limits().max_rounds,
        3,
        "computed anew for what is open, counted from round 1"
    );
    assert_eq!(stage.state().now.decisions[0].kind.name(), "scope");
}

#[tokio::test(start_paused = true)]
async fn a_split_gap_counts_once_when_its_last_child_closes() {
    let mut stage = with_config(
        &[("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")],
        |met| {
            met.config.gaps_per_round = 1;
        },
    );
    stage
        .gap_command(gapless_mediator::GapCommand::Split {
            gap: gap_id("GAP-API-001"),
            into: vec!["the limit".into(), "the answer above it".into()],
        })
        .unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.gap("GAP-API-001"), GapState::Superseded);
    let nets: Vec<String> = stage
        .events("round.accounted")
        .iter()
        .map(|e| format!("{} {}", e["weighted_net"], e["signal"].as_str().unwrap()))
        .collect();
    assert_eq!(nets, ["0 part_of_split", "4 gain", "1 gain"]);
}
