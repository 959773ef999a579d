//! The round limit: extended by five, up to the hard limit; accepted, given up, or met with nobody there.

use gapless_domain::phase::{End, Trigger};
use gapless_domain::task::Role;
use gapless_mediator::RunSettings;
use gapless_runner::Stopped;

use crate::stage::{Stage, issue, labels, with_config};

/// A session whose Reviewer is never content.
fn endless(change: impl FnOnce(&mut RunSettings)) -> Stage {
    let limited = |met: &mut RunSettings| {
        met.config.max_rounds = Some(2);
        met.config.hard_limit = 11;
        met.config.stall_threshold = Some(999);
        change(met);
    };
    with_config(&[("GAP-API-001", "HIGH", "")], limited)
        .when(Role::Reviewer, 0, 0, |r| {
            let id = format!("ISSUE-R{}-001", r.task.round);
            Ok(Some(issue(&r.gaps[0], "High Priority", &id)))
        })
        .answer("inventory", "begin", &[])
}

fn limits_set(stage: &Stage) -> Vec<u64> {
    let events = stage.events("session.limits_set");
    let limits = events.iter().map(|e| e["limits"]["max_rounds"].as_u64());
    limits.map(Option::unwrap).collect()
}

#[tokio::test(start_paused = true)]
async fn the_user_extends_by_five_until_the_hard_limit_and_then_accepts() {
    let mut stage =
        endless(|_| {})
            .answer("round_limit", "extend", &[])
            .answer("round_limit", "extend", &[]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    assert_eq!(limits_set(&stage), [2, 7, 11], "the last step is cut short");
    assert_eq!(stage.events("round.began").len(), 11);
    let offered: Vec<_> = stage
        .asked
        .iter()
        .filter(|question| question.about.kind() == "round_limit")
        .map(labels)
        .collect();
    let extended = vec!["extend", "accept", "pause", "abandon"];
    assert_eq!(
        offered,
        [
            extended.clone(),
            extended,
            vec!["accept", "pause", "abandon"]
        ]
    );
    let question = stage.pending("round_limit");
    assert!(
        question
            .context
            .contains("Round 11 was the last of 11 (2 at the start)."),
        "{}",
        question.context
    );
    stage.refuses("round_limit", "extend", &[], "`extend` is not an option");

    stage.tell("round_limit", "accept", &[]).unwrap();
    stage.refuses("stop", "accept", &[], "the field `high` must be exactly");
    let all = [("high", "I acknowledge"), ("GAP-API-001", "it will do")];
    stage.tell("stop", "accept", &all).unwrap();
    assert_eq!(stage.ended(), (End::MaxRounds, Trigger::RoundLimit));
    assert_eq!(stage.decisions(), ["acceptance GAP-API-001: it will do"]);
    let status = stage.status();
    let rounds = "- **Rounds:** 11 of at most 11 (2 at the start)\n";
    assert!(status.contains(rounds), "{status}");
    let limit = "- **Round limit:** set to 2 by you; changed to 11 by you\n";
    assert!(status.contains(limit), "{status}");
    assert!(
        status.contains("| max_rounds | 11 (2 at the start) |\n"),
        "{status}"
    );
    assert!(stage.spec().contains("## Known limitations"));
}

#[tokio::test(start_paused = true)]
async fn auto_extend_asks_only_at_the_hard_limit() {
    let mut stage = endless(|met| met.config.auto_extend = true);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    assert_eq!(stage.kinds(), ["inventory", "round_limit"]);
    assert_eq!(limits_set(&stage), [2, 7, 11]);
    assert_eq!(stage.events("round.began").len(), 11);
    assert_eq!(
        labels(&stage.pending("round_limit")),
        ["accept", "pause", "abandon"]
    );
}

#[tokio::test(start_paused = true)]
async fn without_a_user_it_is_a_forced_stop_that_lists_what_is_left() {
    let mut stage = endless(|_| {});
    assert_eq!(stage.run().await, Stopped::Ended(End::MaxRounds));
    assert_eq!(stage.ended(), (End::MaxRounds, Trigger::RoundLimit));
    assert_eq!(
        stage.kinds(),
        ["inventory", "round_limit"],
        "no gate is passed for the user"
    );
    assert!(stage.decisions().is_empty());
    let answers = stage.events("question.answered");
    let last = &answers.last().unwrap()["answer"];
    assert_eq!(
        (&last["option"], &last["by"]),
        (&"forced_stop".into(), &"policy".into())
    );
    assert!(stage.spec().contains("GAP-API-001 [HIGH]"));
}

#[tokio::test(start_paused = true)]
async fn nobody_else_can_force_the_stop() {
    let mut stage = endless(|_| {});
    stage.run_strictly().await;
    stage.refuses(
        "round_limit",
        "forced_stop",
        &[],
        "`forced_stop` is not an option",
    );
}

#[tokio::test(start_paused = true)]
async fn going_on_at_the_gate_asks_about_the_limit_again() {
    let mut stage =
        endless(|_| {})
            .answer("round_limit", "accept", &[])
            .answer("stop", "continue", &[]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    assert_eq!(
        stage.kinds(),
        ["inventory", "round_limit", "stop", "round_limit"]
    );
}

#[tokio::test(start_paused = true)]
async fn paused_at_the_limit_it_is_asked_again_and_can_be_given_up() {
    let mut stage = endless(|_| {}).answer("round_limit", "pause", &[]);
    assert_eq!(stage.run_strictly().await, Stopped::Paused);
    stage.say(gapless_mediator::UserInput::Resume).unwrap();
    let mut stage = stage.answer("round_limit", "abandon", &[]);
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Abandoned));
    assert_eq!(stage.ended(), (End::Abandoned, Trigger::Abandoned));
}
