//! A session that one process drives, and what others say to it meanwhile.

use crate::support::{Project, lamp_agent, until};

#[test]
fn what_others_say_reaches_the_driver() {
    let project = Project::with_two_gaps();
    let (gate, started) = (project.path("gate"), project.path("started"));
    let agent = project.agent(&lamp_agent(&gate, &started));
    project.write(
        "answers.toml",
        "[[answer]]\nkind = \"inventory\"\noption = \"begin\"\n",
    );
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
    let pid = running.id();

    // A second driver is told who drives.
    for words in [&["resume"][..], &["resume", "tiny"]] {
        let said = project.gapless(words).exits(2);
        let who = format!("another process drives this session: process {pid} since");
        assert!(said.err.contains(&who), "{}", said.err);
        assert!(said.err.contains("gapless run tiny.md"), "{}", said.err);
    }
    assert_eq!(project.json(&["status"])["driver"]["pid"], pid);

    // Its commands reach the driver, and what is refused comes back.
    let said = project
        .gapless(&["gap", "add", "SHP", "LOW", "the shape is missing"])
        .exits(0);
    let who = format!("Taken by the run that drives tiny (process {pid})");
    assert!(said.out.contains(&who), "{}", said.out);
    project
        .gapless(&["gap", "defer", "GAP-SHP-001", "--reason", "later"])
        .exits(0);
    let said = project
        .gapless(&["gap", "defer", "GAP-SHP-001", "--reason", "later"])
        .exits(1);
    assert!(said.err.contains("GAP-SHP-001"), "{}", said.err);

    // So do answers, while another Engineer still works.
    until("the colour needs input", || {
        project.json(&["questions"])["items"][0]["kind"] == "blocked_gap"
    });
    let question = project.json(&["questions"])["items"][0]["id"].clone();
    let question = question.as_str().unwrap();
    let answer = [
        "answer",
        "tiny",
        question,
        "--option",
        "input",
        "--field",
        "input=blue",
    ];
    project
        .gapless(&["answer", "tiny", question, "--option", "input"])
        .exits(1);
    project.gapless(&answer).exits(0);
    project.gapless(&answer).exits(1);

    // And a pause, which ends the run.
    let said = project.gapless(&["pause"]).exits(0);
    assert!(said.out.contains("Taken by the run"), "{}", said.out);
    let said = running.wait().exits(3);
    assert!(
        said.out.contains("Paused; everything so far is on disk"),
        "{}",
        said.out
    );

    project.write("gate", "");
    let said = project.gapless(&["resume"]).exits(0);
    assert!(said.out.contains("COMPLETE"), "{}", said.out);
    let decisions = project.read(".gapless/sessions/tiny/decisions.md");
    assert!(decisions.contains("blue"), "{decisions}");
}
