//! What flags come to, row by row: logged, shown, blocking, systematic, and deflection, which is always shown.

use gapless_domain::phase::End;
use gapless_domain::question::Holds;
use gapless_domain::task::Role;
use gapless_runner::Stopped;

use crate::flags::{ONE, TWO, deflects, minding, objects, passed_over, passes_over};
use crate::stage::{Stage, issue, resolution, shown};
use crate::writing::{meeting, met_in};

/// The questions on what was passed over, as a person reads them.
fn warnings(stage: &Stage) -> String {
    let questions = stage.put("implicit_disagreement");
    let questions: Vec<String> = questions.into_iter().map(shown).collect();
    questions.join("\n---\n\n")
}

#[tokio::test(start_paused = true)]
async fn one_high_is_logged_in_the_summary() {
    let mut stage = passed_over(&ONE, "High Priority");
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert!(stage.put("implicit_disagreement").is_empty());
    let summary = stage.summary(2);
    let flags = &summary[summary.find("## Flags").unwrap_or(0)..];
    insta::assert_snapshot!(flags);
}

#[tokio::test(start_paused = true)]
async fn one_critical_is_a_warning() {
    let mut stage = passed_over(&ONE, "Critical Issues");
    stage.run_strictly().await;
    insta::assert_snapshot!(warnings(&stage));
    assert_eq!(stage.prompts(Role::Reviewer, 2).len(), 1, "nothing waits");
}

#[tokio::test(start_paused = true)]
async fn two_high_are_a_warning() {
    let mut stage = passed_over(&TWO, "High Priority");
    stage.run_strictly().await;
    insta::assert_snapshot!(warnings(&stage));
    assert_eq!(stage.prompts(Role::Reviewer, 2).len(), 1, "nothing waits");
}

#[tokio::test(start_paused = true)]
async fn two_critical_block_the_round() {
    let mut stage = passed_over(&TWO, "Critical Issues");
    let stopped = stage.run_strictly().await;
    assert!(
        matches!(&stopped, Stopped::Waiting(held) if held.len() == 2),
        "{stopped:?}"
    );
    insta::assert_snapshot!("two_critical", warnings(&stage));
    assert!(stage.prompts(Role::Reviewer, 2).is_empty());
    let why = [("text", "version 1 has no such client")];
    stage.tell("implicit_disagreement", "waive", &why).unwrap();
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    assert!(stage.prompts(Role::Reviewer, 2).is_empty(), "one is left");
    stage.tell("implicit_disagreement", "waive", &why).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    insta::assert_snapshot!("two_critical_decided", stage.decisions_md());
}

#[tokio::test(start_paused = true)]
async fn two_critical_block_also_beside_a_systematic_concern() {
    let gaps = [
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "HIGH", ""),
        ("GAP-API-003", "HIGH", ""),
    ];
    let mut stage = minding(&gaps)
        .when(Role::Reviewer, 0, 0, |r| {
            let reviews = r.gaps.iter().map(|gap| match (gap.number(), r.task.round) {
                (n @ (2 | 3), 3) => issue(gap, "Critical Issues", &format!("ISSUE-R3-00{n}")),
                (n, round) => issue(gap, "High Priority", &format!("ISSUE-R{round}-00{n}")),
            });
            Ok(Some(reviews.collect()))
        })
        .when(Role::Engineer, 0, 0, |r| {
            // In rounds 2 and 3 only the first gap's issue is passed over.
            let round = r.task.round;
            let answered = met_in(
                "the limit is not justified",
                "say where it comes from",
                round,
            );
            let sections = r.gaps.iter().map(|gap| match (gap.number(), round) {
                (2 | 3, 2 | 3) => meeting(gap, std::slice::from_ref(&answered)),
                _ => resolution(gap, "None"),
            });
            Ok(Some(sections.collect()))
        })
        .answer("inventory", "begin", &[])
        .answer("divergence", "accept", &[])
        .answer("divergence", "accept", &[]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    stage.pending("systematic_concern");
    let blocking: Vec<String> = stage
        .state()
        .now
        .questions
        .values()
        .filter(|question| question.about.kind() == "implicit_disagreement")
        .filter(|question| question.holds == Holds::Phase)
        .map(|question| question.about.subject())
        .collect();
    assert!(
        blocking.contains(&"ISSUE-R1-002".to_owned()),
        "{blocking:?}"
    );
    assert!(
        blocking.contains(&"ISSUE-R1-003".to_owned()),
        "{blocking:?}"
    );
}

