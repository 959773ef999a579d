//! `gapless scan` for people, scripts and code hosts.

use serde_json::json;

use crate::support::Project;

const SPEC: &str = "# Orders\n\n## Payment\n\nThe service calls the bank and waits a reasonable time.\n\n\
    ## Limits\n\nThe page size is TBD.\n\n## Names\n\nEach order has a name of 1 to 80 characters, and its customer sees it.\n";

fn with_spec() -> Project {
    let project = Project::new();
    project.write("spec.md", SPEC);
    project
}

#[test]
fn people_see_the_place_the_reason_and_what_to_do() {
    let said = with_spec().gapless(&["scan", "spec.md"]).exits(1);
    insta::assert_snapshot!(said.out);
}

#[test]
fn scripts_get_every_finding_with_its_place_and_the_same_twice() {
    let project = with_spec();
    let said = project.gapless(&["scan", "spec.md", "--json"]).exits(1);
    let document = said.json();
    let found: Vec<_> = document["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| {
            (
                f["rule"].as_str().unwrap(),
                f["severity"].as_str().unwrap(),
                f["line"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("failure-path", "HIGH", 5),
            ("vague-quantity", "MEDIUM", 5),
            ("placeholder", "HIGH", 9)
        ]
    );
    let first = &document["findings"][0];
    assert_eq!(
        (
            &first["file"],
            &first["column"],
            &first["topic"],
            &first["category"]
        ),
        (
            &json!("spec.md"),
            &json!(13),
            &json!("timeout"),
            &json!("FAIL")
        )
    );
    assert_eq!(first["section"], json!(["Orders", "Payment"]));
    for key in ["id", "message", "suggestion", "excerpt", "silence"] {
        assert!(!first[key].as_str().unwrap().is_empty(), "{key}");
    }
    let again = project
        .gapless(&["scan", "spec.md", "--format", "json"])
        .exits(1);
    assert_eq!(said.out, again.out);
}

#[test]
fn sarif_has_what_a_code_host_needs() {
    let said = with_spec()
        .gapless(&["scan", "spec.md", "--format", "sarif"])
        .exits(1);
    let sarif: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert!(region["startLine"].as_u64() <= region["endLine"].as_u64());
        assert!(result["partialFingerprints"]["gapless/v1"].is_string());
    }
    let place = &results[2]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "spec.md");
    assert_eq!(
        place["region"],
        json!({ "startLine": 9, "startColumn": 18, "endLine": 9, "endColumn": 21, "snippet": { "text": "TBD" } })
    );
}

#[test]
fn the_chosen_severity_decides_the_exit_code() {
    let project = Project::new();
    project.write(
        "vague.md",
        "# Spec\n\n## Waiting\n\nThe client waits a reasonable time before it closes the connection.\n",
    );
    project.gapless(&["scan", "vague.md"]).exits(0);
    project
        .gapless(&["scan", "vague.md", "--fail-on", "medium"])
        .exits(1);
    project.write("gapless.toml", "[scan]\nfail_on = \"low\"\n");
    project.gapless(&["scan", "vague.md"]).exits(1);
    project
        .gapless(&["scan", "vague.md", "--fail-on", "never"])
        .exits(0);
    project.write(
        "gapless.toml",
        "[scan.rules]\nvague-quantity = \"critical\"\n",
    );
    project
        .gapless(&["scan", "vague.md", "--fail-on", "critical"])
        .exits(1);
    project.write("gapless.toml", "[scan.rules]\nvague-quantity = \"off\"\n");
    let said = project
        .gapless(&["scan", "vague.md", "--fail-on", "low"])
        .exits(0);
    assert_eq!(said.out, "nothing found in 1 spec\n");
}

#[test]
fn folders_and_globs_are_read_in_order_of_names() {
    let project = Project::new();
    for name in [
        "specs/b.md",
        "specs/a.md",
        "specs/deep/c.markdown",
        "specs/.hidden/d.md",
        "specs/notes.txt",
    ] {
        project.write(name, "# Spec\n\n## Limits\n\nTBD\n");
    }
    let files = |words: &[&str]| -> Vec<String> {
        let words: Vec<&str> = [&["scan"], words, &["--json"]].concat();
        let document = project.gapless(&words).exits(1).json();
        let files = document["files"].as_array().unwrap().iter();
        files
            .map(|file| file["file"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        files(&["specs"]),
        ["specs/a.md", "specs/b.md", "specs/deep/c.markdown"]
    );
    assert_eq!(
        files(&["specs/b.md", "specs/a.md", "specs/b.md"]),
        ["specs/a.md", "specs/b.md"]
    );
    assert_eq!(files(&["specs/*.md"]), ["specs/a.md", "specs/b.md"]);
    assert_eq!(files(&["specs/**/*.markdown"]), ["specs/deep/c.markdown"]);
    let none = project.gapless(&["scan", "specs/*.rst"]).exits(2);
    assert!(
        none.err
            .contains("no markdown file was found for specs/*.rst"),
        "{}",
        none.err
    );
    let missing = project.gapless(&["scan", "nowhere.md"]).exits(2);
    assert!(
        missing.err.contains("there is no spec at"),
        "{}",
        missing.err
    );
}

#[test]
fn links_to_files_that_are_not_there_are_found() {
    let project = Project::new();
    project.write(
        "a.md",
        "# Spec\n\nSee [the contract](b.md) and [the annex](c.md#part) of the contract.\n",
    );
    project.write(
        "b.md",
        "# Contract\n\nBoth sides sign it on paper within 5 days.\n",
    );
    let document = project.gapless(&["scan", "a.md", "--json"]).exits(0).json();
    assert_eq!(
        document["findings"][0]["message"],
        "\"See [the contract](b.md) and [the annex](c.md#part) of the contract\": the spec refers to `c.md`, but there is no such file: \
         what should be read there?"
    );
    assert_eq!(document["findings"].as_array().unwrap().len(), 1);
}

#[test]
fn rules_are_listed_and_unknown_ones_refused_with_the_nearest() {
    let project = Project::new();
    let listed = project.json(&["scan", "--rules"]);
    assert!(listed["rules"].as_array().unwrap().len() > 20);
    let human = project.gapless(&["scan", "--rules"]).exits(0);
    assert!(human.out.contains("vague-quantity"), "{}", human.out);
    project.write("spec.md", SPEC);
    project.write("gapless.toml", "[scan.rules]\nplaceholders = \"off\"\n");
    let said = project.gapless(&["scan", "spec.md"]).exits(2);
    assert!(
        said.err.contains("there is no rule `placeholders`")
            && said.err.contains("did you mean `placeholder`?"),
        "{}",
        said.err
    );
}
