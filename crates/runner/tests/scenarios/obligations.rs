//! Decisions that are to be carried out: due like issues, flagged where they are not, and what that means for the gap.

use gapless_domain::gap::GapState;
use gapless_domain::issue::IssueState;
use gapless_domain::phase::End;
use gapless_domain::severity::Severity;
use gapless_domain::severity::Severity::{Critical, High};
use gapless_domain::task::Role;
use gapless_mediator::GapCommand;
use gapless_runner::Stopped;

use crate::deciding::waiting;
use crate::flags::minding;
use crate::quarrel::{Raised, disagree, review};
use crate::stage::{Stage, gap_id, labels, resolution, shown};

const ISSUE: &str = "ISSUE-R1-001";
const GAP: &str = "GAP-API-001";

fn wants_audit(severity: Severity) -> Raised {
    Raised {
        severity,
        id: ISSUE.to_owned(),
        summary: "Nobody audits rejected requests.".to_owned(),
        suggestion: "Write an audit record for every rejected request".to_owned(),
        impact: "abuse goes unseen".to_owned(),
    }
}

/// A conflict that is decided for the Reviewer; in round 3 the Engineer writes what it wrote before.
fn not_carried_out(severity: Severity) -> Stage {
    minding(&[(GAP, "HIGH", "")])
        .when(Role::Reviewer, 1, 0, move |r| {
            Ok(Some(review(&r.gaps[0], &[wants_audit(severity)])))
        })
        .when(Role::Engineer, 2, 0, move |r| {
            let block = disagree(&wants_audit(severity), "No.", "Nobody reads it.");
            Ok(Some(resolution(&r.gaps[0], "None") + &block))
        })
        .when(Role::Reviewer, 2, 0, move |r| {
            Ok(Some(review(&r.gaps[0], &[wants_audit(severity)])))
        })
        .when(Role::Engineer, 3, 1, |r| match r.task.slot.index {
            0 => Ok(Some(resolution(&r.gaps[0], "None"))),
            _ => Ok(Some(carries_out(&r.gaps[0]))),
        })
        .when(Role::Engineer, 4, 0, |r| Ok(Some(carries_out(&r.gaps[0]))))
        .answer("inventory", "begin", &[])
        .answer("conflict", "A", &[("rationale", "auditors ask")])
        .answer("divergence", "accept", &[])
        .answer("divergence", "accept", &[])
}

fn carries_out(gap: &gapless_domain::ids::GapId) -> String {
    let done = "### Proposed Solution\n\nFor every rejected request an audit record is written: time, client and limit.\n\n";
    resolution(gap, "None").replace("### Proposed Solution\n\n", done)
}

#[tokio::test(start_paused = true)]
async fn a_critical_decision_that_nobody_carried_out_is_shown_and_holds_its_gap() {
    let mut stage = not_carried_out(Critical);
    let stopped = stage.run_strictly().await;
    let asked = stage.put("implicit_disagreement");
    assert_eq!(labels(asked[0]), ["again", "clarify", "false_positive"]);
    insta::assert_snapshot!(shown(asked[0]));
    // Nobody answered, and the Reviewer found nothing: the gap went back all the same. It is carried out by now, and what the
    // user was asked is still the user's to answer.
    let question = stage.pending("implicit_disagreement");
    assert_eq!(stopped, Stopped::Waiting(vec![question.id]));
    assert_eq!(
        labels(&question),
        ["settled", "again", "clarify", "false_positive"]
    );
    insta::assert_snapshot!("settled_since", shown(&question));
    stage.tell("implicit_disagreement", "settled", &[]).unwrap();
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.events("round.began").len(), 4);
    assert_eq!(stage.events("gap.obligations_met").len(), 1);
    assert_eq!(stage.issue(ISSUE), IssueState::Decided);
    assert_eq!(stage.put("conflict").len(), 1, "it is not decided again");
}

