//! Ended sessions that are taken up again: what goes on, what counts anew, and that the end stays in the record.

use gapless_domain::gap::GapState;
use gapless_domain::phase::{End, Phase, Trigger};
use gapless_domain::task::Role;
use gapless_domain::{Severity, TextHash};
use gapless_mediator::{GapCommand, IssueCommand, Refusal, RunSettings, UserInput};
use gapless_runner::Stopped;
use gapless_session::State;

use crate::stage::{Stage, gap_id, issue, stage, with_config};

fn one_gap() -> [(&'static str, &'static str, &'static str); 1] {
    [("GAP-API-001", "MEDIUM", "")]
}

fn add(description: &str) -> GapCommand {
    GapCommand::Add {
        category: "API".to_owned(),
        severity: Severity::Medium,
        description: description.to_owned(),
        section: Some("Limits".to_owned()),
    }
}

fn reopen(gap: &str) -> GapCommand {
    GapCommand::Reopen {
        gap: gap_id(gap),
        reason: "the limit is wrong".to_owned(),
    }
}

/// What a kind of end is come to by.
async fn ended_as(end: End) -> Stage {
    let mut stage = match end {
        End::Complete => stage(&one_gap()),
        End::GoodEnough | End::UserApproved | End::Abandoned => {
            let severity = match end {
                End::UserApproved => "HIGH",
                _ => "LOW",
            };
            let mut stage = stage(&[("GAP-API-001", severity, "")]);
            stage.run_to_role(Role::Engineer).await;
            match end {
                End::Abandoned => stage.say(UserInput::Abandon).unwrap(),
                _ => {
                    stage.say(UserInput::Stop).unwrap();
                    let reasons = [("high", "I acknowledge"), ("GAP-API-001", "later")];
                    let fields: &[_] = match end {
                        End::UserApproved => &reasons,
                        _ => &[],
                    };
                    stage.tell("stop", "accept", fields).unwrap();
                }
            }
            stage
        }
        End::MaxRounds => with_config(
            &[one_gap()[0], ("GAP-API-002", "LOW", "GAP-API-001")],
            |met| met.config.max_rounds = Some(1),
        ),
        End::StallExit => with_config(&[("GAP-API-001", "LOW", "")], |met| {
            met.config.stall_threshold = Some(1);
        })
        .when(Role::Reviewer, 1, 0, |request| {
            Ok(Some(issue(
                &request.gaps[0],
                "High Priority",
                "ISSUE-R1-001",
            )))
        })
        .answer("inventory", "begin", &[])
        .answer("divergence", "force_complete", &[])
        .answer(
            "stop",
            "accept",
            &[("high", "I acknowledge"), ("GAP-API-001", "later")],
        ),
    };
    if stage.state().kept.ended.is_none() {
        stage.run().await;
    }
    assert_eq!(stage.ended().0, end);
    stage
}

const ENDS: [End; 6] = [
    End::Complete,
    End::GoodEnough,
    End::UserApproved,
    End::MaxRounds,
    End::StallExit,
    End::Abandoned,
];

#[tokio::test(start_paused = true)]
async fn each_kind_of_end_can_be_gone_on_from_to_another_end() {
    for end in ENDS {
        let mut stage = ended_as(end).await;
        let before = stage.state().clone();
        stage.say(UserInput::Reopen).unwrap();
        assert_eq!(stage.state().kept.ended, None);
        assert_eq!(stage.state().chapter(), 2);
        assert_eq!(stage.state().kept.chapters[0].end, end);
        assert_eq!(stage.state().now.gaps, before.now.gaps, "{end}");
        assert_eq!(stage.say(UserInput::Reopen), Err(Refusal::NotEnded));
        stage
            .gap_command(add("nothing says what a refused caller gets"))
            .unwrap();
        let added = before.now.gaps.len() + 1;
        assert_eq!(stage.state().now.gaps.len(), added, "{end}");
        stage.say(UserInput::Resume).unwrap();
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete), "{end}");
        assert!(stage.state().now.gaps_left() == 0, "{end}");
        let ends = stage.events("session.ended");
        assert_eq!(ends.len(), 2, "{end}: the first end stays in the record");
        assert_eq!(ends[0]["end"], end.name());
        let before = stage.state().clone();
        stage.kill();
        assert_eq!(*stage.state(), before, "the log gives the same session");
    }
}

