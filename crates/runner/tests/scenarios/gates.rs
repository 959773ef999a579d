//! The gate before an end: what each tier asks for, what undecided conflicts refuse, and where COMPLETE stops.

use gapless_domain::gap::GapState;
use gapless_domain::phase::{End, Trigger};
use gapless_domain::question::Holds;
use gapless_domain::severity::Severity;
use gapless_domain::task::Role;
use gapless_mediator::{GapCommand, Refusal, RunSettings, UserInput};
use gapless_runner::Stopped;

use crate::stage::{Stage, engineer, gap_id, issue, no_issues, stage, with_config};

const CRITICAL: &str = "I accept CRITICAL gaps knowing the spec may be unusable";
const HIGH: &str = "I acknowledge";

/// A session whose user asks to stop before anything was worked on.
fn stopping(gaps: &[(&str, &str, &str)]) -> Stage {
    let mut stage = stage(gaps);
    stage.say(UserInput::Stop).unwrap();
    stage
}

#[tokio::test(start_paused = true)]
async fn critical_gaps_need_the_exact_sentence_and_a_rationale_for_each() {
    let gaps = [
        ("GAP-API-001", "CRITICAL", ""),
        ("GAP-API-002", "CRITICAL", ""),
    ];
    let mut stage = stopping(&gaps);
    let question = stage.pending("stop");
    assert_eq!(question.severity, Some(Severity::Critical));
    assert!(!question.options.iter().any(|option| option.recommended));
    let wrong = [
        CRITICAL.to_lowercase(),
        format!("{CRITICAL}."),
        format!("{CRITICAL}, and so be it"),
        "yes".to_owned(),
        HIGH.to_owned(),
        String::new(),
    ];
    for sentence in &wrong {
        let fields = [
            ("critical", sentence.as_str()),
            ("GAP-API-001", "a"),
            ("GAP-API-002", "b"),
        ];
        let words = format!("the field `critical` must be exactly: {CRITICAL}");
        stage.refuses("stop", "accept", &fields, &words);
    }
    let unexplained = "option `accept` needs the field `GAP-API-002`";
    let one = [("critical", CRITICAL), ("GAP-API-001", "a")];
    stage.refuses("stop", "accept", &one, unexplained);
    let blank = [one[0], one[1], ("GAP-API-002", " \t")];
    stage.refuses("stop", "accept", &blank, unexplained);
    assert_eq!(stage.pending("stop").id, question.id);
    let all = [one[0], one[1], ("GAP-API-002", "b")];
    stage.tell("stop", "accept", &all).unwrap();
    assert_eq!(stage.ended(), (End::UserApproved, Trigger::UserStop));
    assert_eq!(
        stage.decisions(),
        ["acceptance GAP-API-001: a", "acceptance GAP-API-002: b"]
    );
    let over = stage.say(UserInput::Pause);
    assert_eq!(over, Err(Refusal::Ended(End::UserApproved)));
}

#[tokio::test(start_paused = true)]
async fn high_gaps_need_the_acknowledgment_and_a_rationale_for_each() {
    let gaps = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "HIGH", "")];
    let mut stage = stopping(&gaps);
    assert_eq!(stage.pending("stop").severity, Some(Severity::High));
    for sentence in ["i acknowledge", "I acknowledge it", "ok", ""] {
        let fields = [
            ("high", sentence),
            ("GAP-API-001", "a"),
            ("GAP-API-002", "b"),
        ];
        let words = "the field `high` must be exactly: I acknowledge";
        stage.refuses("stop", "accept", &fields, words);
    }
    let unexplained = "option `accept` needs the field `GAP-API-001`";
    let one = [("high", HIGH), ("GAP-API-002", "b")];
    stage.refuses("stop", "accept", &one, unexplained);
    let blank = [one[0], one[1], ("GAP-API-001", "  ")];
    stage.refuses("stop", "accept", &blank, unexplained);
    let all = [one[0], one[1], ("GAP-API-001", "a")];
    stage.tell("stop", "accept", &all).unwrap();
    assert_eq!(stage.ended(), (End::UserApproved, Trigger::UserStop));
}

