//! Rolled-back rounds on disk: their archives, the backups, and what the next process makes of what it finds.

use std::fs;
use std::ops::ControlFlow;

use gapless_domain::archives::{ArchiveChoice, ArchiveName};
use gapless_domain::phase::End;
use gapless_domain::time::Time;
use gapless_mediator::{GapCommand, Incoming, UserInput};
use gapless_runner::Stopped;
use gapless_session::event::Happening;
use gapless_store::archive::{ArchiveError, Step, Undone, dispose, settle};

use crate::desk::Desk;
use crate::stage::gap_id;

#[tokio::test(start_paused = true)]
async fn three_undone_rounds_become_three_archives_with_all_that_their_folders_held() {
    let mut desk = Desk::new();
    desk.attach();
    desk.reach_round_four().await;
    desk.attach();
    let defer = GapCommand::Defer {
        gap: gap_id("GAP-API-005"),
        reason: "not this year".into(),
    };
    desk.stage.gap_command(defer).unwrap();
    desk.write_all();
    fs::write(desk.path("round_002/notes.txt"), [0, 159, 146, 150]).unwrap();
    fs::write(desk.path("round_003/engineer.md"), "better words").unwrap();
    let held = [2, 3, 4].map(|round| desk.files(&format!("round_{round:03}")));
    let attempt = "round_003/attempts/engineer-1.md";
    assert_eq!(held[1][attempt], b"I would rather not.");
    let first = desk.files("round_001");

    desk.roll_back(1, "too broad");
    desk.write_all();
    assert_eq!(desk.rounds(), ["round_001"]);
    assert_eq!(desk.files("round_001"), first);
    assert_eq!(
        desk.names("archives"),
        [2, 3, 4].map(|round| format!("round_{round:03}_rolled_back_1.tar.gz"))
    );
    for (round, held) in (2..).zip(held) {
        assert_eq!(desk.archive(round, 1).0, held, "round {round}");
    }
    let at = desk.stage.state().kept.rollbacks[0].at;
    let log = desk.stage.log();
    let rolled_back = log
        .iter()
        .find(|logged| matches!(logged.event.what, Happening::Rollback(_)));
    let seq = rolled_back.unwrap().seq;
    let (_, beside) = desk.archive(4, 1);
    assert_eq!(
        beside.keys().collect::<Vec<_>>(),
        [
            "analysis.md",
            "decisions_from_round_4.md",
            "rollback_metadata.json"
        ]
    );
    insta::assert_snapshot!("analysis", beside["analysis.md"]);
    let metadata: serde_json::Value =
        serde_json::from_str(&beside["rollback_metadata.json"]).unwrap();
    assert_eq!(
        metadata,
        serde_json::json!({
            "original_round": 4,
            "rollback_timestamp": at.to_string(),
            "reason": "too broad",
            "attempt_number": 1,
            "to_round": 1,
            "user_adjustments": desk.stage.state().kept.rollbacks[0].adjustments,
            "seq": seq,
        })
    );
    insta::assert_snapshot!(beside["decisions_from_round_4.md"]);
    let (_, beside) = desk.archive(3, 1);
    assert!(beside["decisions_from_round_3.md"].ends_with("\n\nNone.\n"));
}

