//! Whose gaps are and when they are due, and who filled in a form.

use gapless_domain::task::Role;
use gapless_domain::{Answer, DecidedBy, GapState, Ownership};
use gapless_mediator::{GapCommand, Refusal, UserInput};
use gapless_session::{State, apply};

use crate::stage::{Stage, gap_id, stage};

/// A session that waits in round 1, with nothing but questions from the Engineer.
async fn waiting() -> Stage {
    let gaps = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")];
    let stage = stage(&gaps).when(Role::Engineer, 0, 0, |request| {
        let lines = request.gaps.iter();
        let lines = lines.map(|gap| format!("BLOCKED_NEEDS_INPUT: {gap} which contracts bind us"));
        Ok(Some(lines.collect::<Vec<_>>().join("\n\n")))
    });
    let mut stage = stage.answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    stage.pending("blocked_gap");
    stage
}

fn assign(gap: &str, owner: Option<&str>, due: Option<&str>) -> GapCommand {
    GapCommand::Assign {
        gap: gap_id(gap),
        owner: owner.map(|owner| owner.parse().unwrap()),
        due: due.map(|due| due.parse().unwrap()),
    }
}

fn owned(stage: &Stage, gap: &str) -> String {
    stage.state().ownership(&gap_id(gap)).in_words()
}

#[tokio::test(start_paused = true)]
async fn an_owner_and_a_day_are_set_each_for_itself_and_taken_away_together() {
    let mut stage = waiting().await;
    let questions = stage.state().now.questions.clone();
    let id = "GAP-API-001";
    stage.gap_command(assign(id, Some("Risk"), None)).unwrap();
    stage
        .gap_command(assign(id, None, Some("2026-12-01")))
        .unwrap();
    assert_eq!(owned(&stage, id), "Risk, due 2026-12-01");
    assert_eq!(owned(&stage, "GAP-API-002"), "");
    assert!(
        stage.state().now.questions == questions,
        "no question is asked anew for it"
    );

    let count = stage.events("gap.assigned").len();
    stage.gap_command(assign(id, Some("Risk"), None)).unwrap();
    assert_eq!(stage.events("gap.assigned").len(), count, "nothing changed");

    let question = stage.pending("blocked_gap");
    let (owners, first) = stage.state().ownership_of_question(&question);
    assert_eq!(owners.len(), 1);
    assert_eq!(first.in_words(), "Risk, due 2026-12-01");

    let status = stage.status();
    assert!(
        status.contains("| Gap | State | Owner | Due | Description"),
        "{status}"
    );
    assert!(
        status.contains("| BLOCKED_EXTERNAL | Risk | 2026-12-01 |"),
        "{status}"
    );

    stage
        .gap_command(GapCommand::Unassign { gap: gap_id(id) })
        .unwrap();
    assert_eq!(*stage.state().ownership(&gap_id(id)), Ownership::default());
    assert!(!stage.status().contains("Owner"));
}

#[tokio::test(start_paused = true)]
async fn a_closed_gap_and_one_that_is_not_there_have_no_owner() {
    let mut stage = waiting().await;
    let close = GapCommand::Close {
        gap: gap_id("GAP-API-002"),
        reason: "not ours".to_owned(),
        sentence: None,
    };
    stage.gap_command(close).unwrap();
    let refused = stage.gap_command(assign("GAP-API-002", Some("Risk"), None));
    let expected = Refusal::ClosedGap {
        gap: gap_id("GAP-API-002"),
        state: GapState::WontFix,
    };
    assert_eq!(refused, Err(expected));
    let unknown = gap_id("GAP-API-009");
    let refused = stage.gap_command(GapCommand::Unassign {
        gap: unknown.clone(),
    });
    assert_eq!(refused, Err(Refusal::UnknownGap(unknown)));
    let refused = stage.gap_command(assign("GAP-API-001", None, None));
    assert_eq!(refused, Err(Refusal::NothingToAssign));
}

#[tokio::test(start_paused = true)]
async fn a_rollback_keeps_owners_and_so_do_the_parts_of_a_gap() {
    let mut stage = waiting().await;
    stage
        .gap_command(assign("GAP-API-001", Some("Risk"), Some("2026-12-01")))
        .unwrap();
    stage.roll_back(0, "too early").unwrap();
    assert_eq!(owned(&stage, "GAP-API-001"), "Risk, due 2026-12-01");

    let split = GapCommand::Split {
        gap: gap_id("GAP-API-001"),
        into: vec!["which contracts".to_owned(), "which laws".to_owned()],
    };
    stage.gap_command(split).unwrap();
    assert_eq!(owned(&stage, "GAP-API-001a"), "Risk, due 2026-12-01");
    assert_eq!(owned(&stage, "GAP-API-001b"), "Risk, due 2026-12-01");

    let mut replayed = State::default();
    for logged in stage.log() {
        apply(&mut replayed, &logged.event);
    }
    assert_eq!(replayed.kept.ownership, stage.state().kept.ownership);
}

#[tokio::test(start_paused = true)]
async fn who_filled_in_a_form_is_kept_with_what_is_decided() {
    let mut stage = waiting().await;
    for (option, field, rationale) in [
        ("input", "input", "filled in by Zoë (Risk)"),
        ("defer", "reason", "Later (filled in by Zoë (Risk))"),
    ] {
        let question = stage.pending("blocked_gap").id;
        let mut answer = Answer::of(option, DecidedBy::User).with(field, "Later");
        answer.filled_in_by = Some("Zoë (Risk)".parse().unwrap());
        stage.say(UserInput::Answer { question, answer }).unwrap();
        let decisions = stage.state().now.decisions.clone();
        let decision = decisions.iter().next_back().unwrap();
        assert_eq!(decision.rationale_and_name(), rationale);
        // What goes into prompts names nobody.
        assert!(!decision.rationale.contains("Zoë"));
        assert_eq!(decision.by, DecidedBy::User);
    }
}
