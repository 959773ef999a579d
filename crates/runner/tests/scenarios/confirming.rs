//! Defaults: they hold their gaps until the user confirms them, group by group, or says what shall hold instead.

use gapless_agents::Request;
use gapless_domain::decision::DecisionKind;
use gapless_domain::gap::GapState;
use gapless_domain::issue::IssueState;
use gapless_domain::phase::End;
use gapless_domain::question::{Answer, DecidedBy};
use gapless_domain::task::{ExecutionError, Role};
use gapless_runner::Stopped;

use crate::stage::{Stage, no_issues, resolution, shown, stage};

/// Every proposal is a default of the group that its gap's category names.
fn defaults(request: &Request) -> Result<Option<String>, ExecutionError> {
    let sections: Vec<String> = request
        .gaps
        .iter()
        .map(|gap| {
            let group = match gap.category() {
                "TIME" => "Timeouts",
                _ => "Retries",
            };
            let mark = format!("**Default to confirm:** {group}\n**Confidence:** LOW");
            resolution(gap, "None").replacen("**Confidence:** HIGH", &mark, 1)
        })
        .collect();
    Ok(Some(sections.join("\n\n")))
}

fn asks_for_the_user(request: &Request) -> Result<Option<String>, ExecutionError> {
    let round = request.task.round;
    let reviews = request.gaps.iter().enumerate().map(|(index, gap)| {
        let title = match gap.number() {
            1 => "High Priority",
            _ => "Medium Priority",
        };
        format!(
            "## Review: {gap}\n\n### {title}\n\n- **ISSUE-R{round}-{:03}**: nobody has confirmed this default\n  \
             - **Suggestion:** confirm it\n  - **Settled by:** the user\n",
            index + 1
        )
    });
    Ok(Some(reviews.collect::<Vec<_>>().join("\n")))
}

const GAPS: [(&str, &str, &str); 4] = [
    ("GAP-TIME-001", "HIGH", ""),
    ("GAP-TIME-002", "MEDIUM", ""),
    ("GAP-TIME-003", "LOW", ""),
    ("GAP-RETRY-002", "MEDIUM", ""),
];

fn offline() -> Stage {
    stage(&GAPS)
        .when(Role::Engineer, 0, 0, defaults)
        .when(Role::Reviewer, 0, 0, asks_for_the_user)
}

#[tokio::test(start_paused = true)]
async fn a_policy_confirms_no_default_for_what_the_author_declared() {
    let mut stage = offline();
    let stopped = stage.run().await;
    // What is more than LOW is left to a person, and holds nothing but itself.
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    for gap in ["GAP-TIME-001", "GAP-TIME-002", "GAP-RETRY-002"] {
        assert_eq!(stage.gap(gap), GapState::NeedsRevision, "{gap}");
    }
    let low = stage.gap("GAP-TIME-003");
    assert!(
        matches!(low, GapState::Accepted | GapState::Resolved),
        "{low}"
    );
    let now = &stage.state().now;
    let confirmed = now
        .decisions
        .iter()
        .filter(|decision| decision.kind == DecisionKind::Confirmation);
    assert_eq!(confirmed.count(), 1, "the LOW one");
    insta::assert_snapshot!(shown(&stage.pending("defaults")));
    let waiting = stage.pending("nothing_to_plan");
    assert!(
        waiting.context.contains("your word on it is awaited"),
        "{}",
        waiting.context
    );
    stage.tell("defaults", "confirm", &[]).unwrap();
    stage.tell("defaults", "confirm", &[]).unwrap();
    assert_eq!(stage.gap("GAP-TIME-001"), GapState::Accepted);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    insta::assert_snapshot!(stage.decisions_md());
}

#[tokio::test(start_paused = true)]
async fn nothing_counts_before_it_is_confirmed() {
    let mut stage = offline().answer("inventory", "begin", &[]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    for (gap, ..) in GAPS {
        assert_eq!(stage.gap(gap), GapState::NeedsRevision, "{gap}");
    }
    assert!(!stage.spec().contains("The limit is 100 per second"));
}

#[tokio::test(start_paused = true)]
async fn a_default_that_the_review_lets_pass_is_asked_about_all_the_same() {
    let mut stage = offline()
        .when(Role::Reviewer, 0, 0, |request| {
            Ok(Some(request.gaps.iter().map(no_issues).collect()))
        })
        .answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    let question = stage.pending("defaults");
    assert!(question.title.contains("hold"), "{}", question.title);
    for (gap, ..) in GAPS {
        assert_eq!(stage.gap(gap), GapState::NeedsRevision, "{gap}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_user_says_what_shall_hold_instead() {
    let mut stage = offline()
        .answer("inventory", "begin", &[])
        .answer("defaults", "confirm", &[])
        .answer("defaults", "confirm", &[]);
    stage.run_strictly().await;
    let left: Vec<_> = stage.state().now.questions.values().cloned().collect();
    let asked = left
        .iter()
        .find(|question| question.about.kind() == "defaults")
        .unwrap();
    stage
        .tell(
            "defaults",
            "own",
            &[("text", "Every call ends after 750 ms.")],
        )
        .unwrap();
    let gap = stage
        .state()
        .now
        .gaps
        .values()
        .find(|gap| !gap.obligations.is_empty())
        .unwrap()
        .clone();
    assert!(asked.context.contains(&gap.id.to_string()));
    assert_eq!(gap.state, GapState::NeedsRevision);
    let mut stage = stage
        .when(Role::Engineer, 0, 0, |request| {
            assert!(request.prompt.contains("Every call ends after 750 ms."));
            let sections: Vec<String> = request
                .gaps
                .iter()
                .map(|gap| resolution(gap, "None"))
                .collect();
            Ok(Some(sections.join("\n\n")))
        })
        .when(Role::Reviewer, 0, 0, |request| {
            Ok(Some(request.gaps.iter().map(no_issues).collect()))
        });
    let stopped = stage.run().await;
    assert_eq!(stopped, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn some_of_a_group_can_be_answered_and_the_rest_is_asked_again() {
    let mut stage = offline().answer("inventory", "begin", &[]);
    stage.later = vec!["defaults"];
    stage.run_strictly().await;
    let group = |stage: &Stage| {
        let mut questions = stage.state().now.questions.values();
        let lesser = questions.find(|question| question.title.contains("do these 2 defaults"));
        lesser.map(|question| question.id)
    };
    let both = group(&stage).unwrap();
    let answer = Answer::of("defer", DecidedBy::User)
        .with("gaps", "GAP-TIME-002")
        .with("reason", "after the load test");
    let say = gapless_mediator::UserInput::Answer {
        question: both,
        answer,
    };
    stage.say(say).unwrap();
    assert_eq!(stage.gap("GAP-TIME-002"), GapState::UserDeferred);
    assert_eq!(stage.gap("GAP-TIME-001"), GapState::NeedsRevision);
    assert!(group(&stage).is_none());
    let mut questions = stage.state().now.questions.values();
    assert!(questions.any(|question| question.title.contains("hold for GAP-TIME-001")));
}

#[tokio::test(start_paused = true)]
async fn an_engineer_cannot_answer_what_only_the_user_settles() {
    let mut stage = offline().answer("inventory", "begin", &[]);
    stage.later = vec!["defaults"];
    stage.run_strictly().await;
    let issues = stage.state().now.issues.clone();
    assert!(issues.values().all(|issue| issue.state == IssueState::Open));
    let flagged = issues.values().any(|issue| !issue.flags.is_empty());
    assert!(!flagged, "nobody passed anything over");
}
