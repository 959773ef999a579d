//! `gapless import FOLDER`: sessions that others recorded, with a status.md in each of the three usual forms.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Project, RECORDED};

const SOURCE: &str =
    "# A lamp\n\n## Looks\n\nIt has a colour and a height.\n\n## Use\n\nIt has a switch.\n";

fn proposal(gap: &str, more: &str) -> String {
    format!(
        "## Gap Resolution: {gap}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\nIt is fixed at forty-two units, measured as \
         the norm says, with a tolerance of one unit either way. Every lamp that leaves the works is measured, and one outside \
         the tolerance is not sold. {more}\n\n### Trade-offs\n\nNone.\n\n### New Gaps Introduced\n\nNone\n\n"
    )
}

fn approved(gap: &str) -> String {
    format!(
        "## Review: {gap}\n\n**NO_ISSUES_FOUND**\n\nExamined:\n\n- the value\n- the tolerance\n\n"
    )
}

impl Project {
    /// A record with the source and this status.
    fn with_record(status: &str) -> Self {
        let project = Self::new();
        project.write("record/source.md", SOURCE);
        project.write("record/status.md", status);
        project
    }

    fn taken_over(&self) -> Value {
        self.json(&["import", "record", "--agents", "human"])
    }

    /// The gaps or issues as `id severity state`.
    fn listed(&self, command: &str) -> Vec<String> {
        let items = self.json(&[command])["items"].as_array().unwrap().clone();
        let word = |item: &Value, key: &str| item[key].as_str().unwrap().to_owned();
        items
            .iter()
            .map(|item| {
                ["id", "severity", "state"]
                    .map(|key| word(item, key))
                    .join(" ")
            })
            .collect()
    }
}

/// The remarks of a list, as `file:line: why`.
fn remarks(said: &Value, list: &str) -> Vec<String> {
    let remark = |remark: &Value| {
        let line = remark["line"]
            .as_u64()
            .map_or(String::new(), |line| format!(":{line}"));
        let text = |key: &str| remark[key].as_str().unwrap().to_owned();
        format!("{}{line}: {}", text("file"), text("why"))
    };
    said[list].as_array().unwrap().iter().map(remark).collect()
}

const HEADED: &str = "# Lamp - Refinement Status\n\n**Status:** COMPLETE\n\n## Gap Inventory\n\n### CRITICAL (Weight: 16)\n\n\
     | ID | Description | State | Resolution |\n|----|----|----|----|\n\
     | GAP-COL-001 | No colour is said | RESOLVED | Section Looks |\n\n\
     ### HIGH (Weight: 4)\n\n| ID | Description | State | Resolution |\n|----|----|----|----|\n\
     | GAP-HGT-001 | No height is said | DEFERRED | Later |\n| GAP-SWI-001 | No switch is said | RESOLVED | In the shop |\n";

#[test]
fn a_status_with_severity_headings_is_taken_over() {
    let project = Project::with_record(HEADED);
    let review = "## Review: GAP-COL-001\n\n### High Priority\n\n- **CRIT-001**: The colour names no norm\n  - Location: Looks\n\n";
    project.write("record/round_001/engineer.md", &proposal("GAP-COL-001", ""));
    project.write("record/round_001/reviewer.md", review);
    project.write("record/round_001/synthesis.md", "# Both\n");
    let again = proposal("GAP-COL-001", "CRIT-001 is met: the colour names its norm.");
    project.write("record/round_002/engineer.md", &again);
    project.write("record/round_002/reviewer.md", &approved("GAP-COL-001"));
    project.write(
        "record/decisions.md",
        "# Decisions\n\n### Round 1: Direction\n\n| Decision | Choice | Rationale |\n|--|--|--|\n| Shape | round | it rolls |\n",
    );
    let said = project.taken_over();
    assert_eq!(said["kind"], "recorded");
    assert_eq!(said["round"], 2);
    assert_eq!(
        project.listed("gaps"),
        [
            "GAP-COL-001 CRITICAL RESOLVED",
            "GAP-HGT-001 HIGH USER_DEFERRED",
            "GAP-SWI-001 HIGH RESOLVED"
        ]
    );
    assert_eq!(project.listed("issues"), ["ISSUE-R1-001 HIGH CLOSED"]);
    let decisions = project.json(&["decisions"]);
    assert_eq!(decisions["items"][0]["id"], "DECISION-R1-001");
    assert_eq!(decisions["items"][0]["decision"], "round");
    assert_eq!(decisions["items"][0]["rationale"], "it rolls");
    assert_eq!(
        remarks(&said, "not_taken"),
        [
            "round_001/synthesis.md: what it says of the round is not read: gapless sums the round up itself",
            "status.md:18: GAP-SWI-001 is RESOLVED there, and no section of a round is bound to it: the refined spec has nothing on it",
            "status.md:3: the record calls itself COMPLETE: here the session goes on",
        ]
    );
    assert!(remarks(&said, "assumed").is_empty());
    let log = project.gapless(&["log"]).exits(0).out;
    assert!(log.contains("session.imported"), "{log}");
    assert!(
        log.contains("not taken: round_001/synthesis.md: what it says"),
        "{log}"
    );
    let spec = project.read(".gapless/sessions/record/spec.md");
    assert!(spec.contains("the colour names its norm"), "{spec}");
    assert!(
        project
            .path(".gapless/sessions/record/round_002/reviewer.md")
            .exists()
    );
    project
        .gapless(&["show", "1", "--session", "record"])
        .exits(0);
}

