//! What becomes of archives at the end of a session: each choice, no choice, a disk that refuses, and processes that are
//! killed in between.

use std::fs;
use std::ops::ControlFlow;
use std::time::Duration;

use gapless_domain::archives::ArchiveChoice;
use gapless_domain::phase::End;
use gapless_domain::question::{Answer, DecidedBy};
use gapless_domain::time::Time;
use gapless_mediator::{Refusal, UserInput};
use gapless_runner::{ArchivePlaces, Stopped};
use gapless_store::archive::{ArchiveError, MoveStep, dispose};
use serde_json::{Value, json};

use crate::desk::Desk;

const THREE: [&str; 3] = [
    "round_002_rolled_back_1.tar.gz",
    "round_003_rolled_back_1.tar.gz",
    "round_004_rolled_back_1.tar.gz",
];

impl Desk {
    /// Three rounds were undone, and what goes with the session's end may be done.
    async fn with_three_archives() -> Self {
        let mut desk = Self::new();
        desk.attach();
        desk.reach_round_four().await;
        desk.attach();
        desk.roll_back(1, "too broad");
        desk.write_all();
        assert_eq!(desk.names("archives"), THREE);
        desk
    }

    fn may_dispose(&mut self) {
        let places = ArchivePlaces {
            folder: self.folder(),
            cold: self.cold(),
            workspace: self.dir.path().to_owned(),
        };
        self.stage.session.dispose_from(places);
    }

    /// A process is killed and another one opens the session.
    fn taken_up_again(&mut self) {
        self.kill();
        self.attach();
        self.may_dispose();
    }

    async fn ends(&mut self) {
        assert_eq!(self.stage.run().await, Stopped::Ended(End::Complete));
    }

    /// The archives that stand in the session's folder.
    fn standing(&self) -> Vec<String> {
        let mut names = self.names("archives");
        names.retain(|name| name != "manifest.json");
        names
    }

    fn in_cold(&self) -> Vec<String> {
        let folder = self.cold().folder_of(&self.owner());
        let entries = fs::read_dir(folder).into_iter().flatten();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".tar.gz")).collect();
        names.sort();
        names
    }

    fn disposals(&self) -> Vec<Value> {
        let mut events = self.stage.events("session.archives_disposed");
        events
            .iter_mut()
            .map(|event| event["disposed"].take())
            .collect()
    }
}

#[tokio::test(start_paused = true)]
async fn each_choice_is_done_when_the_session_ends() {
    for (choice, standing, cold) in [
        ("keep", &THREE[..], &[][..]),
        ("delete", &[], &[]),
        ("recent", &THREE, &[]),
        ("cold", &[], &THREE),
    ] {
        let mut desk = Desk::with_three_archives().await;
        desk.may_dispose();
        desk.stage = desk.stage.answer("archives", choice, &[]);
        desk.ends().await;
        assert_eq!(desk.standing(), standing, "{choice}");
        assert_eq!(desk.in_cold(), cold, "{choice}");
        let folder = desk.cold().folder_of(&desk.owner());
        let expected = match choice {
            "delete" => json!({ "deleted": THREE }),
            "cold" => json!({ "moved": THREE, "to": folder }),
            _ => json!({ "kept": THREE }),
        };
        assert_eq!(desk.disposals(), [expected], "{choice}");
        // Nothing is done twice, and nothing that went comes back.
        desk.taken_up_again();
        desk.stage.run().await;
        assert_eq!(
            (desk.standing().len(), desk.in_cold().len()),
            (standing.len(), cold.len())
        );
        assert_eq!(desk.disposals().len(), 1, "{choice}");
    }
}

