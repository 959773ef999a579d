//! Reviews that find nothing and don't say what they looked at: asked for once more where it is grave, and only once.

use gapless_agents::Request;
use gapless_domain::gap::GapState;
use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_runner::Stopped;

use crate::stage::{Stage, bare_task, labels, no_issues, stage};

fn silent(request: &Request) -> String {
    let reviews = request
        .gaps
        .iter()
        .map(|gap| format!("## Review: {gap}\n\n**NO_ISSUES_FOUND**\n\n"));
    reviews.collect()
}

/// A Reviewer that never says what it examined.
fn always_silent(gaps: &[(&str, &str, &str)]) -> Stage {
    stage(gaps).when(Role::Reviewer, 1, 0, |request| Ok(Some(silent(request))))
}

#[tokio::test(start_paused = true)]
async fn a_silent_review_of_something_grave_is_pressed_once_and_never_twice() {
    for severity in ["CRITICAL", "HIGH"] {
        let mut stage = always_silent(&[("GAP-API-001", severity, ""), ("GAP-API-002", "LOW", "")]);
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
        assert_eq!(stage.kinds(), ["inventory"]);
        let pressed = stage.events("task.pressed");
        assert_eq!(pressed.len(), 1);
        assert_eq!(pressed[0]["gaps"], serde_json::json!(["GAP-API-001"]));
        let prompts = stage.prompts(Role::Reviewer, 1);
        assert_eq!(prompts.len(), 2);
        let (press, task) = prompts[1].split_once("The task again:\n\n").unwrap();
        assert!(
            press.starts_with("# Once more: say what you examined\n"),
            "{press}"
        );
        assert!(
            press.contains("found nothing on GAP-API-001, and"),
            "{press}"
        );
        assert_eq!(bare_task(&prompts[0]), bare_task(task));
        let summary = stage.summary(1);
        assert!(
            summary.contains("| Reviewer | SUCCESS | 2 | - | - |"),
            "{summary}"
        );
        assert!(
            summary.contains("| PASS, pressed | valid, but it finds nothing on GAP-API-001"),
            "{summary}"
        );
        assert!(
            summary.contains("- **Failure type:** silent review\n"),
            "{summary}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_less_grave_or_examined_or_objected_to_is_not_pressed() {
    let mut stage = always_silent(&[("GAP-API-001", "MEDIUM", ""), ("GAP-API-002", "LOW", "")]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.prompts(Role::Reviewer, 1).len(), 1);

    let said = [
        "**NO_ISSUES_FOUND**\n\nExamined:\n- the limit\n",
        "**NO_ISSUES_FOUND**\n\n**Examined:**\n\n1. the limit\n",
        "### Critical Issues\n\nNone\n\n### Consistency Checks\n\n- [x] the limit agrees with Limits\n",
        "**NO_ISSUES_FOUND**\n\nExamined:\n- [x] the limit\n- [ ] the answer\n",
        "### Low Priority / Nits\n\n- **ISSUE-R1-001**: 100 is a round number.\n",
    ];
    for said in said {
        let mut stage = stage_saying(said);
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete), "{said}");
        assert_eq!(stage.events("task.pressed").len(), 0, "{said}");
    }
    let silent = [
        "**NO_ISSUES_FOUND**\n\nExamined:\n\nall of it\n",
        "### Critical Issues\n\nNone\n\n### High Priority\n\nNone\n\n### Consistency Checks\n",
        "```\nExamined:\n- the limit\n```\n\n**NO_ISSUES_FOUND**\n",
        "**NO_ISSUES_FOUND**\n\nExamined:\n- [ ] the limit\n- [ ] the answer\n",
        "**NO_ISSUES_FOUND**\n\n<!--\nExamined:\n- the limit\n-->\n",
    ];
    for said in silent {
        let mut stage = stage_saying(said);
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete), "{said}");
        assert_eq!(stage.events("task.pressed").len(), 1, "{said}");
    }
}

fn stage_saying(said: &'static str) -> Stage {
    stage(&[("GAP-API-001", "HIGH", "")]).when(Role::Reviewer, 1, 0, move |request| {
        Ok(Some(format!("## Review: {}\n\n{said}\n", request.gaps[0])))
    })
}