const COLUMNED: &str = "# Lamp\n\n## Gap Inventory\n\n### To do\n\n| ID | Description | State | Severity |\n|----|----|----|----|\n\
     | GAP-COL-001 | No colour is said | ACCEPTED (R2) | CRITICAL |\n| GAP-HGT-001 | No height is said | NEW (R1) | LOW |\n\
     | GAP-SWI-001 | No switch is said | pondered | MEDIUM |\n\n## Decisions Log\n\n| Round | Decision |\n|--|--|\n| 1 | Blue |\n";

#[test]
fn a_status_with_a_severity_column_is_taken_over() {
    let project = Project::with_record(COLUMNED);
    let review = "## Review: GAP-COL-001\n\n### Critical Issues\n\n- **ISSUE-R1-001**: The colour fades\n\n\
                  ### High Priority\n\n- **ISSUE-R1-002**: The colour has no name\n\n\
                  ### New Gaps Identified\n\n- GAP-HGT-001 [LOW]: no height is said\n";
    project.write("record/round_001/engineer.md", &proposal("GAP-COL-001", ""));
    project.write("record/round_001/reviewer.md", review);
    project.write(
        "record/decisions.md",
        "# Log\n\n### Round 1: ISSUE-R1-001 (fading)\n**Conflict:** fade or not\n**Decision:** It may fade\n\
         **Rationale:** All do\n\n### Musings\n\nOn lamps.\n",
    );
    let said = project.taken_over();
    assert_eq!(
        project.listed("gaps"),
        [
            "GAP-COL-001 CRITICAL ACCEPTED",
            "GAP-SWI-001 MEDIUM OPEN",
            "GAP-HGT-001 LOW OPEN"
        ]
    );
    assert_eq!(
        project.listed("issues"),
        ["ISSUE-R1-002 HIGH OPEN", "ISSUE-R1-001 CRITICAL DECIDED"]
    );
    let history = project.json(&["status"])["history"].clone();
    assert_eq!(
        history[0]["new"], 1,
        "the gap that the review brought up: {history}"
    );
    let decision = &project.json(&["decisions"])["items"][0];
    assert_eq!(decision["issue"], "ISSUE-R1-001");
    assert_eq!(decision["state"], "IN_FORCE");
    assert_eq!(
        remarks(&said, "not_taken"),
        [
            "decisions.md:8: no decision can be read under \"Musings\"",
            "status.md:13: decisions are read from decisions.md only",
        ]
    );
    assert_eq!(
        remarks(&said, "assumed"),
        [
            "status.md:9: GAP-COL-001 is ACCEPTED there, although ISSUE-R1-002 [HIGH] stands: the next round reopens it, unless you waive that",
            "status.md:11: no state of GAP-SWI-001 can be read: taken as OPEN",
        ]
    );
}