#[tokio::test(start_paused = true)]
async fn recent_keeps_those_of_the_last_week_and_what_is_marked_stays() {
    let mut desk = Desk::with_three_archives().await;
    tokio::time::advance(Duration::from_secs(8 * 86_400)).await;
    desk.stage.run_to_round(3).await;
    desk.attach();
    desk.roll_back(2, "once more");
    desk.write_all();
    let marked = "round_004_rolled_back_1.tar.gz".parse().unwrap();
    desk.archives().mark(marked, true).unwrap();
    desk.may_dispose();
    desk.stage.tell("root_cause", "retry", &[]).unwrap();
    desk.stage = desk.stage.answer("archives", "recent", &[]);
    desk.ends().await;
    assert_eq!(
        desk.standing(),
        [
            "round_003_rolled_back_2.tar.gz",
            "round_004_rolled_back_1.tar.gz"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn what_nobody_answers_moves_to_cold_storage() {
    let mut desk = Desk::with_three_archives().await;
    desk.may_dispose();
    let stopped = desk.stage.run_strictly().await;
    assert_eq!(stopped, Stopped::Ended(End::Complete));
    assert_eq!(desk.stage.put("archives").len(), 1, "it was asked");
    assert_eq!((desk.standing().len(), desk.in_cold().len()), (0, 3));
    let answered = desk.stage.events("question.answered").pop().unwrap();
    assert_eq!(
        answered["answer"],
        json!({ "option": "cold", "by": "policy" })
    );
    let late = UserInput::Answer {
        question: desk.stage.put("archives")[0].id,
        answer: Answer::of("keep", DecidedBy::User),
    };
    let refused = desk.stage.say(late);
    assert_eq!(refused, Err(Refusal::Ended(End::Complete)));
}

#[tokio::test(start_paused = true)]
async fn killed_between_the_choice_and_the_doing_the_next_process_does_it() {
    for choice in ArchiveChoice::ALL {
        let mut desk = Desk::with_three_archives().await;
        desk.stage = desk.stage.answer("archives", choice.name(), &[]);
        // This process can do nothing with archives: as good as one that was killed before.
        desk.ends().await;
        assert_eq!(desk.standing(), THREE);
        assert!(desk.disposals().is_empty());
        desk.taken_up_again();
        desk.stage.run().await;
        let left = matches!(choice, ArchiveChoice::Keep | ArchiveChoice::Recent);
        assert_eq!(desk.standing().len(), if left { 3 } else { 0 });
        assert_eq!(desk.disposals().len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn killed_between_the_doing_and_its_note_nothing_is_lost_or_made_again() {
    for choice in [ArchiveChoice::Delete, ArchiveChoice::Cold] {
        let mut desk = Desk::with_three_archives().await;
        desk.stage = desk.stage.answer("archives", choice.name(), &[]);
        desk.ends().await;
        let held = desk.files("archives");
        let (cold, owner) = (desk.cold(), desk.owner());
        dispose(&desk.archives(), choice, Time(9_000), &cold, &owner).unwrap();
        desk.taken_up_again();
        desk.stage.run().await;
        assert!(desk.standing().is_empty());
        assert_eq!(desk.disposals().len(), 1);
        for name in desk.in_cold() {
            let moved = fs::read(cold.folder_of(&owner).join(&name)).unwrap();
            assert_eq!(moved, held[&format!("archives/{name}")]);
        }
        let expected = if choice == ArchiveChoice::Cold { 3 } else { 0 };
        assert_eq!(desk.in_cold().len(), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn a_disk_that_refuses_is_said_and_tried_again() {
    let mut desk = Desk::with_three_archives().await;
    desk.may_dispose();
    // A file stands where the folder is to be.
    fs::write(desk.dir.path().join("data"), "in the way").unwrap();
    desk.stage = desk.stage.answer("archives", "cold", &[]);
    desk.ends().await;
    assert_eq!(desk.standing(), THREE);
    let problems = desk.disposals()[0]["problems"].clone();
    assert_eq!(problems.as_array().unwrap().len(), 3, "{problems}");
    // The same again is not noted again.
    desk.taken_up_again();
    desk.stage.run().await;
    assert_eq!(desk.disposals().len(), 1);
    fs::remove_file(desk.dir.path().join("data")).unwrap();
    desk.taken_up_again();
    desk.stage.run().await;
    assert_eq!((desk.standing().len(), desk.in_cold().len()), (0, 3));
    assert!(desk.disposals()[1]["problems"].is_null());
}

#[tokio::test(start_paused = true)]
async fn interrupted_before_the_answer_the_question_waits_for_the_next_process() {
    let mut desk = Desk::with_three_archives().await;
    desk.may_dispose();
    let ended = |state: &gapless_session::State| state.kept.ended.is_some();
    desk.stage.go_until(ended).await;
    let question = desk.stage.pending("archives");
    assert_eq!(desk.standing(), THREE);
    desk.taken_up_again();
    // Answered by another process, which says so and nothing more.
    let answer = Answer::of("delete", DecidedBy::User);
    let said = UserInput::Answer {
        question: question.id,
        answer,
    };
    desk.stage.say(said).unwrap();
    let now = desk.stage.state().kept.clock;
    desk.stage.session.come_to_rest(now).unwrap();
    assert!(desk.standing().is_empty());
    assert_eq!(desk.disposals(), [json!({ "deleted": THREE })]);
}

#[tokio::test(start_paused = true)]
async fn put_off_it_waits_and_is_asked_again() {
    let mut desk = Desk::with_three_archives().await;
    desk.may_dispose();
    desk.stage.later = vec!["archives"];
    desk.ends().await;
    desk.stage.pending("archives");
    assert_eq!(desk.standing(), THREE);
    desk.stage.later.clear();
    desk.stage = desk.stage.answer("archives", "delete", &[]);
    desk.taken_up_again();
    desk.ends().await;
    assert!(desk.standing().is_empty());
}

#[tokio::test(start_paused = true)]
async fn killed_after_any_step_of_a_move_every_archive_is_whole_and_in_one_place() {
    for last in MoveStep::ALL {
        let mut desk = Desk::with_three_archives().await;
        desk.stage = desk.stage.answer("archives", "cold", &[]);
        desk.ends().await;
        let held = desk.files("archives");
        let (cold, owner) = (desk.cold(), desk.owner());
        let first = desk.archives().list().unwrap().remove(0).entry;
        let stop = &mut |step| match step == last {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let stopped = cold.take_in(&owner, &desk.archives(), first, Time(9_000), stop);
        assert!(matches!(stopped, Err(ArchiveError::Stopped)), "{last:?}");
        desk.taken_up_again();
        desk.stage.run().await;
        assert!(desk.standing().is_empty(), "{last:?}");
        assert_eq!(desk.in_cold(), THREE, "{last:?}");
        for name in THREE {
            let moved = fs::read(cold.folder_of(&owner).join(name)).unwrap();
            assert_eq!(moved, held[&format!("archives/{name}")], "{last:?}");
        }
    }
}
