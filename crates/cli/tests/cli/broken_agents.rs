//! Agents that bring nothing round after round, or that hang behind what they wrote, in a run that nobody watches.

#![cfg(unix)]

use std::fs;

use crate::support::{Project, RECORDED, Said};

/// Counts its calls in a file and goes on with `then`, which finds the role in `$GAPLESS_ROLE` and the prompt in `$prompt`.
fn counting(project: &Project, then: &str) -> String {
    let calls = project.path("calls");
    let functions = r####"
propose() {
  printf '## Gap Resolution: %s\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n' "$1"
  printf 'It is fixed at forty-two units, measured as the norm says, with a tolerance of one unit either way. '
  printf 'Every lamp that leaves the works is measured, and one outside the tolerance is not sold.\n\n'
  printf '### Examples\n\nForty-one passes, forty does not.\n\n### Trade-offs\n\nNone.\n\n### New Gaps Introduced\n\nNone\n\n'
}
well() {
  case "$GAPLESS_ROLE" in
    engineer) for gap in GAP-COL-001 GAP-HGT-001; do
      case "$prompt" in *"### $gap ["*) propose $gap ;; esac
    done ;;
    reviewer) for gap in GAP-COL-001 GAP-HGT-001; do
      case "$prompt" in *"### $gap"*) printf '## Review: %s\n\n**NO_ISSUES_FOUND**\n\nExamined:\n\n- the value\n\n' $gap ;; esac
    done ;;
    *) cat RECORDED/round_007/final_review.md ;;
  esac
}
"####;
    let functions = functions.replace("RECORDED", RECORDED);
    project.agent(&format!(
        "echo \"$GAPLESS_ROLE\" >> '{}'\nprompt=$(cat)\n{functions}\n{then}\n",
        calls.display()
    ))
}

fn calls(project: &Project, role: &str) -> usize {
    let calls = fs::read_to_string(project.path("calls")).unwrap_or_default();
    calls.lines().filter(|line| *line == role).count()
}

fn run(project: &Project, agent: &str) -> Said {
    project.gapless(&[
        "run",
        "tiny.md",
        "--agents",
        agent,
        "--analyst",
        "none",
        "--policy",
        "recommended",
    ])
}

/// The command that answers with an option, as it was printed.
#[track_caller]
fn command(said: &Said, option: &str) -> String {
    let mut lines = said.out.lines().map(str::trim);
    let wanted = format!("--option {option}");
    let line = lines.find(|line| line.starts_with("gapless answer") && line.contains(&wanted));
    line.unwrap_or_else(|| panic!("no {option} in {}", said.out))
        .to_owned()
}

#[test]
fn garbage_in_every_attempt_stops_a_policy_in_the_second_round() {
    let project = Project::with_two_gaps();
    let agent = counting(&project, "echo 'I could not find anything to do.'");
    let said = run(&project, &agent).exits(3);
    assert_eq!(calls(&project, "engineer"), 9);
    assert!(
        said.out.contains("Is the Engineer's agent broken?")
            && said
                .out
                .contains("6 attempts in round 1, 3 attempts in round 2"),
        "{}",
        said.out
    );
    assert!(!said.out.contains("CONVERGING"), "{}", said.out);
    let status = project.json(&["status"]);
    assert_eq!(status["convergence"]["state"], "NOT_JUDGED");
    assert_eq!(status["convergence"]["judged_rounds"], 0);
    assert_eq!(status["history"][0]["state"], "NOT_JUDGED");
    assert_eq!(status["history"][0]["judged"], false);
    assert_eq!(status["waiting_for"][0]["kind"], "broken_agent");
    let shown = project.gapless(&["status"]).exits(0).out;
    assert!(
        shown.contains("not judged: nothing was reviewed") && !shown.contains("CONVERGING"),
        "{shown}"
    );

    // Taken up again as it is, it asks again and calls nobody.
    project
        .gapless(&["resume", "--policy", "recommended"])
        .exits(3);
    assert_eq!(calls(&project, "engineer"), 9);

    counting(&project, "well");
    project.shell(&command(&said, "again")).exits(0);
    let ended = project
        .gapless(&["resume", "--policy", "recommended"])
        .exits(0);
    assert!(ended.out.contains("COMPLETE"), "{}", ended.out);
    assert_eq!(calls(&project, "engineer"), 10);
    let status = project.json(&["status"]);
    assert_eq!(status["convergence"]["state"], "CONVERGING");
    assert_eq!(status["convergence"]["judged_rounds"], 1);
}

