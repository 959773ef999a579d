//! Questions that list the inventory, when it changes while they wait: which keep their id, which get another one, and
//! what becomes of an answer to the old one.

use gapless_domain::gap::GapState;
use gapless_domain::ids::QuestionId;
use gapless_domain::phase::{End, Trigger};
use gapless_domain::question::{Answer, DecidedBy};
use gapless_domain::severity::Severity;
use gapless_domain::severity::Severity::High;
use gapless_domain::task::Role;
use gapless_mediator::{GapCommand, Refusal, UserInput};
use gapless_runner::Stopped;

use crate::quarrel::quarrel;
use crate::stage::{Stage, gap_id, with_config};

fn answer(question: QuestionId, option: &str) -> UserInput {
    UserInput::Answer {
        question,
        answer: Answer::of(option, DecidedBy::User),
    }
}

fn close(gap: &str) -> UserInput {
    UserInput::Gap {
        command: GapCommand::Close {
            gap: gap_id(gap),
            reason: "nobody needs it".to_owned(),
            sentence: None,
        },
    }
}

fn severity(gap: &str, severity: Severity) -> UserInput {
    UserInput::Gap {
        command: GapCommand::Severity {
            gap: gap_id(gap),
            severity,
            reason: "so the user sees it".to_owned(),
        },
    }
}