#[tokio::test(start_paused = true)]
async fn critical_and_high_together_need_both_sentences() {
    let gaps = [("GAP-API-001", "CRITICAL", ""), ("GAP-API-002", "HIGH", "")];
    let mut stage = stopping(&gaps);
    let reasons = [("GAP-API-001", "a"), ("GAP-API-002", "b")];
    let only = |field, sentence| [reasons[0], reasons[1], (field, sentence)];
    stage.refuses(
        "stop",
        "accept",
        &only("critical", CRITICAL),
        "the field `high` must be exactly",
    );
    stage.refuses(
        "stop",
        "accept",
        &only("high", HIGH),
        "the field `critical` must be exactly",
    );
    let swapped = [
        reasons[0],
        reasons[1],
        ("critical", HIGH),
        ("high", CRITICAL),
    ];
    stage.refuses("stop", "accept", &swapped, "must be exactly");
    let both = [
        reasons[0],
        reasons[1],
        ("critical", CRITICAL),
        ("high", HIGH),
    ];
    stage.tell("stop", "accept", &both).unwrap();
    assert_eq!(stage.ended(), (End::UserApproved, Trigger::UserStop));
}

#[tokio::test(start_paused = true)]
async fn lesser_gaps_are_acknowledged_by_accepting() {
    let gaps = [("GAP-API-001", "MEDIUM", ""), ("GAP-API-002", "LOW", "")];
    let mut stage = stopping(&gaps);
    let question = stage.pending("stop");
    assert_eq!(question.severity, None);
    assert!(question.fields.is_empty(), "{:?}", question.fields);
    assert!(question.options[0].recommended);
    stage.tell("stop", "accept", &[]).unwrap();
    assert_eq!(stage.ended(), (End::GoodEnough, Trigger::UserStop));
    assert_eq!(
        stage.decisions(),
        ["acceptance GAP-API-001: ", "acceptance GAP-API-002: "]
    );
    let spec = stage.spec();
    let limitations = spec.split("## Known limitations").nth(1).unwrap();
    assert!(limitations.contains("GAP-API-001") && limitations.contains("GAP-API-002"));
}

#[tokio::test(start_paused = true)]
async fn what_was_deferred_counts_at_the_gate() {
    let gaps = [("GAP-API-001", "CRITICAL", ""), ("GAP-API-002", "HIGH", "")];
    let mut stage = stage(&gaps);
    for gap in ["GAP-API-001", "GAP-API-002"] {
        let reason = "another team's".into();
        let command = GapCommand::Defer {
            gap: gap_id(gap),
            reason,
        };
        stage.gap_command(command).unwrap();
    }
    stage.say(UserInput::Stop).unwrap();
    let context = stage.pending("stop").context;
    assert!(
        context.contains("GAP-API-001 [CRITICAL]") && context.contains("(USER_DEFERRED)"),
        "{context}"
    );
    stage.refuses("stop", "accept", &[], "must be exactly");
    let all = [
        ("critical", CRITICAL),
        ("high", HIGH),
        ("GAP-API-001", "a"),
        ("GAP-API-002", "b"),
    ];
    stage.tell("stop", "accept", &all).unwrap();
    assert_eq!(stage.ended(), (End::UserApproved, Trigger::UserStop));
}

#[tokio::test(start_paused = true)]
async fn the_gate_lists_what_came_up_while_it_stood_open() {
    let mut stage = stopping(&[("GAP-API-001", "LOW", "")]);
    let first = stage.pending("stop").id;
    stage
        .gap_command(GapCommand::Add {
            category: "SEC".into(),
            severity: Severity::High,
            description: "no authentication".into(),
            section: None,
        })
        .unwrap();
    let renewed = stage.pending("stop");
    assert_ne!(renewed.id, first);
    stage.refuses("stop", "accept", &[], "the field `high` must be exactly");
    let all = [("high", HIGH), ("GAP-SEC-001", "a gateway does it")];
    stage.tell("stop", "accept", &all).unwrap();
    assert_eq!(stage.ended().0, End::UserApproved);
}

