//! Agents that would close what is open: under ids given out twice, with words that answer nothing, by silence, or by bringing
//! up again what the user has decided. None of them gets past.

use gapless_core::gap::GapState;
use gapless_core::ids::GapId;
use gapless_core::issue::{AnswerKind, IssueState};
use gapless_core::phase::End;
use gapless_core::severity::Severity::{self, Critical, High};
use gapless_core::task::Role;
use gapless_runner::Stopped;

use crate::flags::{ONE, answers, minding, passed_over, passes_over};
use crate::quarrel::{Raised, disagree, review};
use crate::stage::{Stage, final_review, gap_id, labels, no_issues, resolution, stage};
use crate::writing::{engineer, meeting};

const ISSUE: &str = "ISSUE-R1-001";
const GAP: &str = "GAP-API-001";

fn issue_on(severity: Severity, id: &str, summary: &str, suggestion: &str) -> Raised {
    Raised {
        severity,
        id: id.to_owned(),
        summary: summary.to_owned(),
        suggestion: suggestion.to_owned(),
        impact: "clients go wrong".to_owned(),
    }
}

fn audit(severity: Severity) -> Raised {
    issue_on(
        severity,
        ISSUE,
        "Nobody audits rejected requests.",
        "Append a signed journal entry to the ledger for each refusal",
    )
}

/// A gap with one issue of round 1, and what the Engineer makes of it in round 2, which the Reviewer lets pass in silence.
fn answered_with(severity: Severity, text: &'static str) -> Stage {
    stage(&ONE)
        .when(Role::Reviewer, 1, 0, move |r| {
            Ok(Some(review(&r.gaps[0], &[audit(severity)])))
        })
        .when(Role::Engineer, 2, 0, move |r| {
            Ok(Some(resolution(&r.gaps[0], "None") + text))
        })
        .when(Role::Engineer, 3, 0, |_| crate::stage::could_not_run(None))
        .answer("inventory", "begin", &[])
}

