//! `undo`: the user's last answer or command is taken back, with what followed from it.

use gapless_domain::gap::GapState;
use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_domain::{
    Answer, DecidedBy, Delivered, Delivery, Disposed, RollbackMode, Severity, TextHash,
};
use gapless_mediator::{GapCommand, Incoming, Refusal, RunSettings, UserInput};
use gapless_runner::Stopped;
use gapless_session::spending::total_usage;
use gapless_session::state::{Now, UNDO_STEPS};

use crate::conflicts::disagreement;
use crate::desk::Desk;
use crate::stage::{Stage, gap_id, stage, with_config};

fn undo(stage: &mut Stage) -> Result<(), Refusal> {
    stage.say(UserInput::Undo)
}

fn defer(gap: &str) -> GapCommand {
    GapCommand::Defer {
        gap: gap_id(gap),
        reason: "not this year".to_owned(),
    }
}

const GAPS: [(&str, &str, &str); 2] = [
    ("GAP-API-001", "LOW", ""),
    ("GAP-API-002", "LOW", "GAP-API-001"),
];

#[tokio::test(start_paused = true)]
async fn nothing_was_said_yet() {
    let mut stage = stage(&GAPS);
    assert_eq!(undo(&mut stage), Err(Refusal::NothingSaid));
}