/// An issue of round 1 that the Engineer disagrees with in round 2 and the Reviewer upholds; a gap of its severity.
fn disagreed(
    gap_severity: &str,
    issue_severity: &'static str,
    more: &[(&str, &str, &str)],
) -> Stage {
    let gaps: Vec<_> = std::iter::once(("GAP-API-001", gap_severity, ""))
        .chain(more.iter().copied())
        .collect();
    let change = |met: &mut RunSettings| {
        met.config.stall_threshold = Some(99);
        met.config.gaps_per_round = 1;
    };
    with_config(&gaps, change)
        .when(Role::Reviewer, 1, 0, move |r| {
            let held = issue(&r.gaps[0], "High Priority", "ISSUE-R1-002");
            let disputed = issue(&r.gaps[0], issue_severity, "ISSUE-R1-001");
            Ok(Some(held + &disputed.replace("not justified", "too low for bulk imports")))
        })
        .when(Role::Engineer, 2, 0, |request| {
            let text = engineer(request);
            let text = text.split("## Response to").next().unwrap().to_owned();
            Ok(Some(text + "## Response to ISSUE-R1-002\n\nThe solution says it now.\n\n\
                ## DISAGREE: ISSUE-R1-001\n\n**Reviewer Concern:**\n> the limit is too low for bulk imports.\n\n\
                **Engineer Position:** it is enough\n\n**Rationale:** imports are throttled anyway\n"))
        })
        .when(Role::Reviewer, 2, 0, move |r| {
            let disputed = issue(&r.gaps[0], issue_severity, "ISSUE-R1-001");
            Ok(Some(disputed.replace("not justified", "too low for bulk imports")))
        })
        .answer("inventory", "begin", &[])
}

