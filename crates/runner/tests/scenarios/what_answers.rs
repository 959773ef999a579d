//! What answers an issue: a text that is about its concern. Courtesy, repetition, and texts about something else leave it open,
//! though the Reviewer says nothing more of it.

use gapless_domain::issue::{AnswerKind, IssueState};
use gapless_domain::phase::End;
use gapless_domain::severity::Severity;
use gapless_domain::severity::Severity::{Critical, High};
use gapless_domain::task::Role;
use gapless_runner::Stopped;

use crate::flags::{ONE, answers, minding, passes_over};
use crate::quarrel::{GAP, ISSUE, Raised, audit, disagree, issue_on, review, rewritten};
use crate::stage::{Stage, gap_id, resolution, stage};
use crate::writing::meeting;

const SECOND: &str = "ISSUE-R1-002";

/// A gap with these issues of round 1, and what the Engineer makes of them in round 2, which the Reviewer lets pass in silence.
fn answered_with(raised: &[Raised], text: impl Into<String>) -> Stage {
    let (raised, text) = (raised.to_vec(), text.into());
    stage(&ONE)
        .when(Role::Reviewer, 1, 0, move |r| {
            Ok(Some(review(&r.gaps[0], &raised)))
        })
        .when(Role::Engineer, 2, 0, move |_| Ok(Some(text.clone())))
        .answer("inventory", "begin", &[])
}

/// An issue on when the upload queue does something.
fn queue(severity: Severity, id: &str, case: &str) -> Raised {
    let summary = format!("What happens when the upload queue {case} is not said.");
    issue_on(severity, id, &summary, "Say it")
}

/// An issue that shares no word with the one about audits.
fn delay(id: &str) -> Raised {
    let summary = "How long a caller is kept back is not said.";
    issue_on(High, id, summary, "Name the longest delay")
}

