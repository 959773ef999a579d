//! Rounds in which neither role produced anything: what is asked, what each answer does, and that there is an end to it.

use gapless_agents::Request;
use gapless_domain::gap::GapState;
use gapless_domain::phase::End;
use gapless_domain::severity::Severity;
use gapless_domain::task::Role;
use gapless_mediator::{GapCommand, UserInput};
use gapless_runner::Stopped;
use gapless_session::figures::Figures;

use crate::stage::{Stage, engineer, gap_id, labels, with_config};

const GAPS: [(&str, &str, &str); 2] = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")];

/// A round in which the Engineer has nothing and is skipped, up to the question on it.
async fn empty(gaps: &[(&str, &str, &str)]) -> Stage {
    let mut stage = with_config(gaps, |met| met.config.max_retries = 1)
        .writes(Role::Engineer, 1, 0, "nonsense")
        .answer("inventory", "begin", &[])
        .answer("escalation", "skip", &[]);
    stage.run_strictly().await;
    stage
}

#[tokio::test(start_paused = true)]
async fn a_round_that_produced_nothing_is_put_to_the_user() {
    let stage = empty(&GAPS).await;
    let question = stage.pending("both_empty");
    let mut text = format!("{}\n\n{}\n\n", question.title, question.context);
    for choice in &question.options {
        text += &format!("{}: {}: {}\n", choice.label, choice.text, choice.effect);
    }
    insta::assert_snapshot!("both_empty", text);
    assert!(question.options[0].recommended);
}

#[tokio::test(start_paused = true)]
async fn retried_with_fresh_context_once_then_written_by_a_human_once() {
    let mut stage =
        empty(&GAPS)
            .await
            .answer("escalation", "skip", &[])
            .answer("escalation", "skip", &[]);
    stage.tell("both_empty", "retry", &[]).unwrap();
    assert_eq!(stage.gap("GAP-API-001"), GapState::InProgress);
    stage.run_strictly().await;
    let prompts = stage.prompts(Role::Engineer, 1);
    assert_eq!(prompts.len(), 4);
    assert_eq!(prompts[2], prompts[0], "nothing of what went before");
    let question = stage.pending("both_empty");
    assert_eq!(
        labels(&question),
        ["human", "defer", "close", "go_on", "pause", "abandon"]
    );
    let recommended: Vec<&str> = question
        .options
        .iter()
        .filter(|choice| choice.recommended)
        .map(|choice| choice.label.as_str())
        .collect();
    assert_eq!(recommended, ["go_on"]);

    let mut stage = stage.answer("escalation", "skip", &[]);
    stage.tell("both_empty", "human", &[]).unwrap();
    stage.run_strictly().await;
    let agents: Vec<_> = stage
        .events("task.started")
        .iter()
        .map(|event| event["task"]["agent"].clone())
        .collect();
    assert_eq!(
        agents,
        ["actor", "actor", "actor", "actor", "human", "human"]
    );
    assert_eq!(
        labels(&stage.pending("both_empty")),
        ["defer", "close", "go_on", "pause", "abandon"]
    );
    stage.tell("both_empty", "go_on", &[]).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.events("round.accounted")[0]["signal"], "not_judged");
}

#[tokio::test(start_paused = true)]
async fn what_a_human_writes_is_checked_and_reviewed_like_any_proposal() {
    let mut stage = empty(&GAPS)
        .await
        .when(Role::Engineer, 1, 0, |request: &Request| {
            Ok(Some(match request.task.slot.index {
                0 => "nonsense".to_owned(),
                _ => engineer(request),
            }))
        });
    stage.tell("both_empty", "human", &[]).unwrap();
    let opened = stage.events("task.opened");
    assert_eq!(opened.last().unwrap()["agent"], "human");
    stage.kill();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let started: Vec<_> = stage
        .events("task.started")
        .iter()
        .map(|event| event["task"].clone())
        .collect();
    let by_human: Vec<_> = started
        .iter()
        .filter(|task| task["agent"] == "human")
        .collect();
    assert_eq!(by_human.len(), 1);
    assert_eq!(
        by_human[0]["gaps"],
        serde_json::json!(["GAP-API-001", "GAP-API-002"])
    );
    assert_eq!(stage.events("round.began").len(), 1);
    assert_eq!(
        stage.state().kept.setup.agents[&Role::Engineer],
        "actor",
        "for this task only"
    );
    assert!(
        stage
            .summary(1)
            .contains("| Engineer | PARTIAL (1 of 2 tasks) | 3 |"),
        "{}",
        stage.summary(1)
    );
}