#[test]
fn an_agent_that_cannot_run_stops_a_policy_with_its_question() {
    let project = Project::with_two_gaps();
    let agent = counting(&project, "exec false");
    let said = run(&project, &agent).exits(3);
    assert_eq!(calls(&project, "engineer"), 3);
    assert!(
        said.out.contains("The Engineer's agent cannot run"),
        "{}",
        said.out
    );
    counting(&project, "well");
    project.shell(&command(&said, "again")).exits(0);
    project
        .gapless(&["resume", "--policy", "recommended"])
        .exits(0);
    assert_eq!(calls(&project, "engineer"), 4);
}

#[test]
fn false_as_an_agent_is_replaced_by_another_one() {
    let project = Project::with_two_gaps();
    let agent = counting(&project, "well");
    let words = [
        "run",
        "tiny.md",
        "--engineer",
        "cmd:false",
        "--reviewer",
        &agent,
    ];
    let said = project
        .gapless(
            &[
                &words[..],
                &["--analyst", "none", "--policy", "recommended"],
            ]
            .concat(),
        )
        .exits(3);
    let line = command(&said, "another");
    let (line, _) = line.split_once("--field").unwrap();
    project
        .shell(&format!("{line} --field agent='{agent}'"))
        .exits(0);
    project
        .gapless(&["resume", "--policy", "recommended"])
        .exits(0);
    assert_eq!(calls(&project, "engineer"), 1);
}

#[test]
fn what_an_agent_wrote_before_it_hung_is_read_if_it_is_whole() {
    let project = Project::with_two_gaps();
    project.write("gapless.toml", "idle_timeout_seconds = 1\n");
    let hangs = "case \"$GAPLESS_ROLE\" in\n  engineer) well > \"$GAPLESS_OUTPUT\"; exec sleep 60 ;;\n  \
                 reviewer) well; exec sleep 60 ;;\n  *) well ;;\nesac";
    let agent = counting(&project, hangs);
    run(&project, &agent).exits(0);
    for role in ["engineer", "reviewer", "final_review"] {
        assert_eq!(calls(&project, role), 1, "{role}");
    }
    let summary = project.read(".gapless/sessions/tiny/round_001/summary.md");
    for role in ["Engineer", "Reviewer"] {
        let warning = format!("- TIMED_OUT_DOCUMENT ({role}): ");
        assert!(summary.contains(&warning), "{summary}");
    }
}

#[test]
fn what_an_agent_was_writing_when_it_hung_is_kept_and_shown() {
    let project = Project::with_two_gaps();
    project.write("gapless.toml", "idle_timeout_seconds = 1\n");
    let torn = "printf '## Gap Resolution: GAP-COL-001\\n\\n### Proposed Solution\\n\\nIt is blue, and the'";
    let hangs_once = format!(
        "if [ \"$GAPLESS_ROLE\" = engineer ] && [ $(grep -c engineer '{}') = 1 ]; then {torn}; exec sleep 60; fi\nwell",
        project.path("calls").display()
    );
    let agent = counting(&project, &hangs_once);
    run(&project, &agent).exits(0);
    assert_eq!(calls(&project, "engineer"), 2);
    let kept = project.read(".gapless/sessions/tiny/round_001/attempts/engineer-1.md");
    assert!(kept.ends_with("It is blue, and the"), "{kept}");
    let shown = project.gapless(&["show", "1", "--attempt", "engineer-1"]);
    let shown = shown.exits(0).out;
    assert!(
        shown.contains("EXECUTION_ERROR")
            && shown.contains("it ends inside a sentence")
            && shown.contains("It is blue, and the"),
        "{shown}"
    );
}