/// The Reviewer takes its issue back in every round and raises the same concern under a new id: it stays one issue.
#[tokio::test(start_paused = true)]
async fn the_same_concern_under_new_ids_is_systematic() {
    let mut stage = minding(&ONE)
        .when(Role::Reviewer, 0, 0, |r| {
            let round = r.task.round;
            let new = issue(&r.gaps[0], "High Priority", &format!("ISSUE-R{round}-001"));
            let old = match round {
                1 => String::new(),
                _ => format!("- **ISSUE-R{}-001** (withdrawn)\n", round - 1),
            };
            Ok(Some(new.trim_end().to_owned() + "\n" + &old))
        })
        .when(Role::Engineer, 0, 0, |r| Ok(Some(passes_over(r))))
        .answer("inventory", "begin", &[])
        .answer("divergence", "accept", &[]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    let question = stage.pending("systematic_concern");
    assert_eq!(question.about.subject(), "ISSUE-R1-001");
    assert!(
        question.context.contains("passed over in rounds 2, 3, 4"),
        "{}",
        question.context
    );
    insta::assert_snapshot!(shown(&question));
}

/// False alarms don't add up to a concern that is passed over.
#[tokio::test(start_paused = true)]
async fn what_was_a_false_alarm_is_no_pattern() {
    let mut stage = minding(&ONE).answer("inventory", "begin", &[]);
    for round in 1..=4 {
        stage = stage
            .when(Role::Reviewer, round, 0, |r| {
                Ok(Some(objects(r, "Critical Issues")))
            })
            .when(Role::Engineer, round, 0, |r| Ok(Some(passes_over(r))))
            .answer("implicit_disagreement", "false_positive", &[])
            .answer("divergence", "accept", &[]);
    }
    stage.run_strictly().await;
    assert!(stage.put("systematic_concern").is_empty());
    assert!(stage.put("implicit_disagreement").len() >= 3);
}

#[tokio::test(start_paused = true)]
async fn deflection_is_always_shown() {
    let mut stage =
        passed_over(&ONE, "High Priority").when(Role::Engineer, 2, 1, |r| Ok(Some(deflects(r))));
    stage.run_strictly().await;
    insta::assert_snapshot!(warnings(&stage));
    let flags = stage.events("issue.flagged");
    assert_eq!(flags.len(), 3, "H4 and H5, and H6 by the review: {flags:?}");
}

/// What nobody has said a word to by the next round is asked once, as it stands then.
#[tokio::test(start_paused = true)]
async fn a_question_that_waits_is_put_anew_and_not_twice() {
    let mut stage = minding(&ONE)
        .when(Role::Reviewer, 0, 0, |r| {
            Ok(Some(objects(r, "Critical Issues")))
        })
        .when(Role::Engineer, 2, 0, |r| Ok(Some(passes_over(r))))
        .when(Role::Engineer, 3, 0, |r| Ok(Some(passes_over(r))))
        .answer("inventory", "begin", &[])
        .answer("divergence", "accept", &[]);
    stage.run_strictly().await;
    assert!(stage.put("implicit_disagreement").len() > 1);
    let waiting = stage.state().now.questions.values();
    let waiting = waiting.filter(|question| question.about.kind() == "implicit_disagreement");
    assert!(waiting.count() <= 1);
}
