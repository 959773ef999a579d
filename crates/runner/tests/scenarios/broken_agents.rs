//! Agents that fail the same way in every attempt of two rounds in a row: the run stops, whoever would have answered.

use gapless_agents::Request;
use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_runner::Stopped;

use crate::stage::{Stage, engineer, labels, resolution, shown, stage, well, with_config};

const GAPS: [(&str, &str, &str); 2] = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")];

/// A session whose role writes nonsense until it is repaired, as a policy runs it.
async fn stopped(role: Role) -> Stage {
    let mut stage = stage(&GAPS).writes(role, 0, 0, "nonsense");
    let stopped = stage.run().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    stage
}

fn calls(stage: &Stage) -> usize {
    stage.events("task.started").len()
}

#[tokio::test(start_paused = true)]
async fn a_broken_engineer_stops_a_policy_in_its_second_round() {
    let stage = stopped(Role::Engineer).await;
    // Three attempts, three more with fresh context, and three in the second round.
    assert_eq!(calls(&stage), 9);
    assert_eq!(stage.events("round.began").len(), 2);
    assert_eq!(stage.kinds().last(), Some(&"broken_agent"));
    let question = stage.pending("broken_agent");
    assert_eq!(question.policy_answer(), None);
    insta::assert_snapshot!("broken_agent", shown(&question));
    let status = stage.status();
    assert!(
        status.contains("**State:** not judged: nothing was reviewed"),
        "{status}"
    );
    assert!(!status.contains("CONVERGING"), "{status}");
}

#[tokio::test(start_paused = true)]
async fn a_broken_reviewer_stops_a_policy_in_its_second_round() {
    let stage = stopped(Role::Reviewer).await;
    assert_eq!(stage.events("round.began").len(), 2);
    let question = stage.pending("broken_agent");
    assert_eq!(question.about.subject(), "reviewer");
    assert_eq!(
        question.title,
        "Is the Reviewer's agent broken? It failed the same way in every attempt of rounds 1 and 2"
    );
}

#[tokio::test(start_paused = true)]
async fn a_repaired_agent_is_asked_anew_and_the_session_goes_on_to_its_end() {
    for role in [Role::Engineer, Role::Reviewer] {
        let mut stage = stopped(role).await;
        stage.tell("broken_agent", "again", &[]).unwrap();
        let mut stage = stage.when(role, 0, 0, |request| Ok(Some(well(request))));
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete), "{role}");
        let prompts = stage.prompts(role, 2);
        assert!(
            prompts[3].starts_with(&format!("# Your task: {role}")),
            "it knows nothing of the failures: {}",
            prompts[3]
        );
        let summary = stage.summary(2);
        assert!(
            summary.contains("| WRONG_FORMAT (asked anew in another task) |"),
            "{summary}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_is_still_broken_is_asked_about_at_once() {
    let mut stage = stopped(Role::Engineer).await;
    let before = calls(&stage);
    stage.tell("broken_agent", "again", &[]).unwrap();
    stage.run().await;
    assert_eq!(calls(&stage), before + 3);
    let question = stage.pending("broken_agent");
    assert!(
        question.context.contains("6 attempts in round 2"),
        "{}",
        question.context
    );
}

#[tokio::test(start_paused = true)]
async fn another_agent_takes_the_role_over() {
    let mut stage = stopped(Role::Engineer).await;
    stage.refuses("broken_agent", "another", &[], "needs the field `agent`");
    stage
        .tell("broken_agent", "another", &[("agent", "cmd:other")])
        .unwrap();
    // What fails is not the same agent any more, so it begins anew.
    stage.run().await;
    assert_eq!(
        stage.pending("broken_agent").title.split(" of ").nth(1),
        Some("rounds 2 and 3")
    );
    let started = stage.events("task.started");
    let of_other = started
        .iter()
        .filter(|it| it["task"]["agent"] == "cmd:other");
    assert_eq!(of_other.count(), 9);
}

#[tokio::test(start_paused = true)]
async fn going_on_asks_what_is_usually_asked_and_the_next_round_asks_again() {
    let mut stage = stopped(Role::Engineer).await;
    stage.tell("broken_agent", "go_on", &[]).unwrap();
    stage.run_strictly().await;
    let question = stage.pending("escalation");
    assert!(labels(&question).contains(&"context"), "{question:?}");
    assert_eq!(question.policy_answer(), None, "it failed before too");
    stage.tell("escalation", "skip", &[]).unwrap();
    stage.run_strictly().await;
    stage.tell("both_empty", "go_on", &[]).unwrap();
    stage.run().await;
    assert_eq!(stage.state().now.round.number, 3);
    stage.pending("broken_agent");
}

