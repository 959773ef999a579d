//! How much an Engineer may disagree before the user is asked.

use gapless_domain::phase::End;
use gapless_domain::severity::Severity;
use gapless_domain::severity::Severity::{Critical, High, Low, Medium};
use gapless_domain::task::Role;
use gapless_mediator::UserInput;
use gapless_runner::Stopped;

use crate::quarrel::{Raised, all_of, answers, quarrel, raised, review};
use crate::stage::{Stage, issue_id, labels, shown, with_config};

const WHY: &[(&str, &str)] = &[("justification", "the review misread the scope")];

fn rates_asked(stage: &Stage) -> usize {
    let kinds = stage.kinds();
    kinds.iter().filter(|kind| **kind == "rate_limit").count()
}

/// Runs up to the question on the rate of round 2.
async fn asked(severities: &[Severity], disagrees: usize) -> Stage {
    let mut stage = quarrel(severities, disagrees).answer("inventory", "begin", &[]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    stage
}

#[tokio::test(start_paused = true)]
async fn more_than_five_block_the_round_until_they_are_justified() {
    let mut stage = asked(&[Low; 6], 6).await;
    let question = stage.pending("rate_limit");
    insta::assert_snapshot!("more_than_five", shown(&question));
    assert_eq!(question.severity, Some(High));
    assert_eq!(
        labels(&question),
        ["accept", "revise", "review", "scope", "pause"]
    );
    stage.refuses("rate_limit", "accept", &[], "justification");
    stage.refuses(
        "rate_limit",
        "scope",
        &[("scope", "limits")],
        "justification",
    );
    stage.tell("rate_limit", "accept", WHY).unwrap();
    let mut stage = stage.answer("lesser_conflicts", "B", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    insta::assert_snapshot!("more_than_five_accepted", stage.decisions_md());
    assert_eq!(stage.decisions()[0], "scope: the review misread the scope");
    assert_eq!(stage.decisions().len(), 7);
}

#[tokio::test(start_paused = true)]
async fn five_are_allowed() {
    let mut stage = quarrel(&[Low; 5], 5).answer("lesser_conflicts", "B", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(rates_asked(&stage), 0);
}

/// Six disagreements of round 2, and what the same Engineer writes when it is asked again.
fn revised(left: usize) -> Stage {
    quarrel(&[Low; 6], 6).when(Role::Engineer, 2, 0, move |r| {
        let all = all_of(&[Low; 6]);
        let (disagreed, answered) = match r.task.slot.index {
            0 => all.split_at(6),
            _ => all.split_at(left),
        };
        Ok(Some(answers(&r.gaps[0], disagreed, answered)))
    })
}

#[tokio::test(start_paused = true)]
async fn a_revision_that_reduces_them_lets_the_round_go_on() {
    let mut stage = revised(1)
        .answer("rate_limit", "revise", &[])
        .when(Role::Reviewer, 2, 0, |r| {
            Ok(Some(review(&r.gaps[0], &[raised(Low, 1)])))
        })
        .answer("conflict", "B", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(rates_asked(&stage), 1);
    let prompts = stage.prompts(Role::Engineer, 2);
    assert_eq!(prompts.len(), 2);
    assert!(
        prompts[1].starts_with("# Once more in this round: fewer disagreements"),
        "{}",
        prompts[1]
    );
    assert!(prompts[1].contains("You disagree with 6 of the Reviewer's issues"));
    assert!(prompts[1].contains("## DISAGREE: ISSUE-R1-006"));
    let seen = &stage.prompts(Role::Reviewer, 2)[0];
    assert_eq!(seen.matches("## DISAGREE:").count(), 1, "{seen}");
    assert_eq!(seen.matches("## Gap Resolution:").count(), 1, "{seen}");
}

#[tokio::test(start_paused = true)]
async fn what_a_revision_no_longer_disagrees_with_is_gone_though_it_says_nothing_of_it() {
    let mut stage = revised(6)
        .when(Role::Engineer, 2, 0, |r| {
            let all = all_of(&[Low; 6]);
            let disagreed = match r.task.slot.index {
                0 => &all[..],
                _ => &all[..1],
            };
            Ok(Some(answers(&r.gaps[0], disagreed, &[])))
        })
        .answer("rate_limit", "revise", &[])
        .answer("conflict", "B", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(rates_asked(&stage), 1);
    assert_eq!(stage.events("round.responded").len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_revision_is_asked_for_once() {
    let mut stage =
        revised(6)
            .answer("inventory", "begin", &[])
            .answer("rate_limit", "revise", &[]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    assert_eq!(rates_asked(&stage), 2);
    let question = stage.pending("rate_limit");
    assert_eq!(labels(&question), ["accept", "review", "scope", "pause"]);
    stage.refuses("rate_limit", "revise", &[], "revise");
}

#[tokio::test(start_paused = true)]
async fn a_revision_that_fails_leaves_what_was_written() {
    let mut stage = revised(6)
        .when(Role::Engineer, 2, 0, |r| match r.task.slot.index {
            0 => Ok(Some(answers(&r.gaps[0], &all_of(&[Low; 6]), &[]))),
            _ => Ok(Some("I would rather not.\n".to_owned())),
        })
        .answer("inventory", "begin", &[])
        .answer("rate_limit", "revise", &[])
        .answer("rate_limit", "accept", WHY)
        .answer("lesser_conflicts", "B", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(rates_asked(&stage), 2);
}

#[tokio::test(start_paused = true)]
async fn more_than_half_and_at_least_two_are_a_warning() {
    for (severities, disagrees, warned) in [
        (&[High, High, High][..], 2, true),
        (&[High, Critical], 2, true),
        (&[High, High, High, High], 2, false),
        (&[High], 1, false),
        (&[Medium, Medium, Low], 3, false),
        (&[High, Medium, Medium], 3, false),
    ] {
        let mut stage = quarrel(severities, disagrees).answer("inventory", "begin", &[]);
        stage.run_strictly().await;
        assert_eq!(
            rates_asked(&stage),
            usize::from(warned),
            "{severities:?} {disagrees}"
        );
        if warned {
            let question = stage.pending("rate_limit");
            assert_eq!(question.severity, None);
            if disagrees == severities.len() {
                insta::assert_snapshot!("more_than_half", shown(&question));
            }
            stage.tell("rate_limit", "accept", &[]).unwrap();
            assert!(stage.decisions().is_empty());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn more_than_two_in_five_over_three_rounds_are_a_pattern() {
    let of_round = |round: u32| -> Vec<Raised> {
        let mut issues = all_of(&[High, High]);
        for (issue, number) in issues.iter_mut().zip(1..) {
            issue.id = format!("ISSUE-R{round}-{number:03}");
            issue.summary = format!("In version {round} the edge {number} has no answer.");
        }
        issues
    };
    let mut stage = with_config(&[("GAP-API-001", "HIGH", "")], |met| {
        met.config.max_rounds = Some(9);
    })
    .when(Role::Reviewer, 0, 0, move |r| {
        let round = r.task.round;
        let mut issues = of_round(round);
        if round > 1 {
            issues.push(of_round(round - 1).remove(0));
        }
        Ok(Some(review(&r.gaps[0], &issues)))
    })
    .when(Role::Engineer, 0, 0, move |r| {
        let round = r.task.round;
        if round == 1 {
            return Ok(Some(answers(&r.gaps[0], &[], &[])));
        }
        let last = of_round(round - 1);
        Ok(Some(answers(&r.gaps[0], &last[..1], &last[1..])))
    })
    .answer("conflict", "B", &[])
    .answer("inventory", "begin", &[])
    .answer("divergence", "accept", &[]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    let question = stage.pending("rate_limit");
    assert_eq!(question.about.subject(), "round 3");
    assert!(
        question
            .context
            .starts_with("- over the last 3 rounds the Engineer disagreed with 2 of 4 CRITICAL and HIGH issues (50%)"),
        "{}",
        question.context
    );
    assert_eq!(question.severity, None);
    insta::assert_snapshot!("two_in_five_over_three_rounds", shown(&question));
}

#[tokio::test(start_paused = true)]
async fn everything_that_is_passed_is_told() {
    let stage = asked(&[High, High, Critical, High, High, High, Medium], 6).await;
    let question = stage.pending("rate_limit");
    insta::assert_snapshot!(question.context);
    assert_eq!(question.severity, Some(High));
}

#[tokio::test(start_paused = true)]
async fn mediated_scope_stands_at_the_head_of_both_prompts() {
    let mut stage = asked(&[High, High], 2).await;
    let scope = [("scope", "Version 1 answers only over HTTP.")];
    stage.tell("rate_limit", "scope", &scope).unwrap();
    insta::assert_snapshot!("mediated_scope", stage.decisions_md());
    let mut stage = stage
        .answer("conflict", "A", &[])
        .answer("conflict", "A", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    for prompt in [
        &stage.prompts(Role::Reviewer, 2)[0],
        &stage.prompts(Role::Engineer, 3)[0],
        &stage.prompts(Role::Reviewer, 3)[0],
    ] {
        let head = prompt.split("ssigned gaps").next().unwrap();
        let head = head.split("## Gaps to review").next().unwrap();
        assert!(
            head.contains("Version 1 answers only over HTTP."),
            "{prompt}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_pause_keeps_the_question_for_later() {
    let mut stage = asked(&[High, High], 2).await;
    stage.tell("rate_limit", "pause", &[]).unwrap();
    assert_eq!(stage.run().await, Stopped::Paused);
    stage.say(UserInput::Resume).unwrap();
    let mut stage = stage
        .answer("rate_limit", "accept", &[])
        .answer("conflict", "B", &[])
        .answer("conflict", "B", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(rates_asked(&stage), 2);
}

#[tokio::test(start_paused = true)]
async fn reviewed_severities_count_the_rate_anew() {
    let mut stage = asked(&[High, High, High], 2).await;
    for (severities, words) in [
        ("ISSUE-R1-001", "is not ID=SEVERITY"),
        ("ISSUE-R1-001=TINY", "is not a severity"),
        ("POINT-1=LOW", "POINT-1"),
        ("ISSUE-R9-001=LOW", "there is no issue ISSUE-R9-001"),
    ] {
        let fields = [("severities", severities), ("reason", "so it is")];
        stage.refuses("rate_limit", "review", &fields, words);
    }
    let fields = [
        ("severities", "ISSUE-R1-001=LOW, ISSUE-R1-002 = medium"),
        ("reason", "these are suggestions"),
    ];
    stage.tell("rate_limit", "review", &fields).unwrap();
    let mut stage = stage.answer("lesser_conflicts", "B", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(rates_asked(&stage), 1);
    assert_eq!(stage.events("issue.severity_changed").len(), 2);
}

/// Four of four, of which the user calls two suggestions: two are left to decide, and the other two in one go.
#[tokio::test(start_paused = true)]
async fn the_user_reviews_the_review() {
    let severities = [High, High, High, Critical, Medium];
    let mut stage = asked(&severities, 4).await;
    insta::assert_snapshot!("rate_of_four", stage.pending("rate_limit").context);
    let fields = [
        ("severities", "ISSUE-R1-001=LOW, ISSUE-R1-002=LOW"),
        (
            "reason",
            "These should have been suggestions, not requirements.",
        ),
    ];
    stage.tell("rate_limit", "review", &fields).unwrap();
    // The Reviewer is told, and calls them what the user does.
    let mut stage = stage
        .answer("rate_limit", "accept", &[])
        .when(Role::Reviewer, 2, 0, |r| {
            let issues = all_of(&[Low, Low, High, Critical]);
            Ok(Some(review(&r.gaps[0], &issues)))
        });
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    let again = stage.asked.iter().rfind(|q| q.about.kind() == "rate_limit");
    let again = &again.unwrap().context;
    assert!(
        again.starts_with("- the Engineer disagrees with 2 of 2"),
        "{again}"
    );
    let queue: Vec<(String, Option<Severity>)> = stage
        .state()
        .now
        .queue()
        .into_iter()
        .map(|question| (question.about.subject(), question.severity))
        .collect();
    let said = |subject: &str, severity| (subject.to_owned(), Some(severity));
    assert_eq!(
        queue,
        [
            said("ISSUE-R1-004", Critical),
            said("ISSUE-R1-003", High),
            said("ISSUE-R1-001, ISSUE-R1-002", Low)
        ]
    );
    let mut stage = stage
        .answer(
            "conflict",
            "A",
            &[("rationale", "recovery data must persist")],
        )
        .answer("conflict", "B", &[])
        .answer("lesser_conflicts", "B", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    insta::assert_snapshot!(
        "decisions_of_four",
        gapless_views::documents::decisions(stage.state())
    );
    let issue = stage.state().now.issues.get(&issue_id("ISSUE-R1-001"));
    assert_eq!(issue.unwrap().concern.severity, Low);
}

#[tokio::test(start_paused = true)]
async fn a_severity_set_meanwhile_withdraws_the_question() {
    let mut stage = asked(&[High, High], 2).await;
    let question = stage.pending("rate_limit").id;
    stage.set_issue_severity("ISSUE-R1-001", Low).unwrap();
    let late =
        gapless_domain::question::Answer::of("accept", gapless_domain::question::DecidedBy::User);
    let refusal = stage.say(UserInput::Answer {
        question,
        answer: late,
    });
    assert!(refusal.unwrap_err().to_string().contains("was withdrawn"));
    let mut stage = stage
        .answer("conflict", "B", &[])
        .answer("conflict", "B", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(rates_asked(&stage), 1);
}
