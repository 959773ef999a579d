//! Databases of earlier versions, one for each change of what is stored: each must read as it did when it was written,
//! and must go on taking what users say.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::Project;

fn logs() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/logs");
    let mut logs: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    logs.retain(|path| path.is_dir());
    logs.sort();
    logs
}

/// What later versions add beside the keys that were there is fine.
#[track_caller]
fn says_at_least(now: &Value, then: &Value, place: &str) {
    match (now, then) {
        (Value::Object(now), Value::Object(then)) => {
            for (key, value) in then {
                let place = format!("{place}.{key}");
                says_at_least(now.get(key).unwrap_or(&Value::Null), value, &place);
            }
        }
        (Value::Array(now), Value::Array(then)) => {
            assert_eq!(now.len(), then.len(), "{place}");
            for (index, (now, then)) in now.iter().zip(then).enumerate() {
                says_at_least(now, then, &format!("{place}[{index}]"));
            }
        }
        _ => assert_eq!(now, then, "{place}"),
    }
}

/// As an earlier version left it.
fn with_log(log: &Path) -> Project {
    let project = Project::new();
    fs::create_dir(project.path(".gapless")).unwrap();
    fs::copy(log.join("gapless.db"), project.path(".gapless/gapless.db")).unwrap();
    project
}

#[test]
fn a_session_of_an_earlier_version_is_taken_up_again_after_its_end() {
    for log in logs() {
        let place = log.display();
        let project = with_log(&log);
        // What was said then was not kept as something that can be taken back.
        let said = project.gapless(&["undo"]).exits(1);
        assert!(said.err.contains("no answer or command"), "{place}");
        if project.json(&["status"])["termination"].is_null() {
            project.gapless(&["reopen"]).exits(1);
            project.gapless(&["stop", "--abandon"]).exits(0);
        }
        let before = project.json(&["status"]);
        project.gapless(&["reopen"]).exits(0);
        let after = project.json(&["status"]);
        assert_eq!(after["chapter"], 2, "{place}");
        assert_eq!(after["paused"], true, "{place}");
        project.gapless(&["undo"]).exits(0);
        let again = project.json(&["status"]);
        assert_eq!(again["chapter"], 1, "{place}");
        assert_eq!(again["gaps"], before["gaps"], "{place}");
        project
            .gapless(&["gap", "add", "LATER", "LOW", "added by a later version"])
            .exits(0);
        assert_eq!(project.json(&["status"])["chapter"], 2, "{place}");
    }
}

#[test]
fn every_log_ever_written_is_read_and_goes_on() {
    assert!(!logs().is_empty());
    for log in logs() {
        let project = with_log(&log);
        for command in ["status", "gaps", "issues", "decisions"] {
            let kept = log.join(format!("{command}.json"));
            if command == "decisions" && !kept.exists() {
                // The first logs are older than the command.
                project.json(&[command]);
                continue;
            }
            let mut then: Value = serde_json::from_slice(&fs::read(kept).unwrap()).unwrap();
            // Before it was said whether any round was judged, a session without one was called CONVERGING.
            let convergence = &mut then["convergence"];
            if convergence["state"].is_string() && convergence["judged_rounds"].is_null() {
                let now = project.json(&[command]);
                if now["convergence"]["judged_rounds"] == 0 {
                    convergence["state"] = "NOT_JUDGED".into();
                }
            }
            let place = format!("{} {command}", log.display());
            says_at_least(&project.json(&[command]), &then, &place);
        }
        let before = project.json(&["log"])["events"].as_array().unwrap().len();
        project
            .gapless(&["gap", "add", "LATER", "LOW", "added by a later version"])
            .exits(0);
        let after = project.json(&["log"])["events"].as_array().unwrap().len();
        assert!(after > before, "{}", log.display());
    }
}