#[tokio::test(start_paused = true)]
async fn what_answers_nothing_leaves_the_issue_open_though_the_reviewer_is_silent() {
    for words in [
        "ISSUE-R1-001: deferred to a later round.\n",
        "ISSUE-R1-001 was noted.\n",
        "See ISSUE-R1-001.\n",
        "## Response to ISSUE-R1-001\n\nThis will be addressed once the storage team has decided.\n",
        "## Response to ISSUE-R1-001\n\nDone.\n",
        "## Response to ISSUE-R1-001\n\nNobody audits rejected requests.\n",
        "## Response to ISSUE-R1-001\n\nRejected requests are audited by nobody.\n",
        "ISSUE-R1-001: nobody audits rejected requests.\n",
        "## Response to ISSUE-R1-001\n\nThank you for raising this. We take it seriously and keep it in mind.\n",
        "## Response to ISSUE-R1-001\n\nGood point, and we appreciate the careful feedback on this.\n",
        "",
    ] {
        let gap = gap_id(GAP);
        for severity in [Critical, High] {
            for proposal in [resolution(&gap, "None"), rewritten(&gap)] {
                let mut stage = answered_with(&[audit(severity)], proposal + words);
                stage.run_to_round(3).await;
                assert_eq!(stage.issue(ISSUE), IssueState::Open, "{severity}: {words}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_proposal_that_only_repeats_an_issue_does_not_answer_it() {
    let repeated = audit(Critical).summary;
    let mut stage = answered_with(&[audit(Critical)], meeting(&gap_id(GAP), &[repeated]));
    stage.run_to_round(3).await;
    assert_eq!(stage.issue(ISSUE), IssueState::Open);
}

#[tokio::test(start_paused = true)]
async fn an_answer_in_substance_is_one_however_short() {
    let timeout = || {
        issue_on(
            High,
            ISSUE,
            "The timeout of a request is not given.",
            "Use 30 s",
        )
    };
    for solution in [
        "The timeout of a request is 30 s.",
        "Timeout: 30 s.",
        "A request takes at most 30 s.",
    ] {
        let proposal = meeting(&gap_id(GAP), &[solution.to_owned()]);
        let response = "## Response to ISSUE-R1-001\n\nSet to 30 s.\n";
        let mut stage = answered_with(&[timeout()], proposal + response);
        assert_eq!(
            stage.run().await,
            Stopped::Ended(End::Complete),
            "{solution}"
        );
        assert!(stage.events("issue.flagged").is_empty(), "{solution}");
        assert_eq!(stage.events("round.began").len(), 2, "{solution}");
    }
}

#[tokio::test(start_paused = true)]
async fn one_response_for_two_issues_answers_the_one_that_it_is_about() {
    let response = "## Response to ISSUE-R1-001 and ISSUE-R1-002\n\n\
        For each refusal a signed journal entry is appended to the ledger.\n";
    let raised = [audit(High), delay(SECOND)];
    let mut stage = answered_with(&raised, rewritten(&gap_id(GAP)) + response);
    stage.run_to_round(3).await;
    assert_eq!(stage.issue(ISSUE), IssueState::Closed);
    assert_eq!(stage.issue(SECOND), IssueState::Open);
}

#[tokio::test(start_paused = true)]
async fn a_new_gap_does_not_answer_an_issue_that_it_shares_words_with() {
    let new = "- GAP-API-009 [MEDIUM]: who audits requests of partners once they are rejected";
    let mut stage = answered_with(&[audit(High)], resolution(&gap_id(GAP), new));
    stage.run_to_round(3).await;
    assert_eq!(stage.events("gap.created").len(), 2);
    assert_eq!(stage.issue(ISSUE), IssueState::Open);
}

#[tokio::test(start_paused = true)]
async fn a_disagreement_on_one_issue_does_not_answer_another_that_shares_its_words() {
    let (full, expired) = (
        queue(High, ISSUE, "is full"),
        queue(High, SECOND, "has expired"),
    );
    let position = "What happens to the upload queue is another service's to say.";
    let block = disagree(&expired, position, "It owns the queue.");
    let proposal = resolution(&gap_id(GAP), "None") + &block;
    let mut stage = answered_with(&[full, expired], proposal);
    stage.later = vec!["conflict"];
    stage.run().await;
    stage.pending("conflict");
    assert_eq!(stage.issue(SECOND), IssueState::Answered);
    assert_eq!(stage.issue(ISSUE), IssueState::Open);
}

#[tokio::test(start_paused = true)]
async fn of_two_issues_that_share_most_words_a_sentence_answers_the_one_that_it_is_about() {
    let raised = [
        queue(High, ISSUE, "is full"),
        queue(High, SECOND, "has expired"),
    ];
    let sentence = "When the upload queue has expired, requests that need it fail with status 410.";
    let proposal = meeting(&gap_id(GAP), &[sentence.to_owned()]);
    let mut stage = answered_with(&raised, proposal);
    stage.run_to_round(3).await;
    assert_eq!(stage.issue(SECOND), IssueState::Closed);
    assert_eq!(stage.issue(ISSUE), IssueState::Open);
}

#[tokio::test(start_paused = true)]
async fn a_response_to_an_id_that_two_issues_were_given_answers_the_first() {
    let response = "## Response to ISSUE-R1-001\n\nFor each refusal a signed journal entry is appended to the ledger.\n";
    let raised = [audit(High), delay(ISSUE)];
    let mut stage = answered_with(&raised, rewritten(&gap_id(GAP)) + response);
    stage.run_to_round(3).await;
    let raised = stage.events("issue.raised");
    assert_eq!(raised[1]["alias"]["name"], ISSUE);
    let second = raised[1]["id"].as_str().unwrap();
    assert_eq!(stage.issue(ISSUE), IssueState::Closed);
    assert_eq!(stage.issue(second), IssueState::Open);
}

#[tokio::test(start_paused = true)]
async fn a_response_that_disagrees_is_a_disagreement() {
    let whole = "## Response to ISSUE-R1-001\n\n**Reviewer Concern:** Nobody audits rejected requests.\n\
        **Engineer Position:** DISAGREE: audits are another service's.\n**Rationale:** It has them already.\n\n\
        **Request:** Escalate to the user\n";
    let with = |words: &str| {
        let proposal = resolution(&gap_id(GAP), "None");
        answered_with(&[audit(Critical)], proposal + words)
    };
    let mut stage = with(whole);
    stage.run_strictly().await;
    let issue = stage.state().now.issues.values().next().unwrap();
    let answer = issue.answer.as_ref().unwrap();
    assert_eq!(answer.how, AnswerKind::Disagree);
    assert!(stage.kinds().contains(&"conflict"), "{:?}", stage.kinds());

    for words in [
        "## Response to ISSUE-R1-001\n\nWe respectfully disagree: audits are another service's.\n",
        "**ISSUE-R1-001**: DISAGREE, escalate to the user.\n",
    ] {
        let mut stage = with(words);
        stage.run_strictly().await;
        let rejected = stage.events("task.rejected");
        assert_eq!(rejected[0]["failure"], "MALFORMED_DISAGREE", "{words}");
        let retry = &stage.prompts(Role::Engineer, 2)[1];
        assert!(retry.contains("## DISAGREE: ISSUE-R1-001"), "{retry}");
        assert_eq!(stage.issue(ISSUE), IssueState::Open, "{words}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_false_alarm_counts_as_an_answer() {
    let mut stage = minding(&ONE)
        .when(Role::Reviewer, 1, 0, |r| {
            Ok(Some(review(&r.gaps[0], &[audit(Critical)])))
        })
        .when(Role::Engineer, 2, 0, |r| Ok(Some(passes_over(r))))
        .when(Role::Engineer, 3, 0, |r| Ok(Some(answers(r))))
        .answer("inventory", "begin", &[])
        .answer("implicit_disagreement", "false_positive", &[]);
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.events("round.began").len(), 2);
    assert_eq!(stage.issue(ISSUE), IssueState::Closed);
}
