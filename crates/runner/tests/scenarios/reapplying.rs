//! Decisions of undone rounds that are put in force again: while they are offered, where nothing is left to do, and who is told.

use gapless_core::State;
use gapless_core::documents::decisions;
use gapless_core::gap::GapState;
use gapless_core::ids::DecisionId;
use gapless_core::mediator::{GapCommand, Refusal, UserInput};
use gapless_core::rollback::RollbackMode;
use gapless_core::severity::Severity;
use gapless_core::task::Role;

use crate::stage::{Stage, gap_id, labels, stage, well, with_config};

fn decision_id(id: &str) -> DecisionId {
    id.parse().unwrap()
}

fn reapply(id: &str) -> UserInput {
    UserInput::Reapply {
        decision: id.parse().unwrap(),
        text: None,
    }
}

fn deferral(gap: &str) -> GapCommand {
    GapCommand::Defer {
        gap: gap_id(gap),
        reason: "not in this release".into(),
    }
}

/// Round 1 with a severity and a deferral in it.
async fn two_decisions() -> Stage {
    let mut stage = stage(&[
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "LOW", ""),
        ("GAP-API-003", "LOW", ""),
    ]);
    stage.run_to_round(1).await;
    let graded = GapCommand::Severity {
        gap: gap_id("GAP-API-002"),
        severity: Severity::Medium,
        reason: "clients see it".into(),
    };
    stage.gap_command(graded).unwrap();
    stage.gap_command(deferral("GAP-API-003")).unwrap();
    stage
}

async fn two_decisions_undone() -> Stage {
    let mut stage = two_decisions().await;
    stage.roll_back(0, "the wrong way").unwrap();
    stage
}

#[tokio::test(start_paused = true)]
async fn example_5_undone_decisions_can_be_kept() {
    let mut stage = two_decisions_undone().await;
    assert_eq!(stage.gap("GAP-API-003"), GapState::Open);
    let question = stage.pending("undone_decisions");
    insta::assert_snapshot!(
        "recovery",
        format!("{}\n\n{}", question.title, question.context)
    );
    assert_eq!(labels(&question), ["leave", "all", "some", "edit", "pause"]);
    stage.refuses(
        "undone_decisions",
        "some",
        &[("decisions", "DECISION-R9-001")],
        "not among those",
    );
    stage
        .tell(
            "undone_decisions",
            "some",
            &[("decisions", "DECISION-R1-001")],
        )
        .unwrap();
    let severity = stage
        .state()
        .now
        .gaps
        .get(&gap_id("GAP-API-002"))
        .unwrap()
        .severity;
    assert_eq!(severity, Severity::Medium);
    assert_eq!(stage.gap("GAP-API-003"), GapState::Open);
    insta::assert_snapshot!("recovered_decisions", decisions(stage.state()));
    // The other one at any time, in other words; and neither twice.
    let reapply = |id: &str, text: Option<&str>| UserInput::Reapply {
        decision: decision_id(id),
        text: text.map(str::to_owned),
    };
    stage
        .say(reapply(
            "DECISION-R1-002",
            Some("It comes with the next release."),
        ))
        .unwrap();
    assert_eq!(stage.gap("GAP-API-003"), GapState::UserDeferred);
    let newest = stage.state().now.decisions.back().unwrap().clone();
    assert_eq!(newest.decision, "It comes with the next release.");
    assert_eq!(newest.reapplied_from, Some(decision_id("DECISION-R1-002")));
    assert_eq!(
        stage.say(reapply("DECISION-R1-002", None)),
        Err(Refusal::AlreadyReapplied {
            decision: decision_id("DECISION-R1-002"),
            reapplied: newest.id
        })
    );
    assert_eq!(
        stage.say(reapply("DECISION-R7-001", None)),
        Err(Refusal::NotUndone(decision_id("DECISION-R7-001")))
    );
}

