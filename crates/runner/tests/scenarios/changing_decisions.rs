//! Decisions that the user changes: what takes their place, and what they bound is worked on again.

use gapless_domain::decision::DecisionState;
use gapless_domain::gap::GapState;
use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_domain::{DecisionId, Severity};
use gapless_mediator::{GapCommand, Refusal, UserInput};
use gapless_runner::Stopped;

use crate::conflicts::disagreement;
use crate::stage::{Stage, gap_id, stage};

fn change(stage: &mut Stage, decision: &str, text: &str) -> Result<(), Refusal> {
    stage.say(UserInput::ChangeDecision {
        decision: decision.parse().unwrap(),
        text: text.to_owned(),
        reason: "it was measured since".to_owned(),
    })
}

fn state_of(stage: &Stage, decision: &str) -> DecisionState {
    let now = &stage.state().now;
    let id: DecisionId = decision.parse().unwrap();
    now.decision_state(now.decision(&id).unwrap())
}

/// A session that ended after the user had decided a conflict on GAP-API-001 for the Reviewer, and that decision.
async fn decided() -> (Stage, String) {
    let mut stage = disagreement("High Priority").answer("conflict", "A", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let decision = stage.events("decision.recorded")[0]["decision"]["id"].clone();
    (stage, decision.as_str().unwrap().to_owned())
}

#[tokio::test(start_paused = true)]
async fn a_conflict_is_decided_for_the_other_side_after_the_end() {
    let (mut stage, old) = decided().await;
    change(&mut stage, &old, "B").unwrap();
    assert_eq!(stage.state().chapter(), 2);
    assert_eq!(state_of(&stage, &old), DecisionState::Lifted);
    assert_eq!(stage.gap("GAP-API-001"), GapState::NeedsRevision);
    let new = stage.state().now.decisions.iter().last().unwrap().clone();
    assert_eq!(new.replaces.map(|id| id.to_string()), Some(old.clone()));
    assert!(
        new.decision.starts_with("The Engineer's position holds: "),
        "{}",
        new.decision
    );
    assert!(new.obliges);
    let decisions = stage.decisions_md();
    let replaced = format!("**No longer in force:** replaced by {}", new.id);
    assert!(decisions.contains(&replaced), "{decisions}");
    stage.say(UserInput::Resume).unwrap();
    let round = stage.state().now.round.number + 1;
    stage.run_to_round(round).await;
    let prompt = stage.prompts(Role::Engineer, round).concat();
    assert!(prompt.contains(&new.decision), "{prompt}");
    assert!(
        !prompt.contains(&old),
        "what was replaced binds nobody: {prompt}"
    );
}

#[tokio::test(start_paused = true)]
async fn the_user_can_put_own_words_in_the_place_of_a_decision() {
    let (mut stage, old) = decided().await;
    change(&mut stage, &old, "Rejected requests are counted in pairs.").unwrap();
    let new = stage.state().now.decisions.iter().last().unwrap();
    assert_eq!(new.decision, "Rejected requests are counted in pairs.");
    assert_eq!(new.rationale, "it was measured since");
}

#[tokio::test(start_paused = true)]
async fn a_severity_is_changed_without_any_work() {
    let mut stage = stage(&[("GAP-API-001", "MEDIUM", "")]);
    stage.run_to_role(Role::Engineer).await;
    let severity = GapCommand::Severity {
        gap: gap_id("GAP-API-001"),
        severity: Severity::Low,
        reason: "it is rare".to_owned(),
    };
    stage.gap_command(severity).unwrap();
    change(&mut stage, "DECISION-R1-001", "HIGH").unwrap();
    let now = &stage.state().now;
    assert_eq!(
        now.gaps.get(&gap_id("GAP-API-001")).unwrap().severity,
        Severity::High
    );
    assert_eq!(stage.gap("GAP-API-001"), GapState::InProgress);
}

#[tokio::test(start_paused = true)]
async fn what_can_t_be_changed_says_what_to_do_instead() {
    let mut stage = stage(&[("GAP-API-001", "MEDIUM", "")]);
    stage.run_to_role(Role::Engineer).await;
    let defer = GapCommand::Defer {
        gap: gap_id("GAP-API-001"),
        reason: "not now".to_owned(),
    };
    stage.gap_command(defer).unwrap();
    let refused = change(&mut stage, "DECISION-R1-001", "later").unwrap_err();
    assert_eq!(
        refused.to_string(),
        "DECISION-R1-001 can't be changed: it put GAP-API-001 off; `gapless gap resume GAP-API-001` takes it up"
    );
    let unknown = change(&mut stage, "DECISION-R9-001", "later");
    assert_eq!(
        unknown,
        Err(Refusal::UnknownDecision("DECISION-R9-001".parse().unwrap()))
    );
    assert_eq!(
        change(&mut stage, "DECISION-R1-001", " "),
        Err(Refusal::NoReason)
    );
}

#[tokio::test(start_paused = true)]
async fn the_same_words_change_nothing() {
    let (mut stage, old) = decided().await;
    let before = stage.state().clone();
    let id: DecisionId = old.parse().unwrap();
    assert_eq!(
        change(&mut stage, &old, "A"),
        Err(Refusal::SameDecision(id))
    );
    assert_eq!(*stage.state(), before);
    change(&mut stage, &old, "B").unwrap();
    let refused = change(&mut stage, &old, "A").unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("no longer in force (replaced by"),
        "{refused}"
    );
}

#[tokio::test(start_paused = true)]
async fn one_that_is_reapplied_or_was_names_only_what_led_to_it() {
    let mut stage = stage(&[
        ("GAP-API-001", "LOW", ""),
        ("GAP-API-002", "LOW", "GAP-API-001"),
    ]);
    stage.run_to_round(2).await;
    let severity = GapCommand::Severity {
        gap: gap_id("GAP-API-002"),
        severity: Severity::Medium,
        reason: "shops ask".to_owned(),
    };
    stage.gap_command(severity).unwrap();
    let last = |stage: &Stage| stage.state().now.decisions.iter().last().unwrap().clone();
    let id = last(&stage).id.to_string();
    change(&mut stage, &id, "HIGH").unwrap();
    let changed = last(&stage).id;
    stage.roll_back(1, "too broad").unwrap();
    stage
        .say(UserInput::Reapply {
            decision: changed,
            text: None,
        })
        .unwrap();
    let again = last(&stage);
    assert_eq!(
        (again.reapplied_from, again.replaces),
        (Some(changed), None)
    );
    change(&mut stage, &again.id.to_string(), "LOW").unwrap();
    let newest = last(&stage);
    assert_eq!(
        (newest.reapplied_from, newest.replaces),
        (None, Some(again.id))
    );
}
