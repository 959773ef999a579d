//! Decisions of undone rounds that are put in force again: while they are offered, where nothing is left to do, and who is told.

use gapless_domain::gap::GapState;
use gapless_domain::ids::DecisionId;
use gapless_domain::question::conflict::Options;
use gapless_domain::rollback::RollbackMode;
use gapless_domain::severity::Severity;
use gapless_domain::task::Role;
use gapless_mediator::{GapCommand, Refusal, UserInput};
use gapless_session::State;
use gapless_views::documents::decisions;

use crate::stage::{Stage, gap_id, issue, issue_id, labels, stage, well, with_config};

fn decision_id(id: &str) -> DecisionId {
    id.parse().unwrap()
}

fn reapply(id: &str) -> UserInput {
    UserInput::Reapply {
        decision: id.parse().unwrap(),
        text: None,
    }
}

fn deferral(gap: &str) -> GapCommand {
    GapCommand::Defer {
        gap: gap_id(gap),
        reason: "not in this release".into(),
    }
}

/// Round 1 with a severity and a deferral in it.
async fn two_decisions() -> Stage {
    let mut stage = stage(&[
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "LOW", ""),
        ("GAP-API-003", "LOW", ""),
    ]);
    stage.run_to_round(1).await;
    let graded = GapCommand::Severity {
        gap: gap_id("GAP-API-002"),
        severity: Severity::Medium,
        reason: "clients see it".into(),
    };
    stage.gap_command(graded).unwrap();
    stage.gap_command(deferral("GAP-API-003")).unwrap();
    stage
}

async fn two_decisions_undone() -> Stage {
    let mut stage = two_decisions().await;
    stage.roll_back(0, "the wrong way").unwrap();
    stage
}

#[tokio::test(start_paused = true)]
async fn example_5_undone_decisions_can_be_kept() {
    let mut stage = two_decisions_undone().await;
    assert_eq!(stage.gap("GAP-API-003"), GapState::Open);
    let question = stage.pending("undone_decisions");
    insta::assert_snapshot!(
        "recovery",
        format!("{}\n\n{}", question.title, question.context)
    );
    assert_eq!(labels(&question), ["leave", "all", "some", "edit", "pause"]);
    stage.refuses(
        "undone_decisions",
        "some",
        &[("decisions", "DECISION-R9-001")],
        "not among those",
    );
    stage
        .tell(
            "undone_decisions",
            "some",
            &[("decisions", "DECISION-R1-001")],
        )
        .unwrap();
    let severity = stage
        .state()
        .now
        .gaps
        .get(&gap_id("GAP-API-002"))
        .unwrap()
        .severity;
    assert_eq!(severity, Severity::Medium);
    assert_eq!(stage.gap("GAP-API-003"), GapState::Open);
    insta::assert_snapshot!("recovered_decisions", decisions(stage.state()));
    // The other one at any time, in other words; and neither twice.
    let reapply = |id: &str, text: Option<&str>| UserInput::Reapply {
        decision: decision_id(id),
        text: text.map(str::to_owned),
    };
    stage
        .say(reapply(
            "DECISION-R1-002",
            Some("It comes with the next release."),
        ))
        .unwrap();
    assert_eq!(stage.gap("GAP-API-003"), GapState::UserDeferred);
    let newest = stage.state().now.decisions.back().unwrap().clone();
    assert_eq!(newest.decision, "It comes with the next release.");
    assert_eq!(newest.reapplied_from, Some(decision_id("DECISION-R1-002")));
    assert_eq!(
        stage.say(reapply("DECISION-R1-002", None)),
        Err(Refusal::AlreadyReapplied {
            decision: decision_id("DECISION-R1-002"),
            reapplied: newest.id
        })
    );
    assert_eq!(
        stage.say(reapply("DECISION-R7-001", None)),
        Err(Refusal::NotUndone(decision_id("DECISION-R7-001")))
    );
}

