//! Issues that the Engineer passes over: when they are flagged, when the user is asked, and what each answer does.

use gapless_agents::Request;
use gapless_domain::flag::Heuristic;
use gapless_domain::issue::IssueState;
use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_runner::Stopped;

use crate::stage::{Stage, engineer, issue, labels, resolution, with_config};

/// A stage on which the usual thresholds hold.
pub fn minding(gaps: &[(&str, &str, &str)]) -> Stage {
    with_config(gaps, |met| {
        let usual = gapless_domain::config::Config::default();
        met.config.unaddressed_high_threshold = usual.unaddressed_high_threshold;
        met.config.unaddressed_critical_threshold = usual.unaddressed_critical_threshold;
        met.config.pattern_threshold = usual.pattern_threshold;
    })
}

/// What the Engineer wrote before, with no word on any issue.
pub fn passes_over(request: &Request) -> String {
    let gaps = request.gaps.iter();
    gaps.map(|gap| resolution(gap, "None")).collect()
}

/// What the Engineer wrote before, and an answer that turns against the Reviewer.
pub fn deflects(request: &Request) -> String {
    let against = "The reviewer misunderstood the design; this is not a real issue.";
    passes_over(request) + &format!("## Response to ISSUE-R1-001\n\n{against}\n\n")
}

/// An answer that changes what was criticised.
pub fn answers(request: &Request) -> String {
    engineer(request)
}

/// A review of every gap with one issue of this severity on each.
pub fn objects(request: &Request, severity: &str) -> String {
    let issues = request.gaps.iter().enumerate();
    issues
        .map(|(index, gap)| issue(gap, severity, &format!("ISSUE-R1-{:03}", index + 1)))
        .collect()
}

/// Issues of round 1 on each gap, and an Engineer that passes them over in round 2.
pub fn passed_over(gaps: &[(&str, &str, &str)], severity: &'static str) -> Stage {
    minding(gaps)
        .when(Role::Reviewer, 1, 0, move |r| {
            Ok(Some(objects(r, severity)))
        })
        .when(Role::Engineer, 2, 1, |r| match r.task.slot.index {
            0 => Ok(Some(passes_over(r))),
            _ => Ok(Some(answers(r))),
        })
        .when(Role::Engineer, 3, 1, |r| Ok(Some(answers(r))))
        .answer("inventory", "begin", &[])
}

pub const ONE: [(&str, &str, &str); 1] = [("GAP-API-001", "HIGH", "")];
pub const TWO: [(&str, &str, &str); 2] = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "HIGH", "")];

