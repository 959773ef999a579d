//! A session that one process drives, and what others say to it meanwhile.

use gapless_domain::time::Time;
use gapless_mediator::{GapCommand, UserInput};
use gapless_store::{SqliteStore, Store};

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

/// Letters that close the grave gap and stop, for a session that may not be there yet.
fn plant(project: &Project, bound_to: Option<&str>) {
    let database = rusqlite::Connection::open(project.path(".gapless/gapless.db")).unwrap();
    let close = GapCommand::Close {
        gap: "GAP-COL-001".parse().unwrap(),
        reason: "planted".to_owned(),
        sentence: None,
    };
    for said in [UserInput::Gap { command: close }, UserInput::Stop] {
        let body = serde_json::to_string(&said).unwrap();
        let sql =
            "INSERT INTO inbox (session, posted_at, body, session_id) VALUES ('tiny', ?1, ?2, ?3)";
        database
            .execute(sql, rusqlite::params![i64::MAX, body, bound_to])
            .unwrap();
    }
}

const OFFLINE: [&str; 8] = [
    "run",
    "tiny.md",
    "--agents",
    "offline",
    "--analyst",
    "none",
    "--policy",
    "recommended",
];

#[test]
fn letters_planted_for_a_later_session_are_dropped_and_said_once() {
    for bound_to in [None, Some("00112233445566778899aabbccddeeff")] {
        let project = Project::with_two_gaps();
        let mut other = OFFLINE.to_vec();
        other.extend(["--name", "other"]);
        project.gapless(&other);
        plant(&project, bound_to);
        if let Some(id) = bound_to {
            let database = rusqlite::Connection::open(project.path(".gapless/gapless.db")).unwrap();
            let sql = "INSERT INTO session_ids (session, id) VALUES ('tiny', ?1)";
            database.execute(sql, [id]).unwrap();
        }
        let said = project.gapless(&OFFLINE);
        let dropped =
            "a message in the inbox of tiny was dropped: it was posted to another session";
        let all = format!("{}{}", said.out, said.err);
        assert_eq!(all.matches(dropped).count(), 2, "{all}");
        let log = project.gapless(&["log", "tiny"]).exits(0).out;
        assert!(!log.contains("planted"), "{log}");
        // They are gone.
        let again = project.gapless(&["resume", "tiny", "--policy", "recommended"]);
        let again = format!("{}{}", again.out, again.err);
        assert!(!again.contains("was dropped"), "{again}");
    }
}

#[test]
fn a_letter_that_is_older_than_its_session_is_dropped() {
    let project = Project::with_two_gaps();
    project.gapless(&OFFLINE);
    let mut store = SqliteStore::open(&project.path(".gapless/gapless.db")).unwrap();
    let body = serde_json::to_string(&UserInput::Stop).unwrap();
    store.post("tiny", Time(1), &body).unwrap();
    drop(store);
    let said = project.gapless(&["pause", "tiny"]).exits(0);
    let dropped = "a message in the inbox of tiny was dropped: it is older than the session";
    let all = format!("{}{}", said.out, said.err);
    assert_eq!(all.matches(dropped).count(), 1, "{all}");
}