#[tokio::test(start_paused = true)]
async fn every_other_answer_on_undone_decisions_takes_effect() {
    let mut stage = two_decisions_undone().await;
    stage.tell("undone_decisions", "leave", &[]).unwrap();
    assert!(stage.decisions().is_empty());

    let mut stage = two_decisions_undone().await;
    stage.tell("undone_decisions", "all", &[]).unwrap();
    assert_eq!(
        stage.decisions(),
        [
            "severity GAP-API-002: clients see it",
            "deferral GAP-API-003: not in this release"
        ]
    );

    let mut stage = two_decisions_undone().await;
    let edit = [("decisions", "DECISION-R1-002"), ("text", "After Easter.")];
    stage.tell("undone_decisions", "edit", &edit).unwrap();
    assert_eq!(
        stage.state().now.decisions.back().unwrap().decision,
        "After Easter."
    );
    let rest = stage.pending("undone_decisions");
    assert!(rest.context.contains("DECISION-R1-001") && !rest.context.contains("DECISION-R1-002"));

    let mut stage = two_decisions_undone().await;
    stage.tell("undone_decisions", "pause", &[]).unwrap();
    stage.pending("undone_decisions");
}

#[tokio::test(start_paused = true)]
async fn what_is_put_in_force_again_is_no_longer_offered() {
    let mut stage = two_decisions().await;
    stage.roll_back(0, "the wrong way").unwrap();
    let first = stage.pending("undone_decisions");
    stage.say(reapply("DECISION-R1-001")).unwrap();
    let second = stage.pending("undone_decisions");
    assert_ne!(first.id, second.id);
    assert!(
        !second.context.contains("DECISION-R1-001"),
        "{}",
        second.context
    );
    assert_eq!(second.holds, first.holds);
    // All that are left; the one before is in force already.
    stage.tell("undone_decisions", "all", &[]).unwrap();
    assert_eq!(stage.gap("GAP-API-003"), GapState::UserDeferred);
    assert!(
        stage
            .state()
            .now
            .questions
            .values()
            .all(|q| q.about.kind() != "undone_decisions")
    );

    let mut stage = two_decisions().await;
    stage.roll_back(0, "the wrong way").unwrap();
    for id in ["DECISION-R1-001", "DECISION-R1-002"] {
        stage.say(reapply(id)).unwrap();
    }
    assert!(
        stage
            .state()
            .now
            .questions
            .values()
            .all(|q| q.about.kind() != "undone_decisions")
    );
}

/// A gap that was put off again was asked about all the same, and could be put off once more.
#[tokio::test(start_paused = true)]
async fn what_a_decision_answers_that_is_in_force_again_is_not_asked_any_more() {
    let mut stage = two_decisions().await;
    stage.roll_back(0, "the wrong way").unwrap();
    stage.tell("undone_decisions", "leave", &[]).unwrap();
    let mut stage = stage.when(Role::Engineer, 1, 0, |_| {
        Ok(Some("BLOCKED_NEEDS_INPUT: GAP-API-003 which limit".into()))
    });
    let asks = |state: &State| {
        let mut asked = state.now.questions.values();
        asked.any(|question| question.about.kind() == "blocked_gap")
    };
    stage.run_until(asks).await;
    assert_eq!(stage.gap("GAP-API-003"), GapState::BlockedExternal);
    stage.say(reapply("DECISION-R1-002")).unwrap();
    assert_eq!(stage.gap("GAP-API-003"), GapState::UserDeferred);
    assert!(!asks(stage.state()));
}

