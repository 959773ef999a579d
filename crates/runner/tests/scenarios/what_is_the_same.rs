//! Which entries are the same matter: their words decide, and an id never does by itself. Two matters under one id are two
//! entries, and one matter under two ids is one.

use gapless_domain::gap::GapState;
use gapless_domain::ids::GapId;
use gapless_domain::issue::IssueState;
use gapless_domain::phase::End;
use gapless_domain::severity::Severity::{Critical, High};
use gapless_domain::task::Role;
use gapless_mediator::GapCommand;
use gapless_runner::Stopped;

use crate::flags::{ONE, passes_over};
use crate::quarrel::{GAP, ISSUE, audit, issue_on, review};
use crate::stage::{
    Stage, final_review, gap_id, issue_id, no_issues, on_source, resolution, stage,
};

const OTHER: &str = "GAP-API-002";
const FULL: &str = "What happens when the upload queue is full is not said.";
const TWICE: &str = "What happens when the upload queue arrives twice is not said.";

/// A review with one HIGH issue on the first gap.
fn raises(stage: Stage, round: u32, id: &'static str, summary: &'static str) -> Stage {
    stage.when(Role::Reviewer, round, 0, move |r| {
        let raised = issue_on(High, id, summary, "Say it");
        let others = r.gaps.iter().skip(1).map(no_issues);
        Ok(Some(
            review(&r.gaps[0], &[raised]) + &others.collect::<String>(),
        ))
    })
}

fn summary(stage: &Stage, issue: &str) -> String {
    let issues = &stage.state().now.issues;
    issues
        .get(&issue_id(issue))
        .unwrap()
        .concern
        .summary
        .clone()
}

#[tokio::test(start_paused = true)]
async fn two_issues_with_one_id_in_a_review_are_two() {
    let gaps = [(GAP, "HIGH", ""), (OTHER, "HIGH", "")];
    let mut stage = stage(&gaps).when(Role::Reviewer, 1, 0, |r| {
        let lost = "Rejected requests are lost without a trace.";
        let both = [
            review(&r.gaps[0], &[audit(Critical)]),
            review(
                &r.gaps[1],
                &[issue_on(Critical, ISSUE, lost, "Keep them in a queue")],
            ),
        ];
        Ok(Some(both.concat()))
    });
    stage.run().await;
    let raised = stage.events("issue.raised");
    assert_eq!(raised.len(), 2, "{raised:?}");
    assert_eq!(
        (&raised[0]["gap"], &raised[1]["gap"]),
        (&GAP.into(), &OTHER.into())
    );
    assert_eq!(raised[1]["alias"]["name"], ISSUE, "the old id is an alias");
    let sent_back = stage.events("gap.moved");
    let sent_back = sent_back.iter().filter(|event| event["by"] == "revise");
    assert_eq!(
        sent_back.count(),
        2,
        "neither gap is accepted over its issue"
    );
}

#[tokio::test(start_paused = true)]
async fn another_matter_under_the_id_of_an_issue_that_stands_is_another_issue() {
    let stage = raises(stage(&ONE), 1, ISSUE, FULL);
    let mut stage =
        raises(stage, 2, ISSUE, TWICE).when(Role::Engineer, 2, 0, |r| Ok(Some(passes_over(r))));
    stage.run_to_round(3).await;
    assert!(stage.events("issue.restated").is_empty());
    let raised = stage.events("issue.raised");
    assert_eq!(raised.len(), 2, "{raised:?}");
    assert_eq!(raised[1]["alias"]["name"], ISSUE);
    for (issue, words) in [(ISSUE, FULL), (raised[1]["id"].as_str().unwrap(), TWICE)] {
        assert_eq!(stage.issue(issue), IssueState::Open, "{words}");
        assert_eq!(summary(&stage, issue), words);
    }
}

