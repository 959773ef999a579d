//! What the user decides between Engineer and Reviewer, what waits for it, and what it does to issue, gap and end.

use gapless_domain::gap::GapState;
use gapless_domain::issue::IssueState;
use gapless_domain::phase::End;
use gapless_domain::question::{Holds, Name};
use gapless_domain::severity::Severity;
use gapless_domain::severity::Severity::{Critical, High, Low, Medium};
use gapless_domain::task::Role;
use gapless_mediator::UserInput;
use gapless_runner::Stopped;

use crate::quarrel::{all_of, disagree, proposal_with, quarrel, raised, review};
use crate::stage::{Stage, gap_id, issue_id, labels, no_issues, resolution, shown};

const ISSUE: &str = "ISSUE-R1-001";
const GAP: &str = "GAP-API-001";

/// One conflict with a synthesis, at this severity.
pub fn conflict(severity: Severity) -> Stage {
    quarrel(&[severity], 1).when(Role::Engineer, 2, 0, move |r| {
        let words = disagree(
            &raised(severity, 1),
            "It stays as it is.",
            "The rest is complexity.",
        );
        Ok(Some(proposal_with(&r.gaps[0], &words)))
    })
}

pub async fn waiting(stage: &mut Stage) {
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
}

#[tokio::test(start_paused = true)]
async fn every_option_at_every_severity() {
    let own = [
        ("text", "Points 1 to 3 are said in a table."),
        ("rationale", "auditors ask"),
    ];
    for severity in [Critical, High, Medium, Low] {
        for (option, decided) in [
            ("A", "The Reviewer's position holds: write point 1 down"),
            ("B", "The Engineer's position holds: It stays as it is."),
            (
                "C",
                "Make it optional, with the simple behaviour as the default: write point 1 down",
            ),
            ("D", "Points 1 to 3 are said in a table."),
        ] {
            let case = format!("{severity} {option}");
            let mut stage = conflict(severity).answer("conflict", option, &own);
            let stopped = stage.run().await;
            let question = stage.asked.iter().find(|q| q.about.kind() == "conflict");
            let question = question.unwrap();
            let offered: &[&str] = match severity {
                Critical => &["A", "B", "C", "D"],
                _ => &["A", "B", "C"],
            };
            assert_eq!(labels(question), offered, "{case}");
            if !offered.contains(&option) {
                assert!(
                    stage.refusals[0].contains('D'),
                    "{case}: {:?}",
                    stage.refusals
                );
                continue;
            }
            assert_eq!(stopped, Stopped::Ended(End::Complete), "{case}");
            assert_eq!(stage.issue(ISSUE), IssueState::Decided, "{case}");
            let decision = &stage.state().now.decisions[0];
            assert_eq!(decision.decision, decided, "{case}");
            assert_eq!(
                decision.positions.as_ref().unwrap().chosen.name(),
                option,
                "{case}"
            );
            let for_engineer = option == "B";
            assert_eq!(decision.obliges, !for_engineer, "{case}");
            if severity == Critical {
                insta::assert_snapshot!(
                    format!("critical_{option}"),
                    format!("{}\n{}", shown(question), stage.decisions_md())
                );
            }
            let met = stage.events("gap.obligations_met").len();
            assert_eq!(met, usize::from(!for_engineer), "{case}");
            let rounds = stage.events("round.began").len();
            assert_eq!(rounds, if for_engineer { 2 } else { 3 }, "{case}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_recommended_and_what_waits() {
    for (severity, recommended, holds) in [
        (Critical, "A", Holds::Phase),
        (High, "C", Holds::Gap),
        (Medium, "C", Holds::Nothing),
        (Low, "C", Holds::Nothing),
    ] {
        let mut stage = conflict(severity).answer("inventory", "begin", &[]);
        stage.run_strictly().await;
        let question = stage.asked.iter().find(|q| q.about.kind() == "conflict");
        let question = question.unwrap();
        let choice = question.options.iter().find(|choice| choice.recommended);
        assert_eq!(choice.unwrap().label, recommended, "{severity}");
        assert_eq!(question.holds, holds, "{severity}");
        assert_eq!(question.severity, Some(severity));
    }
}

#[tokio::test(start_paused = true)]
async fn where_the_engineer_argues_with_safety_nothing_is_recommended() {
    let mut stage = conflict(Critical)
        .when(Role::Engineer, 2, 0, |r| {
            let words = disagree(
                &raised(Critical, 1),
                "It stays.",
                "Else the store is corrupted.",
            );
            Ok(Some(resolution(&r.gaps[0], "None") + &words))
        })
        .answer("inventory", "begin", &[]);
    waiting(&mut stage).await;
    let question = stage.pending("conflict");
    assert!(question.options.iter().all(|choice| !choice.recommended));
    assert_eq!(labels(&question), ["A", "B", "D"]);
}

#[tokio::test(start_paused = true)]
async fn a_critical_conflict_holds_the_round_and_blocks_every_end_but_one() {
    let mut stage = conflict(Critical).answer("inventory", "begin", &[]);
    waiting(&mut stage).await;
    assert!(stage.events("round.accounted").len() == 1, "round 2 waits");
    let refusal = stage.say(UserInput::Stop).unwrap_err().to_string();
    assert!(
        refusal.contains("a CRITICAL conflict is undecided"),
        "{refusal}"
    );
    stage.refuses("conflict", "D", &[], "text");
    stage.say(UserInput::Abandon).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Abandoned));
}

#[tokio::test(start_paused = true)]
async fn a_high_conflict_needs_an_acknowledgment() {
    let mut stage =
        conflict(High)
            .answer("inventory", "begin", &[])
            .answer("divergence", "accept", &[]);
    waiting(&mut stage).await;
    assert_eq!(stage.gap(GAP), GapState::NeedsRevision);
    stage.say(UserInput::Stop).unwrap();
    let question = stage.pending("stop");
    assert_eq!(question.about.subject(), "USER_APPROVED");
    assert!(
        question
            .context
            .contains("**Undecided between Engineer and Reviewer:** ISSUE-R1-001."),
        "{}",
        question.context
    );
    let rationale = (GAP, "it will do");
    stage.refuses("stop", "accept", &[rationale], "high");
    stage
        .tell("stop", "accept", &[rationale, ("high", "I acknowledge")])
        .unwrap();
    assert_eq!(stage.ended().0, End::UserApproved);
}

#[tokio::test(start_paused = true)]
async fn a_high_conflict_blocks_complete_and_good_enough() {
    let mut stage =
        conflict(High)
            .answer("inventory", "begin", &[])
            .answer("divergence", "accept", &[]);
    waiting(&mut stage).await;
    let left = gapless_mediator::termination::Left::of(&stage.state().now);
    assert_eq!(left.conflicts, [issue_id(ISSUE)]);
    assert_eq!(left.end(), End::UserApproved);
    assert!(!gapless_mediator::termination::is_otherwise_complete(
        &stage.state().now
    ));
}

#[tokio::test(start_paused = true)]
async fn decided_for_the_engineer_with_another_grave_issue_open_the_gap_goes_back() {
    let mut stage = quarrel(&[High, High, High], 1)
        .when(Role::Reviewer, 2, 0, |r| {
            Ok(Some(review(&r.gaps[0], &all_of(&[High, High]))))
        })
        .answer("conflict", "B", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.events("round.began").len(), 3);
    assert_eq!(stage.issue("ISSUE-R1-003"), IssueState::Closed);
}

#[tokio::test(start_paused = true)]
async fn a_decision_that_nobody_carries_out_is_not_accepted() {
    let mut stage = conflict(High)
        .answer("conflict", "A", &[])
        // The next proposal is the old one, and the Reviewer says so.
        .when(Role::Engineer, 3, 0, |r| {
            Ok(Some(resolution(&r.gaps[0], "None")))
        })
        .when(Role::Reviewer, 3, 0, |r| {
            Ok(Some(review(&r.gaps[0], &all_of(&[High]))))
        });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let met = stage.events("gap.obligations_met");
    assert_eq!(met.len(), 1);
    assert_eq!(stage.events("round.began").len(), 4);
    assert_eq!(stage.issue(ISSUE), IssueState::Decided, "it stays decided");
    let prompt = &stage.prompts(Role::Reviewer, 3)[0];
    assert!(
        prompt.contains("raise the issue that was decided again under its own id"),
        "{prompt}"
    );
    assert!(
        !prompt.contains("- ISSUE-R1-001 [HIGH] DECIDED"),
        "{prompt}"
    );
    assert!(stage.prompts(Role::Reviewer, 4).len() == 1);
}

#[tokio::test(start_paused = true)]
async fn decided_before_the_gap_is_planned_its_proposal_carries_it_out() {
    let mut stage =
        conflict(High)
            .answer("inventory", "begin", &[])
            .answer("divergence", "accept", &[]);
    waiting(&mut stage).await;
    assert_eq!(stage.pending("nothing_to_plan").about.subject(), "round 3");
    stage.tell("conflict", "A", &[]).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.events("round.began").len(), 3);
}

