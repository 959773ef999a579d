//! The refined spec, written where the user wants it.

use std::fs;
use std::path::{Path, PathBuf};

use gapless_domain::delivery::{Delivered, Delivery};
use gapless_domain::phase::End;
use gapless_domain::question::{About, Answer, DecidedBy, Question};
use gapless_domain::text::Texts;
use gapless_domain::time::Time;
use gapless_mediator::{Incoming, Refusal, RunSettings, UserInput};
use gapless_runner::Stopped;
use gapless_spec::assemble;
use tempfile::TempDir;

use crate::stage::{Stage, stage, with_config};

/// A session whose spec lies in a folder.
struct Desk {
    folder: TempDir,
    stage: Stage,
}

impl Desk {
    fn with(wish: impl FnOnce(&Path) -> Option<Delivery>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let wish = wish(folder.path());
        let mut stage = with_config(&[("GAP-API-001", "LOW", "")], |met| met.delivery = wish);
        stage.session.deliver_from(folder.path());
        let origin = stage.state().kept.origin.clone().unwrap();
        let source = stage.session.texts().text(&origin.source).unwrap();
        fs::write(folder.path().join("spec.md"), source.as_bytes()).unwrap();
        Self { folder, stage }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn refined(&self) -> String {
        assemble(self.stage.state(), &self.stage.session.texts()).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Opens the session anew, as the next process does.
    fn reopen(&mut self) {
        self.stage.kill();
        self.stage.session.deliver_from(self.folder.path());
    }
}

fn is_stop(question: &Question) -> bool {
    matches!(question.about, About::Stop { .. })
}

fn file(path: &Path) -> Delivery {
    Delivery::File {
        path: path.to_string_lossy().into_owned(),
    }
}

#[tokio::test(start_paused = true)]
async fn the_refined_spec_is_written_when_the_session_ends() {
    let mut desk = Desk::with(|folder| Some(file(&folder.join("out.md"))));
    fs::write(desk.path("out.md"), "something else").unwrap();
    assert_eq!(desk.stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(desk.read("out.md"), desk.refined());
    assert_eq!(desk.read("out.md.bak"), "something else");
    assert_eq!(desk.stage.events("session.spec_written").len(), 1);
    // Once is enough: what the user does with the file after that is theirs.
    fs::write(desk.path("out.md"), "mine now").unwrap();
    desk.reopen();
    assert_eq!(desk.stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(desk.read("out.md"), "mine now");
    // Unless it is asked for anew.
    let delivery = file(&desk.path("out.md"));
    desk.stage.say(UserInput::Deliver { delivery }).unwrap();
    desk.stage.run().await;
    assert_eq!(desk.read("out.md"), desk.refined());
    assert_eq!(desk.read("out.md.bak.1"), "mine now");
}

/// Asks for the end and accepts it; nothing of it is on disk before the next commit.
fn stop_at_once(stage: &mut Stage) {
    let session = &mut stage.session;
    let stop = Incoming::User(UserInput::Stop);
    session.feed(Time(5), stop).unwrap();
    let questions = &session.state().now.questions;
    let accept = UserInput::Answer {
        question: questions.values().find(|asked| is_stop(asked)).unwrap().id,
        answer: Answer::of("accept", DecidedBy::User),
    };
    session.feed(Time(6), Incoming::User(accept)).unwrap();
}

#[tokio::test(start_paused = true)]
async fn killed_between_the_end_and_the_writing_it_is_made_up_for() {
    let mut desk = Desk::with(|folder| Some(file(&folder.join("out.md"))));
    stop_at_once(&mut desk.stage);
    desk.stage.session.commit().unwrap();
    desk.reopen();
    assert!(desk.stage.state().delivery_due().is_some());
    assert_eq!(desk.names(), ["spec.md"]);
    assert_eq!(desk.stage.run().await, Stopped::Ended(End::GoodEnough));
    assert_eq!(desk.read("out.md"), desk.refined());
    assert_eq!(desk.stage.state().delivery_due(), None);
}

#[tokio::test(start_paused = true)]
async fn an_end_that_is_not_on_disk_writes_nothing() {
    let mut desk = Desk::with(|folder| Some(file(&folder.join("out.md"))));
    stop_at_once(&mut desk.stage);
    desk.stage.session.deliver(Time(7)).unwrap();
    assert_eq!(desk.names(), ["spec.md"]);
    desk.stage.session.commit().unwrap();
    desk.stage.session.deliver(Time(7)).unwrap();
    assert_eq!(desk.names(), ["out.md", "spec.md"]);
}

#[tokio::test(start_paused = true)]
async fn in_place_the_spec_is_replaced_after_a_backup() {
    let mut desk = Desk::with(|_| Some(Delivery::InPlace {}));
    let source = desk.read("spec.md");
    assert_eq!(desk.stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(desk.read("spec.md"), desk.refined());
    assert_eq!(desk.read("spec.md.bak"), source);
    assert_eq!(desk.names(), ["spec.md", "spec.md.bak"]);
}

#[tokio::test(start_paused = true)]
async fn in_place_a_spec_that_has_changed_is_left_alone() {
    let mut desk = Desk::with(|_| Some(Delivery::InPlace {}));
    fs::write(desk.path("spec.md"), "edited meanwhile").unwrap();
    assert_eq!(desk.stage.run().await, Stopped::Ended(End::Complete));
    let path = desk.path("spec.md").to_string_lossy().into_owned();
    let why = "it has changed since the session started".to_owned();
    let failed = Some(Delivered::Failed { path, why });
    assert_eq!(desk.stage.state().kept.delivered, failed);
    desk.reopen();
    desk.stage.run().await;
    assert_eq!(
        desk.stage.events("session.spec_not_written").len(),
        1,
        "said once for the same reason"
    );
    assert_eq!(desk.names(), ["spec.md"]);
    // Another place is taken instead.
    let delivery = file(&desk.path("out.md"));
    desk.stage.say(UserInput::Deliver { delivery }).unwrap();
    desk.stage.run().await;
    assert_eq!(desk.read("out.md"), desk.refined());
    assert_eq!(desk.read("spec.md"), "edited meanwhile");
}

#[tokio::test(start_paused = true)]
async fn an_abandoned_session_writes_nothing() {
    let mut desk = Desk::with(|folder| Some(file(&folder.join("out.md"))));
    desk.stage.say(UserInput::Abandon).unwrap();
    assert_eq!(desk.stage.run().await, Stopped::Ended(End::Abandoned));
    assert_eq!(desk.names(), ["spec.md"]);
    let delivery = file(&desk.path("out.md"));
    assert_eq!(
        desk.stage.say(UserInput::Deliver { delivery }),
        Err(Refusal::NoRefinedSpec)
    );
}

#[tokio::test(start_paused = true)]
async fn the_wish_survives_what_is_met_later() {
    let wish = Delivery::InPlace {};
    let mut desk = Desk::with(|_| Some(wish.clone()));
    desk.stage.say(UserInput::Pause).unwrap();
    desk.reopen();
    let met = RunSettings {
        agents: desk.stage.state().kept.setup.agents.clone(),
        ..RunSettings::default()
    };
    let configure = Incoming::Configure(Box::new(met));
    desk.stage.session.feed(Time(5), configure).unwrap();
    assert_eq!(desk.stage.state().kept.setup.delivery, Some(wish));
    assert_eq!(desk.stage.events("session.configured").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn one_question_is_asked_and_nothing_else_goes_on() {
    let mut accepted = stage(&[("GAP-API-001", "LOW", "")]);
    accepted.say(UserInput::Stop).unwrap();
    let ended = Some(Stopped::Ended(End::GoodEnough));
    assert_eq!(accepted.ask_only(is_stop).await, ended);
    assert_eq!(accepted.kinds(), ["stop"]);

    let mut continued = stage(&[("GAP-API-001", "LOW", "")]).answer("stop", "continue", &[]);
    continued.say(UserInput::Stop).unwrap();
    assert_eq!(continued.ask_only(is_stop).await, None);
    assert_eq!(continued.events("task.started").len(), 0);

    let mut grave = stage(&[("GAP-API-001", "CRITICAL", "")]);
    grave.say(UserInput::Stop).unwrap();
    let stopped = grave.ask_only(is_stop).await;
    assert!(matches!(stopped, Some(Stopped::Waiting(_))), "{stopped:?}");
}

#[tokio::test(start_paused = true)]
async fn beside_the_spec_it_never_goes_through_a_link_or_alone() {
    let mut desk = Desk::with(|_| Some(Delivery::Beside {}));
    fs::write(desk.path("spec.refined.md"), "an earlier one").unwrap();
    assert_eq!(desk.stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(desk.read("spec.refined.md"), desk.refined());
    assert_eq!(desk.read("spec.refined.md.bak"), "an earlier one");

    let mut desk = Desk::with(|_| Some(Delivery::Beside {}));
    fs::remove_file(desk.path("spec.md")).unwrap();
    assert_eq!(desk.stage.run().await, Stopped::Ended(End::Complete));
    assert!(desk.names().is_empty(), "{:?}", desk.names());
    let failed = desk.stage.events("session.spec_not_written");
    assert_eq!(failed[0]["why"], "the spec itself is no longer there");

    #[cfg(unix)]
    {
        let mut desk = Desk::with(|_| Some(Delivery::Beside {}));
        fs::write(desk.path("other.md"), "precious").unwrap();
        let link = desk.path("spec.refined.md");
        std::os::unix::fs::symlink(desk.path("other.md"), link).unwrap();
        assert_eq!(desk.stage.run().await, Stopped::Ended(End::Complete));
        assert_eq!(desk.read("other.md"), "precious");
        let failed = desk.stage.events("session.spec_not_written");
        assert_eq!(failed[0]["why"], "a link stands there");
    }
}

#[tokio::test(start_paused = true)]
async fn nowhere_is_a_place_that_can_be_asked_for_later() {
    let mut desk = Desk::with(|_| Some(Delivery::Nowhere {}));
    assert_eq!(desk.stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(desk.names(), ["spec.md"]);
    assert_eq!(desk.stage.state().delivery_due(), None);
    let delivery = Delivery::Beside {};
    desk.stage.say(UserInput::Deliver { delivery }).unwrap();
    desk.stage.run().await;
    assert_eq!(desk.names(), ["spec.md", "spec.refined.md"]);
}

#[tokio::test(start_paused = true)]
async fn a_session_that_waits_is_written_as_far_as_it_goes_and_again_at_its_end() {
    let mut desk = Desk::with(|_| Some(Delivery::Beside {}));
    let waits = desk.stage.run_strictly().await;
    assert!(matches!(waits, Stopped::Waiting(_)), "{waits:?}");
    assert_eq!(desk.names(), ["spec.md"]);
    desk.stage.session.deliver_so_far(Time(7)).unwrap();
    let so_far = desk.read("spec.refined.md");
    assert_eq!(so_far, desk.refined());
    assert!(so_far.contains("## Known limitations"), "{so_far}");
    // What is there is what was written: it needs no copy.
    desk.reopen();
    assert_eq!(desk.stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(desk.read("spec.refined.md"), desk.refined());
    assert_ne!(desk.refined(), so_far);
    assert_eq!(desk.names(), ["spec.md", "spec.refined.md"]);
    assert_eq!(desk.stage.events("session.spec_written").len(), 2);
}

#[tokio::test(start_paused = true)]
async fn what_somebody_changed_since_it_was_written_so_far_is_kept() {
    let mut desk = Desk::with(|_| Some(Delivery::Beside {}));
    desk.stage.run_strictly().await;
    desk.stage.session.deliver_so_far(Time(7)).unwrap();
    fs::write(desk.path("spec.refined.md"), "mine now").unwrap();
    assert_eq!(desk.stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(desk.read("spec.refined.md.bak"), "mine now");
    assert_eq!(desk.read("spec.refined.md"), desk.refined());
}

#[tokio::test(start_paused = true)]
async fn in_place_nothing_is_written_before_the_end() {
    let mut desk = Desk::with(|_| Some(Delivery::InPlace {}));
    let source = desk.read("spec.md");
    desk.stage.run_strictly().await;
    desk.stage.session.deliver_so_far(Time(7)).unwrap();
    assert_eq!(desk.read("spec.md"), source);
}
