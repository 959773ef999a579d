//! Sessions in which a person writes the documents, with no terminal to open an editor at.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::support::{Project, RECORDED, until};

const DRAFTS: &str = ".gapless/sessions/tiny/drafts";

/// The draft of a role, once it is laid out.
fn draft(project: &Project, name: &str) -> PathBuf {
    let path = project.path(&format!("{DRAFTS}/{name}.draft.md"));
    until(name, || {
        fs::read_to_string(&path).is_ok_and(|text| text.contains("Now write"))
    });
    path
}

/// Fills the form of a draft in, and says that it is finished.
fn fill_in(project: &Project, name: &str, change: impl Fn(String) -> String) {
    let path = draft(project, name);
    let text = change(fs::read_to_string(&path).unwrap());
    fs::write(&path, text).unwrap();
    fs::rename(&path, project.path(&format!("{DRAFTS}/{name}.md"))).unwrap();
}

fn proposal(form: String) -> String {
    form.replace("<!-- HIGH, MEDIUM or LOW -->", "HIGH")
        .replace(
            "### Examples\n",
            "It is forty-two units, give or take one.\n\n### Examples\n",
        )
}

fn approval(form: String) -> String {
    // The forms of both gaps, up to what is asked.
    let (forms, asked) = form.split_once(">8").unwrap();
    let mut forms = forms.replace("### Critical Issues\n\n### High Priority\n\n### Medium Priority\n\n### Low Priority / Nits\n", "**NO_ISSUES_FOUND**\n\nExamined:\n\n- the value\n");
    forms.push_str(">8");
    forms + asked
}

#[test]
fn a_person_writes_every_document_in_the_strict_form() {
    let project = Project::with_two_gaps();
    project.write(
        "gapless.toml",
        "validation = \"strict\"\nidle_timeout_seconds = 1\n",
    );
    let words = [
        "run",
        "tiny.md",
        "--agents",
        "human",
        "--analyst",
        "none",
        "--policy",
        "recommended",
    ];
    let running = project.start(&words);
    // Left as it was, so asked for again.
    fill_in(&project, "round_001/engineer-1", |form| form);
    fill_in(&project, "round_001/engineer-2", proposal);
    fill_in(&project, "round_001/reviewer-1", approval);
    fill_in(&project, "round_001/final_review-1", |form| {
        form.replace(
            "<!-- READY_FOR_TERMINATION or NOT_READY -->",
            "READY_FOR_TERMINATION",
        )
        .replace(
            "### Completeness\n",
            "### Completeness\n\n- [x] both values\n",
        )
    });
    let said = running.wait().exits(0);
    assert!(
        said.out
            .contains("Your turn as the Engineer of round 1\n  Write in "),
        "{}",
        said.out
    );
    let show = project.json(&["show", "1"]);
    let verdicts: Vec<&str> = show["attempts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|attempt| attempt["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, ["FILE_MISSING", "VALID", "VALID", "VALID"]);
    assert_eq!(show["attempts"][1]["agent"], "human");
    let engineer = project.read(".gapless/sessions/tiny/round_001/engineer.md");
    assert!(engineer.contains("## Gap Resolution: GAP-COL-001\n\n**Confidence:** HIGH\n"));
    assert!(!engineer.contains("You write as"), "{engineer}");
}

#[test]
fn the_printed_command_finishes_a_draft_also_after_the_run_was_ended() {
    let project = Project::with_two_gaps();
    let agent = project.agent(&format!(
        "cat > /dev/null; cat {RECORDED}/round_007/final_review.md"
    ));
    let words = [
        "run",
        "tiny.md",
        "--engineer",
        "human",
        "--reviewer",
        &agent,
        "--analyst",
        "none",
        "--policy",
        "recommended",
    ];
    let running = project.start(&words);
    let path = draft(&project, "round_001/engineer-1");
    running.signal("INT");
    let said = running.wait().exits(130);
    let (_, command) = said.out.split_once("When it is finished: ").unwrap();
    let command = command.lines().next().unwrap();
    let form = fs::read_to_string(&path).unwrap();
    fs::write(&path, proposal(form)).unwrap();
    assert!(
        Command::new("sh")
            .args(["-c", command])
            .status()
            .unwrap()
            .success()
    );
    // Written while nothing ran, and taken when it goes on.
    let said = project.gapless(&[
        "resume",
        "--policy",
        "recommended",
        "--set",
        "max_retries=0",
    ]);
    assert!(!said.out.contains("Your turn"), "{}", said.out);
    let show = project.json(&["show", "1", "engineer"]);
    assert!(
        show["text"]
            .as_str()
            .unwrap()
            .contains("It is forty-two units")
    );
}

#[test]
fn a_person_can_be_named_wherever_an_agent_is() {
    let project = Project::with_two_gaps();
    project.write(
        "gapless.toml",
        "[agents]\nengineer = \"human\"\nreviewer = \"human\"\nanalyst = \"none\"\n",
    );
    project.gapless(&["run", "tiny.md"]).exits(3);
    let agents = &project.json(&["status"])["agents"];
    assert_eq!(
        (&agents["engineer"], &agents["reviewer"]),
        (&"human".into(), &"human".into())
    );
    let said = project
        .gapless(&["run", "tiny.md", "--name", "b", "--agents", "humann"])
        .exits(2);
    assert!(said.err.contains("did you mean `human`?"), "{}", said.err);
}
