//! What rounds changed in the refined spec.

use crate::support::Project;

#[test]
fn the_rounds_together_make_the_refined_spec_of_the_source() {
    let project = Project::with_ended_demo();
    let patch = |file: &str, diff: &str| {
        project.write("a.diff", diff);
        project.shell(&format!("patch -s {file} a.diff")).exits(0);
    };
    if project.shell("patch --version").code != Some(0) {
        return;
    }
    let refined = project.read(".gapless/sessions/spec/spec.md");
    project.write("whole.md", &project.read("spec.md"));
    project.write("steps.md", &project.read("spec.md"));
    patch("whole.md", &project.gapless(&["diff"]).exits(0).out);
    assert_eq!(project.read("whole.md"), refined);
    for round in 0..=7 {
        let said = project.gapless(&["diff", &round.to_string()]).exits(0);
        patch("steps.md", &said.out);
    }
    assert_eq!(project.read("steps.md"), refined);
}

#[test]
fn a_round_says_what_it_changed_and_a_document_says_it_to_scripts() {
    let project = Project::with_ended_demo();
    let said = project.gapless(&["diff", "1", "--context", "0"]).exits(0);
    let head: Vec<&str> = said.out.lines().take(2).collect();
    assert_eq!(
        head,
        [
            "--- spec.md (before round 1)",
            "+++ spec.md (before round 2)"
        ]
    );
    let body: Vec<&str> = said.out.lines().skip(2).collect();
    assert!(body.iter().any(|line| line.starts_with('+')));
    assert!(!body.iter().any(|line| line.starts_with(' ')), "no context");

    let document = project.json(&["diff", "7", "--session", "spec"]);
    assert_eq!(document["session"], "spec");
    assert_eq!(document["round"], 7);
    assert_eq!(document["from"], "before round 7");
    assert_eq!(document["to"], "now");
    let lines: Vec<&str> = document["diff"].as_str().unwrap().lines().skip(2).collect();
    let count = |mark| lines.iter().filter(|line| line.starts_with(mark)).count();
    assert_eq!(document["added"], count('+'));
    assert_eq!(document["removed"], count('-'));
    let whole = project.json(&["diff"]);
    assert_eq!(
        (&whole["round"], &whole["from"], &whole["to"]),
        (&serde_json::Value::Null, &"source".into(), &"now".into())
    );

    let coloured = project
        .gapless(&["diff", "1", "--color", "always"])
        .exits(0);
    assert!(coloured.out.contains("\u{1b}[32m+"), "{}", coloured.out);
}

#[test]
fn a_round_that_changed_nothing_says_so() {
    let project = Project::with_two_gaps();
    // Nothing that the Engineer could propose: the policy skips it, asks once more and goes on; in round 2 it stops.
    project.write("recorded/round_001/engineer.md", "nothing");
    let words = [
        "run",
        "tiny.md",
        "--agents",
        "replay:recorded",
        "--policy",
        "recommended",
    ];
    project.gapless(&words).exits(3);
    let said = project.gapless(&["diff", "1"]).exits(0);
    assert_eq!(said.out, "Round 1 changed nothing in the refined spec.\n");
    let document = project.json(&["diff", "1"]);
    assert_eq!(
        (&document["added"], &document["removed"], &document["diff"]),
        (&0.into(), &0.into(), &"".into())
    );
}

#[test]
fn a_session_that_found_nothing_still_has_the_source() {
    let project = Project::new();
    project.write("tiny.md", "# A lamp\r\n\r\nIt is blue.\r\n");
    project.write("recorded/round_001/engineer.md", "nothing");
    project
        .gapless(&["run", "tiny.md", "--agents", "replay:recorded"])
        .exits(3);
    let said = project.gapless(&["diff"]).exits(0);
    assert_eq!(said.out, "The refined spec is still the source.\n");
}

#[test]
fn changed_words_are_marked_in_their_lines() {
    let project = Project::with_ended_demo();
    let plain = project.gapless(&["diff", "--words"]).exits(0).out;
    assert!(plain.starts_with("--- spec.md (source)\n+++ spec.md (now)\n@@ "));
    let lines = project.gapless(&["diff", "--lines"]).exits(0).out;
    assert_eq!(project.gapless(&["diff"]).exits(0).out, lines);
    assert_ne!(plain, lines);
    project.gapless(&["diff", "--words", "--lines"]).exits(2);
    // Where colours tell words apart, nothing else does.
    let edited = project.read("spec.md").replacen("Fernhill", "Ferndale", 1);
    project.write("spec.md", &edited);
    let words = ["apply", "--dry-run", "--color", "always"];
    let coloured = project.gapless(&words).exits(0).out;
    let marked = "\u{1b}[31m\u{1b}[9mFerndale\u{1b}[0m\u{1b}[32m\u{1b}[1mFernhill\u{1b}[0m";
    assert!(coloured.contains(marked), "{coloured:?}");
    let words = [&words[..], &["--lines"]].concat();
    let coloured = project.gapless(&words).exits(0).out;
    assert!(!coloured.contains("\u{1b}[9m"), "{coloured:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_person_sees_words_and_a_pipe_lines() {
    let project = Project::with_ended_demo();
    project.write(
        "spec.md",
        &project.read("spec.md").replacen("Fernhill", "Ferndale", 1),
    );
    let seen = |line: &str| Some(project.at_terminal(line, "")?.out);
    let Some(words) = seen("gapless apply --dry-run --no-pager") else {
        return;
    };
    assert!(words.contains("\u{1b}[9mFerndale"), "{words:?}");
    let words = seen("NO_COLOR=1 gapless apply --dry-run --no-pager").unwrap();
    assert!(words.contains("[-Ferndale-]{+Fernhill+}"), "{words:?}");
    let lines = seen("gapless apply --dry-run --lines --no-pager").unwrap();
    assert!(!lines.contains("\u{1b}[9m"), "{lines:?}");
    let piped = seen("gapless apply --dry-run 2>&1 | cat").unwrap();
    assert!(
        piped.contains("\n-# ") || piped.contains("\n-"),
        "{piped:?}"
    );
    assert!(!piped.contains('\u{1b}'), "{piped:?}");
}
