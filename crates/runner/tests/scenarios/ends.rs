//! How sessions end, and what an end with gaps left asks for.

use gapless_core::gap::GapState;
use gapless_core::mediator::{GapCommand, Refusal, UserInput};
use gapless_core::phase::End;
use gapless_core::task::Role;
use gapless_runner::Stopped;

use crate::stage::{final_review, gap_id, issue, no_issues, stage, with_config};

const SENTENCE: &str = "I accept CRITICAL gaps knowing the spec may be unusable";

#[tokio::test(start_paused = true)]
async fn a_final_review_that_is_not_ready_reopens_what_blocks() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")]).when(Role::FinalReviewer, 1, 0, |_| {
        Ok(Some(final_review(
            "NOT_READY",
            "- **ISSUE-R1-900**: GAP-API-001 says nothing of units",
        )))
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let reopened: Vec<_> = stage
        .events("gap.moved")
        .into_iter()
        .filter(|e| e["by"] == "reopen")
        .collect();
    assert_eq!(reopened.len(), 1);
    assert_eq!(stage.events("round.began").len(), 2);
    assert_eq!(
        stage.events("round.accounted")[1]["tally"]["reopened"][0]["gap"],
        "GAP-API-001"
    );
}

#[tokio::test(start_paused = true)]
async fn a_blocker_on_what_the_user_closed_does_not_count() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")]).when(
        Role::FinalReviewer,
        0,
        0,
        |_| {
            Ok(Some(final_review(
                "READY_FOR_TERMINATION",
                "- GAP-API-002 is still not there",
            )))
        },
    );
    stage
        .gap_command(GapCommand::Close {
            gap: gap_id("GAP-API-002"),
            reason: "no".into(),
            sentence: None,
        })
        .unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.gap("GAP-API-002"), GapState::WontFix);
}

#[tokio::test(start_paused = true)]
async fn not_ready_without_a_blocker_is_put_to_the_user() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")])
        .when(Role::FinalReviewer, 0, 0, |_| {
            Ok(Some(final_review("NOT_READY", "None")))
        })
        .answer("nothing_to_plan", "stop", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::GoodEnough));
    assert_eq!(stage.kinds(), ["inventory", "nothing_to_plan", "stop"]);
}

#[tokio::test(start_paused = true)]
async fn a_session_without_gaps_is_reviewed_as_it_is() {
    let mut stage = stage(&[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.events("round.began").len(), 0);
    assert_eq!(
        stage.asked[0].title,
        "No gaps were found. Have the spec reviewed as it is?"
    );
}

#[tokio::test(start_paused = true)]
async fn stopping_with_lesser_gaps_is_good_enough() {
    let mut stage = stage(&[("GAP-API-001", "LOW", "")]);
    stage.say(UserInput::Stop).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::GoodEnough));
}

#[tokio::test(start_paused = true)]
async fn stopping_with_grave_gaps_needs_sentences_and_a_rationale_for_each() {
    let gaps = [("GAP-API-001", "CRITICAL", ""), ("GAP-API-002", "HIGH", "")];
    let accept = |fields: &[(&str, &str)]| {
        let mut answer =
            gapless_core::question::Answer::of("accept", gapless_core::question::DecidedBy::User);
        for (name, value) in fields {
            answer = answer.with(name, value);
        }
        answer
    };
    let mut stage = stage(&gaps);
    stage.say(UserInput::Stop).unwrap();
    let question = stage
        .state()
        .now
        .questions
        .values()
        .find(|q| q.about.kind() == "stop")
        .unwrap()
        .id;
    let tries = [
        (vec![], "the field `critical` must be exactly"),
        (
            vec![(
                "critical",
                "i accept critical gaps knowing the spec may be unusable",
            )],
            "must be exactly",
        ),
        (
            vec![("critical", SENTENCE), ("high", "ok")],
            "the field `high` must be exactly: I acknowledge",
        ),
        (
            vec![
                ("critical", SENTENCE),
                ("high", "I acknowledge"),
                ("GAP-API-001", "x"),
            ],
            "needs the field `GAP-API-002`",
        ),
    ];
    for (fields, expected) in tries {
        let said = stage
            .say(UserInput::Answer {
                question,
                answer: accept(&fields),
            })
            .unwrap_err()
            .to_string();
        assert!(said.contains(expected), "{said}");
    }
    let all = [
        ("critical", SENTENCE),
        ("high", "I acknowledge"),
        ("GAP-API-001", "x"),
        ("GAP-API-002", "y"),
    ];
    stage
        .say(UserInput::Answer {
            question,
            answer: accept(&all),
        })
        .unwrap();
    assert_eq!(
        stage.state().kept.ended.map(|(end, _)| end),
        Some(End::UserApproved)
    );
    let rationales: Vec<&str> = stage
        .state()
        .now
        .decisions
        .iter()
        .map(|d| d.rationale.as_str())
        .collect();
    assert_eq!(rationales, ["x", "y"]);
    assert_eq!(
        stage.say(UserInput::Pause),
        Err(Refusal::Ended(End::UserApproved))
    );
}

