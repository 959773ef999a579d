//! Issues that the Engineer disagrees with.

use gapless_domain::gap::GapState;
use gapless_domain::issue::IssueState;
use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_runner::Stopped;

use crate::stage::{Stage, engineer, issue, stage};

const DISAGREE: &str = "## DISAGREE: ISSUE-R1-001\n\n**Reviewer Concern:**\n> the limit is not justified.\n\n\
    **Engineer Position:** it needs no justification\n\n**Rationale:** it is the platform's own limit\n";

/// A gap whose issue of round 1 is disagreed with in round 2, and upheld by the Reviewer.
pub fn disagreement(severity: &'static str) -> Stage {
    stage(&[("GAP-API-001", "HIGH", "")])
        .when(Role::Reviewer, 1, 0, move |r| {
            Ok(Some(issue(&r.gaps[0], severity, "ISSUE-R1-001")))
        })
        .when(Role::Engineer, 2, 0, |request| {
            let text = engineer(request);
            let text = text.split("## Response to").next().unwrap().to_owned();
            Ok(Some(text + DISAGREE))
        })
        .when(Role::Reviewer, 2, 0, move |r| {
            Ok(Some(issue(&r.gaps[0], severity, "ISSUE-R1-001")))
        })
}

#[tokio::test(start_paused = true)]
async fn a_critical_conflict_holds_the_round_and_the_reviewer_is_recommended() {
    let mut stage = disagreement("Critical Issues");
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)));
    let mut stage = stage.answer("inventory", "begin", &[]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)));
    let conflict = stage.asked.last().unwrap();
    assert_eq!(conflict.about.kind(), "conflict");
    let labels: Vec<&str> = conflict.options.iter().map(|o| o.label.as_str()).collect();
    // They argue about a reason, and not about a value: there is nothing to configure.
    assert_eq!(labels, ["A", "B", "D"]);
    assert!(conflict.options[0].recommended);
    assert!(
        conflict.context.contains("it is the platform's own limit"),
        "{}",
        conflict.context
    );
}

#[tokio::test(start_paused = true)]
async fn decided_for_the_reviewer_the_gap_goes_back_with_an_obligation() {
    let mut stage =
        disagreement("Critical Issues").answer("conflict", "A", &[("rationale", "auditors ask")]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.issue("ISSUE-R1-001"), IssueState::Decided);
    let prompt = &stage.prompts(Role::Engineer, 3)[0];
    assert!(
        prompt.contains("The Reviewer's position holds: say where it comes from"),
        "{prompt}"
    );
    assert!(stage.prompts(Role::Reviewer, 3)[0].contains("DECISION-R2-001"));
    assert_eq!(stage.events("gap.obligations_met").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn decided_for_the_engineer_the_gap_is_accepted() {
    let mut stage = disagreement("High Priority").answer("conflict", "B", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.events("round.began").len(), 2);
    assert_eq!(stage.gap("GAP-API-001"), GapState::Accepted);
}

#[tokio::test(start_paused = true)]
async fn a_high_conflict_holds_its_gap_but_not_the_session() {
    let mut stage = disagreement("High Priority")
        .answer("inventory", "begin", &[])
        .answer("divergence", "accept", &[]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)));
    assert_eq!(
        stage.kinds(),
        ["inventory", "conflict", "divergence", "nothing_to_plan"]
    );
    assert_eq!(stage.gap("GAP-API-001"), GapState::NeedsRevision);
}

#[tokio::test(start_paused = true)]
async fn a_disagree_block_on_nothing_or_without_its_parts_is_refused() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")])
        .writes(Role::Engineer, 1, 1, &DISAGREE.replace("R1-001", "R9-009"))
        .when(Role::Reviewer, 1, 0, |r| {
            Ok(Some(issue(&r.gaps[0], "High Priority", "ISSUE-R1-001")))
        })
        .writes(
            Role::Engineer,
            2,
            1,
            "## DISAGREE: ISSUE-R1-001\n\n**Engineer Position:** no\n",
        );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let failures: Vec<_> = stage
        .events("task.rejected")
        .iter()
        .map(|e| e["failure"].clone())
        .collect();
    assert_eq!(failures, ["INVALID_DISAGREE_REF", "MALFORMED_DISAGREE"]);
}

#[tokio::test(start_paused = true)]
async fn the_reviewers_silence_settles_no_grave_disagreement_and_its_word_does() {
    let mut stage = disagreement("High Priority")
        .when(Role::Reviewer, 2, 0, |r| {
            Ok(Some(crate::stage::no_issues(&r.gaps[0])))
        })
        .answer("conflict", "B", &[]);
    stage.run().await;
    assert!(stage.kinds().contains(&"conflict"));
    assert_eq!(stage.issue("ISSUE-R1-001"), IssueState::Decided);

    let mut stage = disagreement("High Priority").when(Role::Reviewer, 2, 0, |r| {
        let review = crate::stage::issue(&r.gaps[0], "High Priority", "ISSUE-R1-001");
        Ok(Some(review.replace("**: ", "** (withdrawn): ")))
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds(), ["inventory"]);
    assert_eq!(stage.issue("ISSUE-R1-001"), IssueState::Withdrawn);
}
