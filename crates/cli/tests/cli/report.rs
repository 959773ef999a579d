//! `gapless report`: where it is written, what it says in JSON, and that every log has one.

use std::fs;

use crate::support::Project;

#[test]
fn a_report_stands_in_the_session_folder_and_is_renewed_there() {
    let project = Project::with_ended_demo();
    let said = project.gapless(&["report"]).exits(0);
    let name = project.json(&["status"])["session"]
        .as_str()
        .unwrap()
        .to_owned();
    let file = format!(".gapless/sessions/{name}/report.html");
    assert_eq!(
        project.filtered(&said.out),
        format!("Report: [folder]/{file}\n")
    );
    let page = project.read(&file);
    assert!(page.starts_with("<!DOCTYPE html>"), "{page:.80}");
    assert!(page.contains("COMPLETE"));
    project.gapless(&["report", &name]).exits(0);
    let folder = project.path(&format!(".gapless/sessions/{name}"));
    let reports = fs::read_dir(folder).unwrap().filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().starts_with("report")
    });
    assert_eq!(reports.count(), 1, "no backup of a report");
}

#[test]
fn its_figures_are_those_of_status() {
    let project = Project::with_ended_demo();
    let status = project.json(&["status"]);
    let report = project.json(&["report", "--format", "md"]);
    let figures = &report["figures"];
    assert_eq!(report["session"], status["session"]);
    assert_eq!(report["format"], "md");
    assert_eq!(report["backup"], serde_json::Value::Null);
    let text = fs::read_to_string(report["path"].as_str().unwrap()).unwrap();
    assert_eq!(report["bytes"], text.len());
    assert_eq!(figures["outcome"], status["termination"]["type"]);
    assert_eq!(figures["rounds"], status["round"]);
    assert_eq!(figures["gaps"], status["gaps"]["all"]);
    assert_eq!(figures["open_count"], status["open_count"]);
    assert_eq!(figures["usage_in_all"], status["usage_in_all"]);
    assert_eq!(figures["time_millis"], status["time_millis"]);
    let limitations = status["known_limitations"].as_array().unwrap().len();
    assert_eq!(figures["known_limitations"], limitations);
    let issues = project.json(&["issues"])["items"].as_array().unwrap().len();
    assert_eq!(figures["issues"], issues);
    let decisions = project.json(&["decisions"]);
    assert_eq!(
        figures["decisions"],
        decisions["items"].as_array().unwrap().len()
    );
    let diff = project.json(&["diff"]);
    assert_eq!(figures["lines_added"], diff["added"]);
    assert_eq!(figures["lines_removed"], diff["removed"]);
    assert_eq!(
        figures["trouble"]["invalid"], 1,
        "the third round has a retry"
    );
}

#[test]
fn a_file_of_the_users_is_kept_and_the_spec_is_left_alone() {
    let project = Project::with_ended_demo();
    project.write("notes.html", "mine");
    let said = project
        .gapless(&["report", "--output", "notes.html"])
        .exits(0);
    assert_eq!(
        project.filtered(&said.out),
        "Report: [folder]/notes.html\nWhat stood there: [folder]/notes.html.bak\n"
    );
    assert_eq!(project.read("notes.html.bak"), "mine");
    let again = project.json(&["report", "--output", "notes.html"]);
    assert_eq!(again["backup"], serde_json::Value::Null);
    let spec = project.read("spec.md");
    for (file, why) in [
        ("spec.md", "is the spec itself"),
        (".gapless/gapless.db", "where gapless keeps its own files"),
        ("nowhere/report.html", "there is no folder"),
    ] {
        let refused = project.gapless(&["report", "--output", file]).exits(2);
        assert!(refused.err.contains(why), "{}", refused.err);
    }
    assert_eq!(project.read("spec.md"), spec);
}

#[test]
fn every_log_ever_written_has_a_report() {
    let logs = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/logs");
    let mut seen = 0;
    for log in fs::read_dir(logs).unwrap() {
        let log = log.unwrap().path();
        if !log.is_dir() {
            continue;
        }
        let project = Project::new();
        fs::create_dir(project.path(".gapless")).unwrap();
        fs::copy(log.join("gapless.db"), project.path(".gapless/gapless.db")).unwrap();
        for format in ["html", "md"] {
            let report = project.json(&["report", "--format", format]);
            let undone = &report["figures"]["trouble"]["rounds_undone"];
            let text = fs::read_to_string(report["path"].as_str().unwrap()).unwrap();
            assert_eq!(
                undone != 0,
                text.contains("undone by rollback"),
                "{}",
                log.display()
            );
        }
        seen += 1;
    }
    assert!(seen >= 7);
}

#[test]
fn a_session_that_is_not_there_has_none() {
    let project = Project::with_ended_demo();
    let failed = project.gapless(&["report", "nothing", "--json"]).exits(2);
    assert_eq!(failed.json()["error"]["kind"], "session");
}