#[tokio::test(start_paused = true)]
async fn the_round_limit_is_extended_and_without_a_user_it_stops() {
    let stubborn = |request: &gapless_agents::Request| {
        Ok(Some(match request.task.round {
            1..=6 => issue(
                &request.gaps[0],
                "High Priority",
                &format!("ISSUE-R{}-001", request.task.round),
            ),
            _ => no_issues(&request.gaps[0]),
        }))
    };
    let limited = |met: &mut gapless_core::mediator::Met| {
        met.config.max_rounds = Some(2);
        met.config.stall_threshold = Some(99);
    };
    let mut extended = with_config(&[("GAP-API-001", "HIGH", "")], limited)
        .when(Role::Reviewer, 0, 0, stubborn)
        .answer("round_limit", "extend", &[]);
    assert_eq!(extended.run().await, Stopped::Ended(End::Complete));
    assert_eq!(extended.state().limits().max_rounds, 7);

    let mut unattended =
        with_config(&[("GAP-API-001", "HIGH", "")], limited).when(Role::Reviewer, 0, 0, stubborn);
    assert_eq!(unattended.run().await, Stopped::Ended(End::MaxRounds));

    let mut automatic = with_config(&[("GAP-API-001", "HIGH", "")], |met| {
        limited(met);
        met.config.auto_extend = true;
        met.config.hard_limit = 4;
    })
    .when(Role::Reviewer, 0, 0, stubborn);
    assert_eq!(automatic.run().await, Stopped::Ended(End::MaxRounds));
    assert_eq!(
        automatic.events("round.began").len(),
        4,
        "extended by itself up to the hard limit"
    );
}

#[tokio::test(start_paused = true)]
async fn a_critical_gap_is_closed_only_through_the_gate() {
    let mut stage = stage(&[("GAP-API-001", "CRITICAL", "")]);
    let close = |sentence: Option<&str>| GapCommand::Close {
        gap: gap_id("GAP-API-001"),
        reason: "not ours".into(),
        sentence: sentence.map(str::to_owned),
    };
    assert!(matches!(
        stage.gap_command(close(None)),
        Err(Refusal::CriticalGate { .. })
    ));
    stage.gap_command(close(Some(SENTENCE))).unwrap();
    assert_eq!(stage.gap("GAP-API-001"), GapState::WontFix);
}

#[tokio::test(start_paused = true)]
async fn without_a_final_review_only_the_user_can_end() {
    let mut stage =
        stage(&[("GAP-API-001", "LOW", "")]).writes(Role::FinalReviewer, 0, 0, "nonsense");
    assert_eq!(stage.run().await, Stopped::Ended(End::GoodEnough));
    assert_eq!(stage.kinds(), ["inventory", "escalation", "stop"]);
}

