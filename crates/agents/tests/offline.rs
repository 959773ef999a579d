//! The agent that needs no model: what it works from, and what it says where that is missing.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::Path;

use gapless_agents::{Request, Watch};
use gapless_domain::assignment::{ASSIGNMENT_FILE, ASSIGNMENT_VERSION, AssignedGap, Assignment};
use gapless_domain::gap::GapState;
use gapless_domain::severity::Severity;
use gapless_domain::task::{ExecutionErrorKind, Role};
use support::{error, gap, open_in, output, request, run};

fn assignment(role: Role) -> Assignment {
    Assignment {
        version: ASSIGNMENT_VERSION,
        role,
        round: 3,
        gaps: vec![AssignedGap {
            id: gap("GAP-FLOW-001"),
            severity: Severity::High,
            state: GapState::InProgress,
            description: "The retry schedule is not said.".to_owned(),
            section: None,
            rule: None,
            topics: Vec::new(),
            line: None,
            passage: None,
            declared: false,
            issues: Vec::new(),
            proposal: None,
        }],
        decisions: Vec::new(),
        next_issue: None,
        spec: "# Spec\n".to_owned(),
    }
}

fn with(role: Role, json: String) -> Request {
    Request {
        inputs: vec![(ASSIGNMENT_FILE.to_owned(), json.into())],
        ..request(role)
    }
}

#[tokio::test]
async fn it_answers_each_role_from_the_assignment_and_uses_nothing() {
    let agent = open_in(Path::new("/"), "offline");
    assert!(agent.wants_assignment());
    let roles = [
        (
            Role::Engineer,
            "BLOCKED_NEEDS_INPUT: GAP-FLOW-001 The retry schedule is not said: what holds?",
        ),
        (Role::Reviewer, "## Review: GAP-FLOW-001"),
        (Role::FinalReviewer, "**Verdict:** NOT_READY"),
    ];
    for (role, expected) in roles {
        assert!(agent.plays(role));
        let json = serde_json::to_string(&assignment(role)).unwrap();
        let finished = run(&agent, with(role, json)).await;
        let text = finished.result.unwrap().text.unwrap();
        assert!(text.contains(expected), "{text}");
        let usage = finished.usage;
        assert_eq!(
            (usage.input_tokens, usage.output_tokens, usage.cost_micros),
            (None, None, None)
        );
    }
    assert!(
        ![Role::Analyst, Role::Editor]
            .iter()
            .any(|role| agent.plays(*role))
    );
}

#[tokio::test]
async fn without_an_assignment_that_it_can_read_it_says_so() {
    let agent = open_in(Path::new("/"), "offline");
    let mut newer = assignment(Role::Engineer);
    newer.version = 9;
    let newer = serde_json::to_string(&newer).unwrap();
    let analyst = serde_json::to_string(&assignment(Role::Analyst)).unwrap();
    let cases = [
        (request(Role::Engineer), "was not given one"),
        (with(Role::Engineer, "{".to_owned()), "can't be read"),
        (with(Role::Engineer, newer), "has the form 9"),
        (with(Role::Analyst, analyst), "is no Analyst"),
    ];
    for (request, expected) in cases {
        let error = error(&agent, request).await;
        assert_eq!(error.kind, ExecutionErrorKind::Refused);
        assert!(error.message.contains(expected), "{}", error.message);
    }
}

#[tokio::test]
async fn a_cancelled_run_writes_nothing() {
    let agent = open_in(Path::new("/"), "offline");
    let watch = Watch::default();
    watch.cancel.cancel();
    let json = serde_json::to_string(&assignment(Role::Engineer)).unwrap();
    assert!(
        agent
            .run(with(Role::Engineer, json), watch)
            .await
            .result
            .is_err()
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_program_finds_the_assignment_beside_its_prompt() {
    let agent = support::script("cat assignment.json", &[]);
    assert!(agent.wants_assignment());
    let json = serde_json::to_string_pretty(&assignment(Role::Engineer)).unwrap();
    let text = output(&agent, with(Role::Engineer, json.clone()))
        .await
        .text
        .unwrap();
    assert_eq!(text.trim_end(), json);
}
