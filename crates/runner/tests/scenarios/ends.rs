//! How sessions end, and which files an end leaves.

use gapless_domain::Severity;
use gapless_domain::gap::GapState;
use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_mediator::{GapCommand, Refusal, UserInput};
use gapless_runner::Stopped;

use crate::stage::{Stage, gap_id, stage, with_config};

const SENTENCE: &str = "I accept CRITICAL gaps knowing the spec may be unusable";

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
async fn a_lowered_critical_gap_still_needs_the_sentence() {
    let mut stage = stage(&[("GAP-API-001", "CRITICAL", "")]);
    let lower = GapCommand::Severity {
        gap: gap_id("GAP-API-001"),
        severity: Severity::Low,
        reason: "no harm in it".into(),
    };
    stage.gap_command(lower).unwrap();
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
    assert!(spec.contains("### Limit"), "{spec}");
    assert_eq!(complete.traced(), ["GAP-API-001", "GAP-API-002"]);
    let trace = std::fs::read_to_string(folder.join("trace.json")).unwrap();
    assert!(trace.contains("{\"gap\":\"GAP-API-002\","), "{trace}");

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
        spec.contains("### Limit") && spec.contains("## Known limitations"),
        "{spec}"
    );
}

#[tokio::test(start_paused = true)]
async fn who_gives_up_gets_no_refined_spec_on_any_path_and_the_record_stays() {
    let gaps = [
        ("GAP-API-001", "LOW", ""),
        ("GAP-API-002", "LOW", "GAP-API-001"),
    ];
    let limited = |met: &mut gapless_mediator::RunSettings| met.config.max_rounds = Some(1);
    // At a question, after a gap was accepted into the spec.
    let mut asked = with_config(&gaps, limited)
        .answer("inventory", "begin", &[])
        .answer("round_limit", "abandon", &[]);
    let (_kept, folder) = with_folder(&mut asked);
    assert_eq!(asked.run_strictly().await, Stopped::Ended(End::Abandoned));
    assert!(!folder.join("spec.md").exists());
    assert!(!folder.join("trace.json").exists());
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

const BY_RULES: &str = "COMPLETE by rules: no model or person has read it";

/// A session with one gap, reviewed by this agent.
fn reviewed_by(agent: &str) -> Stage {
    with_config(&[("GAP-API-001", "LOW", "")], |met| {
        met.agents.insert(Role::Reviewer, agent.to_owned());
    })
}

#[tokio::test(start_paused = true)]
async fn an_end_that_nothing_but_rules_reviewed_says_so() {
    let mut stage = reviewed_by("offline");
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.state().end_in_words().as_deref(), Some(BY_RULES));
    let status = stage.status();
    assert!(
        status.contains(&format!("**Ended:** {BY_RULES} (")),
        "{status}"
    );
    assert!(
        status.contains(&format!("- **End:** {BY_RULES}\n")),
        "{status}"
    );

    let mut stage = reviewed_by("claude");
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.state().end_in_words().as_deref(), Some("COMPLETE"));
    assert!(!stage.status().contains("by rules"));
}

#[tokio::test(start_paused = true)]
async fn a_user_who_judged_a_proposal_has_read_it() {
    let mut stage = reviewed_by("offline").when(Role::Reviewer, 1, 0, |_| {
        let issue = "- **ISSUE-R1-001**: the limit is too high\n  - **Suggestion:** lower it\n";
        let review = format!("## Review: GAP-API-001\n\n### High Priority\n\n{issue}");
        Ok(Some(review))
    });
    stage.run_to_round(2).await;
    stage.waive("ISSUE-R1-001", "it is what we want").unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.state().end_in_words().as_deref(), Some("COMPLETE"));
}