#[tokio::test(start_paused = true)]
async fn a_decision_whose_effect_is_there_already_is_recorded_all_the_same() {
    let mut stage = stage(&[
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "LOW", "GAP-API-001"),
        ("GAP-API-003", "LOW", "GAP-API-001"),
    ]);
    let gap = gap_id("GAP-API-002");
    stage.run_to_round(1).await;
    stage.gap_command(deferral("GAP-API-002")).unwrap();
    stage.run_to_round(2).await;
    stage.gap_command(GapCommand::Resume { gap }).unwrap();
    stage.gap_command(deferral("GAP-API-002")).unwrap();
    stage.roll_back(1, "the wrong way").unwrap();
    assert_eq!(
        stage.gap("GAP-API-002"),
        GapState::UserDeferred,
        "as it was after round 1"
    );
    stage.tell("undone_decisions", "all", &[]).unwrap();
    assert_eq!(stage.gap("GAP-API-002"), GapState::UserDeferred);
    let newest = stage.state().now.decisions.back().unwrap();
    assert_eq!(
        newest.reapplied_from,
        Some("DECISION-R2-001".parse().unwrap())
    );
    assert_eq!(
        stage.say(reapply("DECISION-R2-001")),
        Err(Refusal::AlreadyReapplied {
            decision: "DECISION-R2-001".parse().unwrap(),
            reapplied: stage.state().now.decisions.back().unwrap().id,
        })
    );
}

#[tokio::test(start_paused = true)]
async fn how_a_round_is_run_again_is_told_to_its_engineers_alone() {
    let mut stage = stage(&[
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "LOW", "GAP-API-001"),
    ]);
    stage.run_to_review().await;
    let ask = UserInput::Rollback {
        to: None,
        reason: String::new(),
        adjust: Vec::new(),
    };
    stage.say(ask).unwrap();
    let fields = [
        ("to", "0"),
        ("reason", "beside the point"),
        ("adjust", "the limits are per tenant"),
    ];
    stage.tell("rollback", "context", &fields).unwrap();
    stage.run().await;
    let told = |role: Role, round: u32| {
        let prompts = stage.prompts(role, round);
        prompts
            .last()
            .unwrap()
            .contains("the limits are per tenant")
    };
    assert!(told(Role::Engineer, 1));
    assert!(
        !told(Role::Reviewer, 1),
        "a Reviewer judges what is written"
    );
    assert!(
        !told(Role::Engineer, 2) && !told(Role::Reviewer, 2),
        "it was of round 1"
    );
    assert!(
        stage.decisions_md().contains("the limits are per tenant"),
        "the user sees it"
    );
}

#[tokio::test(start_paused = true)]
async fn what_is_offered_still_and_what_is_undone_now_is_one_question() {
    let gaps = [
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "LOW", "GAP-API-001"),
        ("GAP-API-003", "LOW", "GAP-API-001"),
    ];
    let mut stage = with_config(&gaps, |met| {
        met.config.rollback_mode = RollbackMode::AutoRetry;
        met.config.max_retries = 0;
        met.config.rollback_analysis_threshold = 9;
    })
    .when(Role::Engineer, 1, 0, |request| {
        Ok(Some(match request.task.epoch {
            0 => "I would rather not.".to_owned(),
            _ => well(request),
        }))
    });
    stage.run_to_round(1).await;
    stage.gap_command(deferral("GAP-API-002")).unwrap();
    // Unasked, the round is run again: the question holds nothing, and is put off.
    stage.later = vec!["undone_decisions"];
    stage.run_to_round(2).await;
    assert_eq!(stage.state().kept.rollbacks.len(), 1);
    let first = stage.pending("undone_decisions");
    stage.gap_command(deferral("GAP-API-003")).unwrap();
    stage.roll_back(1, "the wrong way").unwrap();
    let pending = stage.state().now.questions.values();
    assert_eq!(
        pending
            .filter(|q| q.about.kind() == "undone_decisions")
            .count(),
        1
    );
    let both = stage.pending("undone_decisions");
    assert_ne!(both.id, first.id);
    for id in ["DECISION-R1-001", "DECISION-R2-001"] {
        assert!(both.context.contains(id), "{}", both.context);
    }
    stage.tell("undone_decisions", "all", &[]).unwrap();
    assert_eq!(stage.gap("GAP-API-002"), GapState::UserDeferred);
    assert_eq!(stage.gap("GAP-API-003"), GapState::UserDeferred);
}

fn edited(id: &str, text: &str) -> UserInput {
    UserInput::Reapply {
        decision: decision_id(id),
        text: Some(text.to_owned()),
    }
}

