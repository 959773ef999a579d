//! Forms for others: written, filled in and taken back, whole and in parts; and owners of gaps.

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Project, Said, lamp_agent, until};

const BEGIN: &str = "[[answer]]\nkind = \"inventory\"\noption = \"begin\"\n";

/// A session that waits for input on both of its gaps.
fn waiting() -> Project {
    let project = Project::with_two_gaps();
    project.write("answers.toml", BEGIN);
    let words = [
        "run",
        "tiny.md",
        "--agents",
        "offline",
        "--analyst",
        "none",
        "--answers",
        "answers.toml",
    ];
    project.gapless(&words).exits(3);
    project
}

fn export(project: &Project, file: &str) -> String {
    project.gapless(&["questions", "--export", file]).exits(0);
    project.read(file)
}

/// The form with its changes made in the question of a gap.
fn fill(form: &str, gap: &str, changes: &[(&str, &str)]) -> String {
    let heading = form
        .lines()
        .find(|line| line.starts_with("### ") && line.contains(gap))
        .unwrap();
    let (before, own) = form.split_once(heading).unwrap();
    let mut own = own.to_owned();
    for (from, to) in changes {
        assert!(own.contains(from), "{from}: {own}");
        own = own.replacen(from, to, 1);
    }
    format!("{before}{heading}{own}")
}

const TICK: (&str, &str) = ("- [ ] **input**", "- [x] **input**");

fn said(text: &str) -> (&'static str, String) {
    (
        "what the Engineer needs to know):",
        format!("what the Engineer needs to know):\n\n{text}"),
    )
}

fn answered(form: &str, gap: &str, text: &str) -> String {
    let (from, to) = said(text);
    fill(form, gap, &[TICK, (from, &to)])
}

fn events(project: &Project) -> usize {
    project.json(&["log"])["events"].as_array().unwrap().len()
}

fn take(project: &Project, form: &str) -> Said {
    project.write("back.md", form);
    project.gapless(&["answer", "--form", "back.md"])
}

