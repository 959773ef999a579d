//! Roles that have nothing left to try: what is offered, what each option does, and that each is offered once.

use gapless_domain::phase::{End, Trigger};
use gapless_domain::task::Role;
use gapless_mediator::UserInput;
use gapless_runner::Stopped;

use crate::stage::{Stage, engineer, gap_id, labels, no_issues, resolution, with_config};
use crate::writing::ASKED_ABOUT;

pub const GAPS: [(&str, &str, &str); 4] = [
    ("GAP-API-001", "HIGH", ""),
    ("GAP-API-002", "LOW", ""),
    ("GAP-API-003", "LOW", ""),
    ("GAP-API-004", "LOW", "GAP-API-002"),
];

/// The first round, or the place of a role that is not of a round.
fn round_of(role: Role) -> u32 {
    match role {
        Role::Analyst => 0,
        _ => 1,
    }
}

/// A session in which a role writes nonsense in its first attempts, with two gaps a round of four.
pub fn failing(role: Role, attempts: u32) -> Stage {
    let stage = with_config(&GAPS, |met| {
        met.config.gaps_per_round = 2;
        met.agents.insert(Role::Analyst, "actor".to_owned());
    })
    .answer("inventory", "begin", &[]);
    let round = match role {
        Role::FinalReviewer => 0,
        role => round_of(role),
    };
    (1..=attempts).fold(stage, |stage, attempt| {
        stage.writes(role, round, attempt, "nonsense")
    })
}

/// The same, up to its question.
async fn escalated(role: Role, attempts: u32) -> Stage {
    let mut stage = failing(role, attempts);
    let stopped = stage.run_strictly().await;
    assert!(
        matches!(stopped, Stopped::Waiting(_)),
        "{role}: {stopped:?}"
    );
    assert_eq!(stage.pending("escalation").about.subject(), role.stem());
    stage
}

fn offered(stage: &Stage) -> Vec<String> {
    let question = stage.pending("escalation");
    labels(&question).into_iter().map(str::to_owned).collect()
}