#[tokio::test(start_paused = true)]
async fn stopping_and_pausing_at_a_broken_agent() {
    let mut stage = stopped(Role::Engineer).await;
    stage.tell("broken_agent", "stop", &[]).unwrap();
    assert_eq!(labels(&stage.pending("stop")).first(), Some(&"accept"));
    stage.tell("stop", "continue", &[]).unwrap();
    stage.run_strictly().await;
    stage.tell("broken_agent", "pause", &[]).unwrap();
    assert_eq!(stage.run_strictly().await, Stopped::Paused);
    stage.kill();
    stage.say(gapless_mediator::UserInput::Resume).unwrap();
    stage.run_strictly().await;
    stage.pending("broken_agent");
}

#[tokio::test(start_paused = true)]
async fn failing_otherwise_or_working_in_between_is_not_broken() {
    let by_round: [fn(&Request) -> String; 2] = [
        // Another failure in every other round.
        |request| match request.task.round % 2 {
            0 => " ".to_owned(),
            _ => "nonsense".to_owned(),
        },
        // Valid in every other round, for the first of its gaps.
        |request| match request.task.round % 2 {
            0 => resolution(&request.gaps[0], "None"),
            _ => "nonsense".to_owned(),
        },
    ];
    for act in by_round {
        let mut stage = with_config(&GAPS, |met| {
            met.config.max_rounds = Some(4);
            met.config.gaps_per_round = 1;
        })
        .when(Role::Engineer, 0, 0, move |request| Ok(Some(act(request))));
        stage.run().await;
        assert!(
            !stage.kinds().contains(&"broken_agent"),
            "{:?}",
            stage.kinds()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_the_user_took_as_the_best_is_no_failure() {
    let unknown = |request: &Request| {
        engineer(request) + &resolution(&crate::stage::gap_id("GAP-NOPE-009"), "None")
    };
    let mut stage = with_config(&GAPS, |met| met.config.gaps_per_round = 1)
        .when(Role::Engineer, 0, 0, move |request| {
            Ok(Some(unknown(request)))
        })
        .answer("escalation", "best", &[])
        .answer("escalation", "best", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.events("task.best_taken").len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_rollback_forgets_the_failures_that_it_undoes() {
    let mut stage = stopped(Role::Engineer).await;
    stage.roll_back(1, "the agent was broken").unwrap();
    stage.run().await;
    // Round 1 failed the same way, and still stands.
    stage.pending("broken_agent");
    stage.roll_back(0, "the agent was broken").unwrap();
    stage.run_strictly().await;
    stage.pending("escalation");
}

#[tokio::test(start_paused = true)]
async fn an_editor_that_fails_in_two_final_reviews_is_asked_about() {
    let mut stage = with_config(&GAPS, |met| {
        met.agents.insert(Role::Editor, "actor".to_owned());
        met.config.gaps_per_round = 1;
    })
    .writes(Role::Editor, 0, 0, "nonsense")
    // Another text, since the Editor is not given what it was found wanting in.
    .when(Role::Engineer, 3, 0, |request| {
        Ok(Some(engineer(request).replace("100 per", "200 per")))
    })
    .when(Role::FinalReviewer, 0, 0, |request| {
        let blocker = "- **ISSUE-R9-001** [HIGH]: GAP-API-001: the limit is not justified";
        Ok(Some(match request.task.round {
            2 => crate::stage::final_review("NOT_READY", blocker),
            _ => well(request),
        }))
    });
    let at_rest = stage.run().await;
    assert!(matches!(at_rest, Stopped::Waiting(_)), "{at_rest:?}");
    assert_eq!(stage.pending("broken_agent").about.subject(), "editor");
    stage.tell("broken_agent", "go_on", &[]).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn a_final_reviewer_that_fails_in_two_rounds_is_asked_about() {
    let mut stage = stage(&GAPS)
        .writes(Role::FinalReviewer, 0, 0, "nonsense")
        .answer("escalation", "skip", &[])
        .answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    stage
        .gap_command(gapless_mediator::GapCommand::Reopen {
            gap: crate::stage::gap_id("GAP-API-001"),
            reason: "it is not said who is limited".to_owned(),
        })
        .unwrap();
    stage.tell("stop", "continue", &[]).unwrap();
    let mut stage = stage.answer("escalation", "skip", &[]);
    stage.run_strictly().await;
    assert_eq!(
        stage.pending("broken_agent").about.subject(),
        "final_review"
    );
}
