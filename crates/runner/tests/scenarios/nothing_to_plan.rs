//! Rounds with nothing to plan: why, what is offered, and what each choice does.

use gapless_domain::gap::GapState;
use gapless_domain::phase::{End, Trigger};
use gapless_domain::task::Role;
use gapless_mediator::{GapCommand, UserInput};
use gapless_runner::Stopped;

use crate::stage::{Stage, engineer, gap_id, issue, labels, stage};

async fn at_question(mut stage: Stage) -> Stage {
    stage = stage.answer("inventory", "begin", &[]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    stage.pending("nothing_to_plan");
    stage
}

/// Both gaps are put off.
async fn all_deferred() -> Stage {
    let mut stage = stage(&[("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")]);
    for gap in ["GAP-API-001", "GAP-API-002"] {
        let gap = gap_id(gap);
        let reason = "another team's".into();
        stage
            .gap_command(GapCommand::Defer { gap, reason })
            .unwrap();
    }
    at_question(stage).await
}

/// Both gaps wait for input, the CRITICAL one too.
async fn all_blocked() -> Stage {
    let stage = stage(&[("GAP-API-001", "CRITICAL", ""), ("GAP-API-002", "LOW", "")])
        .when(Role::Engineer, 1, 1, |_| {
            Ok(Some(
                "BLOCKED_NEEDS_INPUT: GAP-API-001 which contracts\n\nBLOCKED_NEEDS_INPUT: GAP-API-002 which units\n".into(),
            ))
        })
        .answer("blocked_gap", "go_on", &[])
        .answer("blocked_gap", "go_on", &[]);
    at_question(stage).await
}

/// One gap is put off, and the other waits on it.
async fn behind_a_parked_one() -> Stage {
    let gaps = [
        ("GAP-API-001", "MEDIUM", ""),
        ("GAP-API-002", "MEDIUM", "GAP-API-001"),
    ];
    let mut stage = stage(&gaps);
    let (gap, reason) = (gap_id("GAP-API-001"), "later".into());
    stage
        .gap_command(GapCommand::Defer { gap, reason })
        .unwrap();
    at_question(stage).await
}

async fn in_a_cycle() -> Stage {
    let gaps = [
        ("GAP-API-001", "CRITICAL", "GAP-API-002"),
        ("GAP-API-002", "CRITICAL", "GAP-API-001"),
    ];
    at_question(stage(&gaps)).await
}

/// A HIGH conflict on the only gap; the gap waited on another, which is resolved.
async fn in_conflict() -> Stage {
    let gaps = [
        ("GAP-API-001", "LOW", ""),
        ("GAP-API-002", "LOW", "GAP-API-001"),
    ];
    // No rule finds a middle way, so that nothing is recommended and it stays undecided.
    let raise = |r: &gapless_agents::Request| {
        let text = issue(&r.gaps[0], "High Priority", "ISSUE-R2-001");
        Ok(Some(text.replace("the limit is", "the figure is")))
    };
    let stage = crate::stage::with_config(&gaps, |met| met.config.stall_threshold = Some(99))
        .when(Role::Reviewer, 2, 0, raise)
        .when(Role::Engineer, 3, 0, |request| {
            let text = engineer(request);
            let text = text.split("## Response to").next().unwrap().to_owned();
            Ok(Some(text + "## DISAGREE: ISSUE-R2-001\n\n**Reviewer Concern:**\n> the figure is not justified.\n\n\
                **Engineer Position:** it needs none\n\n**Rationale:** it is the platform's own\n"))
        })
        .when(Role::Reviewer, 3, 0, raise);
    at_question(stage).await
}

#[tokio::test(start_paused = true)]
async fn each_cause_is_named_and_only_what_applies_is_offered() {
    let cases = [
        (
            all_deferred().await,
            vec!["resume", "close", "stop", "pause", "abandon"],
            "(USER_DEFERRED: another team's)",
        ),
        (
            all_blocked().await,
            vec!["input", "close", "stop", "pause", "abandon"],
            "(BLOCKED_EXTERNAL: which contracts)",
        ),
        (
            behind_a_parked_one().await,
            vec!["resume", "unblock", "close", "stop", "pause", "abandon"],
            "(OPEN: waits on GAP-API-001)",
        ),
        (
            in_a_cycle().await,
            vec!["unblock", "stop", "pause", "abandon"],
            "These gaps wait on each other: GAP-API-001, GAP-API-002",
        ),
        (
            in_conflict().await,
            vec!["close", "stop", "pause", "abandon"],
            "(NEEDS_REVISION: a conflict on it is undecided)",
        ),
    ];
    for (stage, offered, words) in &cases {
        let question = stage.pending("nothing_to_plan");
        assert_eq!(labels(&question), *offered, "{}", question.context);
        assert!(question.context.contains(words), "{}", question.context);
    }
}

#[tokio::test(start_paused = true)]
async fn resuming_opens_what_is_named_and_work_goes_on() {
    let mut stage = all_deferred().await;
    stage.refuses("nothing_to_plan", "resume", &[], "needs the field `gaps`");
    stage.refuses(
        "nothing_to_plan",
        "resume",
        &[("gaps", ", ")],
        "names no gap",
    );
    stage.refuses(
        "nothing_to_plan",
        "resume",
        &[("gaps", "GAP-API-404")],
        "no gap GAP-API-404",
    );
    let both = [("gaps", "GAP-API-001, GAP-API-002")];
    stage.tell("nothing_to_plan", "resume", &both).unwrap();
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
    assert!(
        stage
            .state()
            .now
            .decisions
            .iter()
            .all(|decision| decision.lifted.is_some())
    );
}

#[tokio::test(start_paused = true)]
async fn input_is_a_decision_on_each_gap_that_is_named() {
    let mut stage = all_blocked().await;
    let fields = [
        ("gaps", "GAP-API-001 GAP-API-002"),
        ("text", "those of 2019"),
    ];
    stage.refuses(
        "nothing_to_plan",
        "input",
        &fields[..1],
        "needs the field `text`",
    );
    stage.tell("nothing_to_plan", "input", &fields).unwrap();
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
    assert_eq!(
        stage.decisions(),
        ["input GAP-API-001: ", "input GAP-API-002: "]
    );
    assert!(stage.prompts(Role::Engineer, 2)[0].contains("those of 2019"));
}

#[tokio::test(start_paused = true)]
async fn taking_a_dependency_away_lets_the_gap_be_planned() {
    let mut stage = behind_a_parked_one().await;
    stage
        .tell("nothing_to_plan", "unblock", &[("gaps", "GAP-API-002")])
        .unwrap();
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.gap("GAP-API-001"), GapState::UserDeferred);
    assert_eq!(stage.gap("GAP-API-002"), GapState::Accepted);

    let mut stage = in_a_cycle().await;
    stage
        .tell("nothing_to_plan", "unblock", &[("gaps", "GAP-API-002")])
        .unwrap();
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn closing_needs_a_reason_and_for_a_critical_gap_its_own_gate() {
    let mut stage = all_blocked().await;
    let close = |gap| [("gaps", gap), ("text", "not ours")];
    stage.refuses(
        "nothing_to_plan",
        "close",
        &close("GAP-API-002")[..1],
        "needs the field `text`",
    );
    let both = close("GAP-API-002, GAP-API-001");
    stage.refuses(
        "nothing_to_plan",
        "close",
        &both,
        "closing it needs the sentence",
    );
    assert_eq!(
        stage.gap("GAP-API-002"),
        GapState::BlockedExternal,
        "all or nothing"
    );
    stage
        .tell("nothing_to_plan", "close", &close("GAP-API-002"))
        .unwrap();
    assert_eq!(stage.gap("GAP-API-002"), GapState::WontFix);
    assert_eq!(stage.decisions(), ["closing GAP-API-002: not ours"]);
    // Only the CRITICAL one is left: closing is no longer offered here.
    stage.run_strictly().await;
    let question = stage.pending("nothing_to_plan");
    assert_eq!(labels(&question), ["input", "stop", "pause", "abandon"]);
}

#[tokio::test(start_paused = true)]
async fn stopping_leads_to_the_gate_and_going_on_asks_again() {
    let mut stage = all_deferred().await;
    stage.tell("nothing_to_plan", "stop", &[]).unwrap();
    stage.tell("stop", "continue", &[]).unwrap();
    stage.run_strictly().await;
    stage.tell("nothing_to_plan", "stop", &[]).unwrap();
    let all = [("high", "I acknowledge"), ("GAP-API-001", "it is theirs")];
    stage.tell("stop", "accept", &all).unwrap();
    assert_eq!(stage.ended(), (End::UserApproved, Trigger::NothingToPlan));
}

#[tokio::test(start_paused = true)]
async fn paused_it_is_asked_again_and_it_can_be_given_up() {
    let mut stage = all_deferred().await;
    let first = stage.pending("nothing_to_plan");
    stage.tell("nothing_to_plan", "pause", &[]).unwrap();
    assert_eq!(stage.run_strictly().await, Stopped::Paused);
    stage.say(UserInput::Resume).unwrap();
    stage.run_strictly().await;
    let again = stage.pending("nothing_to_plan");
    assert_ne!(again.id, first.id);
    assert_eq!(again.context, first.context);
    stage.tell("nothing_to_plan", "abandon", &[]).unwrap();
    assert_eq!(stage.ended(), (End::Abandoned, Trigger::Abandoned));
}

#[tokio::test(start_paused = true)]
async fn deciding_the_conflict_withdraws_the_question_and_work_goes_on() {
    let mut stage = in_conflict().await;
    let asked = stage.pending("nothing_to_plan").id;
    stage.tell("conflict", "A", &[]).unwrap();
    assert!(!stage.state().now.questions.contains_key(&asked));
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
}