#[tokio::test(start_paused = true)]
async fn what_is_offered_to_each_role() {
    let mut table = String::new();
    for role in ASKED_ABOUT {
        let stage = escalated(role, 3).await;
        table += &format!("{role}: {}\n", offered(&stage).join(", "));
    }
    insta::assert_snapshot!(table, @"
    Analyst: skip, context, pause
    Engineer: skip, reassign, context, narrow, roll_back, pause
    Reviewer: skip, reassign, context, narrow, roll_back, pause
    Final reviewer: skip, context, roll_back, pause
    ");
}

#[tokio::test(start_paused = true)]
async fn the_question_and_the_status_tell_a_person_what_to_do() {
    let mut stage = failing(Role::Engineer, 3).when(Role::Engineer, 1, 2, |request| {
        Ok(Some(
            engineer(request) + &resolution(&gap_id("GAP-NOPE-009"), "None"),
        ))
    });
    stage.run_strictly().await;
    let question = stage.pending("escalation");
    let mut text = format!("{}\n\n{}\n\n", question.title, question.context);
    for choice in &question.options {
        text += &format!("{}: {}: {}\n", choice.label, choice.text, choice.effect);
    }
    for field in &question.fields {
        text += &format!(
            "{} ({}) [{}]\n",
            field.name,
            field.text,
            field.suggested.as_deref().unwrap_or("")
        );
    }
    insta::assert_snapshot!("question", text);
    insta::assert_snapshot!("status_in_an_escalation", stage.status());
}

#[tokio::test(start_paused = true)]
async fn status_shows_a_round_that_is_under_way() {
    let mut stage = failing(Role::Engineer, 1).takes(Role::Engineer, 0, 2, 1_000);
    stage.killed_after(500).await;
    let status = stage.status();
    let (_, round) = status.split_once("\n## Round 1\n").unwrap();
    let (round, _) = round.split_once("\n## ").unwrap();
    insta::assert_snapshot!(round.trim(), @"
    | Role | Outcome | Attempts | Last failure | Cause |
    |---|---|---|---|---|
    | Engineer | under way (attempt 2) | 1 | WRONG_FORMAT | OUTPUT_FAILURE |
    | Reviewer | to come | 0 | - | - |
    ");
}

#[tokio::test(start_paused = true)]
async fn a_skipped_engineer_is_recorded_and_its_gaps_go_back() {
    let mut stage = escalated(Role::Engineer, 3)
        .await
        .answer("escalation", "skip", &[])
        .answer("both_empty", "go_on", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let summary = stage.summary(1);
    assert!(
        summary.contains("| Engineer | SKIP | 3 | WRONG_FORMAT | OUTPUT_FAILURE |"),
        "{summary}"
    );
    assert!(
        summary.contains("| Reviewer | not needed | 0 | - | - |"),
        "{summary}"
    );
    assert!(
        summary.contains("| GAP-API-001 | HIGH | OPEN | - | - |"),
        "{summary}"
    );
    assert!(
        summary.contains("not judged: a role was skipped"),
        "{summary}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_skipped_reviewer_leaves_the_proposals_and_they_come_first_in_the_next_round() {
    let mut stage = escalated(Role::Reviewer, 3)
        .await
        .answer("escalation", "skip", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let summary = stage.summary(1);
    assert!(
        summary.contains("| Reviewer | SKIP | 3 | WRONG_FORMAT | - |"),
        "{summary}"
    );
    assert!(
        summary.contains("| GAP-API-001 | HIGH | PROPOSED | HIGH | - |"),
        "{summary}"
    );
    let prompt = &stage.prompts(Role::Reviewer, 2)[0];
    assert!(
        prompt.contains("### GAP-API-001") && prompt.contains("### GAP-API-003"),
        "{prompt}"
    );
    assert_eq!(
        stage
            .kinds()
            .iter()
            .filter(|kind| **kind == "both_empty")
            .count(),
        0
    );
}

#[tokio::test(start_paused = true)]
async fn a_skipped_analyst_leaves_what_the_spec_declares() {
    let mut stage = escalated(Role::Analyst, 3)
        .await
        .answer("escalation", "skip", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.state().now.gaps.len(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_skipped_final_review_can_only_be_ended_by_the_user() {
    let mut stage = escalated(Role::FinalReviewer, 3)
        .await
        .answer("escalation", "skip", &[]);
    stage.run_strictly().await;
    stage.tell("stop", "accept", &[]).unwrap();
    assert_eq!(stage.ended(), (End::GoodEnough, Trigger::NoFinalReview));
}

#[tokio::test(start_paused = true)]
async fn context_goes_into_the_prompt_for_one_more_try_and_is_offered_once() {
    for role in ASKED_ABOUT {
        let round = |stage: &Stage| stage.state().now.round.number;
        let mut stage = escalated(role, 3).await;
        stage.refuses(
            "escalation",
            "context",
            &[("context", " ")],
            "needs the field `context`",
        );
        stage
            .tell(
                "escalation",
                "context",
                &[("context", "limits are per account")],
            )
            .unwrap();
        let mut stage = stage.answer("inventory", "begin", &[]);
        let number = round(&stage);
        assert_eq!(
            stage.run_strictly().await,
            Stopped::Ended(End::Complete),
            "{role}"
        );
        let prompts = stage.prompts(role, number);
        assert_eq!(prompts.len(), 4, "{role}");
        let (own, task) = prompts[3].split_once("The task again:\n\n").unwrap();
        assert!(own.contains("This is retry 3 of 3."), "{own}");
        assert!(
            task.contains("## From the user, for this task\n\n-----MARK from the user\nlimits are per account\n-----MARK end\n"),
            "{task}"
        );

        let mut stage = escalated(role, 4).await;
        stage
            .tell(
                "escalation",
                "context",
                &[("context", "limits are per account")],
            )
            .unwrap();
        stage.run_strictly().await;
        assert_eq!(stage.prompts(role, number).len(), 4, "{role}");
        assert!(!offered(&stage).contains(&"context".to_owned()), "{role}");
        assert!(
            stage
                .pending("escalation")
                .title
                .ends_with("after 4 attempts")
        );
    }
}

#[tokio::test(start_paused = true)]
async fn narrowing_tries_the_simplest_alone() {
    for role in [Role::Engineer, Role::Reviewer] {
        let mut stage = escalated(role, 3).await.answer("escalation", "narrow", &[]);
        let narrow = stage
            .pending("escalation")
            .options
            .into_iter()
            .find(|choice| choice.label == "narrow")
            .unwrap();
        assert!(
            narrow
                .effect
                .starts_with("one more try with GAP-API-002 alone; the others "),
            "{}",
            narrow.effect
        );
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete), "{role}");
        let prompt = &stage.prompts(role, 1)[3];
        assert!(
            prompt.contains("### GAP-API-002 [LOW]") && !prompt.contains("### GAP-API-001 ["),
            "{prompt}"
        );
        let summary = stage.summary(1);
        let left = match role {
            Role::Engineer => "| GAP-API-001 | HIGH | OPEN |",
            _ => "| GAP-API-001 | HIGH | PROPOSED |",
        };
        assert!(summary.contains(left), "{summary}");
        assert!(
            summary.contains("| GAP-API-002 | LOW | ACCEPTED |"),
            "{summary}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn rolling_back_runs_the_round_again_with_all_options() {
    for role in [Role::Engineer, Role::Reviewer, Role::FinalReviewer] {
        let mut stage = escalated(role, 3).await;
        let before = stage.state().now.round.number;
        stage.tell("escalation", "roll_back", &[]).unwrap();
        let question = stage.pending("rollback");
        let to = question
            .fields
            .iter()
            .find(|field| field.name == "to")
            .unwrap()
            .suggested
            .clone()
            .unwrap();
        assert_eq!(to, (before - 1).to_string(), "{role}");
        stage.refuses(
            "rollback",
            "retry",
            &[("to", "7"), ("reason", "wrong way")],
            "nothing to go back to",
        );
        stage.refuses(
            "rollback",
            "retry",
            &[("to", &to)],
            "needs the field `reason`",
        );
        stage
            .tell("rollback", "retry", &[("to", &to), ("reason", "wrong way")])
            .unwrap();
        stage.run_strictly().await;
        // The same outputs again, in another epoch: asked again, with every option.
        assert_eq!(stage.state().now.round.number, before, "{role}");
        assert_eq!(stage.state().kept.rollbacks.len(), 1);
        assert!(offered(&stage).contains(&"context".to_owned()), "{role}");
        stage
            .tell("escalation", "context", &[("context", "read the spec")])
            .unwrap();
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete), "{role}");
    }
}

#[tokio::test(start_paused = true)]
async fn pausing_keeps_it_and_it_is_asked_again() {
    for role in ASKED_ABOUT {
        let mut stage = escalated(role, 3).await;
        let (options, started) = (offered(&stage), stage.events("task.started").len());
        stage.tell("escalation", "pause", &[]).unwrap();
        assert_eq!(stage.run_strictly().await, Stopped::Paused, "{role}");
        stage.kill();
        stage.say(UserInput::Resume).unwrap();
        stage.run_strictly().await;
        assert_eq!(offered(&stage), options, "{role}");
        assert_eq!(stage.events("task.started").len(), started, "{role}");
    }
}

#[tokio::test(start_paused = true)]
async fn every_option_once_and_then_only_those_that_end_it() {
    for role in [Role::Engineer, Role::Reviewer] {
        // One attempt binds something, so that there is a best one; it isn't taken until the end.
        let mut stage = failing(role, 9).when(role, 1, 2, move |request| {
            let unknown = gap_id("GAP-NOPE-009");
            let gap = request
                .gaps
                .iter()
                .find(|gap| **gap == gap_id("GAP-API-002"))
                .unwrap();
            Ok(Some(match role {
                Role::Engineer => resolution(gap, "None") + &resolution(&unknown, "None"),
                _ => no_issues(gap) + &no_issues(&unknown),
            }))
        });
        stage.run_strictly().await;
        assert_eq!(
            offered(&stage),
            [
                "skip",
                "reassign",
                "context",
                "narrow",
                "best",
                "roll_back",
                "pause"
            ],
            "{role}"
        );
        stage
            .tell("escalation", "context", &[("context", "read the spec")])
            .unwrap();
        stage.run_strictly().await;
        assert_eq!(
            offered(&stage),
            ["skip", "reassign", "narrow", "best", "roll_back", "pause"],
            "{role}"
        );
        stage.tell("escalation", "narrow", &[]).unwrap();
        stage.run_strictly().await;
        let left = match role {
            Role::Engineer => vec!["skip", "reassign", "best", "roll_back", "pause"],
            // One proposal is left, and there is no other to review in its place.
            _ => vec!["skip", "best", "roll_back", "pause"],
        };
        assert_eq!(offered(&stage), left, "{role}");
        stage.tell("escalation", "best", &[]).unwrap();
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete), "{role}");
        assert_eq!(stage.events("task.best_taken").len(), 1);
        assert!(
            stage
                .summary(1)
                .contains("| GAP-API-002 | LOW | ACCEPTED |"),
            "{}",
            stage.summary(1)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_granted_try_is_one_also_where_retries_were_left() {
    // Uncertain twice: its one retry is over, and one of the two is left.
    let mut stage = failing(Role::Engineer, 0)
        .writes(Role::Engineer, 1, 0, "UNCERTAINTY: whose limit it is\n")
        .writes(Role::Engineer, 1, 3, "nonsense");
    stage.run_strictly().await;
    assert_eq!(stage.prompts(Role::Engineer, 1).len(), 2);
    stage
        .tell("escalation", "context", &[("context", "the account's")])
        .unwrap();
    stage.run_strictly().await;
    assert_eq!(stage.prompts(Role::Engineer, 1).len(), 3);
    assert!(stage.prompts(Role::Engineer, 1)[2].contains("This is retry 2 of 2."));
    assert!(!offered(&stage).contains(&"context".to_owned()));
}
