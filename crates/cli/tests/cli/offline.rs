//! Whole sessions without a model: from discovery over several rounds to a stop and a refined spec.

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
    assert!(status["round"].as_u64() >= Some(2), "{status}");
    assert_eq!(status["termination"]["by_rules"], true);
    let folder = ".gapless/sessions/parcel-tracking";
    assert!(
        project
            .read(&format!("{folder}/status.md"))
            .contains(by_rules)
    );
    let trace = project.read(&format!("{folder}/trace.json"));
    assert!(trace.contains("\"reviewed\": \"by rules: "), "{trace}");
    project.gapless(&["report", "--format", "md"]).exits(0);
    let report = project.read(&format!("{folder}/report.md"));
    assert!(
        report.contains("by rules: no model or person has read it"),
        "{report}"
    );
    for view in [
        &[][..],
        &["status"],
        &["gaps"],
        &["stats"],
        &["log"],
        &["export"],
        &["spec"],
        &["spec", "--marks"],
        &["diff"],
        &["apply", "--dry-run"],
    ] {
        let shown = project.gapless(view).exits(0);
        let all = format!("{}{}", shown.out, shown.err);
        assert!(all.contains(by_rules), "{view:?}\n{all}");
    }
    let sessions = project.json(&[]);
    assert_eq!(sessions["sessions"][0]["by_rules"], true, "{sessions}");
    let stats = project.json(&["stats"]);
    assert_eq!(stats["ends"][0]["by_rules"], 1, "{stats}");
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
        "must load within 2 s",
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
    // The spec is there as far as it goes, with what is open at its end.
    let so_far = project.read("mail.refined.md");
    assert!(so_far.starts_with(GRAVE.trim_end()), "{so_far}");
    assert!(so_far.contains("## Known limitations"), "{so_far}");
    let of_state = |state: &str| -> Vec<String> {
        let gaps = project.json(&["gaps"]);
        let items = gaps["items"].as_array().unwrap();
        let items = items.iter().filter(|gap| gap["state"] == state);
        items
            .map(|gap| {
                format!(
                    "{} {}",
                    gap["severity"].as_str().unwrap(),
                    gap["id"].as_str().unwrap()
                )
            })
            .collect()
    };
    assert_eq!(of_state("BLOCKED_EXTERNAL"), ["HIGH GAP-FAIL-001"]);
    let deferred = of_state("USER_DEFERRED");
    assert!(
        deferred.contains(&"MEDIUM GAP-PRIV-001".to_owned())
            && deferred.iter().all(|gap| gap.starts_with("MEDIUM")),
        "{deferred:?}"
    );
    let failure = "A mail that fails is sent again once an hour, at most 24 times. Then the customer gets none.";
    project
        .gapless(&["gap", "input", "GAP-FAIL-001", failure])
        .exits(0);
    let said = project
        .gapless(&["resume", "--policy", "recommended"])
        .exits(0);
    let end = "GOOD_ENOUGH by rules: no model or person has read it";
    assert!(said.out.contains(end), "{}", said.out);
    let spec = project.read("mail.refined.md");
    let in_place = format!(
        "The service sends a mail to the customer. {failure} Phone numbers of customers are stored. Mails"
    );
    assert!(spec.contains(&in_place), "{spec}");
    // What nobody answered is put off, and the spec says why.
    let put_off = spec
        .lines()
        .find(|line| line.starts_with("- \"Phone numbers"));
    assert!(
        put_off.is_some_and(|line| line.ends_with("Deferred: nobody was there to answer.")),
        "{spec}"
    );
    assert!(!project.path("mail.refined.md.bak").exists());
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
