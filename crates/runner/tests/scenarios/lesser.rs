//! Conflicts below HIGH: they hold nothing, several are answered in one go, and the order in which conflicts are put.

use gapless_domain::gap::GapState;
use gapless_domain::issue::IssueState;
use gapless_domain::phase::End;
use gapless_domain::question::conflict::Options;
use gapless_domain::severity::Severity::{Critical, High, Low, Medium};
use gapless_domain::task::Role;
use gapless_runner::Stopped;

use crate::deciding::{conflict, waiting};
use crate::quarrel::quarrel;
use crate::stage::shown;

const ISSUE: &str = "ISSUE-R1-001";
const GAP: &str = "GAP-API-001";

#[tokio::test(start_paused = true)]
async fn lesser_conflicts_hold_nothing_and_end_as_known_limitations() {
    for severity in [Medium, Low] {
        let mut stage = conflict(severity).answer("inventory", "begin", &[]);
        assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
        assert_eq!(stage.issue(ISSUE), IssueState::Open);
        let spec = stage.spec();
        assert!(
            spec.contains("- Point 1 of the answer is left to the reader. Raised in review."),
            "{spec}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn several_lesser_conflicts_are_answered_in_one_go() {
    for (option, rounds, decided) in [("A", 3, 3), ("B", 2, 3)] {
        let mut stage = quarrel(&[Medium, Low, Medium], 3).answer(
            "lesser_conflicts",
            option,
            &[("rationale", "it is all the same")],
        );
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
        assert_eq!(stage.events("round.began").len(), rounds, "{option}");
        let said = stage.decisions();
        let said = said
            .iter()
            .filter(|said| *said == "conflict GAP-API-001: it is all the same");
        assert_eq!(said.count(), decided);
        let question = stage
            .asked
            .iter()
            .find(|q| q.about.kind() == "lesser_conflicts");
        let question = question.unwrap();
        assert_eq!(
            question.about.subject(),
            "ISSUE-R1-001, ISSUE-R1-003, ISSUE-R1-002"
        );
        assert_eq!(question.severity, Some(Medium));
        insta::assert_snapshot!(
            format!("all_{option}"),
            format!("{}\n{}", shown(question), stage.decisions_md())
        );
    }
}

#[tokio::test(start_paused = true)]
async fn several_lesser_conflicts_are_answered_one_by_one() {
    let mut stage = quarrel(&[Medium, Low], 2)
        .answer("lesser_conflicts", "each", &[])
        .answer("conflict", "B", &[])
        .answer("conflict", "A", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(
        stage.kinds()[1..4],
        ["lesser_conflicts", "conflict", "conflict"]
    );
    let chosen = stage.state().now.decisions.iter();
    let chosen = chosen.filter_map(|decision| Some(decision.positions.as_ref()?.chosen));
    assert_eq!(chosen.collect::<Vec<_>>(), [Options::B, Options::A]);
    insta::assert_snapshot!("each", stage.decisions_md());
}

#[tokio::test(start_paused = true)]
async fn a_batch_of_which_one_grows_graver_loses_none() {
    let mut stage = quarrel(&[Medium, Low, Low], 3)
        .answer("inventory", "begin", &[])
        .when(Role::FinalReviewer, 0, 0, |_| {
            crate::stage::could_not_run(None)
        });
    waiting(&mut stage).await;
    assert_eq!(stage.gap(GAP), GapState::Accepted);
    stage.set_issue_severity("ISSUE-R1-002", Critical).unwrap();
    assert_eq!(stage.gap(GAP), GapState::NeedsRevision, "it is reopened");
    let queue: Vec<String> = stage
        .state()
        .now
        .queue()
        .into_iter()
        .filter(|question| question.about.kind().contains("conflict"))
        .map(|question| format!("{} {}", question.about.kind(), question.about.subject()))
        .collect();
    assert_eq!(
        queue,
        [
            "conflict ISSUE-R1-002",
            "lesser_conflicts ISSUE-R1-001, ISSUE-R1-003"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn conflicts_are_put_by_severity_then_round_then_number() {
    let mut stage = quarrel(&[High, Critical, High, Critical], 4)
        .answer("inventory", "begin", &[])
        .answer("rate_limit", "accept", &[])
        .answer("conflict", "B", &[])
        .answer("conflict", "B", &[])
        .answer("conflict", "B", &[])
        .answer("conflict", "B", &[]);
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
    let asked = stage.asked.iter().filter(|q| q.about.kind() == "conflict");
    let asked: Vec<String> = asked.map(|question| question.about.subject()).collect();
    assert_eq!(
        asked,
        [
            "ISSUE-R1-002",
            "ISSUE-R1-004",
            "ISSUE-R1-001",
            "ISSUE-R1-003"
        ]
    );
}
