//! The best attempt: what of an invalid document is taken, which of several, and where none is offered.

use gapless_agents::Request;
use gapless_domain::gap::GapState;
use gapless_domain::phase::End;
use gapless_domain::question::Choice;
use gapless_domain::task::{ExecutionError, Role};
use gapless_domain::text::Texts;
use gapless_runner::Stopped;
use serde_json::Value;

use crate::stage::{Stage, gap_id, issue, no_issues, resolution, stage, with_config};

const GAPS: [(&str, &str, &str); 3] = [
    ("GAP-API-001", "HIGH", ""),
    ("GAP-API-002", "LOW", ""),
    ("GAP-API-003", "LOW", "GAP-API-001"),
];

fn on(gap: &str) -> String {
    resolution(&gap_id(gap), "None")
}

/// A role that writes these documents in round 1, up to its escalation.
async fn writing(role: Role, texts: [String; 3]) -> Stage {
    let stage = stage(&GAPS).answer("inventory", "begin", &[]);
    let attempts = texts.into_iter().zip(1..);
    let mut stage = attempts.fold(stage, |stage, (text, attempt)| {
        stage.writes(role, 1, attempt, &text)
    });
    stage.run_strictly().await;
    stage
}

fn best(stage: &Stage) -> Option<Choice> {
    let options = stage.pending("escalation").options;
    options.into_iter().find(|choice| choice.label == "best")
}

fn nonsense() -> String {
    "nonsense".to_owned()
}

#[tokio::test(start_paused = true)]
async fn a_good_section_beside_one_for_an_unknown_gap_is_taken() {
    let texts = [
        nonsense(),
        on("GAP-API-001") + &on("GAP-NOPE-009"),
        nonsense(),
    ];
    let mut stage = writing(Role::Engineer, texts).await;
    assert_eq!(
        best(&stage).unwrap().effect,
        "attempt 2 is taken for GAP-API-001; what is wrong in it is left out"
    );
    stage.tell("escalation", "best", &[]).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let summary = stage.summary(1);
    assert!(summary.contains("| Engineer | SUCCESS | 3 | WRONG_FORMAT (attempt 2 taken as the best) | OUTPUT_FAILURE |"), "{summary}");
    assert!(
        summary.contains("| content | INCONSISTENT_REFS, taken as the best |"),
        "{summary}"
    );
    assert!(
        summary.contains("| GAP-API-001 | HIGH | ACCEPTED |"),
        "{summary}"
    );
    assert!(
        summary.contains("| GAP-API-002 | LOW | OPEN |"),
        "{summary}"
    );
    let unknown = gap_id("GAP-NOPE-009");
    assert!(!stage.state().now.gaps.contains_key(&unknown));
}

/// A Reviewer that reviews every resolution that it is shown.
fn reviews_all(request: &Request) -> Result<Option<String>, ExecutionError> {
    let shown = request.prompt.lines();
    let shown = shown.filter_map(|line| line.strip_prefix("## Gap Resolution: "));
    let ids = shown.flat_map(|gaps| gaps.split(", "));
    Ok(Some(ids.map(|gap| no_issues(&gap_id(gap))).collect()))
}

#[tokio::test(start_paused = true)]
async fn what_is_left_out_of_the_best_attempt_is_left_out_of_what_is_reviewed() {
    let unknown = on("GAP-NOPE-009");
    for (text, bound) in [
        (on("GAP-API-001") + &unknown, "GAP-API-001"),
        (unknown.clone() + &on("GAP-API-001"), "GAP-API-001"),
        // Under one heading with a gap that exists.
        (
            on("GAP-API-001").replace("001", "001, GAP-NOPE-009"),
            "GAP-API-001",
        ),
        // A title that names what stands below it.
        (
            "# Resolution of GAP-API-001 and GAP-NOPE-009\n\n".to_owned()
                + &on("GAP-API-001")
                + &unknown,
            "GAP-API-001",
        ),
    ] {
        let mut stage = stage(&GAPS[..1])
            .writes(Role::Engineer, 1, 0, "nonsense")
            .writes(Role::Engineer, 1, 1, &text)
            .when(Role::Reviewer, 1, 0, reviews_all)
            .answer("inventory", "begin", &[]);
        stage.run_strictly().await;
        stage.tell("escalation", "best", &[]).unwrap();
        stage.run_to_review().await;
        let engineer = stage.state().now.round.engineer.unwrap();
        let engineer = stage.session.texts().text(&engineer).unwrap();
        assert!(!engineer.contains("GAP-NOPE-009"), "{engineer}");
        assert!(
            engineer.contains(&format!("## Gap Resolution: {bound}\n")),
            "{engineer}"
        );
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete), "{text}");
        let rejected = stage.events("task.rejected");
        let of_review = |event: &&Value| event["task"]["slot"]["role"] == "reviewer";
        assert_eq!(rejected.iter().filter(of_review).count(), 0, "{text}");
        let spec = stage.spec();
        assert!(spec.contains("above it the answer is 429"), "{spec}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_undone_attempt_is_taken_without_what_is_wrong_in_it() {
    let text = on("GAP-API-001") + &on("GAP-NOPE-009");
    let mut stage = with_config(&GAPS[..1], |met| met.config.rollback_analysis_threshold = 1)
        .writes(Role::Engineer, 1, 0, &text)
        .when(Role::Reviewer, 1, 0, reviews_all)
        .answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    stage.pending("escalation");
    stage.roll_back(0, "it names a gap that is none").unwrap();
    stage.tell("root_cause", "force", &[]).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let reviewed = stage.prompts(Role::Reviewer, 1);
    assert_eq!(reviewed.len(), 1);
    assert!(!reviewed[0].contains("GAP-NOPE-009"), "{}", reviewed[0]);
}