#[tokio::test(start_paused = true)]
async fn one_high_decision_is_logged_and_stays_to_be_carried_out() {
    let mut stage = not_carried_out(High);
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
    assert!(stage.put("implicit_disagreement").is_empty());
    let summary = stage.summary(3);
    assert!(
        summary.contains("| ISSUE-R1-001 [HIGH] | H1 | HIGH |"),
        "{summary}"
    );
    assert_eq!(stage.events("round.began").len(), 4);
}

#[tokio::test(start_paused = true)]
async fn every_option_on_a_decision_that_was_not_carried_out() {
    for (option, fields, rounds, met) in [
        ("again", &[][..], 3, 1),
        ("clarify", &[("text", "one line per request")], 4, 1),
        ("false_positive", &[], 3, 1),
    ] {
        let mut stage = not_carried_out(Critical).answer("implicit_disagreement", option, fields);
        let stopped = stage.run_strictly().await;
        assert_eq!(stopped, Stopped::Ended(End::Complete), "{option}");
        assert_eq!(stage.events("round.began").len(), rounds, "{option}");
        assert_eq!(stage.events("gap.obligations_met").len(), met, "{option}");
        match option {
            "again" => {
                let prompt = &stage.prompts(Role::Engineer, 3)[1];
                assert!(
                    prompt.contains("to be carried out and not to be disagreed with: The Reviewer's position holds"),
                    "{prompt}"
                );
            }
            "clarify" => {
                let prompt = &stage.prompts(Role::Engineer, 4)[0];
                assert!(prompt.contains("one line per request"), "{prompt}");
                insta::assert_snapshot!("clarified", stage.decisions_md());
            }
            _ => {}
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_false_alarm_after_the_review_accepts_the_gap() {
    let mut stage =
        not_carried_out(Critical).when(Role::Engineer, 4, 0, |_| crate::stage::could_not_run(None));
    stage.configure(|config| config.gaps_per_round = 1);
    waiting(&mut stage).await;
    // Round 4 has begun: what round 3 had is another round's by now, and only the next review can say.
    stage
        .tell("implicit_disagreement", "false_positive", &[])
        .unwrap();
    assert_eq!(stage.gap(GAP), GapState::InProgress);
    assert!(stage.events("gap.obligations_met").is_empty());
}

#[tokio::test(start_paused = true)]
async fn while_its_gap_is_out_of_scope_nothing_is_due() {
    let gaps = [(GAP, "LOW", ""), ("GAP-API-002", "HIGH", "")];
    let mut stage = minding(&gaps)
        .when(Role::Reviewer, 1, 0, |r| {
            let reviews = r.gaps.iter().map(|gap| match gap.to_string() == GAP {
                true => review(gap, &[wants_audit(Critical)]),
                false => review(
                    gap,
                    &[Raised {
                        id: "ISSUE-R1-002".to_owned(),
                        ..wants_audit(High)
                    }],
                ),
            });
            Ok(Some(reviews.collect()))
        })
        .when(Role::Engineer, 1, 0, |r| {
            let new = "- GAP-SEC-001 [CRITICAL]: nothing says who may call it";
            let first = resolution(&r.gaps[0], new);
            let rest = r.gaps.iter().skip(1).map(|gap| resolution(gap, "None"));
            Ok(Some(first + &rest.collect::<String>()))
        })
        .when(Role::Engineer, 2, 0, |r| {
            Ok(Some(r.gaps.iter().map(carries_out).collect()))
        })
        .when(Role::Engineer, 3, 0, |_| crate::stage::could_not_run(None))
        .answer("inventory", "begin", &[]);
    // Deferred before the second round is planned, its CRITICAL issue waits with it.
    waiting(&mut stage).await;
    stage.pending("divergence");
    stage
        .gap_command(GapCommand::Defer {
            gap: gap_id(GAP),
            reason: "later".to_owned(),
        })
        .unwrap();
    let mut stage = stage.answer("divergence", "accept", &[]);
    stage.run_strictly().await;
    assert!(stage.events("issue.flagged").is_empty());
    assert!(stage.put("implicit_disagreement").is_empty());
    assert!(stage.gap("GAP-API-002").is_closed());
}