#[tokio::test(start_paused = true)]
async fn every_other_answer_on_undone_decisions_takes_effect() {
    let mut stage = two_decisions_undone().await;
    stage.tell("undone_decisions", "leave", &[]).unwrap();
    assert!(stage.decisions().is_empty());

    let mut stage = two_decisions_undone().await;
    stage.tell("undone_decisions", "all", &[]).unwrap();
    assert_eq!(
        stage.decisions(),
        [
            "severity GAP-API-002: clients see it",
            "deferral GAP-API-003: not in this release"
        ]
    );

    let mut stage = two_decisions_undone().await;
    let edit = [("decisions", "DECISION-R1-002"), ("text", "Never.")];
    stage.tell("undone_decisions", "edit", &edit).unwrap();
    assert_eq!(
        stage.state().now.decisions.back().unwrap().decision,
        "Never."
    );
    let rest = stage.pending("undone_decisions");
    assert!(rest.context.contains("DECISION-R1-001") && !rest.context.contains("DECISION-R1-002"));

    let mut stage = two_decisions_undone().await;
    stage.tell("undone_decisions", "pause", &[]).unwrap();
    stage.pending("undone_decisions");
}

#[tokio::test(start_paused = true)]
async fn what_is_put_in_force_again_is_no_longer_offered() {
    let mut stage = two_decisions().await;
    stage.roll_back(0, "the wrong way").unwrap();
    let first = stage.pending("undone_decisions");
    stage.say(reapply("DECISION-R1-001")).unwrap();
    let second = stage.pending("undone_decisions");
    assert_ne!(first.id, second.id);
    assert!(
        !second.context.contains("DECISION-R1-001"),
        "{}",
        second.context
    );
    assert_eq!(second.holds, first.holds);
    // All that are left; the one before is in force already.
    stage.tell("undone_decisions", "all", &[]).unwrap();
    assert_eq!(stage.gap("GAP-API-003"), GapState::UserDeferred);
    assert!(
        stage
            .state()
            .now
            .questions
            .values()
            .all(|q| q.about.kind() != "undone_decisions")
    );

    let mut stage = two_decisions().await;
    stage.roll_back(0, "the wrong way").unwrap();
    for id in ["DECISION-R1-001", "DECISION-R1-002"] {
        stage.say(reapply(id)).unwrap();
    }
    assert!(
        stage
            .state()
            .now
            .questions
            .values()
            .all(|q| q.about.kind() != "undone_decisions")
    );
}

/// A gap that was put off again was asked about all the same, and could be put off once more.
#[tokio::test(start_paused = true)]
async fn what_a_decision_answers_that_is_in_force_again_is_not_asked_any_more() {
    let mut stage = two_decisions().await;
    stage.roll_back(0, "the wrong way").unwrap();
    stage.tell("undone_decisions", "leave", &[]).unwrap();
    let mut stage = stage.when(Role::Engineer, 1, 0, |_| {
        Ok(Some("BLOCKED_NEEDS_INPUT: GAP-API-003 which limit".into()))
    });
    let asks = |state: &State| {
        let mut asked = state.now.questions.values();
        asked.any(|question| question.about.kind() == "blocked_gap")
    };
    stage.run_until(asks).await;
    assert_eq!(stage.gap("GAP-API-003"), GapState::BlockedExternal);
    stage.say(reapply("DECISION-R1-002")).unwrap();
    assert_eq!(stage.gap("GAP-API-003"), GapState::UserDeferred);
    assert!(!asks(stage.state()));
}

