//! Rolling back, killing and going on, and what other processes say.

use gapless_domain::gap::GapState;
use gapless_domain::phase::End;
use gapless_domain::question::{Answer, DecidedBy};
use gapless_domain::rollback::RollbackMode;
use gapless_domain::task::Role;
use gapless_domain::time::Time;
use gapless_mediator::{GapCommand, Refusal, UserInput};
use gapless_runner::{LetterOutcome, Stopped};
use gapless_store::Store;

use crate::stage::{Stage, gap_id, issue, resolution, stage, with_config};

/// Two rounds with a new gap and an issue in round 2, paused before round 3.
async fn two_rounds() -> Stage {
    let mut stage = stage(&[
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "LOW", "GAP-API-001"),
    ])
    .when(Role::Engineer, 2, 0, |request| {
        Ok(Some(resolution(
            &request.gaps[0],
            "- GAP-SEC-001 [CRITICAL]: no authentication",
        )))
    })
    .when(Role::Reviewer, 2, 0, |r| {
        Ok(Some(issue(&r.gaps[0], "High Priority", "ISSUE-R2-001")))
    })
    .answer("divergence", "pause", &[]);
    assert_eq!(stage.run().await, Stopped::Paused);
    stage
}

#[tokio::test(start_paused = true)]
async fn a_rollback_restores_the_round_before_and_issues_no_id_twice() {
    let mut stage = two_rounds().await;
    assert_eq!(stage.state().now.gaps.len(), 3);
    let gone = stage.roll_back(7, "no");
    assert_eq!(
        gone,
        Err(Refusal::NoCheckpoint {
            to: 7,
            why: "the session is in round 2".into(),
            available: "0, 1".into()
        })
    );
    stage.roll_back(1, "too broad").unwrap();
    assert_eq!(stage.state().now.gaps.len(), 2);
    assert_eq!(stage.gap("GAP-API-001"), GapState::Accepted);
    assert_eq!(stage.state().now.round.number, 1);
    stage.say(UserInput::Resume).unwrap();
    let mut stage = stage;
    stage.run().await;
    let created: Vec<_> = stage
        .events("gap.created")
        .iter()
        .map(|e| e["gap"]["id"].to_string())
        .collect();
    assert_eq!(created.last().unwrap(), "\"GAP-SEC-002\"");
    let raised: Vec<_> = stage
        .events("issue.raised")
        .iter()
        .map(|e| e["id"].to_string())
        .collect();
    assert_eq!(raised, ["\"ISSUE-R2-001\"", "\"ISSUE-R2-002\""]);
}

#[tokio::test(start_paused = true)]
async fn a_question_of_an_undone_round_refuses_a_late_answer_with_the_reason() {
    let mut stage = two_rounds().await;
    stage.say(UserInput::Resume).unwrap();
    let stopped = stage.run_strictly().await;
    let Stopped::Waiting(questions) = stopped else {
        panic!("{stopped:?}")
    };
    stage.roll_back(1, "too broad").unwrap();
    let answer = Answer::of("accept", DecidedBy::User);
    let refused = stage
        .say(UserInput::Answer {
            question: questions[0],
            answer,
        })
        .unwrap_err()
        .to_string();
    assert_eq!(
        refused,
        format!("{} was withdrawn: round 2 was rolled back", questions[0])
    );
}

#[tokio::test(start_paused = true)]
async fn killed_while_an_agent_runs_the_session_goes_on_with_the_same_task() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")]);
    stage.killed_after(3).await;
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(
        stage.prompts(Role::Engineer, 1).len(),
        2,
        "the call in flight is done twice"
    );
    assert_eq!(
        stage
            .events("task.started")
            .iter()
            .filter(|e| e["task"]["id"]["round"] == 1)
            .count(),
        3,
        "Engineer, Reviewer and final review, each started once"
    );
}

