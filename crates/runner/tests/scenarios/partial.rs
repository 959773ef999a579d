//! Partial rounds: some gaps addressed, some reviewed, uncertainty, a wrong assignment, and rounds that produced nothing.

use gapless_domain::gap::GapState;
use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_runner::Stopped;

use crate::stage::{Stage, engineer, gap_id, no_issues, resolution, stage};

const GAPS: [(&str, &str, &str); 2] = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")];

#[tokio::test(start_paused = true)]
async fn what_the_engineer_left_goes_back_and_the_rest_is_reviewed() {
    let mut stage = stage(&GAPS).when(Role::Engineer, 1, 0, |request| {
        Ok(Some(resolution(&request.gaps[1], "None")))
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let summary = stage.summary(1);
    assert!(
        summary.contains("| GAP-API-001 | HIGH | OPEN | - | - |"),
        "{summary}"
    );
    assert!(
        summary.contains("| GAP-API-002 | LOW | ACCEPTED |"),
        "{summary}"
    );
    let prompt = &stage.prompts(Role::Reviewer, 1)[0];
    assert!(
        prompt.contains("### GAP-API-002") && !prompt.contains("### GAP-API-001"),
        "{prompt}"
    );
}

#[tokio::test(start_paused = true)]
async fn what_the_reviewer_left_stays_proposed_and_goes_to_the_reviewer_again() {
    let mut stage = stage(&GAPS).when(Role::Reviewer, 1, 0, |request| {
        Ok(Some(no_issues(&request.gaps[1])))
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let summary = stage.summary(1);
    assert!(
        summary.contains("| GAP-API-001 | HIGH | PROPOSED |"),
        "{summary}"
    );
    assert_eq!(stage.prompts(Role::Engineer, 2).len(), 0);
    assert_eq!(stage.prompts(Role::Reviewer, 2).len(), 1);
    assert!(
        stage
            .summary(2)
            .contains("| Engineer | not needed | 0 | - | - |")
    );
}

const UNCERTAIN: &str = "I looked at it.\n\nUNCERTAINTY: whose requests are limited, and by what\n";

/// The first gap is resolved in round 1; in round 2 the Engineer is uncertain about the second.
fn uncertain(times: u32) -> Stage {
    let gaps = [
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "HIGH", "GAP-API-001"),
    ];
    (1..=times).fold(stage(&gaps), |stage, attempt| {
        stage.writes(Role::Engineer, 2, attempt, UNCERTAIN)
    })
}

#[tokio::test(start_paused = true)]
async fn uncertainty_has_one_retry_with_more_to_go_by() {
    let mut stage = uncertain(1);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let prompt = &stage.prompts(Role::Engineer, 2)[1];
    let (own, task) = prompt.split_once("The task again:\n\n").unwrap();
    for words in [
        "What was wrong (UNCERTAINTY): ",
        "uncertain: whose requests are limited, and by what.",
        "This is retry 1 of 1.",
        "You may give a partial solution.",
        "-----MARK excerpts of the source\nRequests are limited.\n-----MARK end\n",
        "-----MARK resolution of GAP-API-001\n",
        "The limit is 100 per second",
    ] {
        assert!(own.contains(words), "no `{words}` in {own}");
    }
    assert!(task.starts_with("# Your task: Engineer, round 2"), "{task}");
    let summary = stage.summary(2);
    assert!(
        summary.contains(
            "| Engineer | SUCCESS | 2 | NO_GAPS_ADDRESSED (passed on retry) | DOMAIN_GAP |"
        ),
        "{summary}"
    );
    assert!(
        summary.contains("- **Prompt modification:** the text for UNCERTAINTY before the task\n"),
        "{summary}"
    );
}

#[tokio::test(start_paused = true)]
async fn the_source_is_quoted_where_it_says_the_same_in_another_form() {
    let limits = "Tenants are billed monthly.\n\nA throttled caller gets a Retry-After header.\n\nLogs are kept for a week.";
    let mut stage = crate::stage::with_limits(limits, &[("GAP-API-001", "HIGH", "")], |_| {})
        .writes(
            Role::Engineer,
            1,
            1,
            "UNCERTAINTY: what callers see while throttling\n",
        );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let prompt = &stage.prompts(Role::Engineer, 1)[1];
    let (_, excerpts) = prompt
        .split_once("-----MARK excerpts of the source\n")
        .unwrap();
    let (excerpts, _) = excerpts.split_once("\n-----MARK end").unwrap();
    assert_eq!(excerpts, "A throttled caller gets a Retry-After header.");
}

#[tokio::test(start_paused = true)]
async fn the_number_of_retries_is_the_one_that_is_given() {
    // Another failure after the one retry of a cause has the retries that are left.
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")])
        .writes(Role::Engineer, 1, 1, UNCERTAIN)
        .writes(Role::Engineer, 1, 2, "nonsense");
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let numbers = |stage: &Stage| -> Vec<String> {
        let prompts = stage.prompts(Role::Engineer, 1);
        let lines = prompts.iter().flat_map(|prompt| prompt.lines());
        let told = lines.filter(|line| line.starts_with("This is retry "));
        told.map(str::to_owned).collect()
    };
    assert_eq!(
        numbers(&stage),
        ["This is retry 1 of 1.", "This is retry 2 of 2."]
    );
    // Others' gaps only, in the second attempt: that was the last retry whatever it brings of the same.
    let gaps = [
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "HIGH", "GAP-API-001"),
    ];
    let closed = resolution(&gap_id("GAP-API-002"), "None");
    let mut stage = crate::stage::with_config(&gaps, |met| met.config.max_retries = 4)
        .writes(Role::Engineer, 1, 1, "nonsense")
        .writes(Role::Engineer, 1, 2, &closed);
    stage.run_to_review().await;
    assert_eq!(
        numbers(&stage),
        ["This is retry 1 of 4.", "This is retry 2 of 2."]
    );
}

#[tokio::test(start_paused = true)]
async fn a_resolution_without_an_id_is_told_which_gaps_it_may_be_for() {
    let gaps = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")];
    let text =
        resolution(&gap_id("GAP-API-001"), "None").replace(": GAP-API-001", ": Request limits");
    let mut stage = stage(&gaps).writes(Role::Engineer, 1, 1, &text);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let rejected = &stage.events("task.rejected")[0];
    assert_eq!(rejected["failure"], "NO_GAPS_ADDRESSED");
    let prompt = &stage.prompts(Role::Engineer, 1)[1];
    assert!(
        prompt.contains(
            "What was wrong (NO_GAPS_ADDRESSED): the heading `Gap Resolution: Request limits` (line 1) has no gap id; \
             assigned: GAP-API-001, GAP-API-002\n"
        ),
        "{prompt}"
    );
}

#[tokio::test(start_paused = true)]
async fn uncertain_again_it_is_put_to_the_user_as_a_gap_in_the_domain() {
    let mut stage = uncertain(2).answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    assert_eq!(
        stage.prompts(Role::Engineer, 2).len(),
        2,
        "one retry, not two"
    );
    let question = stage.pending("escalation");
    assert!(
        question
            .context
            .contains("\nCause: DOMAIN_GAP, it says that it is uncertain"),
        "{}",
        question.context
    );
    assert!(
        stage
            .status()
            .contains("| Engineer | MAX_RETRIES_EXHAUSTED | 2 | NO_GAPS_ADDRESSED | DOMAIN_GAP |"),
        "{}",
        stage.status()
    );
    stage
        .tell(
            "escalation",
            "context",
            &[("context", "the account's requests")],
        )
        .unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn uncertainty_beside_a_section_is_no_failure() {
    let mut stage = stage(&GAPS).when(Role::Engineer, 1, 0, |request| {
        Ok(Some(format!("{UNCERTAIN}\n{}", engineer(request))))
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.prompts(Role::Engineer, 1).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn each_cause_has_its_own_retry_and_the_retries_bound_them_together() {
    let gaps = [
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "HIGH", "GAP-API-001"),
    ];
    let elsewhere = resolution(&gap_id("GAP-API-001"), "None");
    let mut stage = stage(&gaps)
        .writes(Role::Engineer, 2, 1, UNCERTAIN)
        .writes(Role::Engineer, 2, 2, &elsewhere)
        .writes(Role::Engineer, 2, 3, "nonsense")
        .answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    assert_eq!(stage.prompts(Role::Engineer, 2).len(), 3);
    let reasons: Vec<_> = stage
        .events("task.rejected")
        .iter()
        .map(|event| event["facts"]["cause"].clone())
        .collect();
    assert_eq!(reasons, ["DOMAIN_GAP", "UNCLEAR_ASSIGNMENT"]);
    assert!(
        stage
            .pending("escalation")
            .context
            .contains("\nCause: OUTPUT_FAILURE, ")
    );
}

#[tokio::test(start_paused = true)]
async fn only_gaps_of_others_twice_is_an_unclear_assignment() {
    let gaps = [
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "HIGH", "GAP-API-001"),
        ("GAP-API-003", "LOW", "GAP-API-002"),
    ];
    // In round 2 one gap is closed and one is free; a section for the free one is taken on late, but is no assignment.
    let elsewhere =
        resolution(&gap_id("GAP-API-001"), "None") + &resolution(&gap_id("GAP-API-003"), "None");
    let mut stage = stage(&gaps)
        .writes(Role::Engineer, 2, 0, &elsewhere)
        .answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    let prompts = stage.prompts(Role::Engineer, 2);
    assert_eq!(prompts.len(), 2, "one retry");
    for words in [
        "You wrote about GAP-API-001, GAP-API-003. None of these is yours in this round.",
        "Your assignment is exactly this, and nothing else:\n\n- GAP-API-002 [HIGH]",
        "    ## Gap Resolution: GAP-API-002\n",
    ] {
        assert!(prompts[1].contains(words), "no `{words}` in {}", prompts[1]);
    }
    let context = stage.pending("escalation").context;
    assert!(
        context.contains(
            "\nCause: UNCLEAR_ASSIGNMENT, it wrote about gaps that are not the ones it was given"
        ),
        "{context}"
    );
    assert_eq!(stage.gap("GAP-API-003"), GapState::Open);
}

#[tokio::test(start_paused = true)]
async fn a_blocked_marker_costs_no_retry_and_wins_over_a_section() {
    let mut stage = stage(&GAPS)
        .when(Role::Engineer, 1, 0, |request| {
            Ok(Some(format!(
                "BLOCKED_NEEDS_INPUT: GAP-API-001 whose limit it is\n\n{}",
                engineer(request)
            )))
        })
        .answer("inventory", "begin", &[])
        .answer("blocked_gap", "go_on", &[]);
    stage.run_strictly().await;
    assert_eq!(stage.prompts(Role::Engineer, 1).len(), 1);
    let proposed: Vec<_> = stage
        .events("gap.proposed")
        .iter()
        .map(|event| event["id"].clone())
        .collect();
    assert_eq!(proposed, ["GAP-API-002"]);
    let summary = stage.summary(1);
    assert!(
        summary.contains("| GAP-API-001 | HIGH | BLOCKED_EXTERNAL | - | - |"),
        "{summary}"
    );
    assert!(
        summary.contains("GAP-API-001 is marked as blocked, which wins over a section"),
        "{summary}"
    );
}

#[tokio::test(start_paused = true)]
async fn nothing_but_markers_is_a_valid_output_with_its_cause() {
    let mut stage = stage(&GAPS)
        .writes(Role::Engineer, 1, 0, "BLOCKED_NEEDS_INPUT: GAP-API-001 whose limit\n\nBLOCKED_NEEDS_INPUT: GAP-API-002 which unit\n")
        .answer("inventory", "begin", &[])
        .answer("blocked_gap", "go_on", &[])
        .answer("blocked_gap", "go_on", &[]);
    stage.run_strictly().await;
    assert_eq!(
        stage.events("task.rejected").len() + stage.events("task.exhausted").len(),
        0
    );
    let summary = stage.summary(1);
    assert!(
        summary.contains("| Engineer | SUCCESS | 1 | - | EXPLICIT_BLOCK |"),
        "{summary}"
    );
    // An empty round with all parked: they are all put to the user.
    let question = stage.pending("nothing_to_plan");
    assert!(
        question.context.contains("GAP-API-001") && question.context.contains("GAP-API-002"),
        "{}",
        question.context
    );
}
