//! docs/guide.md, walked: what it shows is what the program says.

use crate::docs::{blocks, plain, read, root};
use crate::support::{Project, Said};

/// The lines of the guide below a heading that tell what a session did.
fn told(heading: &str) -> Vec<String> {
    let page = read("docs/guide.md");
    let shown = blocks(&page, heading, "console").into_iter();
    let shown = shown.chain(blocks(&page, heading, "text"));
    let lines: Vec<String> = shown.flat_map(|block| joined(&block)).collect();
    assert!(lines.len() > 3, "{heading}: {lines:?}");
    lines
}

/// Lines that begin with a mark, each with those that it goes on in.
fn joined(block: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut going_on = false;
    for line in block.lines() {
        let words = line.trim_start();
        let marked = ["· ", "✓ ", "↺ ", "= ", "+ ", "- ", "COMPLETE"];
        if marked.iter().any(|mark| words.starts_with(mark)) {
            lines.push(plain(words));
            going_on = true;
        } else if going_on && line.starts_with("    ") && !words.is_empty() {
            let last = lines.last_mut().unwrap();
            *last += " ";
            *last += &plain(words);
        } else {
            going_on = false;
        }
    }
    lines
}

#[track_caller]
fn all_said(heading: &str, said: &[Said]) {
    let all: Vec<&str> = said.iter().map(|said| said.out.as_str()).collect();
    let all = plain(&all.join("\n"));
    for line in told(heading) {
        assert!(all.contains(&line), "{heading}: {line}\n{all}");
    }
}

const SPEC: &str = "examples/reminders/spec.md";

#[test]
fn its_spec_is_the_example_and_its_findings_are_those_of_the_scan() {
    let page = read("docs/guide.md");
    let shown = blocks(&page, "## 1. A spec to begin with", "markdown");
    assert_eq!(shown, [read(SPEC)]);

    let project = Project::new();
    let made = project.gapless(&["init", "--template", "service"]).exits(0);
    let init = &blocks(&page, "## 1. A spec to begin with", "console")[0];
    let (_, init) = init.split_once("--template service\n").unwrap();
    assert_eq!(made.out, init);

    project.write("spec.md", &shown[0]);
    let found = project.gapless(&["scan", "spec.md"]).exits(1);
    let scan = &blocks(&page, "## 2. Look at it", "console")[0];
    for line in scan.lines().skip(1).filter(|line| *line != "…") {
        assert!(found.out.contains(line), "{line}\n{}", found.out);
    }
}

#[test]
fn its_session_without_a_model_goes_as_it_says() {
    let project = Project::new();
    project.write("spec.md", &read(SPEC));
    let answer = |question: &str, option: &str, fields: &[&str]| {
        let mut words = vec!["answer", "spec", question, "--option", option];
        for field in fields {
            words.extend(["--field", field]);
        }
        project.gapless(&words)
    };
    let bounce = "add=[HIGH] what a mail that bounces does to its reminder";
    let office = "input=Anyone signed in may remind themselves; only people of group \"office\" may \
                  remind others. Else the answer is 403.";
    let kept = "input=Reminders are kept for 30 days after they were sent.";
    let said = [
        project
            .gapless(&["run", "spec.md", "--agents", "offline"])
            .exits(3),
        answer("Q-001", "change", &["severities=GAP-STATE-001=LOW", bounce]),
        answer("Q-002", "begin", &[]),
        project.gapless(&["resume"]).exits(3),
        answer("Q-003", "input", &[kept]),
        answer("Q-004", "input", &[office]),
        answer("Q-005", "input", &["input=It is marked as failed."]),
        project.gapless(&["resume"]).exits(3),
        answer(
            "Q-006",
            "input",
            &["input=3 times, after 1 minute, 5 minutes and 30 minutes"],
        ),
        answer(
            "Q-007",
            "input",
            &["input=`sent` is final: nothing leaves it."],
        ),
        project.gapless(&["resume"]).exits(0),
    ];
    all_said("## 3. Run it without a model", &said);
    all_said("## 4. Stop, and go on", &said);
    let refined = project.read("spec.refined.md");
    let in_place = "sending is retried 3 times, after 1 minute, 5 minutes and 30 minutes.";
    assert!(refined.contains(in_place), "{refined}");

    // Why section 5 needs a name, and which one is free.
    let again = ["run", "spec.md", "--agents", "offline"];
    let refused = project.gapless(&again).exits(2);
    assert!(refused.err.contains("--name spec-2"), "{}", refused.err);
}

#[test]
fn its_recorded_session_goes_as_it_says() {
    let project = Project::new();
    project.write("spec.md", &read(SPEC));
    let recorded = root().join("examples/reminders/recorded").canonicalize();
    let agents = format!("replay:{}", recorded.unwrap().display());
    let run = ["run", "spec.md", "--agents", &agents];
    let said = [
        project.gapless(&run).exits(3),
        project.gapless(&["answer", "spec", "Q-001", "--option", "begin"]),
        project.gapless(&["resume"]).exits(3),
        project.gapless(&["answer", "spec", "Q-002", "--option", "A"]),
        project.gapless(&["resume"]).exits(0),
    ];
    all_said("## 5. Run it with an agent", &said);
    let status = project.json(&["status"]);
    assert_eq!(
        status["history"].as_array().map(Vec::len),
        Some(3),
        "{status}"
    );
    let refined = project.read(".gapless/sessions/spec/spec.md");
    let settled = "A reminder that the mail server did not take is tried again after 1 minute";
    assert!(refined.contains(settled), "{refined}");
    assert!(!refined.contains("retried a few times"), "{refined}");
    // What the guide shows of the difference is what there is.
    let page = read("docs/guide.md");
    let shown = blocks(&page, "## 6. What you have now", "diff");
    let difference = project.gapless(&["diff"]).exits(0).out;
    assert!(difference.contains(&shown[0]), "{difference}");
}