#[tokio::test(start_paused = true)]
async fn an_undecided_high_conflict_needs_the_acknowledgment() {
    let mut stage = disagreed("LOW", "High Priority", &[]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    assert_eq!(stage.kinds(), ["inventory", "conflict", "nothing_to_plan"]);
    assert_eq!(
        stage.events("round.final_reviewed").len(),
        0,
        "not COMPLETE"
    );
    stage.tell("nothing_to_plan", "stop", &[]).unwrap();
    let question = stage.pending("stop");
    assert!(
        question.context.contains("ISSUE-R1-001"),
        "{}",
        question.context
    );
    assert!(!question.options[0].recommended, "not GOOD_ENOUGH");
    stage.refuses("stop", "accept", &[], "the field `high` must be exactly");
    let accepted = [("high", HIGH), ("GAP-API-001", "it is measured later")];
    stage.tell("stop", "accept", &accepted).unwrap();
    assert_eq!(stage.ended(), (End::UserApproved, Trigger::NothingToPlan));
}

#[tokio::test(start_paused = true)]
async fn an_undecided_critical_conflict_refuses_every_end_but_giving_up() {
    let mut stage = disagreed("LOW", "Critical Issues", &[]);
    stage.run_strictly().await;
    let conflict = stage.pending("conflict");
    assert_eq!(conflict.holds, Holds::Phase);
    let before = stage.state().clone();
    let refused = stage.say(UserInput::Stop);
    assert_eq!(refused, Err(Refusal::CriticalConflict(conflict.id)));
    assert!(*stage.state() == before);
    // Nobody is there: the session waits, and is not stopped.
    let stopped = stage.run_strictly().await;
    assert_eq!(stopped, Stopped::Waiting(vec![conflict.id]));
    stage.say(UserInput::Abandon).unwrap();
    assert_eq!(stage.ended(), (End::Abandoned, Trigger::Abandoned));
}

#[tokio::test(start_paused = true)]
async fn a_critical_conflict_at_the_round_limit_is_not_passed_over() {
    let mut stage = disagreed("LOW", "Critical Issues", &[]);
    stage.configure(|config| config.max_rounds = Some(2));
    let stopped = stage.run_strictly().await;
    assert_eq!(
        stopped,
        Stopped::Waiting(vec![stage.pending("conflict").id])
    );
    assert_eq!(stage.kinds(), ["inventory", "conflict"]);
    stage.tell("conflict", "B", &[]).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn a_conflict_whose_issue_is_raised_as_critical_holds_the_round() {
    let mut stage = disagreed("LOW", "High Priority", &[("GAP-API-002", "LOW", "")]).when(
        Role::Reviewer,
        3,
        0,
        |r| {
            let graver = issue(&gap_id("GAP-API-001"), "Critical Issues", "ISSUE-R1-001");
            let graver = graver.replace("not justified", "too low for bulk imports");
            Ok(Some(no_issues(&r.gaps[0]) + &graver))
        },
    );
    stage.run_strictly().await;
    let conflict = stage.pending("conflict");
    assert_eq!(conflict.severity, Some(Severity::Critical));
    assert_eq!(conflict.holds, Holds::Phase);
    let refused = stage.say(UserInput::Stop);
    assert_eq!(refused, Err(Refusal::CriticalConflict(conflict.id)));
    assert_eq!(stage.state().now.round.number, 3);
}

#[tokio::test(start_paused = true)]
async fn an_undecided_medium_conflict_becomes_a_limitation() {
    let mut stage = disagreed("LOW", "Medium Priority", &[]);
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds(), ["inventory", "conflict"]);
    assert_eq!(stage.ended().1, Trigger::FinalReviewReady);
    assert_eq!(stage.gap("GAP-API-001"), GapState::Accepted);
    let spec = stage.spec();
    let limitations = spec.split("## Known limitations").nth(1).unwrap();
    assert!(
        limitations.contains("The limit is too low for bulk imports"),
        "{limitations}"
    );
}

/// A session in which one gap is resolved and these are deferred.
async fn with_deferred(deferred: &[(&str, &str, &str)]) -> (Stage, Stopped) {
    let gaps: Vec<_> = std::iter::once(("GAP-API-001", "HIGH", ""))
        .chain(deferred.iter().copied())
        .collect();
    let mut stage = stage(&gaps);
    for (gap, _, _) in deferred {
        let reason = "later".into();
        let command = GapCommand::Defer {
            gap: gap_id(gap),
            reason,
        };
        stage.gap_command(command).unwrap();
    }
    let stopped = stage.run().await;
    (stage, stopped)
}

#[tokio::test(start_paused = true)]
async fn complete_allows_a_deferred_weight_of_four_and_nothing_grave() {
    let (medium, more, low) = (
        ("GAP-API-002", "MEDIUM", ""),
        ("GAP-API-003", "MEDIUM", ""),
        ("GAP-API-004", "LOW", ""),
    );
    let (stage, stopped) = with_deferred(&[medium, more]).await;
    assert_eq!(stopped, Stopped::Ended(End::Complete), "a weight of 4");
    assert_eq!(stage.state().now.open_quarters(), 4);

    let (stage, stopped) = with_deferred(&[medium, more, low]).await;
    // A policy ends it, and not as COMPLETE.
    assert_eq!(stopped, Stopped::Ended(End::GoodEnough), "a weight of 5");
    assert_eq!(stage.kinds(), ["inventory", "nothing_to_plan", "stop"]);
    assert_eq!(stage.events("round.final_reviewed").len(), 0);

    let (stage, stopped) = with_deferred(&[("GAP-API-002", "HIGH", "")]).await;
    assert!(
        matches!(stopped, Stopped::Waiting(_)),
        "a weight of 4, but HIGH"
    );
    assert_eq!(stage.kinds(), ["inventory", "nothing_to_plan"]);
}

#[tokio::test(start_paused = true)]
async fn a_gap_that_waits_for_input_is_not_complete_however_light() {
    let stage = stage(&[("GAP-API-001", "LOW", "")]).when(Role::Engineer, 1, 0, |_| {
        Ok(Some("BLOCKED_NEEDS_INPUT: GAP-API-001 which one".into()))
    });
    let mut stage = stage
        .answer("inventory", "begin", &[])
        .answer("blocked_gap", "go_on", &[]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    assert_eq!(stage.state().now.open_quarters(), 1);
    assert_eq!(
        stage.kinds(),
        ["inventory", "blocked_gap", "nothing_to_plan"]
    );
    assert_eq!(stage.events("round.final_reviewed").len(), 0);
}
