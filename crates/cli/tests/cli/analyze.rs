//! `gapless analyze` for people and scripts.

use serde_json::{Value, json};

use crate::support::Project;

const VAGUE: &str = "## Gap Resolution: GAP-TEA-001\n\n**Confidence:** LOW\n\n### Proposed Solution\n\nThe kettle boils for an appropriate time and stops properly, as needed. Various cups may be used; generally a reasonable amount of water is sufficient, as defined in the Pouring Rule. See GAP-TEA-009.\n\n### Examples\n\nTea is made.\u{1b}[31m\n";
const STATUS: &str = "| ID | Description | State |\n|---|---|---|\n| GAP-TEA-001 | boiling | OPEN |\n| GAP-TEA-002 | cups | OPEN |\n";
const CALL: [&str; 8] = [
    "analyze",
    "engineer.md",
    "--gaps",
    "GAP-TEA-001,GAP-TEA-002",
    "--status",
    "status.md",
    "--source",
    "spec.md",
];

fn project() -> Project {
    let project = Project::new();
    project.write("engineer.md", VAGUE);
    project.write("status.md", STATUS);
    project.write("spec.md", "# Tea\n\nTea is made in cups.\n");
    project
}

fn names(said: &Value) -> Vec<&str> {
    let patterns = said["patterns"].as_array().unwrap().iter();
    patterns
        .map(|found| found["pattern"].as_str().unwrap())
        .collect()
}

#[test]
fn patterns_are_found_with_their_evidence_and_exit_1() {
    let said = project()
        .gapless(&[&CALL[..], &["--json"]].concat())
        .exits(1)
        .json();
    assert_eq!(said["version"], 1);
    assert_eq!(
        names(&said),
        [
            "ABSTRACT_OUTPUT",
            "MISSING_SECTIONS",
            "NARROW_EXAMPLES",
            "INCONSISTENT_REFS",
            "DOMAIN_CONFUSION"
        ]
    );
    let first = &said["produced"][0];
    assert_eq!(
        (&first["gap"], &first["addressed"], &first["examples"]),
        (&json!("GAP-TEA-001"), &json!("PARTIAL"), &json!(1))
    );
    assert_eq!(
        first["sections"],
        json!(["solution", "examples", "confidence"])
    );
    assert_eq!(said["produced"][1]["addressed"], "NO");
    assert_eq!(said["patterns"][3]["evidence"][0]["gap"], "GAP-TEA-009");
    assert_eq!(
        said["patterns"][4]["evidence"][0]["words"],
        json!(["Pouring Rule"])
    );
    assert_eq!(said["checks"][4]["status"], "FAIL");
    assert_eq!(said["adjustments"].as_array().unwrap().len(), 5);
}

#[test]
fn the_screen_shows_tables_patterns_and_adjustments() {
    insta::assert_snapshot!("analyze", project().gapless(&CALL).exits(1).out);
}

#[test]
fn a_document_without_a_pattern_exits_0() {
    let project = Project::new();
    project.write("fine.md", "## Gap Resolution: GAP-TEA-001\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\nThe kettle stops at 100 degrees; a bimetal strip opens the circuit. It does not start again within 30 seconds.\n\n### Examples\n\n- 1 l at 20 degrees: stops after 4 minutes\n- empty: stops after 10 seconds\n\n### Trade-offs\n\n- For: no sensor is needed.\n- Against: 2 degrees of tolerance.\n");
    let said = project.gapless(&["analyze", "fine.md"]).exits(0).out;
    assert!(said.contains("no failure pattern"), "{said}");
}

#[test]
fn the_vague_words_of_gapless_toml_hold() {
    let project = project();
    project.write("gapless.toml", "vague_words = [\"cups\", \"tea is\", \"kettle\", \"water\", \"amount\"]\nvague_per_thousand = 900\n");
    let said = project
        .gapless(&["analyze", "engineer.md", "--json"])
        .exits(1)
        .json();
    assert!(!names(&said).contains(&"ABSTRACT_OUTPUT"));
    project.write(
        "gapless.toml",
        "vague_words = [\"cups\", \"tea is\", \"kettle\", \"water\", \"amount\"]\n",
    );
    let said = project
        .gapless(&["analyze", "engineer.md", "--json"])
        .exits(1)
        .json();
    let words = &said["patterns"][0]["evidence"][0]["words"];
    assert_eq!(
        *words,
        json!(["amount", "cups", "kettle", "tea is", "water"])
    );
}

#[test]
fn what_is_not_there_is_said() {
    let project = project();
    let said = project.gapless(&["analyze", "nowhere.md"]).exits(2).err;
    assert!(said.contains("there is no document at"), "{said}");
    let said = project
        .gapless(&["analyze", "engineer.md", "--source", "nowhere.md"])
        .exits(2)
        .err;
    assert!(said.contains("nowhere.md"), "{said}");
    let said = project
        .gapless(&["analyze", "engineer.md", "--gaps", "TEA-1"])
        .exits(2)
        .err;
    assert!(said.contains("TEA-1"), "{said}");
}