#[tokio::test(start_paused = true)]
async fn one_high_issue_is_logged_and_nobody_is_asked() {
    let mut stage = passed_over(&ONE, "High Priority");
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert!(!stage.kinds().contains(&"implicit_disagreement"));
    let flags = stage.events("issue.flagged");
    assert_eq!(flags[0]["flag"]["heuristic"], "H1");
    let summary = stage.summary(2);
    assert!(
        summary.contains("| ISSUE-R1-001 [HIGH] | H1 | HIGH |"),
        "{summary}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_issue_on_a_gap_that_waits_for_the_user_is_not_passed_over() {
    let mut stage = minding(&ONE)
        .when(Role::Reviewer, 1, 0, |r| {
            Ok(Some(objects(r, "Critical Issues")))
        })
        .when(Role::Engineer, 2, 0, |_| {
            Ok(Some("BLOCKED_NEEDS_INPUT: GAP-API-001 whose limit".into()))
        })
        .answer("inventory", "begin", &[])
        .answer("blocked_gap", "go_on", &[]);
    stage.run().await;
    assert!(stage.kinds().contains(&"blocked_gap"));
    assert!(!stage.kinds().contains(&"implicit_disagreement"));
    assert!(stage.events("issue.flagged").is_empty());
}

#[tokio::test(start_paused = true)]
async fn one_critical_or_two_high_are_shown_and_hold_nothing() {
    for (gaps, severity) in [(&ONE[..], "Critical Issues"), (&TWO[..], "High Priority")] {
        let mut stage = passed_over(gaps, severity);
        let stopped = stage.run_strictly().await;
        assert!(
            !matches!(&stopped, Stopped::Waiting(held) if held.is_empty()),
            "{stopped:?}"
        );
        let asked = stage.asked.iter();
        let asked: Vec<_> = asked
            .filter(|question| question.about.kind() == "implicit_disagreement")
            .collect();
        assert_eq!(asked.len(), gaps.len(), "{severity}");
        assert_eq!(
            labels(asked[0]),
            ["again", "convert", "waive", "clarify", "false_positive"]
        );
        assert!(
            asked[0].context.contains("H1 (not answered"),
            "{}",
            asked[0].context
        );
        assert_eq!(asked[0].holds, gapless_domain::question::Holds::Nothing);
    }
}

#[tokio::test(start_paused = true)]
async fn two_critical_ones_block_the_round_until_the_user_decides() {
    let mut stage = passed_over(&TWO, "Critical Issues");
    let stopped = stage.run_strictly().await;
    assert!(
        matches!(&stopped, Stopped::Waiting(held) if held.len() == 2),
        "{stopped:?}"
    );
    assert_eq!(
        stage.prompts(Role::Reviewer, 2).len(),
        0,
        "before the review"
    );
    stage
        .tell("implicit_disagreement", "false_positive", &[])
        .unwrap();
    stage
        .tell("implicit_disagreement", "false_positive", &[])
        .unwrap();
    stage.run_strictly().await;
    assert_eq!(stage.prompts(Role::Reviewer, 2).len(), 1);
    let judged = stage.state().kept.judged[&Heuristic::H1];
    assert_eq!((judged.confirmed, judged.false_positive), (0, 2));
}

#[tokio::test(start_paused = true)]
async fn asked_again_the_engineer_answers_in_the_same_round() {
    let mut stage =
        passed_over(&ONE, "Critical Issues").answer("implicit_disagreement", "again", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let prompts = stage.prompts(Role::Engineer, 2);
    assert_eq!(prompts.len(), 2);
    assert!(
        prompts[1].starts_with("# Once more in this round"),
        "{}",
        prompts[1]
    );
    assert!(prompts[1].contains("- ISSUE-R1-001 [CRITICAL] on GAP-API-001"));
    assert_eq!(stage.events("round.began").len(), 2);
    assert_eq!(stage.issue("ISSUE-R1-001"), IssueState::Closed);
    // What was written first is superseded, and stands once in engineer.md.
    let joined = &stage.events("round.joined")[1]["engineer"];
    let hash = serde_json::from_value(joined.clone()).unwrap();
    let texts = stage.session.texts();
    let text = gapless_domain::text::Texts::text(&texts, &hash).unwrap();
    assert_eq!(text.matches("## Gap Resolution: GAP-API-001").count(), 1);
}

#[tokio::test(start_paused = true)]
async fn asking_again_happens_once_per_issue_and_round() {
    let mut stage = minding(&ONE)
        .when(Role::Reviewer, 1, 0, |r| {
            Ok(Some(objects(r, "Critical Issues")))
        })
        .when(Role::Engineer, 2, 0, |r| Ok(Some(passes_over(r))))
        .answer("inventory", "begin", &[])
        .answer("implicit_disagreement", "again", &[])
        .answer("implicit_disagreement", "convert", &[])
        .answer("conflict", "B", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let asked = stage.asked.iter();
    let asked: Vec<_> = asked
        .filter(|question| question.about.kind() == "implicit_disagreement")
        .collect();
    assert_eq!(
        labels(asked[1]),
        ["convert", "waive", "clarify", "false_positive"]
    );
    assert_eq!(stage.issue("ISSUE-R1-001"), IssueState::Decided);
    let decided = stage.state().now.decisions.iter();
    let positions: Vec<_> = decided.filter_map(|d| d.positions.clone()).collect();
    assert!(positions[0].implicit);
}

#[tokio::test(start_paused = true)]
async fn waiving_and_clarifying_take_effect() {
    let mut stage = passed_over(&ONE, "Critical Issues").answer(
        "implicit_disagreement",
        "waive",
        &[("text", "not for version 1")],
    );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.issue("ISSUE-R1-001"), IssueState::Waived);
    assert_eq!(stage.events("round.began").len(), 2, "the gap is accepted");

    let mut stage = passed_over(&ONE, "Critical Issues").answer(
        "implicit_disagreement",
        "clarify",
        &[("text", "the limit is per account")],
    );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert!(stage.prompts(Role::Engineer, 3)[0].contains("the limit is per account"));
}

#[tokio::test(start_paused = true)]
async fn the_same_concern_three_times_is_systematic_and_holds() {
    let mut stage = minding(&ONE)
        .when(Role::Reviewer, 0, 0, |r| {
            let id = format!("ISSUE-R{}-001", r.task.round);
            Ok(Some(issue(&r.gaps[0], "High Priority", &id)))
        })
        .when(Role::Engineer, 0, 0, |r| Ok(Some(passes_over(r))))
        .answer("inventory", "begin", &[])
        .answer("divergence", "accept", &[]);
    let stopped = stage.run_strictly().await;
    assert!(
        matches!(&stopped, Stopped::Waiting(held) if held.len() == 1),
        "{stopped:?}"
    );
    let question = stage.pending("systematic_concern");
    assert_eq!(
        labels(&question),
        ["approach", "specify", "close", "disagree", "false_positive"]
    );
    stage
        .tell(
            "systematic_concern",
            "specify",
            &[("text", "the limit is 50")],
        )
        .unwrap();
    let kinds: Vec<String> = stage.decisions();
    assert!(
        kinds.iter().any(|line| line.starts_with("conflict")),
        "{kinds:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn what_only_advises_is_logged_and_asks_nobody() {
    let mut stage = with_config(&ONE, |met| {
        met.config.unaddressed_critical_threshold = 1;
        met.advisory = Heuristic::ALL.to_vec();
    })
    .when(Role::Reviewer, 1, 0, |r| {
        Ok(Some(objects(r, "Critical Issues")))
    })
    .when(Role::Engineer, 2, 1, |r| Ok(Some(passes_over(r))))
    .answer("inventory", "begin", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert!(!stage.kinds().contains(&"implicit_disagreement"));
    assert_eq!(stage.events("issue.flagged")[0]["flag"]["heuristic"], "H1");
}