#[tokio::test(start_paused = true)]
async fn being_pressed_spends_no_retry_and_the_press_stands_in_the_retries() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")])
        .when(Role::Reviewer, 1, 1, |request| {
            Ok(Some(format!(
                "Here is my review:\n\n```markdown\n{}```\n",
                silent(request)
            )))
        })
        .writes(Role::Reviewer, 1, 2, "nonsense")
        .writes(Role::Reviewer, 1, 3, "nonsense");
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds(), ["inventory"]);
    let prompts = stage.prompts(Role::Reviewer, 1);
    assert_eq!(prompts.len(), 4, "one try, one press, two retries");
    for prompt in &prompts[2..] {
        assert!(prompt.starts_with("# Attempt "), "{prompt}");
        assert!(
            prompt.contains("The task again:\n\n# Once more: say what you examined"),
            "{prompt}"
        );
    }
    // The attempt is kept as the agent wrote it, with what stood around the document.
    let written = &stage.attempt_files()["round_001/attempts/reviewer-1.md"];
    assert!(written.starts_with("Here is my review:\n"), "{written}");
}

#[tokio::test(start_paused = true)]
async fn a_press_survives_a_kill() {
    let mut stage = always_silent(&[("GAP-API-001", "HIGH", "")]);
    // Engineer and first review are over; the second review is under way.
    stage.killed_after(25).await;
    assert_eq!(stage.events("task.pressed").len(), 1);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.events("task.pressed").len(), 1);
    assert_eq!(stage.events("task.started").len(), 4);
    let prompts = stage.prompts(Role::Reviewer, 1);
    assert_eq!(prompts.len(), 3, "what was under way is done twice");
    assert_eq!(prompts[1], prompts[2]);
}

#[tokio::test(start_paused = true)]
async fn after_a_press_the_silent_review_is_the_best_attempt() {
    let gaps = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")];
    let mut stage = stage(&gaps)
        .when(Role::Reviewer, 1, 1, |request| Ok(Some(silent(request))))
        .writes(Role::Reviewer, 1, 2, "nonsense")
        .writes(Role::Reviewer, 1, 3, "nonsense")
        .when(Role::Reviewer, 1, 4, |_| Ok(None))
        .answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    let question = stage.pending("escalation");
    assert!(
        question
            .context
            .contains("- attempt 1: PRESSED: valid, but it finds nothing on GAP-API-001"),
        "{}",
        question.context
    );
    let best = question
        .options
        .iter()
        .find(|option| option.label == "best")
        .unwrap();
    assert_eq!(
        best.effect,
        "attempt 1 is taken for GAP-API-001, GAP-API-002; what is wrong in it is left out"
    );
    stage.tell("escalation", "best", &[]).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.gap("GAP-API-001"), GapState::Accepted);
    let summary = stage.summary(1);
    assert!(
        summary.contains(
            "| Reviewer | SUCCESS | 4 | FILE_MISSING (attempt 1 taken as the best) | - |"
        ),
        "{summary}"
    );
    assert!(
        summary.contains("| PASS, pressed, taken as the best |"),
        "{summary}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_review_of_fewer_proposals_is_not_pressed_a_second_time_in_its_round() {
    let gaps = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "HIGH", "")];
    let mut stage = stage(&gaps)
        .when(Role::Reviewer, 1, 0, |request| {
            let (slot, attempt) = (request.task.slot.index, request.task.attempt);
            Ok(Some(match (slot, attempt) {
                (0, 1) | (1, _) => silent(request),
                _ => "nonsense".to_owned(),
            }))
        })
        .when(Role::Reviewer, 2, 0, |request| {
            Ok(Some(request.gaps.iter().map(no_issues).collect()))
        })
        .answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    assert_eq!(
        labels(&stage.pending("escalation")),
        [
            "skip",
            "reassign",
            "context",
            "narrow",
            "best",
            "roll_back",
            "pause"
        ]
    );
    stage
        .tell("escalation", "reassign", &[("gaps", "GAP-API-002")])
        .unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.events("task.pressed").len(), 1);
    assert_eq!(stage.prompts(Role::Reviewer, 1).len(), 5);
    // What was not reviewed goes to the Reviewer again, and not to the Engineer.
    assert_eq!(stage.prompts(Role::Engineer, 2).len(), 0);
    assert!(stage.prompts(Role::Reviewer, 2)[0].contains("### GAP-API-001"));
}
