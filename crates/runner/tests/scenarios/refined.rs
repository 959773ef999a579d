//! The refined spec of whole sessions, and what prompts show of it.

use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_mediator::GapCommand;
use gapless_runner::Stopped;
use gapless_spec::{LimitationKind, assemble, limitations};

use crate::stage::{Stage, gap_id, issue, stage, with_config};

fn spec(stage: &Stage) -> String {
    assemble(stage.state(), &stage.session.texts()).unwrap()
}

/// A proposal as the prompt asks for it.
fn titled(gap: &str, title: &str, text: &str) -> String {
    format!(
        "## Gap Resolution: {gap}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n#### {title}\n\n{text}\n\n\
         ### Examples\n\nNone\n\n### Trade-offs\n\nIt costs.\n\n### New Gaps Introduced\n\nNone\n"
    )
}

#[tokio::test(start_paused = true)]
async fn accepted_parts_stand_in_their_section_and_the_rest_is_a_limitation() {
    let gaps = [
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "MEDIUM", ""),
        ("GAP-API-003", "LOW", ""),
        ("GAP-API-004", "LOW", ""),
        ("GAP-API-005", "HIGH", "GAP-API-003"),
    ];
    let text = titled(
        "GAP-API-001",
        "Rate limit",
        "At most 100 requests per second.\n\n##### Bursts\n\nNone.",
    );
    let mut stage = with_config(&gaps, |met| met.config.gaps_per_round = 1)
        .writes(Role::Engineer, 1, 0, &text)
        .when(Role::Reviewer, 1, 0, |r| {
            Ok(Some(issue(&r.gaps[0], "Low Priority", "ISSUE-R1-001")))
        });
    let defer = |gap: &str, reason: &str| GapCommand::Defer {
        gap: gap_id(gap),
        reason: reason.into(),
    };
    stage
        .gap_command(defer("GAP-API-003", "after the launch"))
        .unwrap();
    stage
        .gap_command(GapCommand::Close {
            gap: gap_id("GAP-API-004"),
            reason: "nobody asks for it".into(),
            sentence: None,
        })
        .unwrap();
    stage
        .gap_command(GapCommand::Split {
            gap: gap_id("GAP-API-002"),
            into: vec!["No timeout is defined".into(), "the answer above it".into()],
        })
        .unwrap();
    let accepted = [("high", "I acknowledge"), ("GAP-API-005", "it can wait")];
    stage = stage
        .answer("nothing_to_plan", "stop", &[])
        .answer("stop", "accept", &accepted);
    assert_eq!(stage.run().await, Stopped::Ended(End::UserApproved));
    insta::assert_snapshot!("refined_with_limitations", spec(&stage));

    let left = limitations(stage.state());
    let of = |id: &str| left.iter().find(|left| left.id == id).unwrap();
    assert_eq!(of("GAP-API-005").rationale.as_deref(), Some("it can wait"));
    assert_eq!(of("GAP-API-003").what, LimitationKind::Deferred);
    assert_eq!(
        of("GAP-API-003").rationale.as_deref(),
        Some("after the launch")
    );
    assert_eq!(of("GAP-API-004").what, LimitationKind::Closed);
    assert_eq!(of("ISSUE-R1-001").gap, Some(gap_id("GAP-API-001")));
}

#[tokio::test(start_paused = true)]
async fn prompts_show_the_parts_that_the_spec_has() {
    let text = titled(
        "GAP-API-001",
        "Rate limit",
        "At most 100 requests per second.",
    );
    let mut stage = with_config(
        &[
            ("GAP-API-001", "HIGH", ""),
            ("GAP-API-002", "LOW", "GAP-API-001"),
        ],
        |met| met.config.gaps_per_round = 1,
    )
    .writes(Role::Engineer, 1, 0, &text);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let spec = spec(&stage);
    let shown = "Requests are limited.\n\n### Rate limit\n\nAt most 100 requests per second.\n";
    assert!(spec.contains(shown), "{spec}");
    for role in [Role::Engineer, Role::Reviewer] {
        let prompt = &stage.prompts(role, 2)[0];
        assert!(prompt.contains(shown), "{prompt}");
    }
    assert!(!spec.contains("is not said"), "{spec}");
}

#[tokio::test(start_paused = true)]
async fn a_part_goes_when_its_gap_is_reopened() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")]);
    stage.killed_after(30).await;
    assert!(spec(&stage).contains("Settled: see ["));
    let source = "- GAP-API-001 [HIGH] (section: Limits): the limit of GAP-API-001 is not said\n";
    stage
        .gap_command(GapCommand::Reopen {
            gap: gap_id("GAP-API-001"),
            reason: "too low".into(),
        })
        .unwrap();
    let spec = spec(&stage);
    assert!(spec.contains(source) && !spec.contains("Settled"), "{spec}");
    assert!(spec.contains(" Not resolved."), "{spec}");
}
