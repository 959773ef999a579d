//! What people read of a session.

use crate::support::Project;

#[test]
fn what_people_read() {
    let project = Project::with_demo();
    let words = [
        "run",
        "spec.md",
        "--agents",
        "replay:recorded",
        "--answers",
        "answers.toml",
    ];
    project.gapless(&words).exits(0);
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "[time]");
    settings.add_filter(r"\d+ ms", "[ms]");
    settings.add_filter(r"Time: .* waiting .*", "Time: [time]");
    settings.bind(|| {
        for (name, words) in [
            ("status", &["status"][..]),
            ("gaps", &["gaps"]),
            ("issues", &["issues"]),
            ("show", &["show", "2"]),
        ] {
            let said = project.gapless(words).exits(0);
            insta::assert_snapshot!(name, project.filtered(&said.out));
        }
        let log = project.gapless(&["log"]).exits(0).out;
        let first: Vec<&str> = log.lines().take(30).collect();
        insta::assert_snapshot!("log", first.join("\n"));
    });
    // Its columns are as wide as the time that the attempts took.
    let rejected = project.gapless(&["show", "3"]).exits(0);
    assert!(
        rejected.out.contains("SPEC_CHANGE_MISMATCH"),
        "{}",
        rejected.out
    );
    let engineer = project.gapless(&["show", "3", "engineer"]).exits(0);
    assert!(engineer.out.contains("## Gap Resolution: GAP-ORD-001"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let project = Project::with_demo();
    project
        .gapless(&[
            "run",
            "spec.md",
            "--agents",
            "replay:recorded",
            "--answers",
            "answers.toml",
        ])
        .exits(0);
    let said = project
        .shell("gapless log | head -n 1; gapless gaps --json | head -n 1")
        .exits(0);
    assert_eq!(said.err, "");
}

#[test]
fn what_agents_write_cannot_steer_the_terminal() {
    let project = Project::with_demo();
    project.write(
        "spec.md",
        "# A spec\n\n- GAP-AB-001 [HIGH]: red \u{1b}[31mtext\u{1b}[0m and a bell \u{7}\n",
    );
    let said = project
        .gapless(&["run", "spec.md", "--agents", "replay:recorded"])
        .exits(3);
    for text in [
        said.out,
        project.gapless(&["gaps"]).out,
        project.gapless(&["log"]).out,
    ] {
        assert!(text.contains("red text and a bell"), "{text}");
        assert!(!text.contains(['\u{1b}', '\u{7}']), "{text:?}");
    }
}