#[tokio::test(start_paused = true)]
async fn a_human_that_cannot_write_gives_way_to_another_agent() {
    let mut stage = empty(&GAPS)
        .await
        .when(Role::Engineer, 1, 0, |request: &Request| {
            match (request.task.slot.index, request.task.attempt) {
                (1, 1..=3) => crate::stage::could_not_run(None),
                _ => Ok(Some(engineer(request))),
            }
        });
    stage.tell("both_empty", "human", &[]).unwrap();
    let mut stage = stage.answer("agent_cannot_run", "another", &[("agent", "cmd:other")]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let agents: Vec<_> = stage
        .events("task.started")
        .iter()
        .map(|event| event["task"]["agent"].clone())
        .collect();
    assert_eq!(agents[2..6], ["human", "human", "human", "cmd:other"]);
}

#[tokio::test(start_paused = true)]
async fn deferring_or_closing_after_an_empty_round() {
    let mut stage = empty(&GAPS).await;
    stage.refuses(
        "both_empty",
        "defer",
        &[("gaps", "GAP-API-002")],
        "needs the field `reason`",
    );
    stage.refuses(
        "both_empty",
        "close",
        &[("gaps", "GAP-NOPE-001"), ("reason", "no")],
        "there is no gap",
    );
    stage
        .tell(
            "both_empty",
            "defer",
            &[("gaps", "GAP-API-002"), ("reason", "not now")],
        )
        .unwrap();
    stage.run_strictly().await;
    assert_eq!(stage.gap("GAP-API-002"), GapState::UserDeferred);
    assert_eq!(
        stage.gap("GAP-API-001"),
        GapState::Accepted,
        "the next round took it"
    );

    let mut stage = empty(&GAPS).await;
    stage
        .tell(
            "both_empty",
            "close",
            &[
                ("gaps", "GAP-API-001 GAP-API-002"),
                ("reason", "out of scope"),
            ],
        )
        .unwrap();
    // No open gaps: the termination check, and with it the final review.
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.prompts(Role::FinalReviewer, 1).len(), 1);
    assert_eq!(
        stage.decisions(),
        [
            "closing GAP-API-001: out of scope",
            "closing GAP-API-002: out of scope"
        ]
    );

    let mut stage = empty(&[("GAP-API-001", "CRITICAL", "")]).await;
    stage.refuses(
        "both_empty",
        "close",
        &[("gaps", "GAP-API-001"), ("reason", "no")],
        "closing it needs the sentence",
    );
}

#[tokio::test(start_paused = true)]
async fn all_deferred_after_an_empty_round_they_are_all_put_to_the_user() {
    let mut stage = empty(&GAPS).await;
    stage
        .tell(
            "both_empty",
            "defer",
            &[("gaps", "GAP-API-001, GAP-API-002"), ("reason", "not now")],
        )
        .unwrap();
    stage.run_strictly().await;
    let question = stage.pending("nothing_to_plan");
    assert!(labels(&question).contains(&"resume"));
    for gap in ["GAP-API-001", "GAP-API-002"] {
        assert!(question.context.contains(gap), "{}", question.context);
    }
}

#[tokio::test(start_paused = true)]
async fn pausing_and_abandoning_after_an_empty_round() {
    let mut stage = empty(&GAPS).await;
    stage.tell("both_empty", "pause", &[]).unwrap();
    assert_eq!(stage.run_strictly().await, Stopped::Paused);
    stage.kill();
    stage.say(UserInput::Resume).unwrap();
    stage.run_strictly().await;
    assert_eq!(labels(&stage.pending("both_empty")).len(), 7);
    stage.tell("both_empty", "abandon", &[]).unwrap();
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Abandoned));
}

