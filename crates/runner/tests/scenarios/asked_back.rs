//! Rollbacks that the user asks for: what the retry is told, that the request is carried out in every mode, and what is said
//! where there is nothing to go back to.

use gapless_domain::rollback::{RollbackMode, RollbackTrigger};
use gapless_domain::task::Role;
use gapless_mediator::{Refusal, UserInput};
use gapless_runner::Stopped;

use crate::rolling_back::{eight_rounds, vague};
use crate::stage::{Stage, gap_id, stage, with_config};

const GAPS: [(&str, &str, &str); 2] = [
    ("GAP-API-001", "HIGH", ""),
    ("GAP-API-002", "LOW", "GAP-API-001"),
];

/// What the Engineer of a round was told the last time about an attempt that was undone.
fn told(stage: &Stage, round: u32) -> String {
    let prompts = stage.prompts(Role::Engineer, round);
    let prompt = prompts.last().unwrap();
    let part = prompt.split("## This round is run again").nth(1);
    let part = part.unwrap_or("").split("\n## ").next();
    part.unwrap_or("").trim().to_owned()
}

fn ask() -> UserInput {
    UserInput::Rollback {
        to: None,
        reason: String::new(),
        adjust: Vec::new(),
    }
}

/// Round 1 with a vague proposal, up to its review.
async fn vaguely_proposed() -> Stage {
    let mut stage = stage(&GAPS).when(Role::Engineer, 1, 0, |_| Ok(Some(vague("GAP-API-001"))));
    stage.run_to_review().await;
    stage
}