#[tokio::test(start_paused = true)]
async fn what_other_processes_say_is_taken_once_and_answered() {
    let mut stage = stage(&[("GAP-API-001", "LOW", ""), ("GAP-API-002", "LOW", "")]);
    stage.session.commit().unwrap();
    let post = |stage: &mut Stage, body: &str| {
        stage
            .session
            .store_mut()
            .post("stage", Time(1), body)
            .unwrap()
    };
    let defer = UserInput::Gap {
        command: GapCommand::Defer {
            gap: gap_id("GAP-API-002"),
            reason: "later".into(),
        },
    };
    let good = post(&mut stage, &serde_json::to_string(&defer).unwrap());
    let again = post(&mut stage, &serde_json::to_string(&defer).unwrap());
    let garbage = post(&mut stage, "{}");
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let outcome = |stage: &Stage, id: i64| -> LetterOutcome {
        let letter = stage.session.store().letter(id).unwrap().unwrap();
        serde_json::from_str(&letter.outcome.unwrap()).unwrap()
    };
    assert_eq!(outcome(&stage, good), LetterOutcome::Taken);
    let why = "GAP-API-002: a gap that is USER_DEFERRED cannot be deferred".to_owned();
    assert_eq!(outcome(&stage, again), LetterOutcome::Refused { why });
    assert!(matches!(
        outcome(&stage, garbage),
        LetterOutcome::Refused { .. }
    ));
    assert_eq!(stage.gap("GAP-API-002"), GapState::UserDeferred);
}

#[tokio::test(start_paused = true)]
async fn paused_work_is_ended_and_taken_up_again() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")]);
    stage.session.commit().unwrap();
    let pause = serde_json::to_string(&UserInput::Pause).unwrap();
    stage
        .session
        .store_mut()
        .post("stage", Time(1), &pause)
        .unwrap();
    assert_eq!(stage.run().await, Stopped::Paused);
    assert_eq!(stage.say(UserInput::Pause), Err(Refusal::AlreadyPaused));
    stage.say(UserInput::Resume).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn a_reopened_gap_carries_the_users_words_as_an_obligation() {
    let mut stage = stage(&[
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "LOW", "GAP-API-001"),
    ]);
    stage.killed_after(25).await;
    assert_eq!(stage.gap("GAP-API-001"), GapState::Accepted);
    stage
        .gap_command(GapCommand::Reopen {
            gap: gap_id("GAP-API-001"),
            reason: "say it per account".into(),
        })
        .unwrap();
    assert_eq!(stage.gap("GAP-API-001"), GapState::NeedsRevision);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert!(stage.prompts(Role::Engineer, 3)[0].contains("say it per account"));
}

#[tokio::test(start_paused = true)]
async fn a_rollback_ends_the_agents_of_the_undone_round() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")]);
    stage.run_to_round(1).await;
    let running = stage.state().running().next().unwrap().id;
    stage.roll_back(0, "stop that").unwrap();
    assert_eq!(stage.state().running().count(), 0);
    let late = stage.output_of(running, "## Gap Resolution: GAP-API-001\n");
    assert_eq!(late, Err(Refusal::StaleTask(running)));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn a_rollback_from_another_process_is_taken_before_the_agent_is_started_again() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")]).takes(Role::Engineer, 0, 0, 300_000);
    let rollback = UserInput::Rollback {
        to: Some(0),
        reason: "the wrong spec".to_owned(),
        adjust: vec!["read section Limits first".to_owned()],
    };
    stage.run_to_round(1).await;
    stage.post(&rollback);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.state().kept.rollbacks.len(), 1);
    let prompts = stage.prompts(Role::Engineer, 1);
    assert!(
        prompts
            .last()
            .unwrap()
            .contains("read section Limits first")
    );
}

/// Each of several Engineers once had the whole of what was undone, so that it came back as many times over.
#[tokio::test(start_paused = true)]
async fn what_is_forced_comes_to_the_review_once_however_many_engineers_there_are() {
    let gaps = [
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "HIGH", ""),
        ("GAP-API-003", "HIGH", ""),
    ];
    let mut stage = with_config(&gaps, |met| {
        met.config.rollback_mode = RollbackMode::Strict;
        met.config.parallel_engineers = 3;
    });
    stage.run_to_review().await;
    let (calls, joined) = (stage.prompts(Role::Engineer, 1).len(), joined(&stage));
    assert_eq!(calls, 3);
    for _ in 0..2 {
        stage.roll_back(0, "it is to be judged as it is").unwrap();
        stage.tell("root_cause", "force", &[]).unwrap();
        stage.run_to_review().await;
        assert_eq!(stage.prompts(Role::Engineer, 1).len(), calls);
        assert_eq!(self::joined(&stage), joined);
    }
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}

/// What the Engineers of the last round that was joined wrote.
fn joined(stage: &Stage) -> String {
    let joined = stage.events("round.joined");
    joined.last().unwrap()["engineer"]
        .as_str()
        .unwrap()
        .to_owned()
}