/// Where a session's files go.
fn with_folder(stage: &mut crate::stage::Stage) -> (tempfile::TempDir, std::path::PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let folder = gapless_store::SessionFolder::new(place.path(), &"stage".parse().unwrap());
    let root = folder.root().to_owned();
    stage.session.commit().unwrap();
    stage.session.attach(folder).unwrap();
    (place, root)
}

#[tokio::test(start_paused = true)]
async fn every_end_but_abandoned_leaves_the_refined_spec() {
    let resolved_and_left = || {
        stage(&[
            ("GAP-API-001", "LOW", ""),
            ("GAP-API-002", "LOW", "GAP-API-001"),
        ])
    };
    let mut complete = resolved_and_left();
    let (_kept, folder) = with_folder(&mut complete);
    assert_eq!(complete.run().await, Stopped::Ended(End::Complete));
    let spec = std::fs::read_to_string(folder.join("spec.md")).unwrap();
    assert!(spec.contains("Resolution of GAP-API-002"), "{spec}");

    let mut stopped = with_config(
        &[
            ("GAP-API-001", "LOW", ""),
            ("GAP-API-002", "LOW", "GAP-API-001"),
        ],
        |met| {
            met.config.max_rounds = Some(1);
        },
    );
    let (_kept, folder) = with_folder(&mut stopped);
    assert_eq!(stopped.run().await, Stopped::Ended(End::MaxRounds));
    let spec = std::fs::read_to_string(folder.join("spec.md")).unwrap();
    assert!(
        spec.contains("Resolution of GAP-API-001") && spec.contains("## Known limitations"),
        "{spec}"
    );
}

#[tokio::test(start_paused = true)]
async fn who_gives_up_gets_no_refined_spec_on_any_path_and_the_record_stays() {
    let gaps = [
        ("GAP-API-001", "LOW", ""),
        ("GAP-API-002", "LOW", "GAP-API-001"),
    ];
    let limited = |met: &mut gapless_core::mediator::Met| met.config.max_rounds = Some(1);
    // At a question, after a gap was accepted into the spec.
    let mut asked = with_config(&gaps, limited)
        .answer("inventory", "begin", &[])
        .answer("round_limit", "abandon", &[]);
    let (_kept, folder) = with_folder(&mut asked);
    assert_eq!(asked.run_strictly().await, Stopped::Ended(End::Abandoned));
    assert!(!folder.join("spec.md").exists());
    for record in [
        "status.md",
        "decisions.md",
        "source.md",
        "round_001/engineer.md",
        "round_001/summary.md",
    ] {
        assert!(folder.join(record).exists(), "{record}");
    }
    let status = std::fs::read_to_string(folder.join("status.md")).unwrap();
    assert!(status.contains("- **End:** ABANDONED"), "{status}");

    // By command, before anything was asked, and between two runs.
    for begun in [false, true] {
        let mut told = with_config(&gaps, limited);
        let (_kept, folder) = with_folder(&mut told);
        if begun {
            told = told.answer("inventory", "begin", &[]);
            told.run_strictly().await;
            assert!(folder.join("spec.md").exists());
        }
        told.say(UserInput::Abandon).unwrap();
        assert_eq!(told.run().await, Stopped::Ended(End::Abandoned));
        assert!(!folder.join("spec.md").exists());
        assert_eq!(told.ended().0, End::Abandoned);
    }

    // At the gate, and what a person wrote into the spec is kept.
    let mut gate = with_config(&gaps, limited)
        .answer("inventory", "begin", &[])
        .answer("round_limit", "accept", &[]);
    let (_kept, folder) = with_folder(&mut gate);
    assert!(matches!(gate.run_strictly().await, Stopped::Waiting(_)));
    std::fs::write(folder.join("spec.md"), "my own words").unwrap();
    gate.tell("stop", "abandon", &[]).unwrap();
    assert_eq!(gate.run().await, Stopped::Ended(End::Abandoned));
    assert!(!folder.join("spec.md").exists());
    let kept = std::fs::read_to_string(folder.join("spec.edited.md")).unwrap();
    assert_eq!(kept, "my own words");
}