#[tokio::test(start_paused = true)]
async fn a_round_that_is_undone_twice_has_two_archives_and_its_last_run_a_folder() {
    let mut desk = Desk::new();
    desk.attach();
    desk.reach_round_four().await;
    desk.attach();
    desk.roll_back(1, "too broad");
    // Round 2 again, and the Engineer of round 3.
    desk.stage.killed_after(25).await;
    desk.attach();
    let again = desk.files("round_002");
    assert_eq!(
        again.keys().collect::<Vec<_>>(),
        [
            "round_002/engineer.md",
            "round_002/reviewer.md",
            "round_002/summary.md"
        ]
    );
    let before = fs::read(desk.path("archives/round_002_rolled_back_1.tar.gz")).unwrap();
    desk.roll_back(1, "too narrow");
    desk.write_all();
    assert_eq!(desk.rounds(), ["round_001"]);
    assert_eq!(desk.archive(2, 2).0, again);
    assert!(desk.archive(2, 2).1["rollback_metadata.json"].contains("too narrow"));
    let first = fs::read(desk.path("archives/round_002_rolled_back_1.tar.gz")).unwrap();
    assert_eq!(first, before);
    desk.stage.tell("root_cause", "retry", &[]).unwrap();
    assert_eq!(desk.stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(desk.rounds().len(), 5);
    assert_eq!(desk.names("archives").len(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_rollback_that_was_never_committed_has_not_been() {
    let mut desk = Desk::new();
    desk.attach();
    desk.reach_round_four().await;
    desk.attach();
    let before = desk.files("");
    let rollback = UserInput::Rollback {
        to: Some(1),
        reason: "too broad".to_owned(),
        adjust: Vec::new(),
    };
    let now = desk.stage.state().kept.clock;
    let incoming = Incoming::User(rollback);
    desk.stage.session.feed(now, incoming).unwrap();
    desk.kill();
    desk.attach();
    assert_eq!(desk.files(""), before);
    assert_eq!(desk.stage.state().now.round.number, 4);
}

#[tokio::test(start_paused = true)]
async fn killed_before_anything_was_archived_the_next_process_makes_up_for_it() {
    let mut desk = Desk::new();
    desk.attach();
    desk.reach_round_four().await;
    desk.attach();
    desk.kill();
    fs::write(desk.path("round_003/notes.txt"), "mine").unwrap();
    // Committed, and never written: the process was killed before.
    fs::remove_file(desk.path("round_004/engineer.md")).unwrap();
    let held = desk.files("round_003");
    desk.roll_back(1, "too broad");
    desk.stage.killed_after(25).await;
    assert_eq!(desk.rounds().len(), 4, "nobody has archived anything yet");

    desk.attach();
    assert_eq!(desk.rounds(), ["round_001", "round_002"]);
    assert_eq!(desk.archive(3, 1).0, held);
    let (fourth, _) = desk.archive(4, 1);
    assert!(fourth.contains_key("round_004/engineer.md"));
    let (second, _) = desk.archive(2, 1);
    let undone = String::from_utf8(second["round_002/engineer.md"].clone()).unwrap();
    assert!(undone.contains("as run 0 says"), "{undone}");
    let stands = fs::read_to_string(desk.path("round_002/engineer.md")).unwrap();
    assert!(stands.contains("as run 1 says"), "{stands}");
}

#[tokio::test(start_paused = true)]
async fn killed_after_any_step_of_archiving_the_next_process_finishes_it() {
    for last in Step::ALL {
        let mut desk = Desk::new();
        desk.attach();
        desk.reach_round_four().await;
        desk.attach();
        desk.kill();
        fs::write(desk.path("round_004/notes.txt"), "mine").unwrap();
        let held = [2, 3, 4].map(|round| desk.files(&format!("round_{round:03}")));
        desk.roll_back(1, "too broad");
        let fourth = Undone {
            archive: ArchiveName {
                round: 4,
                attempt: 1,
            },
            at: desk.stage.state().kept.clock,
            documents: Vec::new(),
            later: Vec::new(),
            beside: Vec::new(),
        };
        let stopped = settle(&desk.folder(), &fourth, &mut |step| match step == last {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        assert!(matches!(stopped, Err(ArchiveError::Stopped)), "{last:?}");
        desk.attach();
        assert_eq!(desk.rounds(), ["round_001"], "{last:?}");
        assert_eq!(desk.names("archives").len(), 3, "{last:?}");
        for (round, held) in (2..).zip(held) {
            assert_eq!(desk.archive(round, 1).0, held, "{last:?}, round {round}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_archive_that_is_lost_is_made_of_the_log_with_the_same_bytes() {
    let mut desk = Desk::new();
    desk.attach();
    desk.reach_round_four().await;
    desk.attach();
    desk.roll_back(1, "too broad");
    desk.stage.killed_after(25).await;
    desk.attach();
    fs::write(desk.path("round_002/notes.txt"), "mine").unwrap();
    let (made, again) = (desk.files("archives"), desk.files("round_002"));
    assert_eq!(made.len(), 3);
    desk.kill();
    fs::remove_dir_all(desk.path("archives")).unwrap();
    desk.attach();
    assert_eq!(desk.files("archives"), made);
    assert_eq!(desk.files("round_002"), again, "the run that stands stays");
}

#[tokio::test(start_paused = true)]
async fn what_was_deleted_or_moved_on_purpose_is_not_made_again() {
    for choice in [ArchiveChoice::Delete, ArchiveChoice::Cold] {
        let mut desk = Desk::new();
        desk.attach();
        desk.reach_round_four().await;
        desk.attach();
        desk.roll_back(1, "too broad");
        desk.write_all();
        let made = desk.files("archives");
        let (cold, owner) = (desk.cold(), desk.owner());
        let disposed = dispose(&desk.archives(), choice, Time(9_000), &cold, &owner).unwrap();
        assert!(disposed.problems.is_empty());
        desk.kill();
        desk.attach();
        assert_eq!(desk.names("archives"), ["manifest.json"]);
        assert_eq!(desk.rounds(), ["round_001"]);
        for (archive, file) in disposed.moved {
            assert_eq!(
                fs::read(file).unwrap(),
                made[&format!("archives/{archive}")]
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn backups_of_the_last_rounds_stand_and_go_with_a_rollback() {
    let both = |rounds: &[u32]| -> Vec<String> {
        let names = ["decisions", "status"].into_iter();
        names
            .flat_map(|name| {
                let rounds = rounds.iter();
                rounds.map(move |round| format!("{name}_backup_round_{round}.md"))
            })
            .collect()
    };
    let mut desk = Desk::new();
    desk.attach();
    desk.reach_round_four().await;
    desk.attach();
    assert_eq!(desk.names("backups"), both(&[1, 2, 3]));
    let files = desk.files("backups");
    let second = String::from_utf8(files["backups/status_backup_round_2.md"].clone()).unwrap();
    assert!(second.contains("**Round 2:**"), "{second}");
    assert!(second.contains("| GAP-API-002 | ACCEPTED |"), "{second}");
    assert!(second.contains("| GAP-API-003 | OPEN |"), "{second}");

    desk.kill();
    fs::remove_dir_all(desk.path("backups")).unwrap();
    desk.attach();
    assert_eq!(desk.files("backups"), files, "made again from the log");

    desk.roll_back(2, "too broad");
    desk.write_all();
    assert_eq!(desk.names("backups"), both(&[1, 2]));
    desk.stage.killed_after(15).await;
    desk.attach();
    assert_eq!(desk.names("backups"), both(&[1, 2]));
    let decisions = fs::read_to_string(desk.path("backups/decisions_backup_round_2.md")).unwrap();
    assert!(decisions.contains("## Rollback notice"), "{decisions}");
}
