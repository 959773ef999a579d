//! The final review: what it reopens, what it may not touch, and what follows where it isn't ready or never valid.

use gapless_domain::gap::GapState;
use gapless_domain::phase::{End, Trigger};
use gapless_domain::task::Role;
use gapless_mediator::GapCommand;
use gapless_runner::Stopped;

use crate::stage::{Stage, engineer, final_review, gap_id, issue, labels, stage, with_config};

/// A session on one HIGH and one LOW gap whose first final review says this.
fn reviewed(verdict: &'static str, blockers: &'static str) -> Stage {
    stage(&[("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")]).when(
        Role::FinalReviewer,
        1,
        0,
        move |_| Ok(Some(final_review(verdict, blockers))),
    )
}

#[tokio::test(start_paused = true)]
async fn not_ready_reopens_its_gap_and_the_next_round_mends_it() {
    let mut stage = reviewed(
        "NOT_READY",
        "- **ISSUE-R1-900**: GAP-API-001 says nothing of units",
    );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let verdicts: Vec<_> = stage
        .events("round.final_reviewed")
        .iter()
        .map(|e| e["ready"].as_bool())
        .collect();
    assert_eq!(verdicts, [Some(false), Some(true)]);
    let tally = &stage.events("round.accounted")[1]["tally"];
    assert_eq!(tally["reopened"][0]["gap"], "GAP-API-001");
    let prompt = &stage.prompts(Role::Engineer, 2)[0];
    assert!(prompt.contains("says nothing of units"), "{prompt}");
    assert!(
        !prompt.contains("### GAP-API-002"),
        "only what was reopened"
    );
    assert_eq!(stage.ended(), (End::Complete, Trigger::FinalReviewReady));
}

#[tokio::test(start_paused = true)]
async fn a_blocker_on_nothing_known_creates_a_gap() {
    let mut stage = reviewed("NOT_READY", "- Nothing says how keys are rotated");
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.gap("GAP-REVIEW-001"), GapState::Accepted);
    let tally = &stage.events("round.accounted")[1]["tally"];
    assert_eq!(tally["created"][0]["gap"], "GAP-REVIEW-001");
    assert_eq!(
        stage.traced(),
        ["GAP-API-001", "GAP-API-002", "GAP-REVIEW-001"]
    );
}

#[tokio::test(start_paused = true)]
async fn ready_with_a_blocker_is_not_ready() {
    let mut stage = reviewed(
        "READY_FOR_TERMINATION",
        "- GAP-API-001 says nothing of units",
    );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.events("round.final_reviewed")[0]["ready"], false);
    assert_eq!(stage.events("round.began").len(), 2);
}

#[tokio::test(start_paused = true)]
async fn not_ready_at_the_round_limit_leads_to_its_question() {
    let gaps = [("GAP-API-001", "HIGH", "")];
    let mut stage = with_config(&gaps, |met| met.config.max_rounds = Some(1))
        .when(Role::FinalReviewer, 1, 0, |_| {
            Ok(Some(final_review(
                "NOT_READY",
                "- GAP-API-001 says nothing of units",
            )))
        })
        .answer("inventory", "begin", &[])
        .answer("round_limit", "extend", &[]);
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds(), ["inventory", "round_limit"]);
    let question = stage.asked.last().unwrap();
    assert!(
        question.context.contains("0 CRITICAL, 1 HIGH"),
        "{}",
        question.context
    );
    assert_eq!(stage.state().limits().max_rounds, 6);
}

#[tokio::test(start_paused = true)]
async fn the_final_review_runs_at_the_round_limit_when_all_is_done() {
    let gaps = [("GAP-API-001", "HIGH", "")];
    let mut stage = with_config(&gaps, |met| met.config.max_rounds = Some(1));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds(), ["inventory"]);
}

#[tokio::test(start_paused = true)]
async fn not_ready_that_names_nothing_is_put_to_the_user_with_its_words() {
    let mut stage = reviewed(
        "NOT_READY",
        "The units of every limit are missing throughout.",
    );
    let stopped = stage.run().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    let question = stage.pending("nothing_to_plan");
    assert!(
        question
            .context
            .contains("units of every limit are missing"),
        "{}",
        question.context
    );
    assert_eq!(labels(&question), ["stop", "pause", "abandon"]);
    stage.tell("nothing_to_plan", "stop", &[]).unwrap();
    stage.tell("stop", "accept", &[]).unwrap();
    assert_eq!(stage.ended(), (End::GoodEnough, Trigger::NothingToPlan));
}