#[tokio::test(start_paused = true)]
async fn a_matter_that_stands_is_raised_again_under_a_new_id_on_its_gap() {
    let again = "Not said: what happens when full is what the upload queue is.";
    let stage = raises(stage(&ONE), 1, ISSUE, FULL);
    let mut stage = raises(stage, 2, "ISSUE-R2-001", again);
    stage.run_to_round(3).await;
    assert_eq!(stage.events("issue.raised").len(), 1);
    assert_eq!(
        stage.issue(ISSUE),
        IssueState::Open,
        "answered, and raised again"
    );
    assert_eq!(summary(&stage, ISSUE), again);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn the_words_that_an_issue_is_raised_with_again_are_its_text() {
    let words = "Nobody audits rejected requests of partners.";
    let mut stage = stage(&ONE)
        .when(Role::Reviewer, 1, 0, |r| {
            Ok(Some(review(&r.gaps[0], &[audit(High)])))
        })
        .when(Role::Reviewer, 2, 0, move |r| {
            let again = issue_on(High, ISSUE, words, "Write one for partners");
            Ok(Some(review(&r.gaps[0], &[again])))
        });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    for role in [Role::Engineer, Role::Reviewer] {
        let prompt = &stage.prompts(role, 3)[0];
        assert!(prompt.contains(words), "{role}: {prompt}");
    }
    let issue = stage.state().now.issues.values().next().unwrap();
    assert_eq!(
        issue.earlier[0].summary,
        audit(High).summary,
        "the old words stay"
    );
}

#[tokio::test(start_paused = true)]
async fn a_new_gap_under_a_known_id_is_a_gap_of_its_own() {
    let gaps = [(GAP, "HIGH", ""), (OTHER, "LOW", "")];
    let new = "- GAP-API-002 [CRITICAL]: what happens when the disk is full is not said";
    let mut stage = stage(&gaps).when(Role::Engineer, 1, 0, move |r| {
        let declared = |gap: &GapId| match gap.to_string() == GAP {
            true => resolution(gap, new),
            false => resolution(gap, "None"),
        };
        Ok(Some(r.gaps.iter().map(declared).collect()))
    });
    stage.run().await;
    let created = stage.events("gap.created");
    let created = &created.last().unwrap()["gap"];
    assert_eq!(created["severity"], "CRITICAL");
    assert_ne!(created["id"], OTHER);
    assert_eq!(created["alias"]["name"], OTHER);
}

#[tokio::test(start_paused = true)]
async fn a_new_gap_declared_for_a_gap_that_the_user_deferred_meanwhile_is_created() {
    let mut stage =
        stage(&[(GAP, "HIGH", ""), (OTHER, "LOW", "")]).when(Role::Engineer, 1, 0, |_| {
            let new = "- GAP-API-009 [HIGH]: what happens when the disk is full is not said";
            let sections = [
                resolution(&gap_id(GAP), "None"),
                resolution(&gap_id(OTHER), new),
            ];
            Ok(Some(sections.concat()))
        });
    stage.run_to_role(Role::Engineer).await;
    let (gap, reason) = (gap_id(OTHER), "later".to_owned());
    let defer = GapCommand::Defer { gap, reason };
    stage.gap_command(defer).unwrap();
    stage.run_to_round(2).await;
    assert_eq!(stage.gap(OTHER), GapState::UserDeferred);
    let prompt = &stage.prompts(Role::Engineer, 2)[0];
    assert!(
        prompt.contains("what happens when the disk is full"),
        "{prompt}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_blocker_that_shares_common_words_with_a_waived_issue_counts() {
    let blocker = "- **ISSUE-R2-900**: GAP-API-001 What happens to rejected requests when the disk is full is not said.";
    let waived = "What happens to rejected requests is not said.";
    let mut stage = raises(stage(&ONE), 1, ISSUE, waived)
        .when(Role::FinalReviewer, 2, 0, move |_| {
            Ok(Some(final_review("NOT_READY", blocker)))
        })
        .answer("inventory", "begin", &[]);
    stage.run_to_round(2).await;
    stage.waive(ISSUE, "not for version 1").unwrap();
    stage.run().await;
    let reviewed = stage.events("round.final_reviewed");
    assert_eq!(reviewed[0]["ready"], false, "{reviewed:?}");
    assert!(
        reviewed.iter().all(|event| event["set_aside"].is_null()),
        "{reviewed:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_blocker_on_another_case_of_what_the_user_closed_counts() {
    let source = format!(
        "# A service\n\n## Uploads\n\nUploads are queued.\n\n## Known gaps\n\n\
         - {GAP} [HIGH] (section: Uploads): the size of an upload is not said\n\
         - {OTHER} [LOW] (section: Uploads): {FULL}\n"
    );
    for (words, counts) in [(FULL, false), (TWICE, true)] {
        let blocker = format!("- {OTHER}: {words}");
        let mut stage = on_source(source.clone(), Vec::new(), |_| {}).when(
            Role::FinalReviewer,
            1,
            0,
            move |_| Ok(Some(final_review("NOT_READY", &blocker))),
        );
        stage
            .gap_command(GapCommand::Close {
                gap: gap_id(OTHER),
                reason: "no".to_owned(),
                sentence: None,
            })
            .unwrap();
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete), "{words}");
        let reviewed = &stage.events("round.final_reviewed")[0];
        assert_eq!(reviewed["ready"], !counts, "{words}");
        assert_eq!(reviewed["set_aside"].is_null(), counts, "{words}");
        assert_eq!(stage.gap(OTHER), GapState::WontFix);
        let raised = stage.events("issue.raised");
        assert_eq!(raised.len(), usize::from(counts), "{words}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_new_gap_that_a_review_lists_twice_is_as_grave_as_the_graver_entry() {
    let mut stage = stage(&ONE).when(Role::Reviewer, 1, 0, |r| {
        let twice = "- GAP-API-008 [LOW]: what happens when the disk is full is not said\n\
            - GAP-API-009 [CRITICAL]: what happens when the disk is full is not said\n";
        let new = format!("### New Gaps Identified\n\n{twice}\n");
        Ok(Some(no_issues(&r.gaps[0]) + &new))
    });
    stage.run_to_round(2).await;
    let gaps = stage.state().now.gaps.values();
    let full: Vec<_> = gaps
        .filter(|gap| gap.description.contains("the disk is full"))
        .map(|gap| gap.severity)
        .collect();
    assert_eq!(full, [Critical]);
}

#[tokio::test(start_paused = true)]
async fn an_issue_is_taken_back_with_a_reason() {
    let words =
        "- **ISSUE-R1-001** (withdrawn): the journal of refusals audits rejected requests now";
    let mut stage = raises(stage(&ONE), 1, ISSUE, "Nobody audits rejected requests.")
        .when(Role::Engineer, 2, 0, |r| Ok(Some(passes_over(r))))
        .when(Role::Reviewer, 2, 0, move |r| {
            let gap = &r.gaps[0];
            Ok(Some(format!(
                "## Review: {gap}\n\n### High Priority\n\n{words}\n"
            )))
        })
        .answer("inventory", "begin", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.issue(ISSUE), IssueState::Withdrawn);
}

#[tokio::test(start_paused = true)]
async fn a_withdrawal_in_the_words_of_another_issue_withdraws_neither() {
    let mut stage = stage(&ONE)
        .when(Role::Reviewer, 1, 0, |r| {
            let raised = [
                issue_on(High, ISSUE, FULL, "Say it"),
                issue_on(High, "ISSUE-R1-002", TWICE, "Say it"),
            ];
            Ok(Some(review(&r.gaps[0], &raised)))
        })
        .when(Role::Engineer, 2, 0, |r| Ok(Some(passes_over(r))))
        .when(Role::Reviewer, 2, 0, |r| {
            let gap = &r.gaps[0];
            Ok(Some(format!(
                "## Review: {gap}\n\n### High Priority\n\n- **{ISSUE}** (withdrawn): {TWICE}\n"
            )))
        });
    stage.run_to_round(3).await;
    for issue in [ISSUE, "ISSUE-R1-002"] {
        assert_eq!(stage.issue(issue), IssueState::Open, "{issue}");
    }
}