#[tokio::test(start_paused = true)]
async fn a_retry_is_told_the_reason_and_what_was_found() {
    let mut stage = vaguely_proposed().await;
    let rollback = UserInput::Rollback {
        to: Some(0),
        reason: "nobody can build a \"reasonable value\"".to_owned(),
        adjust: vec!["The limits are per tenant.".to_owned()],
    };
    stage.say(rollback).unwrap();
    stage.run_to_review().await;
    insta::assert_snapshot!("told_by_command", told(&stage, 1));
    let reviewer = stage.prompts(Role::Reviewer, 1).join("\n");
    assert!(!reviewer.contains("nobody can build"), "{reviewer}");
    // It is of that round alone.
    stage.run_to_round(2).await;
    assert_eq!(told(&stage, 2), "");
    let status = stage.status();
    assert!(
        status.contains(
            "  - The user undid an earlier attempt at GAP-API-001. Their reason: nobody can build"
        ),
        "{status}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_reason_for_several_rounds_is_told_as_theirs() {
    let mut stage = stage(&GAPS);
    stage.run_to_round(2).await;
    stage.roll_back(0, "both went the wrong way").unwrap();
    stage.run_to_review().await;
    let said = told(&stage, 1);
    assert!(
        said.contains("The user undid rounds 1 to 2. Their reason: both went the wrong way"),
        "{said}"
    );
}

#[tokio::test(start_paused = true)]
async fn each_way_to_retry_tells_what_it_says() {
    let fields = [("to", "0"), ("reason", "beside the point")];
    let asked = || async {
        let mut stage = vaguely_proposed().await;
        stage.say(ask()).unwrap();
        stage
    };
    let reason = "Their reason: beside the point";
    let finding = "Say exact values.";

    let mut stage = asked().await;
    stage.tell("rollback", "retry", &fields).unwrap();
    stage.run_to_review().await;
    let said = told(&stage, 1);
    assert!(said.contains(reason) && !said.contains(finding), "{said}");

    let mut stage = asked().await;
    let narrow = [fields[0], fields[1], ("gaps", "GAP-API-001")];
    stage.tell("rollback", "narrow", &narrow).unwrap();
    stage.run_to_review().await;
    let said = told(&stage, 1);
    assert!(said.contains(reason) && !said.contains(finding), "{said}");

    // What was found is suggested as the context.
    let mut stage = asked().await;
    let question = stage.pending("rollback");
    let field = question.fields.iter().find(|field| field.name == "adjust");
    let suggested = field.unwrap().suggested.clone().unwrap();
    let context = [fields[0], fields[1], ("adjust", suggested.as_str())];
    stage.tell("rollback", "context", &context).unwrap();
    stage.run_to_review().await;
    let said = told(&stage, 1);
    assert!(said.contains(reason) && said.contains(finding), "{said}");

    // Others are taken, whom it does not concern.
    let gaps = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")];
    let mut stage = with_config(&gaps, |met| met.config.gaps_per_round = 1);
    stage.run_to_review().await;
    stage.say(ask()).unwrap();
    stage.tell("rollback", "skip", &fields).unwrap();
    stage.run_to_review().await;
    assert_eq!(stage.state().now.round.assigned, [gap_id("GAP-API-002")]);
    assert_eq!(told(&stage, 1), "");
}

#[tokio::test(start_paused = true)]
async fn where_the_cause_is_asked_the_findings_are_told_by_the_answer_and_once() {
    let mut stage = vaguely_proposed().await;
    stage.configure(|config| config.rollback_analysis_threshold = 1);
    stage.roll_back(0, "too vague").unwrap();
    let record = stage.state().kept.rollbacks.back().unwrap();
    assert_eq!(
        record.adjustments,
        ["The user undid an earlier attempt at GAP-API-001. Their reason: too vague"]
    );
    stage.tell("root_cause", "retry", &[]).unwrap();
    stage.run_to_review().await;
    let said = told(&stage, 1);
    assert_eq!(said.matches("Say exact values.").count(), 1, "{said}");
    assert_eq!(said.matches("Their reason: too vague").count(), 1, "{said}");
}

/// A session in mode `auto_retry` whose Engineer has nothing valid in round 1.
fn failing() -> Stage {
    with_config(&GAPS, |met| {
        met.config.rollback_mode = RollbackMode::AutoRetry;
        met.config.max_retries = 0;
    })
    .when(Role::Engineer, 1, 0, |_| Ok(Some(vague("GAP-NOPE-009"))))
    .answer("inventory", "begin", &[])
}

/// Whether the session waits for an answer to these.
#[track_caller]
fn waits_for(stage: &Stage, stopped: &Stopped, kinds: &[&str]) {
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    let pending = stage.state().now.questions.values();
    let pending: Vec<&str> = pending.map(|question| question.about.kind()).collect();
    assert_eq!(pending, kinds);
}

#[tokio::test(start_paused = true)]
async fn in_auto_retry_what_the_user_asks_for_is_carried_out() {
    // Asked while the Engineer is at work, whose retries then run out: the question stands, and nothing is undone behind it.
    let mut stage = failing();
    stage.run_to_round(1).await;
    stage.say(ask()).unwrap();
    let stopped = stage.run_strictly().await;
    waits_for(&stage, &stopped, &["rollback"]);
    assert_eq!(stage.events("task.exhausted").len(), 1);
    let fields = [("to", "0"), ("reason", "the wrong limits")];
    stage.tell("rollback", "retry", &fields).unwrap();
    let record = stage.state().kept.rollbacks.back().unwrap().clone();
    assert!(!record.unasked);
    assert_eq!(record.trigger, RollbackTrigger::User);
    assert_eq!(record.reason, "the wrong limits");
    assert_eq!(stage.state().kept.rollbacks.len(), 1);
    stage.run_strictly().await;
    assert!(told(&stage, 1).contains("Their reason: the wrong limits"));

    // The command with a round undoes at once, also there.
    let mut stage = failing();
    stage.run_to_round(1).await;
    stage.roll_back(0, "the wrong limits").unwrap();
    assert!(!stage.state().kept.rollbacks.back().unwrap().unasked);
}

#[tokio::test(start_paused = true)]
async fn in_auto_retry_a_rollback_that_the_user_calls_off_does_not_happen() {
    let mut stage = failing();
    stage.run_to_round(1).await;
    stage.say(ask()).unwrap();
    stage.run_strictly().await;
    stage.tell("rollback", "cancel", &[]).unwrap();
    let stopped = stage.run_strictly().await;
    waits_for(&stage, &stopped, &["escalation"]);
    assert_eq!(stage.state().kept.rollbacks.len(), 0);

    // Through a question: the mode is set while it waits.
    let mut stage = failing();
    let mode = |mode| UserInput::RollbackMode { mode };
    stage.say(mode(RollbackMode::Interactive)).unwrap();
    let stopped = stage.run_strictly().await;
    waits_for(&stage, &stopped, &["escalation"]);
    stage.say(mode(RollbackMode::AutoRetry)).unwrap();
    stage.tell("escalation", "roll_back", &[]).unwrap();
    stage.tell("rollback", "cancel", &[]).unwrap();
    let stopped = stage.run_strictly().await;
    waits_for(&stage, &stopped, &["escalation"]);
    assert_eq!(stage.state().kept.rollbacks.len(), 0);
    // Nor does it after another answer to it, though the retries run out once more.
    stage
        .tell(
            "escalation",
            "context",
            &[("context", "the gap is GAP-API-001")],
        )
        .unwrap();
    let stopped = stage.run_strictly().await;
    waits_for(&stage, &stopped, &["escalation"]);
    assert_eq!(stage.state().kept.rollbacks.len(), 0);
}

#[tokio::test(start_paused = true)]
async fn in_auto_retry_running_out_of_retries_is_automatic_where_nobody_was_asked() {
    let mut stage = failing();
    let stopped = stage.run_strictly().await;
    waits_for(&stage, &stopped, &["escalation"]);
    let rollbacks = &stage.state().kept.rollbacks;
    assert_eq!(rollbacks.len(), 1);
    assert!(rollbacks.back().unwrap().unasked);
}

#[tokio::test(start_paused = true)]
async fn where_there_is_nothing_to_go_back_to_it_is_said_why() {
    let mut stage = stage(&GAPS);
    assert_eq!(stage.say(ask()), Err(Refusal::NothingToUndo));
    stage.run_to_round(2).await;
    let said = |refused: Result<(), Refusal>| refused.unwrap_err().to_string();
    assert_eq!(
        said(stage.roll_back(2, "no")),
        "there is nothing to go back to after round 2: the session is in round 2; available: 0, 1"
    );
    assert_eq!(
        said(stage.roll_back(9, "no")),
        "there is nothing to go back to after round 9: the session is in round 2; available: 0, 1"
    );
    stage.roll_back(0, "all of it").unwrap();
    assert_eq!(stage.say(ask()), Err(Refusal::AllUndone));

    // Back at the oldest that is kept, there is nothing before it until the next round has begun.
    let mut stage = eight_rounds().await;
    stage.roll_back(5, "a bad direction").unwrap();
    stage.tell("undone_decisions", "leave", &[]).unwrap();
    let nothing = Refusal::NothingEarlier {
        round: 5,
        next: 6,
        retention: 3,
    };
    assert_eq!(stage.say(ask()), Err(nothing.clone()));
    assert_eq!(stage.roll_back(4, "further"), Err(nothing.clone()));
    assert_eq!(stage.roll_back(5, "again"), Err(nothing));
    stage.run_to_round(6).await;
    stage.say(ask()).unwrap();
    let question = stage.pending("rollback");
    assert!(
        question
            .context
            .contains("Earlier rounds can't be gone back to: the last 3 are kept"),
        "{}",
        question.context
    );
    let rounds: Vec<u32> = stage
        .state()
        .rollback_targets()
        .iter()
        .map(|target| target.round)
        .collect();
    assert_eq!(rounds, [5]);
}