#[tokio::test(start_paused = true)]
async fn a_chapter_in_which_nothing_changes_comes_to_the_same_end() {
    let mut stage = ended_as(End::Complete).await;
    let spec = stage.spec();
    stage.say(UserInput::Reopen).unwrap();
    let reviews = stage.prompts(Role::FinalReviewer, 1).len();
    stage.say(UserInput::Resume).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.spec(), spec);
    let again = stage.prompts(Role::FinalReviewer, 1).len();
    assert_eq!(again, reviews + 1, "it is reviewed once more");
    assert_eq!(stage.events("round.began").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn it_rests_until_it_is_resumed() {
    let mut stage = ended_as(End::Complete).await;
    stage.gap_command(reopen("GAP-API-001")).unwrap();
    let calls = stage.events("task.started").len();
    assert_eq!(stage.run().await, Stopped::Paused);
    assert_eq!(stage.events("task.started").len(), calls);
    assert_eq!(stage.state().now.phase, Phase::Round);
}

type Command = fn(&mut Stage) -> Result<(), Refusal>;

/// What changes something of a session.
const COMMANDS: [(&str, Command); 4] = [
    ("gap add", |stage| {
        stage.gap_command(add("retries are not said"))
    }),
    ("gap reopen", |stage| {
        stage.gap_command(reopen("GAP-API-001"))
    }),
    ("gap severity", |stage| {
        stage.gap_command(GapCommand::Severity {
            gap: gap_id("GAP-API-001"),
            severity: Severity::High,
            reason: "money is at stake".to_owned(),
        })
    }),
    ("rollback", |stage| stage.roll_back(0, "all of it is wrong")),
];

#[tokio::test(start_paused = true)]
async fn commands_that_change_something_take_the_session_up_again() {
    for (name, command) in COMMANDS {
        let mut stage = ended_as(End::Complete).await;
        command(&mut stage).unwrap();
        assert_eq!(stage.state().chapter(), 2, "{name}");
        assert_eq!(stage.events("session.reopened").len(), 1, "{name}");
        stage.say(UserInput::Resume).unwrap();
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete), "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_command_that_is_refused_leaves_the_end_as_it_is() {
    let mut stage = ended_as(End::Complete).await;
    let before = stage.state().clone();
    let unknown = stage.gap_command(reopen("GAP-API-009"));
    assert_eq!(unknown, Err(Refusal::UnknownGap(gap_id("GAP-API-009"))));
    let unknown = stage.say(UserInput::Issue {
        command: IssueCommand::Waive {
            issue: "ISSUE-R1-009".parse().unwrap(),
            reason: "it is small".to_owned(),
        },
    });
    assert!(unknown.is_err());
    for said in [UserInput::Pause, UserInput::Resume, UserInput::Stop] {
        assert_eq!(stage.say(said), Err(Refusal::Ended(End::Complete)));
    }
    assert_eq!(*stage.state(), before);
}

#[tokio::test(start_paused = true)]
async fn a_wrong_resolution_is_worked_on_again_with_the_reason() {
    let mut stage = ended_as(End::Complete).await;
    stage.gap_command(reopen("GAP-API-001")).unwrap();
    assert_eq!(stage.gap("GAP-API-001"), GapState::NeedsRevision);
    stage.say(UserInput::Resume).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let prompt = &stage.prompts(Role::Engineer, 2)[0];
    assert!(prompt.contains("the limit is wrong"), "{prompt}");
}

fn tight(met: &mut RunSettings) {
    met.config.max_rounds = Some(2);
    met.config.max_rollbacks_session = 1;
}

#[tokio::test(start_paused = true)]
async fn rounds_and_rollbacks_count_anew() {
    let mut stage = with_config(&one_gap(), tight);
    stage.run_to_round(1).await;
    stage.roll_back(0, "the plan was wrong").unwrap();
    assert_eq!(stage.state().rollbacks_left(), 0);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    stage.gap_command(reopen("GAP-API-001")).unwrap();
    assert_eq!(stage.state().rollbacks_left(), 1);
    stage.say(UserInput::Resume).unwrap();
    stage.run_to_round(2).await;
    assert_eq!(
        stage.state().limits().max_rounds,
        3,
        "two rounds after the first"
    );
    assert_eq!(
        stage.state().round_limit_words(),
        "set to 2 by you after round 1, where this chapter began"
    );
    stage.roll_back(1, "the second plan was wrong too").unwrap();
    assert_eq!(stage.state().rollbacks_left(), 0);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn a_round_of_an_earlier_chapter_can_be_undone() {
    let gaps = [one_gap()[0], ("GAP-API-002", "LOW", "GAP-API-001")];
    let mut stage = stage(&gaps);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.state().now.round.number, 2);
    stage.roll_back(1, "the second round was wrong").unwrap();
    assert_eq!(stage.state().now.round.number, 1);
    assert_eq!(stage.gap("GAP-API-002"), GapState::Open);
    assert_eq!(stage.state().chapter(), 2);
    stage.say(UserInput::Resume).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn budgets_count_anew() {
    let mut stage = stage(&one_gap()).uses(100, 100, 7);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let used = gapless_session::spending::total_usage(stage.state()).tokens();
    stage.gap_command(reopen("GAP-API-001")).unwrap();
    stage.say(UserInput::Resume).unwrap();
    stage.configure(|config| config.budget_tokens = Some(used));
    assert_eq!(gapless_session::spending::spent(stage.state()), None);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn what_was_accepted_as_left_open_is_open_again() {
    let mut stage = ended_as(End::UserApproved).await;
    stage.say(UserInput::Reopen).unwrap();
    let in_force = |state: &State| {
        let decisions = state.now.decisions.iter();
        decisions
            .filter(|decision| decision.lifted.is_none())
            .count()
    };
    assert_eq!(in_force(stage.state()), 0);
    stage.say(UserInput::Resume).unwrap();
    stage.run_to_role(Role::Engineer).await;
    stage.say(UserInput::Stop).unwrap();
    stage.refuses("stop", "accept", &[], "the field `high` must be exactly");
}

#[tokio::test(start_paused = true)]
async fn a_session_that_ended_before_its_first_round_goes_back_to_its_inventory() {
    let mut stage = stage(&one_gap()).answer("inventory", "abandon", &[]);
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Abandoned));
    stage.say(UserInput::Reopen).unwrap();
    assert_eq!(stage.state().now.phase, Phase::Inventory);
    stage.say(UserInput::Resume).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn the_refined_spec_of_a_chapter_is_known_as_one_that_may_be_replaced() {
    let mut stage = ended_as(End::Complete).await;
    let refined = TextHash::of(&stage.spec());
    let source = stage.state().kept.origin.as_ref().unwrap().source;
    assert_eq!(stage.state().known_specs(), [source]);
    stage.say(UserInput::Reopen).unwrap();
    assert_eq!(stage.state().known_specs(), [source, refined]);
}

#[tokio::test(start_paused = true)]
async fn the_record_says_what_became_of_each_chapter() {
    let mut stage = ended_as(End::MaxRounds).await;
    stage.say(UserInput::Reopen).unwrap();
    stage.say(UserInput::Resume).unwrap();
    stage.run().await;
    assert_eq!(stage.ended(), (End::Complete, Trigger::FinalReviewReady));
    let status = stage.status();
    let chapter = "- Chapter 1 ended after round 1 as MAX_ROUNDS: the round limit was reached. It was taken up again at ";
    assert!(status.contains("\n## Earlier chapters\n"), "{status}");
    assert!(status.contains(chapter), "{status}");
}