#[tokio::test(start_paused = true)]
async fn empty_rounds_go_on_to_the_round_limit_and_no_further() {
    // Another failure in every round: one that stays the same would be asked about.
    let mut stage = with_config(&GAPS, |met| met.config.max_rounds = Some(3)).when(
        Role::Engineer,
        0,
        0,
        |request| {
            Ok(match request.task.round {
                1 => Some("nonsense".to_owned()),
                2 => Some(" ".to_owned()),
                _ => None,
            })
        },
    );
    // The user skips, retries once, skips, and goes on; until the limit, which a policy meets.
    for _ in 1..=3 {
        stage = stage
            .answer("escalation", "skip", &[])
            .answer("both_empty", "retry", &[])
            .answer("escalation", "skip", &[])
            .answer("both_empty", "go_on", &[]);
    }
    stage.run().await;
    assert_eq!(stage.events("round.began").len(), 3);
    assert_eq!(stage.prompts(Role::Engineer, 3).len(), 6);
    assert_eq!(stage.kinds().last(), Some(&"round_limit"));
    assert_eq!(stage.ended().0, End::MaxRounds);
    // Nothing was reviewed, so nothing says that the session got any nearer to its end.
    let status = stage.status();
    assert!(
        status.contains("- **Convergence:** not judged: nothing was reviewed\n"),
        "{status}"
    );
    assert!(!status.contains("CONVERGING"), "{status}");
    let figures = Figures::of(stage.state());
    assert_eq!(
        (figures.progress.name(), figures.progress.judged_rounds),
        ("NOT_JUDGED", 0)
    );
}

#[tokio::test(start_paused = true)]
async fn a_round_in_which_nothing_was_reviewed_is_not_called_converging() {
    // The Engineer only says what it waits for, and the user closes a gap meanwhile.
    let blocked = |request: &Request| {
        let markers = request.gaps.iter();
        let markers = markers.map(|gap| format!("BLOCKED_NEEDS_INPUT: {gap} whose limit it is\n"));
        Ok(Some(markers.collect()))
    };
    let mut stage = with_config(&GAPS, |met| met.config.gaps_per_round = 1)
        .when(Role::Engineer, 1, 0, blocked)
        .answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    stage
        .gap_command(GapCommand::Close {
            gap: gap_id("GAP-API-002"),
            reason: "out of scope".into(),
            sentence: None,
        })
        .unwrap();
    stage.run().await;
    let accounted = &stage.events("round.accounted")[0];
    assert_eq!(accounted["weighted_net"], 1);
    assert_eq!(accounted["signal"], "not_judged");
    let summary = stage.summary(1);
    assert!(
        summary.contains("- Convergence: not judged: nothing was reviewed\n"),
        "{summary}"
    );
}

#[tokio::test(start_paused = true)]
async fn gaps_that_the_user_closes_while_the_engineer_fails_end_the_round() {
    let mut stage = with_config(&GAPS, |met| met.config.max_retries = 0)
        .writes(Role::Engineer, 1, 0, "nonsense")
        .answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    let escalation = stage.pending("escalation").id;
    for (gap, _, _) in GAPS {
        stage
            .gap_command(GapCommand::Close {
                gap: gap_id(gap),
                reason: "out of scope".into(),
                sentence: None,
            })
            .unwrap();
    }
    assert!(
        !stage.state().now.questions.contains_key(&escalation),
        "what it was about is gone"
    );
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn a_warning_without_a_review_that_is_cleared_is_not_called_converging() {
    let blocked = |request: &Request| {
        let gap = &request.gaps[0];
        Ok(Some(format!(
            "BLOCKED_NEEDS_INPUT: {gap} whose limit it is\n"
        )))
    };
    let mut stage = with_config(&GAPS[..1], |_| {})
        .when(Role::Engineer, 1, 0, blocked)
        .answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    stage
        .gap_command(GapCommand::Add {
            category: "API".to_owned(),
            severity: Severity::Critical,
            description: "nobody says who is limited".to_owned(),
            section: None,
        })
        .unwrap();
    stage.tell("blocked_gap", "go_on", &[]).unwrap();
    stage.run_strictly().await;
    assert!(
        stage
            .status()
            .contains("**State:** DIVERGENCE_WARNING (NEW_CRITICAL)")
    );
    stage.tell("divergence", "accept", &[]).unwrap();
    let status = stage.status();
    assert!(
        status.contains("**State:** not judged: nothing was reviewed"),
        "{status}"
    );
}