#[tokio::test(start_paused = true)]
async fn a_decision_whose_effect_is_there_already_is_recorded_all_the_same() {
    let mut stage = stage(&[
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "LOW", "GAP-API-001"),
        ("GAP-API-003", "LOW", "GAP-API-001"),
    ]);
    let gap = gap_id("GAP-API-002");
    stage.run_to_round(1).await;
    stage.gap_command(deferral("GAP-API-002")).unwrap();
    stage.run_to_round(2).await;
    stage.gap_command(GapCommand::Resume { gap }).unwrap();
    stage.gap_command(deferral("GAP-API-002")).unwrap();
    stage.roll_back(1, "the wrong way").unwrap();
    assert_eq!(
        stage.gap("GAP-API-002"),
        GapState::UserDeferred,
        "as it was after round 1"
    );
    stage.tell("undone_decisions", "all", &[]).unwrap();
    assert_eq!(stage.gap("GAP-API-002"), GapState::UserDeferred);
    let newest = stage.state().now.decisions.back().unwrap();
    assert_eq!(
        newest.reapplied_from,
        Some("DECISION-R2-001".parse().unwrap())
    );
    assert_eq!(
        stage.say(reapply("DECISION-R2-001")),
        Err(Refusal::AlreadyReapplied {
            decision: "DECISION-R2-001".parse().unwrap(),
            reapplied: stage.state().now.decisions.back().unwrap().id,
        })
    );
}

#[tokio::test(start_paused = true)]
async fn how_a_round_is_run_again_is_told_to_its_engineers_alone() {
    let mut stage = stage(&[
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "LOW", "GAP-API-001"),
    ]);
    stage.run_to_review().await;
    let ask = UserInput::Rollback {
        to: None,
        reason: String::new(),
        adjust: Vec::new(),
    };
    stage.say(ask).unwrap();
    let fields = [
        ("to", "0"),
        ("reason", "beside the point"),
        ("adjust", "the limits are per tenant"),
    ];
    stage.tell("rollback", "context", &fields).unwrap();
    stage.run().await;
    let told = |role: Role, round: u32| {
        let prompts = stage.prompts(role, round);
        prompts
            .last()
            .unwrap()
            .contains("the limits are per tenant")
    };
    assert!(told(Role::Engineer, 1));
    assert!(
        !told(Role::Reviewer, 1),
        "a Reviewer judges what is written"
    );
    assert!(
        !told(Role::Engineer, 2) && !told(Role::Reviewer, 2),
        "it was of round 1"
    );
    assert!(
        stage.decisions_md().contains("the limits are per tenant"),
        "the user sees it"
    );
}

#[tokio::test(start_paused = true)]
async fn what_is_offered_still_and_what_is_undone_now_is_one_question() {
    let gaps = [
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "LOW", "GAP-API-001"),
        ("GAP-API-003", "LOW", "GAP-API-001"),
    ];
    let mut stage = with_config(&gaps, |met| {
        met.config.rollback_mode = RollbackMode::AutoRetry;
        met.config.max_retries = 0;
        met.config.rollback_analysis_threshold = 9;
    })
    .when(Role::Engineer, 1, 0, |request| {
        Ok(Some(match request.task.epoch {
            0 => "I would rather not.".to_owned(),
            _ => well(request),
        }))
    });
    stage.run_to_round(1).await;
    stage.gap_command(deferral("GAP-API-002")).unwrap();
    // Unasked, the round is run again: the question holds nothing, and is put off.
    stage.later = vec!["undone_decisions"];
    stage.run_to_round(2).await;
    assert_eq!(stage.state().kept.rollbacks.len(), 1);
    let first = stage.pending("undone_decisions");
    stage.gap_command(deferral("GAP-API-003")).unwrap();
    stage.roll_back(1, "the wrong way").unwrap();
    let pending = stage.state().now.questions.values();
    assert_eq!(
        pending
            .filter(|q| q.about.kind() == "undone_decisions")
            .count(),
        1
    );
    let both = stage.pending("undone_decisions");
    assert_ne!(both.id, first.id);
    for id in ["DECISION-R1-001", "DECISION-R2-001"] {
        assert!(both.context.contains(id), "{}", both.context);
    }
    stage.tell("undone_decisions", "all", &[]).unwrap();
    assert_eq!(stage.gap("GAP-API-002"), GapState::UserDeferred);
    assert_eq!(stage.gap("GAP-API-003"), GapState::UserDeferred);
}