/// A session that waits at a conflict and, after two rounds without gain, at the divergence question.
async fn stalled_in_conflict() -> Stage {
    let mut stage = quarrel(&[High], 1).answer("inventory", "begin", &[]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    stage
}

/// A session that waits with these gaps open because the user asked to stop.
async fn stopping(gaps: &[(&str, &str, &str)]) -> Stage {
    let mut stage = with_config(gaps, |_| {}).answer("inventory", "begin", &[]);
    stage.run_to_round(1).await;
    stage.say(UserInput::Stop).unwrap();
    stage
}

#[tokio::test(start_paused = true)]
async fn a_question_keeps_its_id_when_another_answer_changes_what_it_lists() {
    let mut stage = stalled_in_conflict().await;
    let before = stage.pending("divergence");
    assert!(
        before.context.contains("- GAP-API-001 [HIGH]"),
        "{}",
        before.context
    );
    stage.tell("conflict", "B", &[]).unwrap();
    assert_eq!(stage.gap("GAP-API-001"), GapState::Accepted);
    stage.run_strictly().await;
    let after = stage.pending("divergence");
    assert_eq!(after.id, before.id);
    assert_ne!(after.context, before.context, "it says what is open now");
    assert_eq!(stage.events("question.renewed").len(), 1);
    stage.say(answer(before.id, "accept")).unwrap();
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn two_answers_in_one_delivery_of_the_inbox_are_both_taken() {
    let mut stage = stalled_in_conflict().await;
    let (conflict, divergence) = (stage.pending("conflict").id, stage.pending("divergence").id);
    stage.post(&answer(conflict, "B"));
    stage.post(&answer(divergence, "accept"));
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
    let answered = stage.events("question.answered");
    let ids: Vec<&str> = answered
        .iter()
        .filter_map(|event| event["id"].as_str())
        .collect();
    assert!(
        ids.ends_with(&[&conflict.to_string(), &divergence.to_string()]),
        "{ids:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn nobody_accepts_gaps_that_the_question_did_not_list() {
    let gaps = [("GAP-API-001", "LOW", ""), ("GAP-API-002", "LOW", "")];
    let mut stage = stopping(&gaps).await;
    let before = stage.pending("stop");
    assert_eq!(before.accepts, ["GAP-API-001", "GAP-API-002"]);
    let command = GapCommand::Add {
        category: "NEW".to_owned(),
        severity: Severity::Low,
        description: "what nobody thought of".to_owned(),
        section: None,
    };
    stage.say(UserInput::Gap { command }).unwrap();
    let after = stage.pending("stop");
    assert_eq!(after.replaces, [before.id]);
    assert_ne!(after.id, before.id);
    let refusal = stage.say(answer(before.id, "accept")).unwrap_err();
    let (question, by) = (before.id, after.id);
    assert_eq!(refusal, Refusal::Replaced { question, by });
    assert_eq!(
        refusal.to_string(),
        format!("what is left has changed since {question} was asked; {by} lists it now")
    );
    // Fewer gaps are others as well.
    stage.say(close("GAP-API-002")).unwrap();
    let last = stage.pending("stop");
    assert_eq!(last.replaces, [before.id, after.id]);
    for old in [before.id, after.id] {
        let refusal = stage.say(answer(old, "accept")).unwrap_err();
        assert!(matches!(refusal, Refusal::Replaced { .. }), "{refusal}");
    }
    // What accepts nothing means what it meant.
    stage.say(answer(before.id, "continue")).unwrap();
    let answered = stage.events("question.answered");
    assert_eq!(answered.last().unwrap()["id"], last.id.to_string());
    assert!(stage.state().now.questions.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_stop_that_lists_the_same_gaps_keeps_its_id() {
    let gaps = [("GAP-API-001", "LOW", ""), ("GAP-API-002", "LOW", "")];
    let mut stage = stopping(&gaps).await;
    let before = stage.pending("stop");
    stage
        .say(severity("GAP-API-001", Severity::Medium))
        .unwrap();
    let after = stage.pending("stop");
    assert_eq!(after.id, before.id);
    assert!(
        after.context.contains("GAP-API-001 [MEDIUM]"),
        "{}",
        after.context
    );
    stage.say(answer(before.id, "accept")).unwrap();
    assert_eq!(stage.ended(), (End::GoodEnough, Trigger::UserStop));
}

#[tokio::test(start_paused = true)]
async fn a_gap_that_became_grave_is_not_accepted_by_the_old_answer() {
    let mut stage = stopping(&[("GAP-API-001", "LOW", "")]).await;
    let before = stage.pending("stop").id;
    stage
        .say(severity("GAP-API-001", Severity::Critical))
        .unwrap();
    let refusal = stage.say(answer(before, "accept")).unwrap_err();
    assert!(matches!(refusal, Refusal::Replaced { .. }), "{refusal}");
}

#[tokio::test(start_paused = true)]
async fn a_question_behind_a_stop_can_still_be_answered() {
    let mut stage = stalled_in_conflict().await;
    let divergence = stage.pending("divergence").id;
    stage.say(UserInput::Stop).unwrap();
    stage.tell("conflict", "B", &[]).unwrap();
    stage.say(answer(divergence, "accept")).unwrap();
    assert_eq!(stage.events("round.divergence_cleared").len(), 1);
    stage.tell("stop", "continue", &[]).unwrap();
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn a_question_that_needs_no_answer_any_more_is_gone() {
    let mut stage = with_config(&[("GAP-API-001", "LOW", "")], |_| {});
    let command = GapCommand::Defer {
        gap: gap_id("GAP-API-001"),
        reason: "later".to_owned(),
    };
    stage
        .run_until(|state| !state.now.questions.is_empty())
        .await;
    stage.say(UserInput::Gap { command }).unwrap();
    let command = GapCommand::Add {
        category: "BIG".to_owned(),
        severity: High,
        description: "what keeps it from being complete".to_owned(),
        section: None,
    };
    stage.say(UserInput::Gap { command }).unwrap();
    let defer = GapCommand::Defer {
        gap: gap_id("GAP-BIG-001"),
        reason: "later".to_owned(),
    };
    stage.say(UserInput::Gap { command: defer }).unwrap();
    let mut stage = stage.answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    let question = stage.pending("nothing_to_plan").id;
    let command = GapCommand::Resume {
        gap: gap_id("GAP-BIG-001"),
    };
    stage.say(UserInput::Gap { command }).unwrap();
    stage.run_to_role(Role::Engineer).await;
    let refusal = stage.say(answer(question, "stop")).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        format!("{question} was withdrawn: the inventory changed")
    );
}

#[tokio::test(start_paused = true)]
async fn a_conflict_keeps_its_id_when_its_severity_is_raised() {
    let mut stage = stalled_in_conflict().await;
    let before = stage.pending("conflict");
    stage
        .set_issue_severity("ISSUE-R1-001", Severity::Critical)
        .unwrap();
    let after = stage.pending("conflict");
    assert_eq!(after.id, before.id);
    assert_eq!(after.severity, Some(Severity::Critical));
    stage.say(answer(before.id, "B")).unwrap();
    assert_eq!(stage.gap("GAP-API-001"), GapState::Accepted);
}

#[tokio::test(start_paused = true)]
async fn what_was_changed_is_kept_over_a_kill() {
    let mut stage = stalled_in_conflict().await;
    let divergence = stage.pending("divergence").id;
    stage.tell("conflict", "B", &[]).unwrap();
    stage.kill();
    stage.run_strictly().await;
    assert_eq!(stage.pending("divergence").id, divergence);
}