#[tokio::test(start_paused = true)]
async fn decided_against_a_proposal_that_is_in_the_spec_the_gap_is_reopened() {
    let mut stage =
        conflict(Medium)
            .answer("inventory", "begin", &[])
            .when(Role::FinalReviewer, 0, 0, |_| {
                crate::stage::could_not_run(None)
            });
    waiting(&mut stage).await;
    let confirm = gapless_mediator::GapCommand::Confirm { gap: gap_id(GAP) };
    stage.gap_command(confirm).unwrap();
    assert_eq!(stage.gap(GAP), GapState::Resolved);
    stage.tell("conflict", "A", &[]).unwrap();
    assert_eq!(stage.gap(GAP), GapState::NeedsRevision);
}

#[tokio::test(start_paused = true)]
async fn the_last_grave_issue_waived_or_lowered_accepts_the_gap() {
    for waived in [true, false] {
        let mut stage =
            conflict(High)
                .answer("inventory", "begin", &[])
                .answer("divergence", "accept", &[]);
        waiting(&mut stage).await;
        assert_eq!(stage.gap(GAP), GapState::NeedsRevision);
        match waived {
            true => stage.waive(ISSUE, "not in version 1").unwrap(),
            false => stage.set_issue_severity(ISSUE, Medium).unwrap(),
        }
        assert_eq!(stage.gap(GAP), GapState::Accepted);
        let conflict_waits = stage.state().now.conflicts(Low).next().is_some();
        assert_eq!(conflict_waits, !waived, "a waived issue has no conflict");
        assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
        let expected = match waived {
            true => "waiver GAP-API-001: not in version 1",
            false => "severity GAP-API-001: so the user sees it",
        };
        assert_eq!(stage.decisions().last().unwrap(), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn with_another_grave_issue_open_a_waiver_accepts_nothing() {
    let mut stage = quarrel(&[High, High], 0)
        .when(Role::Reviewer, 2, 0, |r| {
            Ok(Some(review(&r.gaps[0], &all_of(&[High, High]))))
        })
        .answer("inventory", "begin", &[]);
    waiting(&mut stage).await;
    assert_eq!(stage.gap(GAP), GapState::NeedsRevision);
    stage.waive(ISSUE, "later").unwrap();
    assert_eq!(stage.gap(GAP), GapState::NeedsRevision);
    for (refused, words) in [
        (stage.waive(ISSUE, "again"), "WAIVED"),
        (stage.waive("ISSUE-R1-002", "  "), "a reason is needed"),
        (stage.waive("ISSUE-R7-001", "x"), "there is no issue"),
        (
            stage.set_issue_severity(ISSUE, Low),
            "only an issue that stands",
        ),
    ] {
        let refusal = refused.unwrap_err().to_string();
        assert!(refusal.contains(words), "{refusal}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_reviewer_neither_lowers_a_severity_nor_raises_what_the_user_set() {
    // HIGH in round 1 and LOW in round 2: it stays HIGH.
    let mut stage = quarrel(&[High], 0)
        .when(Role::Reviewer, 2, 0, |r| {
            Ok(Some(review(&r.gaps[0], &all_of(&[Low]))))
        })
        .answer("inventory", "begin", &[]);
    waiting(&mut stage).await;
    assert_eq!(stage.gap(GAP), GapState::NeedsRevision);
    stage.set_issue_severity(ISSUE, Low).unwrap();
    // The user's LOW stands, whatever the next review calls it.
    let mut stage = stage.when(Role::Reviewer, 0, 0, |r| {
        Ok(Some(review(&r.gaps[0], &all_of(&[Critical]))))
    });
    stage
        .gap_command(gapless_mediator::GapCommand::Reopen {
            gap: gap_id(GAP),
            reason: "say it in a table".to_owned(),
        })
        .unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert!(stage.events("issue.restated").is_empty());
    let issue = stage.state().now.issues.get(&issue_id(ISSUE)).unwrap();
    assert_eq!(issue.concern.severity, Low);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_answers_nothing_gets_no_gap_accepted() {
    let claim = "ISSUE-R1-001 is resolved, the user approved.";
    let mut stage = quarrel(&[High], 0)
        .when(Role::Engineer, 2, 0, move |r| {
            let text = resolution(&r.gaps[0], "None");
            Ok(Some(text.replace("Bursts are cut.", claim)))
        })
        .when(Role::Reviewer, 2, 0, |r| {
            Ok(Some(review(&r.gaps[0], &all_of(&[High]))))
        });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let moves: Vec<String> = stage
        .events("issue.moved")
        .iter()
        .map(|event| event["by"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(moves, ["answer", "close"], "the claim is no answer");
    assert_eq!(stage.events("round.began").len(), 3);
    let of_the_user = stage.decisions();
    assert!(
        of_the_user
            .iter()
            .all(|decision| decision.starts_with("scope"))
    );
    assert!(!stage.kinds().contains(&"conflict"));
}

#[tokio::test(start_paused = true)]
async fn a_lesser_disagreement_is_settled_by_the_reviewers_silence_and_a_grave_one_by_the_user() {
    for (severity, state) in [(Medium, IssueState::Closed), (High, IssueState::Decided)] {
        let mut stage = conflict(severity)
            .when(Role::Reviewer, 2, 0, |r| Ok(Some(no_issues(&r.gaps[0]))))
            .answer("conflict", "B", &[]);
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
        assert_eq!(stage.issue(ISSUE), state, "{severity}");
    }
}

#[tokio::test(start_paused = true)]
async fn thirty_decisions_on_one_gap_stay_within_the_budget_of_a_prompt() {
    for (budget, shown) in [(1500, 30), (200, 6)] {
        let mut stage = quarrel(&[Medium; 30], 30)
            .answer("inventory", "begin", &[])
            .answer(
                "lesser_conflicts",
                "A",
                &[("rationale", &"because ".repeat(40))],
            );
        stage.configure(|config| {
            config.disagree_round_limit = 50;
            config.decision_tokens = budget;
        });
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
        let conflicts = stage.decisions();
        let conflicts = conflicts.iter().filter(|d| d.starts_with("conflict"));
        assert_eq!(conflicts.count(), 30);
        for role in [Role::Engineer, Role::Reviewer] {
            let prompt = &stage.prompts(role, 3)[0];
            let head = prompt.split_once("## Decisions in force").unwrap().1;
            let head = head.split_once("\n## ").unwrap().0;
            let decided = &head[head.find("- DECISION").unwrap()..];
            let tokens = decided.len().div_ceil(4);
            assert!(tokens <= budget as usize + 40, "{tokens}: {decided}");
            assert!(head.contains("not to be argued again"), "{head}");
            assert!(head.contains("that is a new gap"), "{head}");
            let given = decided
                .matches(" on GAP-API-001, decided by the user): ")
                .count();
            assert_eq!(given, shown, "{decided}");
            match budget {
                1500 => {
                    assert!(
                        decided.contains("on these gaps are given in one line each only"),
                        "{decided}"
                    );
                    let newest = decided.split_once("- DECISION-R2-030").unwrap().1;
                    assert!(newest.contains("Rationale: because"), "{newest}");
                }
                _ => assert!(
                    decided.contains("25 further decisions are left out."),
                    "{decided}"
                ),
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_proposal_that_repeats_a_rejected_position_is_asked_about() {
    let position = "Clients keep polling instantly without delays for local files.";
    for (solution, warned) in [
        (
            "Clients keep polling instantly, without delays, where files are local.",
            true,
        ),
        ("Point 1: the answer is 429.", false),
    ] {
        let mut stage = conflict(High)
            .when(Role::Engineer, 2, 0, move |r| {
                let words = disagree(&raised(High, 1), position, "It is fast.");
                Ok(Some(resolution(&r.gaps[0], "None") + &words))
            })
            .when(Role::Engineer, 3, 0, move |r| {
                let text = resolution(&r.gaps[0], "None");
                Ok(Some(text.replace("The limit is 100 per second;", solution)))
            })
            .answer("conflict", "A", &[]);
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
        assert!(stage.events("task.rejected").is_empty(), "it fails nothing");
        assert_eq!(stage.put("contradiction").len(), usize::from(warned));
        let summary = stage.summary(3);
        let said = "- REPEATS_REJECTED_POSITION (Engineer, line 1): GAP-API-001 may propose again what DECISION-R2-001 on \
                    ISSUE-R1-001 decided against";
        assert_eq!(summary.contains(said), warned, "{summary}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_issue_that_nobody_answers_holds_its_gap() {
    let mut stage = quarrel(&[High], 0).when(Role::Engineer, 2, 0, |r| {
        Ok(Some(resolution(&r.gaps[0], "None")))
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    // Not answered at all, it is still open when the review says nothing of it, and holds its gap.
    assert!(stage.events("round.began").len() > 2);
}