#[test]
fn what_source_and_status_call_by_one_name_is_one_gap() {
    let project = Project::with_record(
        "# Lamp\n\n## Issues\n\n- [ ] **ISSUE-LAMP-001** [HIGH]: Too high\n\n\
         ## Open Questions\n\n- [ ] **OQ-001**: Who sells?\n- [x] **OQ-002**: Who makes?\n- [ ] **OQ-003**: Who buys?\n",
    );
    project.write(
        "record/source.md",
        &format!(
            "{SOURCE}\n## Open questions\n\n- OQ-001: Who sells it?\n- OQ-002: Who makes it?\n- ISSUE-LAMP-001: It is too high\n"
        ),
    );
    let said = project.taken_over();
    assert_eq!(
        project.listed("gaps"),
        [
            "GAP-LAMP-001 HIGH OPEN",
            "GAP-OQ-001 MEDIUM OPEN",
            "GAP-OQ-002 MEDIUM RESOLVED",
            "GAP-OQ-003 MEDIUM OPEN",
        ]
    );
    assert_eq!(project.listed("issues"), [""; 0]);
    assert_eq!(
        remarks(&said, "assumed"),
        ["status.md:11: OQ-003 is taken as GAP-OQ-003 with severity MEDIUM, since none is given"]
    );
}

const CHECKED: &str = "# Lamp\n\n### Looks\n- [x] **GAP-COL-001**: The colour - RESOLVED Round 1\n- [ ] **GAP-HGT-001**: No height is said\n\n\
     ## Issues\n\n- [ ] **ISSUE-LAMP-001** [HIGH]: The switch of GAP-HGT-001 is too high\n\n\
     ## Open Questions\n\n- [ ] **OQ-007**: Who sells it?\n- [x] **OQ-008**: Who makes it?\n";

#[test]
fn a_status_with_checkboxes_and_names_of_its_own_is_taken_over() {
    let project = Project::with_record(CHECKED);
    let said = project.taken_over();
    assert_eq!(
        project.listed("gaps"),
        [
            "GAP-COL-001 MEDIUM RESOLVED",
            "GAP-HGT-001 MEDIUM OPEN",
            "GAP-OQ-007 MEDIUM OPEN"
        ]
    );
    assert_eq!(project.listed("issues"), ["ISSUE-R1-001 HIGH OPEN"]);
    let issue = &project.json(&["issues"])["items"][0];
    assert_eq!(issue["gap"], "GAP-HGT-001");
    assert_eq!(issue["aliases"][0]["name"], "ISSUE-LAMP-001", "{issue}");
    let gaps = project.json(&["gaps"]);
    let mut gaps = gaps["items"].as_array().unwrap().iter();
    let asked = gaps.find(|gap| gap["id"] == "GAP-OQ-007").unwrap();
    assert_eq!(asked["aliases"][0]["document"], "status.md", "{asked}");
    assert_eq!(
        remarks(&said, "not_taken"),
        [
            "status.md:4: GAP-COL-001 is RESOLVED there, and no section of a round is bound to it: the refined spec has nothing on it",
            "status.md:14: OQ-008 is settled in the record: there is nothing left to do on it",
        ]
    );
    assert_eq!(
        remarks(&said, "assumed"),
        [
            "status.md:4: no severity is given for GAP-COL-001, GAP-HGT-001: taken as MEDIUM",
            "status.md:9: ISSUE-LAMP-001 is taken as ISSUE-R1-001",
            "status.md:13: OQ-007 is taken as GAP-OQ-007 with severity MEDIUM, since none is given",
        ]
    );
    let round = project.gapless(&["show", "0"]).exits(0).out;
    assert_eq!(
        round,
        "Round 0 of record\nNo agent ran here in this round.\n"
    );
    // Nothing was done yet: the inventory is asked about as in any session.
    project.gapless(&["resume", "record"]).exits(3);
    assert_eq!(
        project.json(&["questions"])["items"][0]["kind"],
        "inventory"
    );
}

