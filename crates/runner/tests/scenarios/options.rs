//! Every option on what was passed over: one issue at a time, and a concern that keeps coming back.

use gapless_domain::gap::GapState;
use gapless_domain::issue::IssueState;
use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_runner::Stopped;

use crate::flags::{ONE, TWO, answers, deflects, minding, passed_over, passes_over};
use crate::quarrel::{Raised, disagree};
use crate::stage::{Stage, issue, labels, shown};

const ISSUE: &str = "ISSUE-R1-001";
const GAP: &str = "GAP-API-001";

/// A question, what was decided, and what became of issue and gap.
fn told(stage: &Stage, kind: &str) -> String {
    let asked = stage.put(kind);
    format!(
        "{}\n{}\n\n{ISSUE} is {}, {GAP} is {}, after {} rounds\n",
        shown(asked[0]),
        stage.decisions_md().trim_end(),
        stage.issue(ISSUE),
        stage.gap(GAP),
        stage.events("round.began").len()
    )
}

#[tokio::test(start_paused = true)]
async fn every_option_on_an_issue_that_was_passed_over() {
    for (option, fields, state) in [
        ("again", &[][..], IssueState::Closed),
        ("convert", &[], IssueState::Decided),
        (
            "waive",
            &[("text", "not for version 1")],
            IssueState::Waived,
        ),
        (
            "clarify",
            &[("text", "the limit is per account")],
            IssueState::Closed,
        ),
        ("false_positive", &[], IssueState::Closed),
    ] {
        let mut stage = passed_over(&ONE, "Critical Issues")
            .answer("implicit_disagreement", option, fields)
            .answer("conflict", "B", &[("rationale", "the platform sets it")]);
        let stopped = stage.run().await;
        assert_eq!(stopped, Stopped::Ended(End::Complete), "{option}");
        assert_eq!(stage.issue(ISSUE), state, "{option}");
        insta::assert_snapshot!(
            format!("flag_{option}"),
            told(&stage, "implicit_disagreement")
        );
        let judged = stage.events("issue.flags_judged");
        assert_eq!(judged.len(), 1, "{option}");
        assert_eq!(judged[0]["confirmed"], option != "false_positive");
    }
}

#[tokio::test(start_paused = true)]
async fn words_that_need_a_text_are_refused_without_one() {
    let mut stage = passed_over(&TWO, "Critical Issues");
    stage.run_strictly().await;
    for option in ["waive", "clarify"] {
        stage.refuses("implicit_disagreement", option, &[], "text");
    }
    let mut stage = systematic();
    stage.run_strictly().await;
    for option in ["approach", "specify", "close"] {
        stage.refuses("systematic_concern", option, &[], "text");
    }
}

/// An answer that deflects, and that the user calls one, is no answer: the issue stays open though the Reviewer lets it go.
#[tokio::test(start_paused = true)]
async fn a_deflection_that_the_user_confirms_closes_nothing() {
    let mut stage = passed_over(&ONE, "High Priority")
        .when(Role::Engineer, 2, 1, |r| Ok(Some(deflects(r))))
        .answer(
            "implicit_disagreement",
            "clarify",
            &[("text", "say who measured it")],
        );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.events("round.began").len(), 3);
    assert!(stage.prompts(Role::Engineer, 3)[0].contains("say who measured it"));
    let answered = stage.events("issue.answered");
    assert_eq!(answered.len(), 1, "{answered:?}");
}

/// The answer comes when the next round is under way: it is the flags of its own round that are judged.
#[tokio::test(start_paused = true)]
async fn an_answer_a_round_later_judges_what_was_asked() {
    let mut stage = passed_over(&ONE, "Critical Issues")
        .when(Role::Reviewer, 2, 0, |r| {
            Ok(Some(issue(&r.gaps[0], "Critical Issues", ISSUE)))
        })
        .when(Role::Engineer, 3, 1, |_| crate::stage::could_not_run(None))
        .when(Role::Engineer, 3, 0, |_| crate::stage::could_not_run(None))
        .answer("divergence", "accept", &[]);
    stage.run_strictly().await;
    assert_eq!(stage.state().now.round.number, 3);
    stage
        .tell("implicit_disagreement", "false_positive", &[])
        .unwrap();
    let judged = &stage.events("issue.flags_judged")[0];
    assert_eq!(judged["round"], 2);
    let heuristics = judged["heuristics"].as_array().unwrap();
    assert!(!heuristics.is_empty());
}

/// The same issue, passed over in rounds 2 to 4.
fn systematic() -> Stage {
    let mut stage = minding(&ONE).when(Role::Reviewer, 1, 0, |r| {
        Ok(Some(issue(&r.gaps[0], "High Priority", ISSUE)))
    });
    for round in 2..=4 {
        stage = stage.when(Role::Engineer, round, 0, |r| match r.task.slot.index {
            0 => Ok(Some(passes_over(r))),
            _ => Ok(Some(answers(r))),
        });
    }
    stage
        .when(Role::Engineer, 0, 0, |r| Ok(Some(answers(r))))
        .answer("inventory", "begin", &[])
        .answer("divergence", "accept", &[])
        .answer("divergence", "accept", &[])
}