/// The words of the newest decision, with its title and the severity that it sets.
fn newest(stage: &Stage) -> (String, String, Option<Severity>) {
    let decision = stage.state().now.decisions.back().unwrap().clone();
    (decision.title, decision.decision, decision.severity)
}

#[tokio::test(start_paused = true)]
async fn an_edited_severity_is_the_one_that_is_set() {
    let severity = |stage: &Stage| {
        let gaps = &stage.state().now.gaps;
        gaps.get(&gap_id("GAP-API-002")).unwrap().severity
    };
    let mut stage = two_decisions_undone().await;
    let text = "GAP-API-002 has severity CRITICAL (was LOW).";
    let edit = [("decisions", "DECISION-R1-001"), ("text", text)];
    stage.tell("undone_decisions", "edit", &edit).unwrap();
    assert_eq!(severity(&stage), Severity::Critical);
    assert_eq!(
        newest(&stage),
        (
            "GAP-API-002 is CRITICAL".to_owned(),
            text.to_owned(),
            Some(Severity::Critical)
        )
    );

    let mut stage = two_decisions_undone().await;
    stage.say(edited("DECISION-R1-001", "high")).unwrap();
    assert_eq!(severity(&stage), Severity::High);
    assert_eq!(newest(&stage).1, "GAP-API-002 has severity HIGH.");

    // Words that set none, or more than one, are none for it; nothing has changed.
    let mut stage = two_decisions_undone().await;
    for (text, why) in [
        (
            "It matters more than that.",
            "DECISION-R1-001 can't be re-applied in these words: the decision sets a severity, and these words name none",
        ),
        ("HIGH or CRITICAL", "these words name HIGH and CRITICAL"),
    ] {
        let edit = [("decisions", "DECISION-R1-001"), ("text", text)];
        stage.refuses("undone_decisions", "edit", &edit, why);
    }
    assert_eq!(severity(&stage), Severity::Low);
    // As it was, it sets what it set.
    stage.say(reapply("DECISION-R1-001")).unwrap();
    assert_eq!(severity(&stage), Severity::Medium);
}

#[tokio::test(start_paused = true)]
async fn an_edited_deferral_puts_off_for_the_new_reason_or_is_refused() {
    let mut stage = two_decisions_undone().await;
    for (text, why) in [
        ("Never.", "say what `gapless gap close` does"),
        (
            "It is closed for good.",
            "say what `gapless gap close` does",
        ),
        ("It is no longer deferred.", "leave it archived then"),
        ("GAP-API-003 is HIGH.", "name a severity (HIGH)"),
    ] {
        let edit = [("decisions", "DECISION-R1-002"), ("text", text)];
        stage.refuses("undone_decisions", "edit", &edit, why);
        stage.refuses(
            "undone_decisions",
            "edit",
            &edit,
            "For another reason write `deferred: why`",
        );
    }
    let text = "deferred: until the ticket is closed";
    stage.say(edited("DECISION-R1-002", text)).unwrap();
    assert_eq!(stage.gap("GAP-API-003"), GapState::UserDeferred);
    let gaps = &stage.state().now.gaps;
    let reason = gaps.get(&gap_id("GAP-API-003")).unwrap().reason.clone();
    assert_eq!(reason.as_deref(), Some(text));
}

/// The severity of an issue that was set in round 2, undone.
async fn issue_severity_undone() -> Stage {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")]).when(Role::Reviewer, 1, 0, |r| {
        Ok(Some(issue(&r.gaps[0], "High Priority", "ISSUE-R1-001")))
    });
    stage.run_to_round(2).await;
    stage
        .set_issue_severity("ISSUE-R1-001", Severity::Low)
        .unwrap();
    stage.roll_back(1, "the wrong way").unwrap();
    stage
}

