//! Agents that would get past the user: they bring up again what the user has decided, propose what the user turned down, or go
//! on while a question waits. None of them reaches an end that would be false.

use gapless_domain::gap::GapState;
use gapless_domain::ids::GapId;
use gapless_domain::issue::IssueState;
use gapless_domain::phase::End;
use gapless_domain::severity::Severity::High;
use gapless_domain::task::Role;
use gapless_mediator::{GapCommand, UserInput};
use gapless_runner::Stopped;

use crate::flags::{ONE, passed_over};
use crate::quarrel::{GAP, ISSUE, Raised, audit, disagree, review};
use crate::stage::{Stage, gap_id, labels, no_issues, resolution, stage};
use crate::writing::{engineer, meeting};

/// Runs until a round has been accounted for, and is interrupted there.
async fn run_through(stage: &mut Stage, round: u32) {
    stage
        .run_until(move |state| state.now.round.number == round && state.now.round.accounted)
        .await;
}

/// The Engineer disagrees in round 2, the Reviewer holds on, and the user decides for the Engineer. The gap is accepted by that;
/// then the user reopens it.
async fn decided_and_reopened() -> Stage {
    let mut stage = stage(&[(GAP, "HIGH", ""), ("GAP-API-002", "LOW", "")])
        .when(Role::Reviewer, 1, 0, |r| {
            let others = r.gaps.iter().skip(1).map(no_issues);
            let first = review(&r.gaps[0], &[audit(High)]);
            Ok(Some(first + &others.collect::<String>()))
        })
        .when(Role::Engineer, 2, 0, |r| {
            let block = disagree(
                &audit(High),
                "Audits are another service's.",
                "It has them.",
            );
            Ok(Some(resolution(&r.gaps[0], "None") + &block))
        })
        .when(Role::Reviewer, 2, 0, |r| {
            Ok(Some(review(&r.gaps[0], &[audit(High)])))
        })
        .answer("inventory", "begin", &[])
        .answer("conflict", "B", &[("rationale", "one audit is enough")]);
    run_through(&mut stage, 2).await;
    assert_eq!(stage.issue(ISSUE), IssueState::Decided);
    let (gap, reason) = (gap_id(GAP), "say the unit".to_owned());
    stage
        .gap_command(GapCommand::Reopen { gap, reason })
        .unwrap();
    stage
}

/// The same; in round 3 the Reviewer raises what was decided under a new id.
async fn decided_and_raised_again() -> Stage {
    let stage = decided_and_reopened().await;
    stage.when(Role::Reviewer, 3, 0, |r| {
        let raised = Raised {
            id: "ISSUE-R3-001".to_owned(),
            ..audit(High)
        };
        Ok(Some(review(&r.gaps[0], &[raised])))
    })
}

/// The same; in round 3 the Engineer proposes what was turned down.
async fn decided_and_adopted() -> Stage {
    let stage = decided_and_reopened().await;
    stage.when(Role::Engineer, 3, 0, |r| {
        let adopts = "For each refusal a signed journal entry is appended to the ledger.";
        let unit = "The unit is requests per second; say the unit.";
        let own = |gap: &GapId| match gap.to_string() == GAP {
            true => meeting(gap, &[adopts.to_owned(), unit.to_owned()]),
            false => resolution(gap, "None"),
        };
        Ok(Some(r.gaps.iter().map(own).collect()))
    })
}

#[tokio::test(start_paused = true)]
async fn a_decided_matter_under_a_new_id_opens_nothing_and_is_asked_about() {
    for (option, state) in [
        ("keep", IssueState::Decided),
        ("change", IssueState::Closed),
    ] {
        let stage = decided_and_raised_again().await;
        let mut stage = stage.answer("decided_matter", option, &[]);
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete), "{option}");
        let asked = stage.put("decided_matter");
        assert_eq!(asked.len(), 1, "{option}: {:?}", stage.kinds());
        assert_eq!(labels(asked[0]), ["keep", "change"]);
        assert!(
            asked[0].context.contains("one audit is enough"),
            "{}",
            asked[0].context
        );
        assert_eq!(stage.events("issue.raised").len(), 1, "no issue of its own");
        assert_eq!(stage.issue(ISSUE), state, "{option}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_on_a_decided_matter_is_withdrawn_when_the_user_closes_its_gap() {
    let mut stage = decided_and_raised_again().await;
    stage.later = vec!["decided_matter"];
    run_through(&mut stage, 3).await;
    let question = stage.pending("decided_matter").id;
    let close = GapCommand::Close {
        gap: gap_id(GAP),
        reason: "the gateway has it".to_owned(),
        sentence: None,
    };
    stage.gap_command(close).unwrap();
    assert!(!stage.state().now.questions.contains_key(&question));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let issues = &stage.state().now.issues;
    assert!(issues.values().all(|issue| !issue.state.stands()));
    assert_eq!(stage.gap(GAP), GapState::WontFix);
}

