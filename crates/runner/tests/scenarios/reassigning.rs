//! Roles that have nothing left to try and are given other gaps, or fewer; and tasks side by side that have nothing.

use gapless_agents::Request;
use gapless_domain::gap::GapState;
use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_runner::Stopped;
use gapless_session::attempt_record::attempt_records;
use serde_json::{Value, json};

use crate::escalation::{GAPS, failing};
use crate::stage::{Stage, could_not_run, engineer, issue, no_issues, well, with_config};

/// The gaps that an event of a kind names, in order.
fn of_gaps(stage: &Stage, event: &str) -> Vec<String> {
    let events = stage.events(event).into_iter();
    events
        .map(|event| event["id"].as_str().unwrap().to_owned())
        .collect()
}

fn reassigning() -> Stage {
    failing(Role::Engineer, 0).when(Role::Engineer, 1, 0, |request: &Request| {
        Ok(Some(match request.task.slot.index {
            0 => "nonsense".to_owned(),
            _ => engineer(request),
        }))
    })
}

#[tokio::test(start_paused = true)]
async fn other_gaps_are_worked_on_instead_and_the_first_go_back() {
    let mut stage = reassigning();
    stage.run_strictly().await;
    let question = stage.pending("escalation");
    let gaps = question
        .fields
        .iter()
        .find(|field| field.name == "gaps")
        .unwrap();
    assert_eq!(gaps.suggested.as_deref(), Some("GAP-API-003"));
    stage.refuses(
        "escalation",
        "reassign",
        &[("gaps", "GAP-API-004")],
        "GAP-API-004 waits on another gap",
    );
    stage.refuses(
        "escalation",
        "reassign",
        &[("gaps", "GAP-NOPE-001")],
        "there is no gap GAP-NOPE-001",
    );
    stage.refuses(
        "escalation",
        "reassign",
        &[("gaps", "")],
        "needs the field `gaps`",
    );
    stage
        .tell(
            "escalation",
            "reassign",
            &[("gaps", "GAP-API-003, GAP-API-002")],
        )
        .unwrap();
    assert_eq!(stage.gap("GAP-API-001"), GapState::Open);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let prompts = stage.prompts(Role::Engineer, 1);
    assert_eq!(prompts.len(), 4);
    assert!(
        prompts[3].starts_with("# Your task: Engineer"),
        "the failures before are none of its own"
    );
    assert_eq!(
        &of_gaps(&stage, "gap.proposed")[..2],
        ["GAP-API-003", "GAP-API-002"]
    );
    let summary = stage.summary(1);
    assert!(
        summary.contains(
            "| Engineer | PARTIAL (1 of 2 tasks) | 4 | WRONG_FORMAT (reassigned to GAP-API-003, GAP-API-002) |"
        ),
        "{summary}"
    );
    assert!(!summary.contains("passed on retry"), "{summary}");
    assert!(!summary.contains("not judged"), "{summary}");
}

/// What a session came to: every document that was read, every gap, and the decisions.
fn outcome(stage: &Stage) -> (Vec<Value>, String, Vec<String>) {
    let outputs = ["task.rejected", "task.exhausted", "task.validated"];
    let read = outputs.iter().flat_map(|event| stage.events(event));
    let read = read.map(|event| json!([event["task"], event["output"], event["facts"]]));
    let gaps = stage.state().now.gaps.values();
    let gaps = gaps
        .map(|gap| format!("{} {}", gap.id, gap.state))
        .collect();
    (read.collect(), stage.spec(), gaps)
}

