//! A session that is killed again and again ends as one that never was.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::support::{Project, recorded_agent, without_times};
use serde_json::Value;

/// Kills in all, over as many sessions as it takes.
const KILLS: usize = 60;

/// Agents of which some are slow, so that kills fall into calls in flight.
const SLOWNESS: &str = r#"case $GAPLESS_ROLE$GAPLESS_ROUND in
  engineer1|reviewer4) sleep 0.15 ;;
  engineer*) sleep 0.03 ;;
esac"#;

fn project() -> (Project, String) {
    let project = Project::with_demo();
    let agent = project.agent(&recorded_agent(SLOWNESS));
    (project, agent)
}

fn start(agent: &str) -> [&str; 14] {
    [
        "run",
        "spec.md",
        "--agents",
        agent,
        "--analyst",
        "none",
        // The recording has no Editor's documents.
        "--editor",
        "none",
        "--scan-from",
        "never",
        "--answers",
        "answers.toml",
        "--output",
        "refined.md",
    ]
}

/// Everything that is left of a session.
fn remains(project: &Project) -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    for command in ["status", "gaps", "issues", "questions", "log"] {
        let document = without_times(project.json(&[command])).to_string();
        let document = serde_json::from_str(&project.filtered(&document)).unwrap();
        all.insert(command.to_owned(), document);
    }
    // Written once, whenever it was killed: there is nothing to keep a backup of.
    all.insert("refined.md".to_owned(), project.read("refined.md").into());
    assert!(!project.path("refined.md.bak").exists());
    collect(&project.path(".gapless/sessions/spec"), "", &mut all);
    all
}

fn collect(folder: &Path, prefix: &str, all: &mut BTreeMap<String, Value>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), all);
        } else if name.ends_with(".result.json") {
            let text = fs::read_to_string(entry.path()).unwrap();
            all.insert(name, without_times(serde_json::from_str(&text).unwrap()));
        } else if name.ends_with("spec.md")
            || name.contains("/engineer")
            || name.contains("/reviewer")
        {
            let text = fs::read_to_string(entry.path()).unwrap();
            all.insert(name, text.into());
        } else if !name.starts_with("driver.") {
            // These have times in them: that they are there is compared.
            all.insert(name, Value::Null);
        }
    }
}

/// A spread of moments that is the same in every run of this test.
struct Moments(u64);

impl Moments {
    fn next(&mut self, within: u64) -> Duration {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        Duration::from_millis(2 + (self.0 >> 33) % within)
    }
}

#[test]
fn a_session_killed_at_any_moment_ends_as_one_never_killed() {
    let (calm, agent) = project();
    calm.gapless(&start(&agent)).exits(0);
    let expected = remains(&calm);

    let (mut kills, mut moments) = (0, Moments(11));
    while kills < KILLS {
        kills += killed_session(&mut moments, &expected);
    }
}

/// Runs a session to its end, killing it on the way, and says how often it was killed.
fn killed_session(moments: &mut Moments, expected: &BTreeMap<String, Value>) -> usize {
    let (project, agent) = project();
    let mut kills = 0;
    loop {
        // Killed before its first commit, the session doesn't exist.
        let exists = project.gapless(&["status"]).code == Some(0);
        let mut running = match exists {
            true => project.start(&["resume", "--answers", "answers.toml"]),
            false => project.start(&start(&agent)),
        };
        // Longer from kill to kill, so that it ends however slow the machine is.
        let deadline = Instant::now() + moments.next(60 + 4 * kills as u64);
        while Instant::now() < deadline && !running.has_ended() {
            std::thread::sleep(Duration::from_millis(1));
        }
        if running.has_ended() {
            running.wait().exits(0);
            break;
        }
        running.kill();
        kills += 1;
        assert!(kills < 500, "it never ends");
    }
    let found = remains(&project);
    for (name, value) in expected {
        let found = found.get(name).unwrap_or(&Value::Null);
        if let (Some(found), Some(value)) = (found["events"].as_array(), value["events"].as_array())
        {
            for (found, value) in found.iter().zip(value) {
                assert_eq!(found, value, "{name} after {kills} kills");
            }
        }
        assert_eq!(found, value, "{name} after {kills} kills");
    }
    assert_eq!(
        found.keys().collect::<Vec<_>>(),
        expected.keys().collect::<Vec<_>>()
    );
    kills
}
