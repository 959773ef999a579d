//! The harness of bench/prompts: its specs, and its own checks where Python is there.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::docs::root;
use crate::support::Project;

/// The specs of the harness, each with what it expects.
fn specs() -> Vec<(String, Value)> {
    let folder = root().join("bench/prompts/specs");
    let names = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let expected = |name: &String| {
        let path = root().join(format!("bench/prompts/specs/{name}/expect.json"));
        serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
    };
    names
        .into_iter()
        .map(|name| (name.clone(), expected(&name)))
        .collect()
}

fn session_of(name: &str, expected: &Value) -> Project {
    let project = Project::new();
    let folder = root().join("bench/prompts/specs").join(name);
    fs::copy(folder.join("spec.md"), project.path("spec.md")).unwrap();
    for role in ["engineer", "reviewer"] {
        let document = fs::read_to_string(folder.join(format!("{role}.md"))).unwrap();
        project.write(&format!("recorded/round_001/{role}.md"), &document);
    }
    project.write(
        "answers.toml",
        "[[answer]]\nkind = \"inventory\"\noption = \"begin\"\n",
    );
    let per_round = expected["gaps_per_round"].to_string();
    let words = [
        "run",
        "spec.md",
        "--name",
        "measured",
        "--agents",
        "replay:recorded",
        "--answers",
        "answers.toml",
        "--gaps-per-round",
        &per_round,
        "--max-rounds",
        "1",
    ];
    project.gapless(&words).exits(3);
    project
}

#[test]
fn the_recorded_documents_of_every_spec_are_valid() {
    let specs = specs();
    assert!(specs.len() >= 5, "{}", specs.len());
    for (name, expected) in specs {
        let project = session_of(&name, &expected);
        let round = project
            .gapless(&["show", "1", "--session", "measured", "--json"])
            .exits(0)
            .json();
        let attempts = round["attempts"].as_array().unwrap();
        let verdicts: Vec<_> = attempts
            .iter()
            .map(|attempt| (attempt["role"].as_str(), attempt["verdict"].as_str()))
            .collect();
        let valid = ["engineer", "reviewer"].map(|role| (Some(role), Some("VALID")));
        assert_eq!(verdicts, valid, "{name}: {attempts:?}");
        let mut given: Vec<_> = attempts[0]["gaps"].as_array().unwrap().iter().collect();
        given.sort_by_key(|gap| gap.as_str());
        let gaps = expected["gaps"].as_object().unwrap();
        let mut assigned: Vec<_> = gaps
            .iter()
            .filter(|(_, what)| what["assigned"] == true)
            .map(|(gap, _)| gap.as_str())
            .collect();
        assigned.sort_unstable();
        assert_eq!(given, assigned, "{name}");
        assert!(assigned.len() < gaps.len(), "{name}: all are assigned");
    }
}

/// Python is no requirement of the tests: where it is missing, only the specs are checked.
#[test]
#[cfg(unix)]
fn the_checks_of_the_harness_hold() {
    let known = Command::new("python3")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    if !known.is_ok_and(|status| status.success()) {
        return;
    }
    let said = Command::new("python3")
        .arg("-B")
        .arg(root().join("bench/prompts/run.py"))
        .args(["--self-test", "--gapless", env!("CARGO_BIN_EXE_gapless")])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&said.stderr);
    assert!(said.status.success(), "{told}");
}