#[tokio::test(start_paused = true)]
async fn an_answer_is_taken_back_and_its_question_waits_again() {
    let mut stage = disagreement("Critical Issues").answer("inventory", "begin", &[]);
    assert!(matches!(stage.run_strictly().await, Stopped::Waiting(_)));
    let asked = stage.pending("conflict");
    let before = stage.state().now.clone();
    stage
        .tell("conflict", "A", &[("rationale", "auditors ask")])
        .unwrap();
    assert_eq!(stage.state().now.decisions.len(), 1);
    undo(&mut stage).unwrap();
    assert_eq!(stage.pending("conflict"), asked);
    assert_eq!(stage.state().now, before);
    let log = stage.state().clone();
    stage.kill();
    assert_eq!(*stage.state(), log, "the log gives the same session");
    // Decided otherwise, it goes on from there.
    stage.tell("conflict", "B", &[]).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let decisions: Vec<String> = stage
        .events("decision.recorded")
        .iter()
        .map(|event| event["decision"]["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(decisions.len(), 2);
    assert_ne!(decisions[0], decisions[1], "no id is given twice");
}

#[tokio::test(start_paused = true)]
async fn rounds_that_followed_are_undone_with_it() {
    let mut stage = stage(&GAPS);
    stage.run_to_round(1).await;
    let severity = GapCommand::Severity {
        gap: gap_id("GAP-API-002"),
        severity: Severity::Medium,
        reason: "shops ask".to_owned(),
    };
    let before = stage.state().now.clone();
    stage.gap_command(severity).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.state().now.round.number, 2);
    let (used, epoch) = (total_usage(stage.state()), stage.state().kept.epoch);
    undo(&mut stage).unwrap();
    let state = stage.state();
    assert_eq!(state.now, before);
    assert_eq!(state.kept.ended, None);
    assert_eq!((total_usage(state), state.kept.epoch), (used, epoch + 1));
    // It is no rollback that counts.
    assert_eq!(state.rollbacks_in_chapter(), 0);
    assert_eq!(state.times_undone(1), 1);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert!(
        stage
            .prompts(Role::Engineer, 1)
            .iter()
            .all(|prompt| !prompt.contains("undone"))
    );
}

#[tokio::test(start_paused = true)]
async fn all_that_was_said_can_be_taken_back_one_by_one() {
    let mut stage = stage(&GAPS);
    let mut before: Vec<Now> = Vec::new();
    let mut say = |stage: &mut Stage, said: UserInput| {
        before.push(stage.state().now.clone());
        stage.say(said).unwrap();
    };
    assert!(matches!(stage.run_strictly().await, Stopped::Waiting(_)));
    let begin = UserInput::Answer {
        question: stage.pending("inventory").id,
        answer: Answer::of("begin", DecidedBy::User),
    };
    say(&mut stage, begin);
    stage.run_to_round(1).await;
    say(
        &mut stage,
        UserInput::Gap {
            command: defer("GAP-API-002"),
        },
    );
    stage.run_to_role(Role::FinalReviewer).await;
    let resume = GapCommand::Resume {
        gap: gap_id("GAP-API-002"),
    };
    say(&mut stage, UserInput::Gap { command: resume });
    stage.run_to_round(2).await;
    let rollback = UserInput::Rollback {
        to: Some(1),
        reason: "too broad".to_owned(),
        adjust: Vec::new(),
    };
    say(&mut stage, rollback);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    say(&mut stage, UserInput::Reopen);
    for before in before.iter().rev() {
        undo(&mut stage).unwrap();
        assert_eq!(stage.state().now, *before);
        let log = stage.state().clone();
        stage.kill();
        assert_eq!(*stage.state(), log);
    }
    assert_eq!(undo(&mut stage), Err(Refusal::NothingSaid));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn a_rollback_that_is_taken_back_is_as_if_it_had_not_been() {
    let mut stage = stage(&GAPS);
    stage.run_to_round(2).await;
    let before = stage.state().clone();
    stage.roll_back(0, "too broad").unwrap();
    undo(&mut stage).unwrap();
    let state = stage.state();
    assert_eq!(
        (&state.now, &state.checkpoints),
        (&before.now, &before.checkpoints)
    );
    assert_eq!(state.rollbacks_left(), before.rollbacks_left());
    assert!(state.adjustments(1).is_empty());
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn an_end_and_its_reopening_are_taken_back() {
    let mut stage = stage(&GAPS);
    stage.run_to_round(1).await;
    stage.say(UserInput::Abandon).unwrap();
    stage.say(UserInput::Reopen).unwrap();
    undo(&mut stage).unwrap();
    assert_eq!(stage.ended().0, End::Abandoned);
    assert_eq!(stage.state().chapter(), 1);
    undo(&mut stage).unwrap();
    assert_eq!(stage.state().kept.ended, None);
    assert_eq!(stage.gap("GAP-API-001"), GapState::InProgress);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn what_a_policy_answered_is_nothing_that_the_user_said() {
    let mut stage = stage(&GAPS[..1]);
    let _ = stage.run_strictly().await;
    let question = stage.pending("inventory").id;
    let answer = Answer::of("begin", DecidedBy::Policy);
    stage.say(UserInput::Answer { question, answer }).unwrap();
    assert_eq!(undo(&mut stage), Err(Refusal::NothingSaid));
}

#[tokio::test(start_paused = true)]
async fn so_much_is_kept_and_no_more() {
    let mut stage = stage(&GAPS);
    stage.run_to_round(1).await;
    let told = stage.state().undo.len();
    for number in 0..UNDO_STEPS + 5 {
        let reason = format!("reason {number}");
        let severity = match number % 2 {
            0 => Severity::Medium,
            _ => Severity::Low,
        };
        let gap = gap_id("GAP-API-002");
        stage
            .gap_command(GapCommand::Severity {
                gap,
                severity,
                reason,
            })
            .unwrap();
    }
    assert!(told < UNDO_STEPS);
    assert_eq!(stage.state().undo.len(), UNDO_STEPS);
}

#[tokio::test(start_paused = true)]
async fn files_are_as_they_were_and_what_followed_is_in_the_archive() {
    let mut desk = Desk::new();
    desk.attach();
    desk.stage.run_to_round(2).await;
    desk.write_all();
    let before = (
        desk.files("round_001"),
        desk.files("round_002"),
        desk.files("backups"),
    );
    let rounds = desk.rounds();
    desk.stage.gap_command(defer("GAP-API-005")).unwrap();
    desk.stage.run_to_round(4).await;
    desk.write_all();
    assert_eq!(desk.rounds().len(), 3);
    let followed = [2, 3].map(|round| desk.files(&format!("round_{round:03}")));
    undo(&mut desk.stage).unwrap();
    desk.write_all();
    let after = (
        desk.files("round_001"),
        desk.files("round_002"),
        desk.files("backups"),
    );
    assert_eq!(after, before);
    assert_eq!(desk.rounds(), rounds);
    for (round, followed) in (2..).zip(followed) {
        assert_eq!(desk.archive(round, 1).0, followed, "round {round}");
    }
    // The next process finds the same.
    desk.kill();
    desk.attach();
    let again = (
        desk.files("round_001"),
        desk.files("round_002"),
        desk.files("backups"),
    );
    assert_eq!(again, before);
    assert_eq!(desk.rounds(), rounds);
    assert_eq!(desk.stage.run().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn what_was_answered_after_the_end_comes_before_the_end() {
    let mut stage = stage(&GAPS);
    stage.run_to_round(2).await;
    stage.roll_back(1, "too broad").unwrap();
    stage.say(UserInput::Abandon).unwrap();
    assert_eq!(stage.ended().0, End::Abandoned);
    stage.tell("archives", "keep", &[]).unwrap();
    undo(&mut stage).unwrap();
    assert_eq!(stage.ended().0, End::Abandoned);
    assert_eq!(stage.state().kept.archive_choice, None);
    stage.tell("archives", "delete", &[]).unwrap();
    let disposed = Incoming::Disposed(Disposed::default());
    let now = stage.state().kept.clock;
    stage.session.feed(now, disposed).unwrap();
    assert_eq!(stage.state().archives_due(), None);
    stage.say(UserInput::Reopen).unwrap();
    undo(&mut stage).unwrap();
    assert_eq!(stage.state().archives_due(), None, "it was done");
    undo(&mut stage).unwrap();
    stage.tell("archives", "keep", &[]).unwrap();
    assert!(stage.state().archives_due().is_some(), "it is chosen anew");
}

#[tokio::test(start_paused = true)]
async fn what_the_session_was_run_with_since_is_not_taken_back() {
    let mut stage = stage(&GAPS);
    stage.run_to_round(1).await;
    stage.gap_command(defer("GAP-API-002")).unwrap();
    let setup = stage.state().kept.setup.clone();
    let mut met = RunSettings {
        config: setup.config,
        agents: setup.agents,
        ..RunSettings::default()
    };
    met.config.max_rounds = Some(17);
    let other = "replay:other".to_owned();
    met.agents.insert(Role::Engineer, other.clone());
    let now = stage.state().kept.clock;
    let incoming = Incoming::Configure(Box::new(met));
    stage.session.feed(now, incoming).unwrap();
    assert_eq!(stage.state().limits().max_rounds, 17);
    undo(&mut stage).unwrap();
    let state = stage.state();
    assert_eq!(state.limits().max_rounds, 17);
    assert_eq!(state.kept.setup.agents.get(&Role::Engineer), Some(&other));
}

#[tokio::test(start_paused = true)]
async fn a_spec_that_was_written_at_an_end_that_is_taken_back_is_known() {
    let mut stage = stage(&GAPS);
    stage.run_to_round(1).await;
    stage.say(UserInput::Stop).unwrap();
    stage.tell("stop", "accept", &[]).unwrap();
    let delivery = Delivery::InPlace {};
    stage.say(UserInput::Deliver { delivery }).unwrap();
    let text = TextHash::of(&stage.spec());
    let written = Delivered::Written {
        path: "spec.md".to_owned(),
        backup: None,
        text: Some(text),
    };
    let now = stage.state().kept.clock;
    stage
        .session
        .feed(now, Incoming::Delivered(written))
        .unwrap();
    undo(&mut stage).unwrap();
    assert_eq!(stage.state().kept.ended, None);
    assert!(stage.state().known_specs().contains(&text));
}

#[tokio::test(start_paused = true)]
async fn a_user_who_is_of_two_minds_costs_no_more_each_time() {
    let mut desk = Desk::new();
    desk.attach();
    desk.stage.run_to_round(2).await;
    desk.write_all();
    let before = desk.files("round_001");
    // Were the log read anew for everything that was taken back before, this would never be done.
    for _ in 0..30 {
        desk.stage.gap_command(defer("GAP-API-005")).unwrap();
        undo(&mut desk.stage).unwrap();
    }
    desk.write_all();
    assert_eq!(desk.files("round_001"), before);
}

#[tokio::test(start_paused = true)]
async fn the_answer_on_a_rollback_is_given_anew() {
    let mut stage = with_config(&GAPS, |met| met.config.rollback_mode = RollbackMode::Strict);
    stage.run_to_round(2).await;
    stage.roll_back(1, "too broad").unwrap();
    let before = stage.state().adjustments(2);
    let context = [("context", "only the first case")];
    stage.tell("root_cause", "context", &context).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    undo(&mut stage).unwrap();
    let state = stage.state();
    assert!(
        state.kept.rollbacks.len() > 1,
        "the retry is undone with it"
    );
    assert_eq!(state.kept.rollbacks[0].choice, None);
    assert_eq!(state.adjustments(2), before);
    stage.tell("root_cause", "retry", &[]).unwrap();
    let rollbacks = &stage.state().kept.rollbacks;
    assert!(rollbacks[0].choice.is_some());
    assert_eq!(rollbacks[1].choice, None, "nobody was asked about it");
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}
