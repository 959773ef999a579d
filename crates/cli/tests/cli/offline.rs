//! Whole sessions without a model: from discovery over several rounds to a stop and a refined spec.

use serde_json::Value;

use crate::support::Project;

const EXAMPLE: &str = include_str!("../../../../examples/parcel-tracking.md");

/// It names personal data and a call that may fail, which only a person may settle, and a list that only its writer knows.
const GRAVE: &str = "# Reminders\n\n## Mail\n\nThe service sends a mail to the customer. Phone numbers of customers are stored. \
                     Mails are sent in English, German, etc.\n\n## Clean-up\n\nOld mails are removed after some time.\n";

fn offline<'a>(words: &[&'a str]) -> Vec<&'a str> {
    [words, &["--agents", "offline", "--policy", "recommended"]].concat()
}

#[test]
fn the_example_of_the_readme_is_refined_without_a_model() {
    let project = Project::new();
    project.write("parcel-tracking.md", EXAMPLE);
    let said = project
        .gapless(&offline(&["run", "parcel-tracking.md"]))
        .exits(0);
    let by_rules = "COMPLETE by rules: no model or person has read it";
    assert!(said.out.contains(by_rules), "{}", said.out);
    let status = project.json(&["status"]);
    assert!(status["round"].as_u64() >= Some(3), "{status}");
    assert_eq!(status["termination"]["by_rules"], true);
    let folder = ".gapless/sessions/parcel-tracking";
    assert!(
        project
            .read(&format!("{folder}/status.md"))
            .contains(by_rules)
    );
    let trace = project.read(&format!("{folder}/trace.json"));
    assert!(trace.contains("\"reviewed\": \"by rules: "), "{trace}");
    let report = project
        .gapless(&["report", "--format", "markdown"])
        .exits(0);
    assert!(report.out.contains("by rules"), "{}", report.out);
    // Sentences and cells change in place: no line comes in, and no heading.
    let spec = project.read("parcel-tracking.refined.md");
    assert_eq!(spec, project.read(&format!("{folder}/spec.md")));
    let headings = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.starts_with('#'));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(headings(&spec), headings(EXAMPLE));
    for said in [
        "a timeout of 10 s",
        "retries up to 3 times",
        "are cached for 5 minutes",
        "after 90 days",
    ] {
        assert!(spec.contains(said), "{said}\n{spec}");
    }
    project
        .gapless(&["scan", "parcel-tracking.refined.md"])
        .exits(0);
    let gaps = project.json(&["gaps"]);
    let gaps = gaps["items"].as_array().unwrap();
    // Every default was confirmed by somebody, and the record says by whom.
    let decisions = project.read(".gapless/sessions/parcel-tracking/decisions.md");
    assert_eq!(
        decisions.matches("**Kind:** confirmation").count(),
        gaps.len()
    );
    assert_eq!(
        decisions.matches("**Decided By:** policy").count(),
        gaps.len()
    );
}

#[test]
fn a_policy_leaves_what_is_grave_to_a_person_who_then_ends_it() {
    let project = Project::new();
    project.write("mail.md", GRAVE);
    let said = project.gapless(&offline(&["run", "mail.md"])).exits(3);
    assert!(said.out.contains("So far: "), "{}", said.out);
    let waiting = |project: &Project| -> Vec<Value> {
        let questions = project.json(&["questions"]);
        questions["items"].as_array().unwrap().clone()
    };
    let before = waiting(&project);
    let defaults = before
        .iter()
        .filter(|question| question["kind"] == "defaults");
    assert!(
        defaults
            .clone()
            .all(|question| question["severity"] == "HIGH")
    );
    assert!(defaults.count() >= 2);
    // The list that only its writer knows waits for input.
    let gaps = project.json(&["gaps"]);
    let blocked: Vec<&str> = gaps["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|gap| gap["state"] == "BLOCKED_EXTERNAL")
        .map(|gap| gap["id"].as_str().unwrap())
        .collect();
    let [list] = blocked[..] else {
        panic!("{blocked:?}")
    };
    project
        .gapless(&[
            "gap",
            "input",
            list,
            "The languages are English and German.",
        ])
        .exits(0);
    for question in before {
        if question["kind"] == "defaults" {
            let id = question["id"].as_str().unwrap();
            project
                .gapless(&["answer", "mail", id, "--option", "confirm"])
                .exits(0);
        }
    }
    let said = project
        .gapless(&["resume", "--policy", "recommended"])
        .exits(0);
    assert!(said.out.contains("COMPLETE"), "{}", said.out);
    let spec = project.read(".gapless/sessions/mail/spec.md");
    assert!(spec.contains("The languages are English and German."));
}

#[test]
fn what_the_scan_finds_can_be_left_out() {
    let project = Project::new();
    project.write("mail.md", GRAVE);
    let words = [
        "run",
        "mail.md",
        "--agents",
        "offline",
        "--scan-from",
        "high",
    ];
    project.gapless(&words).exits(3);
    let gaps = project.json(&["gaps"]);
    let items = gaps["items"].as_array().unwrap();
    assert!(!items.is_empty() && items.iter().all(|gap| gap["severity"] == "HIGH"));
    let none = ["run", "mail.md", "--agents", "offline", "--name", "none"];
    project
        .gapless(&[&none[..], &["--scan-from", "never"]].concat())
        .exits(3);
    let gaps = project.json(&["gaps", "none"]);
    assert_eq!(gaps["items"].as_array().unwrap().len(), 0);
    project.write("gapless.toml", "[scan]\ndiscover = \"low\"\n");
    project
        .gapless(&["run", "mail.md", "--agents", "offline", "--name", "all"])
        .exits(3);
    let gaps = project.json(&["gaps", "all"]);
    assert!(gaps["items"].as_array().unwrap().len() > items.len());
}

/// Quadratic work on the findings would take minutes here.
#[test]
fn a_session_starts_on_a_spec_of_very_many_headings() {
    let project = Project::new();
    let headings: String = (1..=25_000)
        .map(|number| format!("Heading {number}\n=======\n\n"))
        .collect();
    project.write("long.md", &headings);
    let words = ["run", "long.md", "--agents", "offline", "--json"];
    let said = project.gapless(&words).exits(3);
    assert!(said.err.contains("25000 gaps were found"), "{}", said.err);
}
