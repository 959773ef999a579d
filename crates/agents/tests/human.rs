//! A person as an agent: in an editor at a terminal, and through a file where there is none.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use gapless_agents::{Agent, NoticeSink, OpenContext, Request, SharedTerminal, Watch, open};
use gapless_domain::task::{ExecutionErrorKind, OutputNote, Role};
use support::{error, expect_gone, gap, output, request, run};
use tempfile::TempDir;
use tokio::sync::mpsc;

/// A desk with a terminal and an editor that is a shell script; `$1` is the file to edit, `$desk` this folder.
struct Desk {
    folder: TempDir,
    /// What happened to the terminal.
    seen: Arc<Mutex<Vec<String>>>,
    terminal: SharedTerminal,
}

struct GivenBack(Arc<Mutex<Vec<String>>>);

impl Drop for GivenBack {
    fn drop(&mut self) {
        self.0.lock().unwrap().push("given back".to_owned());
    }
}

impl Desk {
    fn new() -> Self {
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Arc::clone(&seen);
        let terminal = SharedTerminal::new(move |announcement| {
            log.lock().unwrap().push(announcement.to_owned());
            Box::new(GivenBack(Arc::clone(&log)))
        });
        Self {
            folder: tempfile::tempdir().unwrap(),
            seen,
            terminal,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn with_editors(&self, editors: &[String]) -> Arc<dyn Agent> {
        let mut context = OpenContext::unattended(self.folder.path());
        context.person.drafts = self.path("drafts");
        context.person.terminal = Some(self.terminal.clone());
        context.person.editors = editors.to_vec();
        open("human", &context).unwrap()
    }

    fn human(&self, editor: &str) -> Arc<dyn Agent> {
        let script = self.path("editor.sh");
        let desk = shlex::try_quote(self.folder.path().to_str().unwrap())
            .unwrap()
            .into_owned();
        fs::write(&script, format!("desk={desk}\n{editor}\n")).unwrap();
        self.with_editors(&[format!("sh {}", script.display())])
    }

    fn unattended(&self) -> Arc<dyn Agent> {
        let mut context = OpenContext::unattended(self.folder.path());
        context.person.drafts = self.path("drafts");
        open("human", &context).unwrap()
    }
}

fn attempt(role: Role, attempt: u32) -> Request {
    let mut request = request(role);
    request.task.attempt = attempt;
    request
}

const DRAFT: &str = "drafts/round_003/engineer-1.draft.md";
const FINISHED: &str = "drafts/round_003/engineer-1.md";

#[tokio::test]
async fn what_is_saved_in_the_editor_is_the_document() {
    let desk = Desk::new();
    let human = desk.human(
        r#"sed -i -e 's/^\*\*Confidence:\*\*.*/**Confidence:** HIGH/' -e 's/^### Examples$/&\n\nForty-two./' "$1""#,
    );
    let finished = run(&human, request(Role::Engineer)).await;
    let output = finished.result.unwrap();
    let text = output.text.unwrap();
    assert!(
        text.starts_with("## Gap Resolution: GAP-FLOW-001\n\n**Confidence:** HIGH\n"),
        "{text}"
    );
    assert!(text.contains("### Examples\n\nForty-two.\n") && text.ends_with("None\n"));
    assert!(
        !text.contains("the prompt") && !text.contains(">8"),
        "{text}"
    );
    assert_eq!(output.notes, []);
    assert_eq!(
        (finished.usage.input_tokens, finished.usage.output_tokens),
        (None, None)
    );
    let seen = desk.seen.lock().unwrap().clone();
    assert_eq!(seen.len(), 2, "{seen:?}");
    assert!(seen[0].starts_with("Your turn as the Engineer of round 3\n"));
    assert!(seen[0].contains(DRAFT));
    assert_eq!(seen[1], "given back");
}

#[tokio::test]
async fn the_editor_shows_the_form_of_the_role_and_what_is_asked() {
    for (role, heading) in [
        (Role::Analyst, "## Gap: GAP-CATEGORY-001"),
        (Role::Engineer, "## Gap Resolution: GAP-FLOW-001"),
        (Role::Reviewer, "## Review: GAP-FLOW-001"),
        (Role::FinalReviewer, "## Final Review"),
    ] {
        let desk = Desk::new();
        let human = desk.human(r#"cp "$1" "$desk/shown""#);
        let output = output(&human, request(role)).await;
        assert_eq!(output.text, None, "nothing was written");
        let shown = desk.read("shown");
        let (form, asked) = shown.split_once(">8 ------------ -->").unwrap();
        assert!(form.starts_with(&format!("<!-- You write as the {role} of round 3. ")));
        assert_eq!(form.matches(heading).count(), 1, "{form}");
        assert!(!form.contains(['{', '}']), "{form}");
        assert_eq!(asked.trim(), "the prompt");
    }
}

#[tokio::test]
async fn an_emptied_file_and_a_form_left_as_it_was_are_no_document() {
    for editor in [
        r#": > "$1""#,
        "true",
        r#"printf '\n \n' > "$1""#,
        r#"sed -i 's/$/\r/' "$1""#,
        r#"sed -i '/>8/d' "$1""#,
    ] {
        let desk = Desk::new();
        let human = desk.human(editor);
        let output = output(&human, request(Role::Reviewer)).await;
        assert_eq!(output.text, None, "{editor}");
    }
}

#[tokio::test]
async fn sections_that_were_left_as_they_were_are_left_out() {
    let desk = Desk::new();
    let human = desk.human(r#"sed -i '0,/^None$/s//- GAP-FLOW-009 [LOW]: one more/' "$1""#);
    let mut request = request(Role::Engineer);
    request.gaps = vec![gap("GAP-FLOW-001"), gap("GAP-FLOW-002")];
    let text = output(&human, request).await.text.unwrap();
    assert!(text.contains("## Gap Resolution: GAP-FLOW-001") && text.contains("GAP-FLOW-009"));
    assert!(!text.contains("GAP-FLOW-002"), "{text}");
}

#[tokio::test]
async fn a_document_of_ones_own_making_is_taken_as_it_is() {
    let desk = Desk::new();
    let human = desk.human(r#"printf '# Mine\n\n## DISAGREE: ISSUE-R2-001\n\nNo.' > "$1""#);
    let text = output(&human, request(Role::Engineer)).await.text.unwrap();
    assert_eq!(text, "# Mine\n\n## DISAGREE: ISSUE-R2-001\n\nNo.\n");

    let human = desk.human(r#"head -c 5000 /dev/zero | tr '\0' x > "$1""#);
    let mut long = attempt(Role::Engineer, 2);
    long.limits.output_bytes = 1000;
    let output = output(&human, long).await;
    assert_eq!(output.text.unwrap().len(), 1000);
    assert_eq!(output.notes, [OutputNote::OutputTruncated]);
}

#[tokio::test]
async fn a_retry_goes_on_with_what_was_written_and_so_does_a_run_that_was_cut_short() {
    let desk = Desk::new();
    let human = desk.human(r#"echo 'my words' > "$1""#);
    output(&human, attempt(Role::Engineer, 1)).await;

    let human = desk.human(r#"cp "$1" "$desk/shown"; sed -i 's/my words/better words/' "$1""#);
    let text = output(&human, attempt(Role::Engineer, 2))
        .await
        .text
        .unwrap();
    assert_eq!(text, "better words\n");
    let shown = desk.read("shown");
    assert!(shown.contains("Attempt 2: ") && !shown.contains("## Gap Resolution"));

    // The same attempt once more, as after a kill.
    let human = desk.human(r#"cp "$1" "$desk/shown""#);
    let text = output(&human, attempt(Role::Engineer, 2))
        .await
        .text
        .unwrap();
    assert_eq!(text, "better words\n");
    let mut undone = attempt(Role::Engineer, 2);
    undone.task.epoch = 1;
    assert_eq!(
        output(&human, undone).await.text,
        None,
        "a rollback starts anew"
    );
}

#[tokio::test]
async fn no_limit_of_time_is_a_persons() {
    let desk = Desk::new();
    let human = desk.human(r#"echo words > "$1""#);
    let mut request = request(Role::Engineer);
    request.limits.idle_timeout_millis = 0;
    request.limits.hard_timeout_millis = 0;
    assert_eq!(output(&human, request).await.text.unwrap(), "words\n");
}

#[tokio::test]
async fn an_editor_that_fails_means_not_now_and_what_was_saved_is_kept() {
    let desk = Desk::new();
    let human = desk.human(r#"echo words > "$1"; exit 1"#);
    let failed = error(&human, request(Role::Engineer)).await;
    assert_eq!(failed.kind, ExecutionErrorKind::ExitedWithoutOutput);
    assert!(failed.message.contains("exited with code 1"), "{failed}");
    assert!(failed.message.contains(DRAFT), "{failed}");
    assert_eq!(desk.read(DRAFT), "words\n");
    // Not HUP, which is ignored below `nohup`.
    let human = desk.human("kill -KILL $$");
    let failed = error(&human, request(Role::Engineer)).await;
    assert!(failed.message.contains("ended by signal 9"), "{failed}");
    assert_eq!(desk.seen.lock().unwrap().last().unwrap(), "given back");
}

#[tokio::test]
async fn the_first_editor_that_is_there_is_opened_and_none_says_what_to_set() {
    let desk = Desk::new();
    let lines = |lines: &[&str]| -> Vec<String> { lines.iter().map(|l| (*l).to_owned()).collect() };
    let human = desk.with_editors(&lines(&[
        "no-such-editor -x",
        "sh -c 'echo words > \"$1\"' sh",
    ]));
    assert!(output(&human, request(Role::Engineer)).await.text.is_some());
    for (editors, said) in [
        (
            lines(&["no-such-editor"]),
            "the editor `no-such-editor` was not found",
        ),
        (
            lines(&["no-such-a", "no-such-b"]),
            "(looked for `no-such-a`, `no-such-b`)",
        ),
        (lines(&["'half"]), "`'half` is no editor's command line"),
        (lines(&["/"]), "can't be started"),
        (lines(&[]), "no editor is named"),
    ] {
        let failed = error(&desk.with_editors(&editors), request(Role::Engineer)).await;
        assert_eq!(failed.kind, ExecutionErrorKind::NotFound);
        assert!(failed.message.contains(said), "{failed}");
        assert!(failed.message.contains("set VISUAL or EDITOR"), "{failed}");
    }
}

#[tokio::test]
async fn a_cancelled_run_ends_the_editor_and_gives_the_terminal_back() {
    let desk = Desk::new();
    let (fifo, pid) = (desk.path("started"), desk.path("pid"));
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .unwrap()
            .success()
    );
    let human = desk.human(
        r#"echo saved > "$1"; echo $$ > "$desk/pid"; echo > "$desk/started"; exec sleep 1000"#,
    );
    let watch = Watch::default();
    let cancel = watch.cancel.clone();
    let running = tokio::spawn(async move { human.run(request(Role::Engineer), watch).await });
    tokio::task::spawn_blocking(move || fs::read(fifo))
        .await
        .unwrap()
        .unwrap();
    cancel.cancel();
    assert!(running.await.unwrap().result.is_err());
    expect_gone(&pid);
    assert_eq!(desk.read(DRAFT), "saved\n");
    assert_eq!(desk.seen.lock().unwrap().last().unwrap(), "given back");
}

#[tokio::test]
async fn editors_and_questions_take_turns() {
    let desk = Desk::new();
    let human =
        desk.human(r#"echo begins >> "$desk/log"; echo words > "$1"; echo ends >> "$desk/log""#);
    let asking = desk.terminal.turn().await;
    let runs: Vec<_> = (0..3)
        .map(|index| {
            let human = Arc::clone(&human);
            let mut request = request(Role::Engineer);
            request.task.slot.index = index;
            request.gaps = vec![gap(&format!("GAP-FLOW-00{}", index + 1))];
            tokio::spawn(async move { output(&human, request).await })
        })
        .collect();
    while !desk
        .path("drafts/round_003/engineer-GAP-FLOW-003-task-3-1.draft.md")
        .exists()
    {
        tokio::task::yield_now().await;
    }
    assert!(
        desk.seen.lock().unwrap().is_empty(),
        "something is asked still"
    );
    drop(asking);
    for run in runs {
        assert_eq!(run.await.unwrap().text.unwrap(), "words\n");
    }
    assert_eq!(desk.read("log"), "begins\nends\n".repeat(3));
}

/// A watch whose notices arrive here.
fn noticed() -> (Watch, mpsc::UnboundedReceiver<String>) {
    let (sender, notices) = mpsc::unbounded_channel();
    let watch = Watch {
        notices: NoticeSink::new(move |notice| sender.send(notice).unwrap()),
        ..Watch::default()
    };
    (watch, notices)
}

/// The command at the end of a notice, carried out.
fn finish(notice: &str) {
    let (_, command) = notice.rsplit_once(": ").unwrap();
    let done = std::process::Command::new("sh")
        .args(["-c", command])
        .status();
    assert!(done.unwrap().success(), "{command}");
}

#[tokio::test(start_paused = true)]
async fn without_a_terminal_the_file_is_waited_for() {
    let desk = Desk::new();
    let human = desk.unattended();
    let (watch, mut notices) = noticed();
    let mut asked = request(Role::Engineer);
    asked.limits.idle_timeout_millis = 0;
    asked.limits.hard_timeout_millis = 0;
    let running = tokio::spawn({
        let human = Arc::clone(&human);
        let asked = asked.clone();
        async move { human.run(asked, watch).await }
    });
    let notice = notices.recv().await.unwrap();
    assert!(notice.contains(DRAFT), "{notice}");
    assert!(desk.read(DRAFT).contains("## Gap Resolution: GAP-FLOW-001"));
    fs::write(desk.path(DRAFT), "half of my words").unwrap();
    fs::write(desk.path(DRAFT), "my words").unwrap();
    finish(&notice);
    let finished = running.await.unwrap();
    assert_eq!(finished.result.unwrap().text.unwrap(), "my words\n");

    // What was finished while nobody waited is taken at once, and nothing is said.
    let (watch, mut notices) = noticed();
    let again = human.run(asked, watch).await.result.unwrap();
    assert_eq!(again.text.unwrap(), "my words\n");
    assert_eq!(notices.recv().await, None);
}

#[tokio::test]
async fn a_finished_file_is_taken_up_in_real_time_too() {
    let desk = Desk::new();
    let (watch, mut notices) = noticed();
    let human = desk.unattended();
    let running = tokio::spawn(async move { human.run(request(Role::Engineer), watch).await });
    let notice = notices.recv().await.unwrap();
    fs::write(desk.path(DRAFT), "my words").unwrap();
    finish(&notice);
    let output = running.await.unwrap().result.unwrap();
    assert_eq!(output.text.unwrap(), "my words\n");
}

#[tokio::test(start_paused = true)]
async fn a_file_that_still_changes_or_is_empty_is_waited_for_further() {
    let desk = Desk::new();
    fs::create_dir_all(desk.path("drafts/round_003")).unwrap();
    let file = desk.path(FINISHED);
    fs::write(&file, "").unwrap();
    let human = desk.unattended();
    let running = human.run(request(Role::Engineer), Watch::default());
    tokio::pin!(running);
    let pause = || tokio::time::sleep(std::time::Duration::from_millis(240));
    for length in 0..20 {
        tokio::select! {
            finished = &mut running => panic!("taken at {length}: {finished:?}"),
            () = pause() => fs::write(&file, "x".repeat(length)).unwrap(),
        }
    }
    let text = running.await.result.unwrap().text.unwrap();
    assert_eq!(text, format!("{}\n", "x".repeat(19)));
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_file_is_ended_by_cancelling() {
    let desk = Desk::new();
    let (watch, mut notices) = noticed();
    let cancel = watch.cancel.clone();
    let human = desk.unattended();
    let running = tokio::spawn(async move { human.run(request(Role::Engineer), watch).await });
    notices.recv().await.unwrap();
    cancel.cancel();
    assert!(running.await.unwrap().result.is_err());
    assert!(desk.path(DRAFT).exists());
}

#[test]
fn human_takes_nothing_behind_its_name() {
    let context = OpenContext::unattended(Path::new("/"));
    assert_eq!(open("human", &context).unwrap().name(), "human");
    for spec in ["human:", "human:vim", "humen"] {
        let refused = open(spec, &context).err().unwrap().to_string();
        assert!(refused.contains("(did you mean `human`?)"), "{refused}");
    }
}