#[tokio::test(start_paused = true)]
async fn every_option_on_a_concern_that_keeps_coming_back() {
    let text = |words| [("text", words)];
    for (option, fields, state, gap) in [
        (
            "approach",
            &text("start from the load test")[..],
            IssueState::Closed,
            GapState::Accepted,
        ),
        (
            "specify",
            &text("the limit is the platform's own, 100 per second"),
            IssueState::Decided,
            GapState::Accepted,
        ),
        (
            "close",
            &text("version 1 has no limits"),
            IssueState::Moot,
            GapState::WontFix,
        ),
        ("disagree", &[], IssueState::Closed, GapState::Accepted),
        (
            "false_positive",
            &[],
            IssueState::Closed,
            GapState::Accepted,
        ),
    ] {
        let mut stage = systematic().answer("systematic_concern", option, fields);
        let stopped = stage.run().await;
        assert_eq!(stopped, Stopped::Ended(End::Complete), "{option}");
        assert_eq!(stage.put("systematic_concern").len(), 1, "{option}");
        assert_eq!(stage.issue(ISSUE), state, "{option}");
        assert_eq!(stage.gap(GAP), gap, "{option}");
        insta::assert_snapshot!(
            format!("systematic_{option}"),
            told(&stage, "systematic_concern")
        );
    }
}

#[tokio::test(start_paused = true)]
async fn asked_for_a_word_the_engineer_may_disagree_and_the_user_decides() {
    let concern = || Raised {
        severity: gapless_domain::severity::Severity::High,
        id: ISSUE.to_owned(),
        summary: "the limit is not justified.".to_owned(),
        suggestion: String::new(),
        impact: String::new(),
    };
    let mut stage = systematic()
        .when(Role::Engineer, 4, 0, move |r| match r.task.slot.index {
            0 => Ok(Some(passes_over(r))),
            _ => {
                let block = disagree(&concern(), "It needs no reason.", "The platform sets it.");
                Ok(Some(passes_over(r) + &block))
            }
        })
        .when(Role::Reviewer, 4, 0, |r| {
            Ok(Some(issue(&r.gaps[0], "High Priority", ISSUE)))
        })
        .answer("systematic_concern", "disagree", &[])
        .answer("conflict", "B", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let prompts = stage.prompts(Role::Engineer, 4);
    assert!(
        prompts[1].starts_with("# Once more in this round: answer or disagree"),
        "{}",
        prompts[1]
    );
    assert_eq!(stage.issue(ISSUE), IssueState::Decided);
    assert_eq!(stage.gap(GAP), GapState::Accepted);
    insta::assert_snapshot!(told(&stage, "conflict"));
}

#[tokio::test(start_paused = true)]
async fn passed_over_again_when_asked_it_is_put_once_more_without_asking_again() {
    let mut stage = systematic()
        .when(Role::Engineer, 4, 0, |r| Ok(Some(passes_over(r))))
        .answer("systematic_concern", "disagree", &[]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    assert_eq!(stage.prompts(Role::Engineer, 4).len(), 2);
    let question = stage.pending("systematic_concern");
    assert_eq!(
        labels(&question),
        ["approach", "specify", "close", "false_positive"]
    );
}

/// What the user specified is counted anew: one more round without it is no pattern.
#[tokio::test(start_paused = true)]
async fn what_was_passed_over_before_it_was_specified_is_dealt_with() {
    let mut stage = systematic()
        .when(Role::Engineer, 5, 0, |r| Ok(Some(passes_over(r))))
        .answer(
            "systematic_concern",
            "specify",
            &[("text", "pigments come from Delft")],
        )
        .answer("divergence", "accept", &[]);
    stage.run_strictly().await;
    assert_eq!(stage.put("systematic_concern").len(), 1);
    let flagged = stage.events("issue.flagged");
    assert!(flagged.iter().any(|event| event["flag"]["round"] == 5));
}

/// What the user settles by command while the question waits is not asked of the Engineer any more.
#[tokio::test(start_paused = true)]
async fn what_is_settled_meanwhile_is_asked_of_nobody() {
    let mut stage = systematic();
    stage.run_strictly().await;
    stage.waive(ISSUE, "not for version 1").unwrap();
    assert!(stage.state().now.questions.is_empty());
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));

    let mut stage = passed_over(&TWO, "Critical Issues");
    stage.run_strictly().await;
    stage.tell("implicit_disagreement", "again", &[]).unwrap();
    stage.waive(ISSUE, "not for version 1").unwrap();
    stage
        .tell("implicit_disagreement", "false_positive", &[])
        .unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.prompts(Role::Engineer, 2).len(), 1);
}
