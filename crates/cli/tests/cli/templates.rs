//! Specs begun from a template.

use crate::support::Project;

const NAMES: [&str; 6] = ["api", "service", "cli", "ui", "library", "data"];

#[test]
fn a_template_is_written_and_its_sections_are_found_empty() {
    for name in NAMES {
        let project = Project::new();
        let made = project.json(&["init", "--template", name]);
        assert_eq!(made["template"], name);
        assert!(made["spec"].as_str().unwrap().ends_with("spec.md"));
        assert_eq!(made["made"].as_array().unwrap().len(), 3);
        let said = project.gapless(&["scan", "spec.md", "--json"]).exits(1);
        let findings = said.json()["findings"].as_array().unwrap().clone();
        assert!(findings.len() >= 14, "{name}");
        assert!(
            findings
                .iter()
                .all(|finding| finding["rule"] == "empty-section"),
            "{name}"
        );
    }
}

#[test]
fn a_template_never_overwrites_and_can_go_elsewhere() {
    let project = Project::new();
    project.write("spec.md", "# Mine\n");
    let said = project.gapless(&["init", "--template", "api"]).exits(2);
    assert!(
        said.err.contains("spec.md is there already")
            && said.err.contains("--template api new-spec.md"),
        "{}",
        said.err
    );
    assert_eq!(project.read("spec.md"), "# Mine\n");
    assert!(!project.path("gapless.toml").exists());
    std::fs::create_dir(project.path("specs")).unwrap();
    let said = project
        .gapless(&["init", "specs/orders.md", "--template", "api"])
        .exits(0);
    assert!(said.out.contains("gapless scan"), "{}", said.out);
    assert!(
        project
            .read("specs/orders.md")
            .starts_with("# Name of the API\n")
    );
    assert!(project.path("gapless.toml").exists());
    let said = project
        .gapless(&["init", "nowhere/orders.md", "--template", "ui"])
        .exits(2);
    assert!(said.err.contains("can't be made"), "{}", said.err);
}

#[test]
fn an_unknown_template_is_answered_with_the_six() {
    let project = Project::new();
    let said = project.gapless(&["init", "--template", "servce"]).exits(2);
    for name in NAMES {
        assert!(said.err.contains(name), "{}", said.err);
    }
    let said = project.gapless(&["init", "spec.md"]).exits(2);
    assert!(said.err.contains("--template"), "{}", said.err);
    assert!(!project.path("spec.md").exists() && !project.path("gapless.toml").exists());
}