#[tokio::test(start_paused = true)]
async fn a_blocker_on_what_the_user_closed_or_deferred_is_set_aside() {
    let settled = |command: fn() -> GapCommand, verdict: &'static str| {
        let mut stage = reviewed(verdict, "- GAP-API-002 is not said anywhere");
        stage.gap_command(command()).unwrap();
        stage
    };
    let close = || GapCommand::Close {
        gap: gap_id("GAP-API-002"),
        reason: "no".into(),
        sentence: None,
    };
    let defer = || GapCommand::Defer {
        gap: gap_id("GAP-API-002"),
        reason: "later".into(),
    };
    for (command, state, because) in [
        (
            close as fn() -> GapCommand,
            GapState::WontFix,
            "you closed GAP-API-002",
        ),
        (defer, GapState::UserDeferred, "you deferred GAP-API-002"),
    ] {
        for verdict in ["READY_FOR_TERMINATION", "NOT_READY"] {
            let mut stage = settled(command, verdict);
            assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
            assert_eq!(stage.gap("GAP-API-002"), state);
            assert_eq!(stage.events("round.began").len(), 1);
            assert_eq!(stage.events("issue.raised").len(), 0);
            let event = &stage.events("round.final_reviewed")[0];
            assert_eq!(event["ready"], true);
            let aside = &event["set_aside"][0];
            assert_eq!(aside["gap"], "GAP-API-002");
            assert_eq!(aside["because"], because);
            assert_eq!(stage.state().now.round.set_aside.len(), 1);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_blocker_beside_one_that_is_set_aside_still_counts() {
    let mut stage = reviewed(
        "NOT_READY",
        "- GAP-API-002 is not said anywhere\n- GAP-API-001 says nothing of units",
    );
    let reason = "later".into();
    let gap = gap_id("GAP-API-002");
    stage
        .gap_command(GapCommand::Defer { gap, reason })
        .unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let event = &stage.events("round.final_reviewed")[0];
    assert_eq!(event["ready"], false);
    assert_eq!(event["set_aside"].as_array().unwrap().len(), 1);
    assert_eq!(stage.events("round.began").len(), 2);
}

/// A session in which the user decided for the Engineer on ISSUE-R1-001, which is on GAP-API-001.
fn decided(blocker: &'static str) -> Stage {
    const DISAGREE: &str = "## DISAGREE: ISSUE-R1-001\n\n**Reviewer Concern:**\n> the limit is not justified.\n\n\
        **Engineer Position:** it needs none\n\n**Rationale:** it is the platform's own\n";
    let raise = |r: &gapless_agents::Request| {
        let gap = gap_id("GAP-API-001");
        let rest = r.gaps.iter().filter(|id| **id != gap);
        let rest: String = rest.map(crate::stage::no_issues).collect();
        Ok(Some(issue(&gap, "High Priority", "ISSUE-R1-001") + &rest))
    };
    stage(&[("GAP-API-001", "HIGH", ""), ("GAP-API-002", "HIGH", "")])
        .when(Role::Reviewer, 1, 0, raise)
        .when(Role::Engineer, 2, 0, |request| {
            let text = engineer(request);
            let text = text.split("## Response to").next().unwrap().to_owned();
            Ok(Some(text + DISAGREE))
        })
        .when(Role::Reviewer, 2, 0, raise)
        .answer("conflict", "B", &[])
        .when(Role::FinalReviewer, 2, 0, move |_| {
            Ok(Some(final_review("NOT_READY", blocker)))
        })
}

#[tokio::test(start_paused = true)]
async fn a_blocker_on_what_the_user_decided_is_set_aside_and_the_same_words_on_another_gap_are_not()
{
    let mut stage = decided("- GAP-API-001: the limit is not justified");
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let event = &stage.events("round.final_reviewed")[0];
    assert_eq!(event["ready"], true);
    assert_eq!(event["set_aside"][0]["because"], "you decided ISSUE-R1-001");
    assert_eq!(stage.events("round.began").len(), 2);

    let mut stage = decided("- GAP-API-002: the limit is not justified");
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let event = &stage.events("round.final_reviewed")[0];
    assert_eq!(event["ready"], false);
    assert_eq!(stage.events("round.began").len(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_final_review_that_is_never_valid_is_escalated_skipped_and_only_the_user_ends() {
    let mut stage = reviewed("", "")
        .writes(Role::FinalReviewer, 1, 0, "nonsense")
        .answer("inventory", "begin", &[])
        .answer("escalation", "skip", &[]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    assert_eq!(stage.kinds(), ["inventory", "escalation", "stop"]);
    assert_eq!(stage.prompts(Role::FinalReviewer, 1).len(), 3);
    assert_eq!(stage.pending("stop").title, "End the session?");
    // Going on means asking for a final review again.
    let mut stage = stage
        .answer("stop", "continue", &[])
        .answer("escalation", "skip", &[]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    assert_eq!(stage.prompts(Role::FinalReviewer, 1).len(), 6);
    stage.tell("stop", "accept", &[]).unwrap();
    assert_eq!(stage.ended(), (End::GoodEnough, Trigger::NoFinalReview));
}
