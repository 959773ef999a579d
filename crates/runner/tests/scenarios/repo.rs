//! A code base that the proposals are grounded in.

use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_runner::Stopped;

use crate::stage::{Stage, engineer, stage, with_config};

const GAPS: [(&str, &str, &str); 1] = [("GAP-API-001", "HIGH", "")];

fn with_repo() -> Stage {
    with_config(&GAPS, |met| {
        met.repo = Some("/code/base".to_owned());
        met.agents.insert(Role::Analyst, "actor".to_owned());
    })
}

/// The code base of each task of a role.
fn given(stage: &Stage, role: &str) -> Vec<Option<String>> {
    let started = stage.events("task.started");
    let of_role = started
        .iter()
        .filter(|event| event["task"]["id"]["slot"]["role"] == role);
    of_role
        .map(|event| event["task"]["repo"].as_str().map(str::to_owned))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn who_proposes_and_who_looks_for_gaps_see_it_and_reviewers_do_not() {
    let mut stage = with_repo();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let there = vec![Some("/code/base".to_owned())];
    assert_eq!(given(&stage, "engineer"), there);
    assert_eq!(given(&stage, "analyst"), there);
    assert_eq!(given(&stage, "reviewer"), [None]);
    assert_eq!(given(&stage, "final_reviewer"), [None]);
    assert!(stage.prompts(Role::Engineer, 1)[0].contains("### Codebase Analysis"));
    assert!(stage.prompts(Role::Analyst, 0)[0].contains("`/code/base`"));
    assert!(!stage.prompts(Role::Reviewer, 1)[0].contains("/code/base"));
}

#[tokio::test(start_paused = true)]
async fn a_proposal_that_does_not_say_what_it_looked_at_is_warned_of() {
    let warned = |stage: &Stage| {
        let validated = stage.events("task.validated");
        let mut warnings = validated.iter().map(|event| event["warnings"].to_string());
        warnings.any(|warnings| warnings.contains("NO_CODEBASE_ANALYSIS"))
    };
    let mut without = with_repo();
    assert_eq!(without.run().await, Stopped::Ended(End::Complete));
    assert!(warned(&without));

    let mut with = with_repo().when(Role::Engineer, 0, 0, |request| {
        let analysis =
            "### Codebase Analysis\n\n- `src/limit.rs`: counts per minute\n\n### Trade-offs";
        Ok(Some(engineer(request).replace("### Trade-offs", analysis)))
    });
    assert_eq!(with.run().await, Stopped::Ended(End::Complete));
    assert!(!warned(&with));
    // What was looked at is said about the proposal, and is no part of the spec.
    assert!(!with.spec().contains("src/limit.rs"), "{}", with.spec());

    let mut nowhere = stage(&GAPS);
    assert_eq!(nowhere.run().await, Stopped::Ended(End::Complete));
    assert!(!warned(&nowhere));
    assert!(!nowhere.prompts(Role::Engineer, 1)[0].contains("code base"));
}