#[test]
fn a_record_goes_on_with_what_comes_after_it() {
    let status = "# Lamp\n\n- [ ] **GAP-COL-001** [HIGH]: No colour is said\n- [ ] **GAP-HGT-001** [LOW]: No height is said\n";
    let project = Project::with_record(status);
    project.write("record/round_001/engineer.md", &proposal("GAP-COL-001", ""));
    let review = "## Review: GAP-COL-001\n\n### High Priority\n\n- **ISSUE-R1-001**: The colour fades in the sun\n\n";
    project.write("record/round_001/reviewer.md", review);
    let said = project.taken_over();
    assert_eq!(said["round"], 1);
    assert_eq!(
        project.listed("gaps"),
        ["GAP-COL-001 HIGH OPEN", "GAP-HGT-001 LOW OPEN"],
        "as status.md has them"
    );
    for file in ["source.md", "status.md"] {
        project.write(
            &format!("whole/{file}"),
            &project.read(&format!("record/{file}")),
        );
    }
    let response = "## Response to ISSUE-R1-001\n\nIt is lacquered, and keeps its colour in the sun for ten years.\n";
    let both = proposal("GAP-COL-001", "It is lacquered against the sun.")
        + &proposal("GAP-HGT-001", "")
        + response;
    project.write("whole/round_002/engineer.md", &both);
    let reviews = approved("GAP-COL-001") + &approved("GAP-HGT-001");
    project.write("whole/round_002/reviewer.md", &reviews);
    let last = fs::read_to_string(Path::new(RECORDED).join("round_007/final_review.md")).unwrap();
    project.write("whole/final_review.md", &last);
    let words = ["resume", "record", "--agents", "replay:whole", "--policy"];
    project
        .gapless(&[words.as_slice(), &["recommended"]].concat())
        .exits(0);
    assert_eq!(project.listed("issues"), ["ISSUE-R1-001 HIGH CLOSED"]);
    assert_eq!(project.json(&["status"])["termination"]["type"], "COMPLETE");

    project.json(&["export", "record", "--output", "carried"]);
    let there = Project::new();
    let file = project.path("carried");
    there.gapless(&["import", file.to_str().unwrap()]).exits(0);
    there.json(&["export", "--output", "again"]);
    assert_eq!(
        fs::read(there.path("again")).unwrap(),
        fs::read(file).unwrap()
    );
}

#[test]
fn what_a_document_binds_to_no_gap_is_kept_and_told() {
    let project = Project::with_record(CHECKED);
    project.write(
        "record/round_001/engineer.md",
        "# Thoughts\n\nA lamp is a lamp.\n",
    );
    project.write("record/round_003/engineer.md", &proposal("GAP-NEW-001", ""));
    project.write("record/notes.txt", "x");
    let said = project.taken_over();
    assert_eq!(said["round"], 3);
    let left = remarks(&said, "not_taken");
    assert!(
        left[0].starts_with("round_002: it is not there"),
        "{left:?}"
    );
    assert!(
        left[1].starts_with("round_001/engineer.md: nothing of it binds"),
        "{left:?}"
    );
    assert!(
        left.contains(&"notes.txt: nothing is read from it".to_owned()),
        "{left:?}"
    );
    let assumed = remarks(&said, "assumed");
    assert!(
        assumed[0].starts_with("round_003/engineer.md:1: GAP-NEW-001 is in no inventory"),
        "{assumed:?}"
    );
    let kept = project.read(".gapless/sessions/record/round_001/engineer.md");
    assert_eq!(kept, "# Thoughts\n\nA lamp is a lamp.\n");
}

#[test]
fn a_folder_that_is_no_session_is_refused_and_nothing_is_written() {
    let project = Project::new();
    fs::create_dir(project.path("empty")).unwrap();
    let said = project.gapless(&["import", "empty"]).exits(2);
    assert!(said.err.contains("is no session"), "{}", said.err);
    project.write("record/status.md", CHECKED);
    let said = project
        .gapless(&["import", "record", "--agents", "human"])
        .exits(2);
    assert!(said.err.contains("there is no spec at"), "{}", said.err);
    assert!(said.err.contains("--source"), "{}", said.err);
    project.write("spec.md", SOURCE);
    project.write("record/round_900/engineer.md", "# Late\n");
    let words = [
        "import", "record", "--agents", "human", "--source", "spec.md",
    ];
    let said = project.gapless(&words).exits(2);
    assert!(
        said.err.contains("no rounds between 0 and 900"),
        "{}",
        said.err
    );
    assert!(!project.path(".gapless").exists());
    fs::remove_dir_all(project.path("record/round_900")).unwrap();
    project.gapless(&words).exits(0);
    let said = project.gapless(&words).exits(2);
    assert!(said.err.contains("--name NAME"), "{}", said.err);
}