#[tokio::test(start_paused = true)]
async fn two_issues_with_one_id_in_a_review_are_two() {
    let gaps = [(GAP, "HIGH", ""), ("GAP-API-002", "HIGH", "")];
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
        (&GAP.into(), &"GAP-API-002".into())
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
async fn a_new_gap_under_a_known_id_is_a_gap_of_its_own() {
    let gaps = [(GAP, "HIGH", ""), ("GAP-API-002", "LOW", "")];
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
    assert_ne!(created["id"], "GAP-API-002");
    assert_eq!(created["alias"]["name"], "GAP-API-002");
}

#[tokio::test(start_paused = true)]
async fn a_blocker_that_shares_common_words_with_a_waived_issue_counts() {
    let blocker = "- **ISSUE-R2-900**: GAP-API-001 What happens to rejected requests when the disk is full is not said.";
    let mut stage = stage(&ONE)
        .when(Role::Reviewer, 1, 0, |r| {
            let waived = issue_on(
                High,
                ISSUE,
                "What happens to rejected requests is not said.",
                "Say it",
            );
            Ok(Some(review(&r.gaps[0], &[waived])))
        })
        .when(Role::FinalReviewer, 1, 0, move |_| {
            Ok(Some(final_review("NOT_READY", blocker)))
        })
        .answer("inventory", "begin", &[]);
    stage
        .run_until(|state| state.now.round.number == 2 && state.running().count() > 0)
        .await;
    stage.waive(ISSUE, "not for version 1").unwrap();
    stage.run().await;
    let reviewed = stage.events("round.final_reviewed");
    assert!(
        reviewed.iter().all(|event| event["set_aside"].is_null()),
        "{reviewed:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn what_answers_nothing_leaves_the_issue_open_though_the_reviewer_is_silent() {
    for words in [
        "ISSUE-R1-001: deferred to a later round.\n",
        "ISSUE-R1-001 was noted.\n",
        "See ISSUE-R1-001.\n",
        "## Response to ISSUE-R1-001\n\nThis will be addressed once the storage team has decided.\n",
        "## Response to ISSUE-R1-001\n\nDone.\n",
        "",
    ] {
        for severity in [Critical, High] {
            let mut stage = answered_with(severity, words);
            stage.run().await;
            assert_eq!(stage.issue(ISSUE), IssueState::Open, "{severity}: {words}");
            assert_ne!(stage.gap(GAP), GapState::Accepted, "{words}");
        }
    }
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
    let mut stage = stage(&ONE)
        .when(Role::Reviewer, 1, 0, move |r| {
            Ok(Some(review(&r.gaps[0], &[timeout()])))
        })
        .when(Role::Engineer, 2, 0, |r| {
            let changed = meeting(
                &r.gaps[0],
                &["The timeout of a request is 30 s.".to_owned()],
            );
            Ok(Some(
                changed + "## Response to ISSUE-R1-001\n\nSet to 30 s.\n",
            ))
        });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert!(stage.events("issue.flagged").is_empty());
    assert_eq!(stage.events("round.began").len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_response_that_disagrees_is_a_disagreement() {
    let whole = "## Response to ISSUE-R1-001\n\n**Reviewer Concern:** Nobody audits rejected requests.\n\
        **Engineer Position:** DISAGREE: audits are another service's.\n**Rationale:** It has them already.\n\n\
        **Request:** Escalate to the user\n";
    let mut stage = answered_with(Critical, whole);
    stage.run_strictly().await;
    let answer = stage
        .state()
        .now
        .issues
        .values()
        .next()
        .unwrap()
        .answer
        .clone();
    assert_eq!(answer.unwrap().how, AnswerKind::Disagree);
    assert!(stage.kinds().contains(&"conflict"), "{:?}", stage.kinds());

    for words in [
        "## Response to ISSUE-R1-001\n\nWe respectfully disagree: audits are another service's.\n",
        "**ISSUE-R1-001**: DISAGREE, escalate to the user.\n",
    ] {
        let mut stage = answered_with(Critical, words);
        stage.run_strictly().await;
        let rejected = stage.events("task.rejected");
        assert_eq!(rejected[0]["failure"], "MALFORMED_DISAGREE", "{words}");
        let retry = &stage.prompts(Role::Engineer, 2)[1];
        assert!(retry.contains("## DISAGREE: ISSUE-R1-001"), "{retry}");
        assert_eq!(stage.issue(ISSUE), IssueState::Open, "{words}");
    }
}

/// The user decides for the Engineer in round 2; the Reviewer raises the same text under a new id in round 3.
fn decided_and_raised_again() -> Stage {
    let again = || Raised {
        id: "ISSUE-R2-007".to_owned(),
        ..audit(High)
    };
    stage(&[(GAP, "HIGH", ""), ("GAP-API-002", "LOW", "")])
        .when(Role::Reviewer, 1, 0, |r| {
            let others = r.gaps.iter().skip(1).map(no_issues);
            let first = review(&r.gaps[0], &[audit(High)]);
            Ok(Some(first + &others.collect::<String>()))
        })
        .when(Role::Engineer, 2, 0, |r| {
            let block = disagree(
                &audit(High),
                "Audits are another service's.",
                "It has them.",
            );
            Ok(Some(resolution(&r.gaps[0], "None") + &block))
        })
        .when(Role::Reviewer, 2, 0, move |r| {
            Ok(Some(review(&r.gaps[0], &[audit(High), again()])))
        })
        .answer("inventory", "begin", &[])
}

#[tokio::test(start_paused = true)]
async fn a_decided_matter_under_a_new_id_opens_nothing_and_is_asked_about() {
    for (option, state) in [
        ("keep", IssueState::Decided),
        ("change", IssueState::Closed),
    ] {
        let raised = || Raised {
            id: "ISSUE-R3-001".to_owned(),
            ..audit(High)
        };
        let mut stage = decided_and_raised_again()
            .when(Role::Reviewer, 2, 0, |r| Ok(Some(no_issues(&r.gaps[0]))))
            .when(Role::Engineer, 3, 0, |r| Ok(Some(engineer(r))))
            .answer("conflict", "B", &[("rationale", "one audit is enough")]);
        // Accepted by the decision, the gap is reviewed once more after the user reopens it.
        stage
            .run_until(|state| state.now.round.number == 2 && state.now.round.accounted)
            .await;
        let _ = stage.gap_command(gapless_core::mediator::GapCommand::Reopen {
            gap: gap_id(GAP),
            reason: "say the unit".to_owned(),
        });
        let mut stage = stage
            .when(Role::Reviewer, 3, 0, move |r| {
                Ok(Some(review(&r.gaps[0], &[raised()])))
            })
            .answer("decided_matter", option, &[]);
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete), "{option}");
        let asked = stage.put("decided_matter");
        assert_eq!(asked.len(), 1, "{option}: {:?}", stage.kinds());
        assert_eq!(labels(asked[0]), ["keep", "change"]);
        assert!(
            asked[0].context.contains("one audit is enough"),
            "{}",
            asked[0].context
        );
        assert_eq!(stage.events("issue.raised").len(), 1, "no issue of its own");
        assert_eq!(stage.issue(ISSUE), state, "{option}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_proposal_that_adopts_what_was_turned_down_holds_its_gap() {
    let adopts = "For each refusal a signed journal entry is appended to the ledger.";
    for (option, end_of_decision) in [("revise", false), ("fits", false), ("change", true)] {
        let mut stage = decided_and_raised_again()
            .when(Role::Reviewer, 2, 0, |r| Ok(Some(no_issues(&r.gaps[0]))))
            .answer("conflict", "B", &[]);
        stage
            .run_until(|state| state.now.round.number == 2 && state.now.round.accounted)
            .await;
        let _ = stage.gap_command(gapless_core::mediator::GapCommand::Reopen {
            gap: gap_id(GAP),
            reason: "say the unit".to_owned(),
        });
        let mut stage = stage
            .when(Role::Engineer, 3, 0, move |r| {
                let own = |gap: &GapId| match gap.to_string() == GAP {
                    true => meeting(
                        gap,
                        &[
                            adopts.to_owned(),
                            "The unit is requests per second; say the unit.".to_owned(),
                        ],
                    ),
                    false => resolution(gap, "None"),
                };
                Ok(Some(r.gaps.iter().map(own).collect()))
            })
            .answer("contradiction", option, &[]);
        stage.run().await;
        let asked = stage.put("contradiction");
        assert!(!asked.is_empty(), "{option}: {:?}", stage.kinds());
        assert_eq!(labels(asked[0]), ["revise", "fits", "change"]);
        let lifted = !stage.events("decision.lifted").is_empty();
        assert_eq!(lifted, end_of_decision, "{option}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_flag_that_was_put_to_the_user_waits_for_the_user() {
    let mut stage = passed_over(&ONE, "Critical Issues").answer("divergence", "accept", &[]);
    let stopped = stage.run_strictly().await;
    let question = stage.pending("implicit_disagreement");
    assert_eq!(
        stopped,
        Stopped::Waiting(vec![question.id]),
        "{:?}",
        stage.kinds()
    );
    assert_eq!(
        stage.issue(ISSUE),
        IssueState::Closed,
        "answered in round 3"
    );
    assert!(labels(&question).contains(&"settled"));
    // Asked again that late, it is open again, and no decision is made of it.
    stage.tell("implicit_disagreement", "again", &[]).unwrap();
    assert_eq!(stage.issue(ISSUE), IssueState::Open);
    assert_eq!(stage.gap(GAP), GapState::NeedsRevision);
    let decisions = stage.decisions();
    assert!(
        decisions
            .iter()
            .all(|decision| decision.starts_with("scope")),
        "{decisions:?}"
    );
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
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

#[tokio::test(start_paused = true)]
async fn a_grave_issue_on_a_lesser_gap_is_no_good_enough_end() {
    let mut stage = stage(&[(GAP, "LOW", "")])
        .when(Role::Reviewer, 0, 0, |r| {
            Ok(Some(review(&r.gaps[0], &[audit(High)])))
        })
        .answer("inventory", "begin", &[]);
    stage
        .run_until(|state| state.now.round.number == 2 && state.running().count() > 0)
        .await;
    stage.say(gapless_core::mediator::UserInput::Stop).unwrap();
    let question = stage.pending("stop");
    assert_eq!(question.about.subject(), End::UserApproved.to_string());
}