#[test]
fn a_form_goes_out_and_comes_back_in_parts() {
    let project = waiting();
    project
        .gapless(&[
            "gap",
            "assign",
            "GAP-COL-001",
            "--owner",
            "Zoë (design)",
            "--due",
            "2020-01-01",
        ])
        .exits(0);
    let form = export(&project, "form.md");
    for expected in [
        "# Questions of tiny\n\n- Session: tiny (",
        "## For Zoë (design) (1 question)",
        "## For anyone (1 question)",
        "due 2020-01-01 (overdue)",
        "The spec says, in section \"Known gaps\" (line 7):\n\n> GAP-COL-001 [HIGH]: the colour is missing\n",
        "- [ ] **go_on**: ",
    ] {
        assert!(form.contains(expected), "{expected}: {form}");
    }
    let untouched = take(&project, &form).exits(0);
    assert!(
        untouched
            .out
            .contains("0 taken, 0 not taken, 2 not filled in"),
        "{}",
        untouched.out
    );

    // One part of it, as a mail quotes it.
    let signed = form.replace("- Filled in by:", "- Filled in by: Zoë");
    let filled = answered(&signed, "GAP-COL-001", "It is white.");
    let quoted: Vec<String> = filled.lines().map(|line| format!("> {line}\r\n")).collect();
    let mail = format!("Hi,\r\n\r\n{}\r\n-- \r\nZoë\r\n", quoted.concat());
    let before = events(&project);
    project.write("back.md", &mail);
    let tried = project
        .gapless(&["answer", "--form", "back.md", "--dry-run"])
        .exits(0);
    assert!(tried.out.contains("1 would be taken"), "{}", tried.out);
    assert_eq!(events(&project), before, "nothing was taken");
    let taken = take(&project, &mail).exits(0);
    for expected in [
        "taken: input (input: It is white.), by Zoë",
        "not filled in",
        "Go on with: gapless resume tiny",
    ] {
        assert!(taken.out.contains(expected), "{expected}: {}", taken.out);
    }
    let decisions = project.json(&["decisions"]);
    let decision = &decisions["items"][0];
    assert_eq!(decision["decision"], "It is white.");
    assert_eq!(decision["filled_in_by"], "Zoë");
    let shown = project.read(".gapless/sessions/tiny/decisions.md");
    assert!(shown.contains("**Rationale:** filled in by Zoë"), "{shown}");
    assert_eq!(decision["by"], "user");

    // The rest, from the same form; what was answered is not answered again.
    let whole = answered(&filled, "GAP-HGT-001", "30 cm.");
    project.write("back.md", &whole);
    let rest = project
        .gapless(&["answer", "--form", "back.md", "--json"])
        .exits(1)
        .json();
    let outcomes: Vec<&Value> = rest["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| &item["outcome"])
        .collect();
    assert_eq!(outcomes, ["not_taken", "taken"]);
    let why = rest["items"][0]["why"][0]["why"].as_str().unwrap();
    assert!(why.ends_with("has been answered already"), "{why}");
    assert_eq!((&rest["taken"], &rest["not_taken"]), (&1.into(), &1.into()));
    assert!(
        project
            .gapless(&["resume"])
            .exits(0)
            .out
            .contains("COMPLETE")
    );
    let spec = project.read("tiny.refined.md");
    assert!(
        spec.contains("It is white.") && spec.contains("30 cm."),
        "{spec}"
    );
    let none = project
        .gapless(&["questions", "--export", "again.md"])
        .exits(1);
    assert!(none.err.contains("No question waits"), "{}", none.err);
    assert!(!project.path("again.md").exists());
}

#[test]
fn what_is_not_taken_is_said_with_its_line_and_changes_nothing() {
    let project = waiting();
    let form = export(&project, "form.md");
    let col = |changes: &[(&str, &str)]| fill(&form, "GAP-COL-001", changes);
    let (from, white) = said("white");
    let cases = [
        (col(&[TICK]), "`input` needs `input`"),
        (
            col(&[TICK, ("- [ ] **go_on**", "- [x] **go_on**")]),
            "two boxes are ticked",
        ),
        (col(&[(from, &white)]), "no box is ticked"),
        (
            col(&[("- [ ] **input**", "- [x] **output**")]),
            "has no box `output`; it has: input, defer",
        ),
        (
            col(&[("- [ ] **input**", "- [maybe] **input**"), (from, &white)]),
            "no box is ticked",
        ),
        (
            answered(&form, "GAP-COL-001", "white").replace("### Q-002", "### Q-099"),
            "there is no question Q-099",
        ),
        (
            answered(&form, "GAP-COL-001", "white")
                .replace("- Session: tiny (", "- Session: tiny (0"),
            "and not of this one",
        ),
        (
            answered(&form, "GAP-COL-001", "white").replace("- Session:", "- About:"),
            "no line above says which session",
        ),
        (
            answered(&form, "GAP-COL-001", "white") + &answered(&form, "GAP-COL-001", "black"),
            "answered in another way on line",
        ),
    ];
    let before = events(&project);
    for (form, expected) in cases {
        let taken = take(&project, &form).exits(1);
        assert!(taken.out.contains(expected), "{expected}: {}", taken.out);
        assert!(taken.out.contains("    line "), "{}", taken.out);
        assert!(taken.out.contains("0 taken"), "{}", taken.out);
        assert_eq!(events(&project), before, "{expected}");
    }
    let nameless = form.replace(
        "- Filled in by:",
        &format!("- Filled in by: {}", "x".repeat(99)),
    );
    let taken = take(&project, &answered(&nameless, "GAP-COL-001", "white")).exits(1);
    assert!(
        taken
            .out
            .contains("line 4: who filled it in is not kept: a name has at most 80"),
        "{}",
        taken.out
    );
    assert!(taken.out.contains("1 taken"), "{}", taken.out);
}

#[test]
fn only_a_text_of_a_bounded_size_is_read() {
    let project = waiting();
    project.write("no.md", "# Notes\n\n- [x] accept\n");
    std::fs::write(project.path("picture.png"), [0x89, 0x50, 0xff, 0x00]).unwrap();
    project.write("large.md", &"x\n".repeat(2_200_000));
    for (file, expected) in [
        ("no.md", "no question was found in no.md"),
        ("gone.md", "gone.md is not there"),
        ("picture.png", "is not a text in UTF-8"),
        ("large.md", "is larger than 4 MB"),
        (".", "is no file"),
    ] {
        let said = project.gapless(&["answer", "--form", file]).exits(2);
        assert!(said.err.contains(expected), "{}", said.err);
    }
    for words in [
        &["answer", "--form", "no.md", "--option", "input"][..],
        &["answer", "tiny", "Q-002", "--form", "no.md"],
        &["answer", "tiny", "Q-002"],
        &["answer", "tiny", "Q-002", "--option", "input", "--dry-run"],
    ] {
        project.gapless(words).exits(2);
    }
}

#[test]
fn a_form_is_written_over_nothing_unless_that_is_wanted() {
    let project = waiting();
    export(&project, "form.md");
    project.write("form.md", "my notes\n");
    let said = project
        .gapless(&["questions", "--export", "form.md"])
        .exits(2);
    assert!(said.err.contains("form.md exists"), "{}", said.err);
    assert_eq!(project.read("form.md"), "my notes\n");
    project
        .gapless(&["questions", "--export", "form.md", "--force"])
        .exits(0);
    assert_eq!(project.read("form.md.bak"), "my notes\n");
    for (file, expected) in [
        ("tiny.md", "is the spec itself"),
        (".gapless/form.md", "gapless keeps its own files"),
        ("nowhere/form.md", "there is no folder"),
    ] {
        let said = project
            .gapless(&["questions", "--export", file, "--force"])
            .exits(2);
        assert!(said.err.contains(expected), "{}", said.err);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(project.path("tiny.md"), project.path("link.md")).unwrap();
        let said = project
            .gapless(&["questions", "--export", "link.md", "--force"])
            .exits(2);
        assert!(said.err.contains("link.md is a link"), "{}", said.err);
    }

    // To stdout, of one owner, and back from stdin.
    project
        .gapless(&["gap", "assign", "GAP-HGT-001", "--owner", "Risk"])
        .exits(0);
    let form = project
        .gapless(&["questions", "--export", "-", "--owner", "risk"])
        .exits(0)
        .out;
    assert!(
        form.contains("GAP-HGT-001") && !form.contains("GAP-COL-001"),
        "{form}"
    );
    let document = project.json(&["questions", "--export", "-", "--owner", "risk"]);
    assert_eq!(document["text"].as_str().unwrap().trim(), form.trim());
    let said = project
        .gapless(&["questions", "--export", "-", "--owner", "Legal"])
        .exits(1);
    assert!(
        said.err.contains("gaps have these owners: Risk"),
        "{}",
        said.err
    );
    let mut command = project.command(&["answer", "--form", "-"]);
    let mut running = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let filled = answered(&form, "GAP-HGT-001", "30 cm");
    running
        .stdin
        .take()
        .unwrap()
        .write_all(filled.as_bytes())
        .unwrap();
    let said = Said::of(running.wait_with_output().unwrap()).exits(0);
    assert!(
        said.out.contains("stdin for session tiny") && said.out.contains("1 taken"),
        "{}",
        said.out
    );
}

#[test]
fn the_sentence_of_the_gate_is_one_that_a_person_types() {
    let project = Project::new();
    project.write(
        "lamp.md",
        "# A lamp\n\n## Known gaps\n\n- GAP-COL-001 [CRITICAL]: the colour is missing\n",
    );
    project.write("answers.toml", BEGIN);
    let words = [
        "run",
        "lamp.md",
        "--agents",
        "offline",
        "--analyst",
        "none",
        "--answers",
        "answers.toml",
    ];
    project.gapless(&words).exits(3);
    project.gapless(&["stop"]).exits(3);
    let form = export(&project, "form.md");
    let accept = ("- [ ] **accept**", "- [x] **accept**");
    let reason = (
        "(why it may stay open):",
        "(why it may stay open): a prototype",
    );
    let stop = |changes: &[(&str, &str)]| fill(&form, "End the session", changes);
    let sentence = "I accept CRITICAL gaps knowing the spec may be unusable";
    let missing = take(&project, &stop(&[accept, reason])).exits(1);
    assert!(
        missing
            .out
            .contains(&format!("`accept` needs `critical`: {sentence}")),
        "{}",
        missing.out
    );
    let typed = format!("{sentence}):");
    let other = take(
        &project,
        &stop(&[accept, reason, (&typed, &format!("{typed} yes"))]),
    )
    .exits(1);
    assert!(
        other.out.contains("`critical` must be exactly"),
        "{}",
        other.out
    );
    let broken = sentence.replace("knowing the", "knowing\nthe");
    let taken = take(
        &project,
        &stop(&[accept, reason, (&typed, &format!("{typed}\n{broken}"))]),
    );
    let taken = taken.exits(0);
    assert!(
        taken.out.contains("has ended as USER_APPROVED"),
        "{}",
        taken.out
    );
}

#[test]
fn a_form_names_no_agent() {
    let project = Project::with_two_gaps();
    let agent = project.agent("exit 7");
    let words = [
        "run",
        "tiny.md",
        "--analyst",
        "none",
        "--agents",
        &agent,
        "--policy",
        "recommended",
    ];
    project.gapless(&words).exits(3);
    let waiting = project.json(&["questions"]);
    assert_eq!(waiting["items"][0]["kind"], "agent_cannot_run", "{waiting}");
    let form = export(&project, "form.md");
    assert!(
        form.contains("- [ ] **again**") && !form.contains("**another**"),
        "{form}"
    );
    let added = form.replacen(
        "- [ ] **again**",
        "- [x] **another**: x\n\nagent: cmd:touch owned\n\n- [ ] **again**",
        1,
    );
    let taken = take(&project, &added).exits(1);
    assert!(taken.out.contains("has no box `another`"), "{}", taken.out);
}

#[test]
fn a_form_reaches_the_run_that_drives_the_session() {
    let project = Project::with_two_gaps();
    let (gate, started) = (project.path("gate"), project.path("started"));
    let agent = project.agent(&lamp_agent(&gate, &started));
    project.write("answers.toml", BEGIN);
    let words = [
        "run",
        "tiny.md",
        "--agents",
        &agent,
        "--analyst",
        "none",
        "--parallel-engineers",
        "2",
        "--answers",
        "answers.toml",
    ];
    let running = project.start(&words);
    until("the height is being worked on", || started.exists());
    until("the colour needs input", || {
        project.json(&["questions"])["items"][0]["kind"] == "blocked_gap"
    });
    project
        .gapless(&["gap", "assign", "GAP-COL-001", "--owner", "Risk"])
        .exits(0);
    let form = export(&project, "form.md");
    project.write("back.md", &answered(&form, "GAP-COL-001", "blue"));
    let taken = project.json(&["answer", "--form", "back.md"]);
    assert_eq!(taken["by"], "driver");
    assert_eq!(taken["taken"], 1);
    project.gapless(&["pause"]).exits(0);
    running.wait().exits(3);
    assert_eq!(project.json(&["gaps"])["items"][0]["owner"], "Risk");
    let decisions = project.read(".gapless/sessions/tiny/decisions.md");
    assert!(decisions.contains("blue"), "{decisions}");
}

#[test]
fn owners_and_days_are_shown_wherever_gaps_are() {
    let project = waiting();
    assert!(!project.gapless(&["gaps"]).exits(0).out.contains("Owner"));
    let assign = |words: &[&str]| {
        let words: Vec<&str> = ["gap", "assign"].iter().chain(words).copied().collect();
        project.gapless(&words)
    };
    let said = assign(&["GAP-COL-001", "--owner", " Zoë ", "--due", "2020-01-01"]).exits(0);
    assert!(
        said.out.contains("GAP-COL-001: Zoë, due 2020-01-01"),
        "{}",
        said.out
    );
    for (words, code, expected) in [
        (
            &["GAP-COL-001", "--due", "2020-02-30"][..],
            2,
            "is not a date: write year, month and day",
        ),
        (
            &["GAP-COL-001", "--owner", "a\nb"],
            2,
            "one line of visible characters",
        ),
        (&["GAP-COL-001"], 2, "--owner"),
        (
            &["GAP-COL-001", "--owner", "x", "--clear"],
            2,
            "cannot be used with",
        ),
        (
            &["GAP-ABC-001", "--owner", "x"],
            2,
            "there is no gap GAP-ABC-001",
        ),
    ] {
        let said = assign(words).exits(code);
        assert!(said.err.contains(expected), "{expected}: {}", said.err);
    }
    let gaps = project.gapless(&["gaps"]).exits(0).out;
    assert!(
        gaps.contains("Zoë") && gaps.contains("2020-01-01 (overdue)"),
        "{gaps}"
    );
    let gap = &project.json(&["gaps"])["items"][0];
    assert_eq!(
        (&gap["owner"], &gap["due"], &gap["overdue"]),
        (&"Zoë".into(), &"2020-01-01".into(), &true.into())
    );
    let questions = project.gapless(&["questions"]).exits(0).out;
    assert!(
        questions.contains("For Zoë, due 2020-01-01 (overdue)"),
        "{questions}"
    );
    let own = project.json(&["questions", "--owner", "zoë"]);
    assert_eq!(own["items"].as_array().unwrap().len(), 1);
    assert_eq!(own["items"][0]["owners"][0], "Zoë");
    let status = project.gapless(&["status"]).exits(0).out;
    assert!(
        status.contains("(for Zoë, due 2020-01-01 (overdue))"),
        "{status}"
    );
    let file = project.read(".gapless/sessions/tiny/status.md");
    assert!(file.contains("| Zoë | 2020-01-01 |"), "{file}");
    let log = project.gapless(&["log"]).exits(0).out;
    assert!(
        log.contains("gap.assigned") && log.contains("GAP-COL-001: Zoë, due 2020-01-01"),
        "{log}"
    );
    for format in ["md", "html"] {
        project.gapless(&["report", "--format", format]).exits(0);
        let report = project.read(&format!(".gapless/sessions/tiny/report.{format}"));
        assert!(
            report.contains("owner: Zoë") && report.contains("due 2020-01-01 (overdue)"),
            "{format}"
        );
    }

    // They go with an export.
    project
        .gapless(&["export", "--output", "tiny.tar.gz"])
        .exits(0);
    let other = Project::new();
    let file = project.path("tiny.tar.gz");
    other.gapless(&["import", &file.to_string_lossy()]).exits(0);
    assert_eq!(other.json(&["gaps"])["items"][0]["owner"], "Zoë");
    // And a form of the one is a form of the other.
    let form = export(&project, "form.md");
    let taken = take(&other, &answered(&form, "GAP-HGT-001", "30 cm")).exits(0);
    assert!(taken.out.contains("1 taken"), "{}", taken.out);

    assign(&["GAP-COL-001", "--clear"]).exits(0);
    assert!(!project.gapless(&["gaps"]).exits(0).out.contains("Owner"));
    let close = ["gap", "close", "GAP-HGT-001", "--reason", "not ours"];
    project.gapless(&close).exits(0);
    let said = assign(&["GAP-HGT-001", "--owner", "x"]).exits(1);
    assert!(
        said.err
            .contains("GAP-HGT-001 is WONT_FIX: only a gap that is open, blocked or deferred"),
        "{}",
        said.err
    );
}