#[tokio::test(start_paused = true)]
async fn a_bad_disagreement_is_left_out_and_its_issue_stands() {
    let mut stage = stage(&GAPS[..1])
        .when(Role::Reviewer, 1, 0, |r| {
            Ok(Some(issue(&r.gaps[0], "High Priority", "ISSUE-R1-001")))
        })
        .writes(
            Role::Engineer,
            2,
            0,
            &(on("GAP-API-001") + "## DISAGREE: ISSUE-R1-001\n\n**Engineer Position:** no\n"),
        )
        .answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    assert!(
        stage
            .pending("escalation")
            .context
            .contains("Last failure: MALFORMED_DISAGREE")
    );
    stage.tell("escalation", "best", &[]).unwrap();
    stage.run_strictly().await;
    assert_eq!(stage.events("issue.answered").len(), 0);
    let reviewer = stage.prompts(Role::Reviewer, 2).join("\n");
    assert!(!reviewer.contains("DISAGREE: ISSUE-R1-001"), "{reviewer}");
    let summary = stage.summary(2);
    assert!(
        summary.contains("| GAP-API-001 | HIGH | NEEDS_REVISION | HIGH | ISSUE-R1-001 [HIGH] |"),
        "{summary}"
    );
}

#[tokio::test(start_paused = true)]
async fn the_one_that_bound_most_is_taken_and_of_equals_the_newest() {
    let unknown = on("GAP-NOPE-009");
    let one = on("GAP-API-001") + &unknown;
    let two = on("GAP-API-001") + &on("GAP-API-002") + &unknown;
    let taken = |text: &str| text.split(' ').nth(1).unwrap().to_owned();
    let stage = writing(Role::Engineer, [two.clone(), one.clone(), nonsense()]).await;
    assert_eq!(taken(&best(&stage).unwrap().effect), "1");
    let stage = writing(Role::Engineer, [two.clone(), two.clone(), one]).await;
    assert_eq!(taken(&best(&stage).unwrap().effect), "2");
}

#[tokio::test(start_paused = true)]
async fn gaps_beside_the_assigned_ones_make_an_attempt_no_better() {
    let gaps = [
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "HIGH", ""),
        ("GAP-API-003", "LOW", ""),
        ("GAP-API-004", "LOW", ""),
    ];
    let unknown = on("GAP-NOPE-009");
    let stage = with_config(&gaps, |met| met.config.gaps_per_round = 2)
        .writes(
            Role::Engineer,
            1,
            1,
            &(on("GAP-API-001") + &on("GAP-API-002") + &unknown),
        )
        .writes(
            Role::Engineer,
            1,
            2,
            &(on("GAP-API-001") + &on("GAP-API-003") + &on("GAP-API-004") + &unknown),
        )
        .writes(Role::Engineer, 1, 3, "nonsense")
        .answer("inventory", "begin", &[]);
    let mut stage = stage;
    stage.run_strictly().await;
    let effect = best(&stage).unwrap().effect;
    assert!(
        effect.starts_with("attempt 1 is taken for GAP-API-001, GAP-API-002;"),
        "{effect}"
    );
}

#[tokio::test(start_paused = true)]
async fn where_nothing_bound_none_is_offered() {
    let texts = [nonsense(), on("GAP-NOPE-009"), String::new()];
    let stage = writing(Role::Engineer, texts).await;
    assert_eq!(best(&stage), None);
    let texts = [
        nonsense(),
        no_issues(&gap_id("GAP-NOPE-009")),
        on("GAP-API-001"),
    ];
    let stage = writing(Role::Reviewer, texts).await;
    assert_eq!(best(&stage), None);
}

#[tokio::test(start_paused = true)]
async fn a_marker_in_the_best_attempt_blocks_its_gap_and_asks() {
    let text = on("GAP-API-002")
        + &on("GAP-NOPE-009")
        + "\n\nBLOCKED_NEEDS_INPUT: GAP-API-001 whose limit it is\n";
    let mut stage = writing(Role::Engineer, [text, nonsense(), nonsense()]).await;
    stage.tell("escalation", "best", &[]).unwrap();
    assert_eq!(stage.gap("GAP-API-001"), GapState::BlockedExternal);
    assert!(
        stage
            .pending("blocked_gap")
            .context
            .contains("whose limit it is")
    );
    stage.tell("blocked_gap", "go_on", &[]).unwrap();
    stage.run_to_review().await;
    let solution = stage.state().now.gaps.get(&gap_id("GAP-API-002")).unwrap();
    let solution = solution.proposal.as_ref().unwrap().solution;
    let solution = stage.session.texts().text(&solution).unwrap();
    assert!(!solution.contains("BLOCKED"), "{solution}");
}

#[tokio::test(start_paused = true)]
async fn a_review_is_taken_without_what_judges_nothing() {
    let text = no_issues(&gap_id("GAP-API-001")) + "## Review: GAP-API-002\n\nI have read it.\n";
    let mut stage = writing(Role::Reviewer, [text, nonsense(), nonsense()]).await;
    let effect = best(&stage).unwrap().effect;
    assert!(
        effect.starts_with("attempt 1 is taken for GAP-API-001;"),
        "{effect}"
    );
    stage.tell("escalation", "best", &[]).unwrap();
    stage.run_strictly().await;
    let summary = stage.summary(1);
    assert!(
        summary.contains("| GAP-API-001 | HIGH | ACCEPTED |"),
        "{summary}"
    );
    assert!(
        summary.contains("| GAP-API-002 | LOW | PROPOSED |"),
        "{summary}"
    );
}