#[tokio::test(start_paused = true)]
async fn a_recorded_session_with_reassigned_gaps_replays_to_the_same_session() {
    for (role, gaps) in [
        (Role::Engineer, "GAP-API-003, GAP-API-002"),
        (Role::Reviewer, "GAP-API-002"),
    ] {
        let mut first = failing(role, 0).when(role, 1, 0, move |request: &Request| {
            Ok(Some(
                match (request.task.slot.index, request.task.attempt) {
                    (0, attempt) => format!("nonsense {attempt}"),
                    // The new task needs a retry as well.
                    (_, 1) => "nonsense again".to_owned(),
                    _ => well(request),
                },
            ))
        });
        let answered = |stage: Stage| stage.answer("escalation", "reassign", &[("gaps", gaps)]);
        first = answered(first);
        assert_eq!(first.run().await, Stopped::Ended(End::Complete), "{role}");
        let mut again = answered(failing(role, 0)).replays(first.documents());
        assert_eq!(again.run().await, Stopped::Ended(End::Complete), "{role}");
        assert_eq!(again.kinds(), first.kinds(), "{role}");
        assert_eq!(outcome(&again), outcome(&first), "{role}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_reassigned_task_that_is_valid_at_once_replays_to_the_same_session() {
    let mut first = reassigning().answer("escalation", "reassign", &[("gaps", "GAP-API-003")]);
    assert_eq!(first.run().await, Stopped::Ended(End::Complete));
    let mut again = failing(Role::Engineer, 0)
        .answer("escalation", "reassign", &[("gaps", "GAP-API-003")])
        .replays(first.documents());
    assert_eq!(again.run().await, Stopped::Ended(End::Complete));
    assert_eq!(outcome(&again), outcome(&first));
}

#[tokio::test(start_paused = true)]
async fn attempts_that_could_not_run_are_left_out_of_a_replay() {
    let mut first = failing(Role::Engineer, 0).when(Role::Engineer, 1, 0, |request: &Request| {
        match request.task.attempt {
            1 | 3 => could_not_run(None),
            2 => Ok(None),
            _ => Ok(Some(engineer(request))),
        }
    });
    assert_eq!(first.run().await, Stopped::Ended(End::Complete));
    let mut again = failing(Role::Engineer, 0).replays(first.documents());
    assert_eq!(again.run().await, Stopped::Ended(End::Complete));
    assert_eq!(again.events("task.failed").len(), 0);
    assert_eq!(again.prompts(Role::Engineer, 1).len(), 2);
    assert_eq!(again.spec(), first.spec());
}

#[tokio::test(start_paused = true)]
async fn the_record_of_the_last_attempt_says_where_its_gaps_went() {
    let mut stage = reassigning().answer("escalation", "reassign", &[("gaps", "GAP-API-003")]);
    stage.run_to_review().await;
    let records = attempt_records(&stage.state().now.round.attempts);
    let words: Vec<String> = records.iter().map(|it| it.verdict_words()).collect();
    assert_eq!(
        words,
        [
            "WRONG_FORMAT",
            "WRONG_FORMAT",
            "WRONG_FORMAT (reassigned to GAP-API-003)",
            "VALID",
            "UNDER_WAY"
        ]
    );
    assert_eq!(json!(records[2])["reassigned_to"], json!(["GAP-API-003"]));
    assert_eq!(json!(records[3]).get("reassigned_to"), None);
}

#[tokio::test(start_paused = true)]
async fn a_gap_whose_conflict_is_undecided_is_not_reassigned() {
    let disagree = "## DISAGREE: ISSUE-R1-001\n\n**Reviewer Concern:** the limit is not justified.\n\
        **Engineer Position:** it is\n**Rationale:** it is the platform's\n";
    let upheld = |request: &Request| {
        let of = |gap: &gapless_domain::ids::GapId| match gap.to_string().as_str() {
            "GAP-API-001" => issue(gap, "High Priority", "ISSUE-R1-001"),
            _ => no_issues(gap),
        };
        Ok(Some(request.gaps.iter().map(of).collect()))
    };
    let mut stage = with_config(&GAPS[..3], |met| met.config.gaps_per_round = 1)
        .when(Role::Reviewer, 0, 0, upheld)
        .when(Role::Engineer, 2, 0, move |request| {
            let text = engineer(request);
            Ok(Some(
                text.split("## Response to").next().unwrap().to_owned() + disagree,
            ))
        })
        .writes(Role::Engineer, 3, 0, "nonsense")
        .answer("inventory", "begin", &[])
        .answer("divergence", "accept", &[]);
    stage.run_strictly().await;
    stage.refuses(
        "escalation",
        "reassign",
        &[("gaps", "GAP-API-001")],
        "GAP-API-001 waits for a conflict on it to be decided",
    );
}

#[tokio::test(start_paused = true)]
async fn only_the_proposals_that_are_named_are_reviewed() {
    let mut stage = failing(Role::Reviewer, 0).when(Role::Reviewer, 1, 0, |request: &Request| {
        Ok(Some(match request.task.slot.index {
            0 => "nonsense".to_owned(),
            _ => request.gaps.iter().map(no_issues).collect(),
        }))
    });
    stage.run_strictly().await;
    stage.refuses(
        "escalation",
        "reassign",
        &[("gaps", "GAP-API-003")],
        "GAP-API-003 has no proposal that waits for a review",
    );
    stage
        .tell("escalation", "reassign", &[("gaps", "GAP-API-002")])
        .unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let summary = stage.summary(1);
    assert!(
        summary.contains("| GAP-API-001 | HIGH | PROPOSED |"),
        "{summary}"
    );
    assert!(
        summary.contains("| GAP-API-002 | LOW | ACCEPTED |"),
        "{summary}"
    );
}

#[tokio::test(start_paused = true)]
async fn two_tasks_that_have_nothing_are_asked_about_one_by_one() {
    let mut stage = with_config(&GAPS[..2], |met| met.config.parallel_engineers = 2)
        .writes(Role::Engineer, 1, 0, "nonsense")
        .answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    let question = stage.pending("escalation");
    assert_eq!(
        question.title,
        "Round 1: the Engineer has nothing valid for GAP-API-001 after 3 attempts"
    );
    assert_eq!(question.options[0].text, "Skip this task");
    stage.tell("escalation", "skip", &[]).unwrap();
    stage.run_strictly().await;
    let question = stage.pending("escalation");
    assert_eq!(
        question.title,
        "Round 1: the Engineer has nothing valid for GAP-API-002 after 3 attempts"
    );
    assert_eq!(question.options[0].text, "Skip the Engineer");
    // A try for the second is enough for the round to have something.
    stage
        .tell("escalation", "context", &[("context", "read the spec")])
        .unwrap();
    let mut stage = stage.when(Role::Engineer, 1, 4, |request| Ok(Some(engineer(request))));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert!(
        stage
            .summary(1)
            .contains("| Engineer | PARTIAL (1 of 2 tasks) | 7 |"),
        "{}",
        stage.summary(1)
    );
}