#[test]
fn a_recorded_folder_with_reassigned_gaps_is_replayed_to_the_same_session() {
    let project = Project::with_two_gaps();
    project.write("gapless.toml", "gaps_per_round = 1\n");
    let answers =
        "[[answer]]\nkind = \"escalation\"\noption = \"reassign\"\nfields.gaps = \"GAP-HGT-001\"\n";
    project.write("answers.toml", answers);
    // The colour only comes in the second round.
    let agent = counting(
        &project,
        "case \"$GAPLESS_ROLE $GAPLESS_ROUND $prompt\" in\n  \"engineer 1\"*\"### GAP-COL-001 [\"*) echo nonsense ;;\n  *) well ;;\nesac",
    );
    let play = |agent: &str, name: &str| {
        let words = [
            "run",
            "tiny.md",
            "--agents",
            agent,
            "--analyst",
            "none",
            "--answers",
            "answers.toml",
            "--policy",
            "recommended",
            "--name",
            name,
        ];
        project.gapless(&words).exits(0);
    };
    play(&agent, "first");
    let summary = project.read(".gapless/sessions/first/round_001/summary.md");
    assert!(
        summary.contains("WRONG_FORMAT (reassigned to GAP-HGT-001)")
            && !summary.contains("passed on retry"),
        "{summary}"
    );
    let shown = project.gapless(&["show", "1", "--session", "first"]);
    let shown = shown.exits(0).out;
    assert!(shown.contains("reassigned to GAP-HGT-001"), "{shown}");

    play("replay:.gapless/sessions/first", "second");
    let of = |name: &str, file: &str| project.read(&format!(".gapless/sessions/{name}/{file}"));
    for file in [
        "spec.md",
        "round_001/engineer.md",
        "round_001/reviewer.md",
        "round_001/attempts/engineer-3.md",
        "round_002/engineer.md",
    ] {
        assert_eq!(of("second", file), of("first", file), "{file}");
    }
}

#[test]
fn a_document_that_was_cut_at_the_limit_is_asked_for_again_and_never_used() {
    let project = Project::with_two_gaps();
    project.write(
        "gapless.toml",
        "output_limit_bytes = 4000\ngaps_per_round = 1\n",
    );
    let prompts = project.path("retries");
    // All that the proposal and the review need comes first: without its end, the only section looks whole.
    let agent = counting(
        &project,
        &format!(
            "case \"$GAPLESS_ROLE $prompt\" in\n  engineer\\ \\#\\ Attempt*|reviewer\\ \\#\\ Attempt*) \
             printf '%s\\n' \"$prompt\" >> '{}'; well ;;\n  \
             engineer*|reviewer*) well | sed 's/forty-two/forty-seven/'; printf '%04000d\\n' 7 ;;\n  *) well ;;\nesac",
            prompts.display()
        ),
    );
    let ended = run(&project, &agent).exits(0);
    assert!(ended.out.contains("COMPLETE"), "{}", ended.out);
    assert_eq!(
        (calls(&project, "engineer"), calls(&project, "reviewer")),
        (4, 4)
    );
    let retries = project.read("retries");
    let told = "(WRONG_FORMAT): the document was cut after 4000 bytes, and its end is missing";
    assert_eq!(retries.matches(told).count(), 4, "{retries}");
    assert!(retries.contains("Write the whole document again, much shorter"));

    let refined = project.read(".gapless/sessions/tiny/spec.md");
    assert!(
        refined.contains("forty-two") && !refined.contains("forty-seven"),
        "{refined}"
    );
    // It is kept for the user to see.
    let shown = project.gapless(&["show", "1", "--attempt", "engineer-1"]);
    let shown = shown.exits(0).out;
    assert!(
        shown.contains("forty-seven") && shown.contains("OUTPUT_TRUNCATED"),
        "{shown}"
    );
}

#[test]
fn an_agent_that_never_stays_within_the_limit_adds_nothing_to_the_spec() {
    let project = Project::with_two_gaps();
    project.write(
        "gapless.toml",
        "output_limit_bytes = 4000\ngaps_per_round = 1\n",
    );
    let agent = counting(
        &project,
        "case \"$GAPLESS_ROLE\" in engineer) well; printf '%04000d\\n' 7 ;; *) well ;; esac",
    );
    let said = run(&project, &agent).exits(3);
    assert!(
        said.out.contains("Is the Engineer's agent broken?"),
        "{}",
        said.out
    );
    let gaps = project.json(&["gaps"]);
    let gaps = gaps["items"].as_array().unwrap();
    assert_eq!(gaps.len(), 2);
    assert!(
        gaps.iter().all(|gap| gap["state"] != "RESOLVED"),
        "{gaps:?}"
    );
}