#[tokio::test(start_paused = true)]
async fn a_proposal_that_adopts_what_was_turned_down_holds_its_gap() {
    for (option, end_of_decision) in [("revise", false), ("fits", false), ("change", true)] {
        let stage = decided_and_adopted().await;
        let mut stage = stage.answer("contradiction", option, &[]);
        stage.run().await;
        let asked = stage.put("contradiction");
        assert!(!asked.is_empty(), "{option}: {:?}", stage.kinds());
        assert_eq!(labels(asked[0]), ["revise", "fits", "change"]);
        let lifted = !stage.events("decision.lifted").is_empty();
        assert_eq!(lifted, end_of_decision, "{option}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_proposal_that_is_to_be_revised_is_planned_though_nothing_else_is_open() {
    let stage = decided_and_adopted().await;
    let mut stage = stage.when(Role::Engineer, 4, 0, |r| Ok(Some(engineer(r))));
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    stage.pending("nothing_to_plan");
    stage.tell("contradiction", "revise", &[]).unwrap();
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.events("round.began").len(), 4);
    assert!(!stage.spec().contains("signed journal entry"));
}

#[tokio::test(start_paused = true)]
async fn a_flag_that_was_put_to_the_user_waits_for_the_user() {
    let mut stage = passed_over(&ONE, "Critical Issues").answer("divergence", "accept", &[]);
    let stopped = stage.run_strictly().await;
    let question = stage.pending("implicit_disagreement");
    assert_eq!(
        stopped,
        Stopped::Waiting(vec![question.id]),
        "{:?}",
        stage.kinds()
    );
    assert_eq!(
        stage.issue(ISSUE),
        IssueState::Closed,
        "answered in round 3"
    );
    assert!(labels(&question).contains(&"settled"));
    stage.tell("implicit_disagreement", "settled", &[]).unwrap();
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn a_flag_answered_again_after_its_round_opens_the_issue_and_decides_nothing() {
    for round in [2, 3] {
        let mut stage = passed_over(&ONE, "Critical Issues");
        stage.later = vec!["implicit_disagreement"];
        run_through(&mut stage, round).await;
        stage.tell("implicit_disagreement", "again", &[]).unwrap();
        assert_eq!(stage.issue(ISSUE), IssueState::Open, "round {round}");
        assert_eq!(stage.gap(GAP), GapState::NeedsRevision, "round {round}");
        let decisions = stage.decisions();
        assert!(
            decisions.iter().all(|line| line.starts_with("scope")),
            "{decisions:?}"
        );
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    }
}

#[tokio::test(start_paused = true)]
async fn a_grave_issue_on_a_lesser_gap_is_no_good_enough_end() {
    let mut stage = stage(&[(GAP, "LOW", "")])
        .when(Role::Reviewer, 0, 0, |r| {
            Ok(Some(review(&r.gaps[0], &[audit(High)])))
        })
        .answer("inventory", "begin", &[]);
    stage.run_to_round(2).await;
    stage.say(UserInput::Stop).unwrap();
    let question = stage.pending("stop");
    assert_eq!(question.about.subject(), End::UserApproved.to_string());
}

#[tokio::test(start_paused = true)]
async fn a_stop_is_withdrawn_where_a_critical_conflict_comes_up() {
    let mut stage = passed_over(&ONE, "Critical Issues");
    stage.later = vec!["implicit_disagreement"];
    run_through(&mut stage, 2).await;
    stage.say(UserInput::Stop).unwrap();
    stage.pending("stop");
    stage.tell("implicit_disagreement", "convert", &[]).unwrap();
    stage.pending("conflict");
    let questions = stage.state().now.questions.values();
    let kinds: Vec<&str> = questions.map(|question| question.about.kind()).collect();
    assert!(!kinds.contains(&"stop"), "{kinds:?}");
}