#[tokio::test(start_paused = true)]
async fn the_severity_of_an_issue_has_the_same_effect_again_and_another_one_edited() {
    let severity = |stage: &Stage| {
        let issues = &stage.state().now.issues;
        issues
            .get(&issue_id("ISSUE-R1-001"))
            .unwrap()
            .concern
            .severity
    };
    let mut stage = issue_severity_undone().await;
    assert_eq!(stage.gap("GAP-API-001"), GapState::NeedsRevision);
    stage.say(reapply("DECISION-R2-001")).unwrap();
    assert_eq!(severity(&stage), Severity::Low);
    assert_eq!(
        stage.gap("GAP-API-001"),
        GapState::Accepted,
        "nothing grave is left on it"
    );

    let mut stage = issue_severity_undone().await;
    stage
        .say(edited(
            "DECISION-R2-001",
            "CRITICAL: it holds the release up",
        ))
        .unwrap();
    assert_eq!(severity(&stage), Severity::Critical);
    assert_eq!(newest(&stage).0, "ISSUE-R1-001 is CRITICAL");
    assert_eq!(stage.gap("GAP-API-001"), GapState::NeedsRevision);
}

/// A conflict that was decided in round 2 for this option, undone; its gap is back in revision.
async fn conflict_undone(option: &'static str) -> Stage {
    let mut stage = crate::deciding::conflict(Severity::High).answer("inventory", "begin", &[]);
    crate::deciding::waiting(&mut stage).await;
    stage
        .tell("conflict", option, &[("rationale", "auditors ask")])
        .unwrap();
    stage.roll_back(1, "the wrong way").unwrap();
    stage
}

#[tokio::test(start_paused = true)]
async fn an_edited_conflict_is_decided_as_its_words_say() {
    let decided = |stage: &Stage| {
        let decision = stage.state().now.decisions.back().unwrap().clone();
        let chosen = decision.positions.unwrap().chosen;
        (chosen, decision.decision, decision.obliges)
    };
    let of = |chosen: Options, words: &str, obliges: bool| (chosen, words.to_owned(), obliges);
    let reviewers = "The Reviewer's position holds: write point 1 down";
    let engineers =
        "The Engineer's position holds on: Point 1 of the answer is left to the reader.";
    let own = "Point 1 goes into a table.";
    for (option, text, expected) in [
        ("B", own, of(Options::D, own, true)),
        ("A", own, of(Options::D, own, true)),
        ("B", "option A", of(Options::A, reviewers, true)),
        ("A", "b", of(Options::B, engineers, false)),
        ("A", reviewers, of(Options::A, reviewers, true)),
        ("A", "A", of(Options::A, reviewers, true)),
    ] {
        let mut stage = conflict_undone(option).await;
        stage.say(edited("DECISION-R2-001", text)).unwrap();
        assert_eq!(decided(&stage), expected, "{option}: {text}");
        let gap = stage.state().now.gaps.get(&gap_id("GAP-API-001")).unwrap();
        assert_eq!(!gap.obligations.is_empty(), expected.2, "{option}: {text}");
    }
    let mut stage = conflict_undone("A").await;
    let refused = stage.say(edited("DECISION-R2-001", "C")).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("option C has no words of its own"),
        "{refused}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_gap_that_was_reopened_is_open_again() {
    let gap = || gap_id("GAP-API-002");
    let mut stage = stage(&[
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "LOW", ""),
        ("GAP-API-003", "LOW", "GAP-API-001"),
    ]);
    stage.run_to_round(1).await;
    let close = GapCommand::Close {
        gap: gap(),
        reason: "nobody asks".into(),
        sentence: None,
    };
    stage.gap_command(close).unwrap();
    stage.run_to_round(2).await;
    let reopen = GapCommand::Reopen {
        gap: gap(),
        reason: "somebody does".into(),
    };
    stage.gap_command(reopen).unwrap();
    stage.roll_back(1, "the wrong way").unwrap();
    assert_eq!(stage.gap("GAP-API-002"), GapState::WontFix);
    let refused = stage.say(edited("DECISION-R2-001", "It stays closed."));
    assert!(
        matches!(refused, Err(Refusal::DoesNotFit { .. })),
        "{refused:?}"
    );
    stage.say(reapply("DECISION-R2-001")).unwrap();
    assert_eq!(stage.gap("GAP-API-002"), GapState::Open);
}
