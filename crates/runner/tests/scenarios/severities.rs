//! What the user called a gap or an issue stands: a Reviewer's raise against it is asked about.

use gapless_domain::gap::GapState;
use gapless_domain::phase::End;
use gapless_domain::severity::Severity;
use gapless_domain::severity::Severity::{Critical, High, Low};
use gapless_domain::task::Role;
use gapless_mediator::GapCommand;
use gapless_runner::Stopped;

use crate::quarrel::{all_of, quarrel, review};
use crate::stage::{Stage, gap_id, issue_id, no_issues, shown, stage};

const ISSUE: &str = "ISSUE-R1-001";
const GAP: &str = "GAP-API-001";

fn severity_of(stage: &Stage) -> Severity {
    stage.state().now.issues[&issue_id(ISSUE)].concern.severity
}

/// An issue that the user called LOW in round 2, and that the next review calls this.
async fn raised_against(to: Severity) -> Stage {
    let mut stage = quarrel(&[High, High], 0)
        .when(Role::Engineer, 2, 0, |_| crate::stage::could_not_run(None))
        .answer("inventory", "begin", &[])
        .answer("divergence", "accept", &[]);
    crate::deciding::waiting(&mut stage).await;
    stage.set_issue_severity(ISSUE, Low).unwrap();
    let mut stage = stage
        .when(Role::Engineer, 2, 0, |r| {
            Ok(Some(crate::quarrel::answers(
                &r.gaps[0],
                &[],
                &all_of(&[High, High]),
            )))
        })
        .when(Role::Reviewer, 2, 0, move |r| {
            Ok(Some(review(&r.gaps[0], &all_of(&[to]))))
        })
        .when(Role::FinalReviewer, 0, 0, |_| {
            crate::stage::could_not_run(None)
        })
        .answer("agent_cannot_run", "again", &[]);
    stage.run_strictly().await;
    stage
}

#[tokio::test(start_paused = true)]
async fn an_issue_raised_against_the_users_word_is_asked_about() {
    let stage = raised_against(Critical).await;
    let question = stage.pending("severity");
    assert_eq!(question.about.subject(), ISSUE);
    insta::assert_snapshot!(shown(&question));
    assert_eq!(severity_of(&stage), Low, "until the user says otherwise");
    assert_eq!(stage.gap(GAP), GapState::Accepted);
    assert!(stage.events("issue.restated").is_empty());
    let same = raised_against(Low).await;
    assert!(same.put("severity").is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_users_word_on_an_issue_stands_or_gives_way() {
    let mut kept = raised_against(Critical).await;
    kept.tell("severity", "keep", &[]).unwrap();
    assert_eq!(severity_of(&kept), Low);
    assert_eq!(kept.gap(GAP), GapState::Accepted);

    let mut raised = raised_against(Critical).await;
    raised.tell("severity", "raise", &[]).unwrap();
    assert_eq!(severity_of(&raised), Critical);
    assert_eq!(raised.gap(GAP), GapState::NeedsRevision, "it is reopened");
    insta::assert_snapshot!("issue_raised", raised.decisions_md());
}

#[tokio::test(start_paused = true)]
async fn a_severity_set_or_an_issue_settled_meanwhile_withdraws_the_question() {
    let mut set = raised_against(Critical).await;
    set.set_issue_severity(ISSUE, High).unwrap();
    assert!(
        set.state()
            .now
            .questions
            .values()
            .all(|q| q.about.kind() != "severity")
    );
    let mut waived = raised_against(Critical).await;
    waived.waive(ISSUE, "later").unwrap();
    assert!(
        waived
            .state()
            .now
            .questions
            .values()
            .all(|q| q.about.kind() != "severity")
    );
}

#[tokio::test(start_paused = true)]
async fn a_gap_raised_against_the_users_word() {
    for (option, severity) in [("keep", Low), ("raise", Critical)] {
        let mut stage = stage(&[(GAP, "MEDIUM", "")])
            .when(Role::Reviewer, 1, 0, |r| {
                let heading = format!("## Review: {}\n\n", r.gaps[0]);
                let raise = format!("{heading}**Severity:** CRITICAL (was MEDIUM)\n\n");
                Ok(Some(no_issues(&r.gaps[0]).replace(&heading, &raise)))
            })
            .answer("inventory", "begin", &[])
            .answer("severity", option, &[]);
        stage
            .gap_command(GapCommand::Severity {
                gap: gap_id(GAP),
                severity: Low,
                reason: "nobody asked".to_owned(),
            })
            .unwrap();
        assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
        assert_eq!(stage.state().now.gaps[&gap_id(GAP)].severity, severity);
        let question = stage.put("severity")[0];
        insta::assert_snapshot!(
            format!("gap_{option}"),
            format!("{}\n{}", shown(question), stage.decisions_md())
        );
    }
}
